//! Machine code plays exactly as the interpreter does, with every kind of instructions this machine has.

use super::{Native, Target};
use crate::bits::playouts::playouts;
use crate::bits::word::{W256, W512, Word};
use crate::bits::{Bits, Track};
use crate::{GroundLimits, Manner, Random};
use std::path::Path;

mod nets;

fn same<W: Word>(engine: &Bits, target: Target, name: &str) {
    let native = Native::new(target, &engine.plain.phases, &engine.whole).expect("every game of the library becomes code");
    for (count, max_plies, seed) in [(700, 1_000, 1), (3, 20, 2)] {
        let play = |native| playouts::<W>(engine, native, &engine.initial, count, max_plies, &mut Random::new(seed));
        assert_eq!(play(Some((target, &native))), play(None), "{name}, {target:?}, {count} playouts");
    }
}

#[test]
fn code_plays_like_the_interpreter() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    for entry in std::fs::read_dir(games).expect("the library is there") {
        let folder = entry.expect("an entry").path();
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(folder.join("rules.kif")).expect("rules");
        same_everywhere(&engine_of(&text), &name);
        same_everywhere(&weighted(engine_of(&text)), &format!("{name}, some moves likelier"));
        if let Some(engine) = decided(engine_of(&text)) {
            same_everywhere(&engine, &format!("{name}, wins not passed over"));
        }
    }
}

/// An engine whose random play prefers some moves.
fn weighted(engine: Bits) -> Bits {
    let shifts: Vec<u8> = (0..engine.whole.net.moves.len()).map(|index| (index % 7 % 5) as u8).collect();
    Bits { plain: Track::new(engine.plain.grounded(), &shifts), ..engine }
}

/// An engine whose random play does not pass over wins, where it can.
fn decided(mut engine: Bits) -> Option<Bits> {
    engine.track(Manner { decisive: true, practised: false });
    let track = engine.decisive.take().flatten()?;
    Some(Bits { plain: track, ..engine })
}

/// With every kind of instructions this machine has.
fn same_everywhere(engine: &Bits, name: &str) {
    if let Some(target) = engine.processor.target(512) {
        same::<W512>(engine, target, name);
    }
    if let Some(target) = engine.processor.target(256) {
        same::<W256>(engine, target, name);
        same::<W256>(engine, Target::Avx2, name);
    }
}

fn engine_of(text: &str) -> Bits {
    let rules = ludens_gdl::read(text, &ludens_gdl::Limits::default()).rules.expect("valid rules");
    Bits::new(&rules, &GroundLimits::default()).expect("it can be grounded")
}

/// Items that a player sets and clears, and white and black in turn.
fn items(list: &str) -> String {
    let items = list.split(' ').fold(String::new(), |text, item| text + &format!("(item {item}) "));
    format!(
        "(role r) {items} (<= (legal r (set ?f)) (item ?f)) (<= (legal r (clear ?f)) (item ?f))
        (<= (next ?f) (true ?f) (item ?f) (not (does r (clear ?f)))) (<= (next ?f) (item ?f) (does r (set ?f)))
        (init white) (<= (next black) (true white)) (<= (next white) (true black))
        (<= (goal r 100) (true f1)) (<= (goal r 50) (not (true f1)))"
    )
}

/// Atoms that support each other, in some phases only, or together with what others read, too.
#[test]
fn loops_play_like_the_interpreter() {
    let more_moves = (1..=20).fold(String::new(), |text, n| text + &format!("(n {n}) "));
    let sheets = [
        // A gate outside the loop is part of one operation with what it reads.
        items("f1 c1 c2 c3 d1 d2 d3 e1 e2 e3")
            + "(is 1 c1 d1 e1) (is 2 c2 d2 e2) (is 3 c3 d3 e3) (edge 1 2) (edge 2 3) (edge 3 1) (<= (reach 1) (true f1))
              (<= (reach ?y) (edge ?x ?y) (reach ?x) (not (blocked ?y))) (<= (blocked ?y) (is ?y ?c ?d ?e) (true ?c) (not (open ?y)))
              (<= (open ?y) (is ?y ?c ?d ?e) (true ?d) (true ?e)) (<= terminal (reach 1) (reach 2) (reach 3))",
        // What a latch becomes is the last gate of the loop, and reads none.
        items("f1 f2 g") + "(<= b (true g) a) (<= a (true f1) (true f2)) (<= a b (true black)) (<= terminal b a (true white))",
        // In one phase no latch can ever be set, and the end is one.
        items("f1 f2")
            + &more_moves
            + "(<= (legal r (go ?n)) (n ?n) (true black)) (<= a (true black) (true f1) (true f2)) (<= a (true black) b)
              (<= b (true black) a) (<= terminal a)",
        // A gate of the loop is read by successors and not by the end.
        items("f1 f2 c d")
            + "(<= y (true c) (true d)) (<= a (true f1)) (<= a b (true black)) (<= b a (not y)) (<= b (true white))
              (<= (next z) a (not y)) (<= terminal a (true f2) (true z)) (<= terminal b (true f2) (true black))",
    ];
    for (number, text) in sheets.iter().enumerate() {
        same_everywhere(&engine_of(text), &format!("sheet {number}"));
    }
}

#[test]
fn random_networks_play_like_the_interpreter() {
    let (mut loops, mut decisive) = (0, 0);
    for seed in 0..400 {
        let net = nets::random(&mut Random::new(seed));
        net.check().expect("a sound network");
        loops += net.loops.len();
        let engine = Bits::of(net, false);
        same_everywhere(&engine, &format!("network {seed}"));
        if let Some(engine) = decided(engine) {
            same_everywhere(&engine, &format!("network {seed}, wins not passed over"));
            decisive += 1;
        }
    }
    assert!(loops > 400, "{loops}");
    assert!(decisive > 2, "{decisive}");
}
