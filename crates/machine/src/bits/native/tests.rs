//! Machine code plays exactly as the interpreter does, with every kind of instructions this machine has.

use super::{Native, Target};
use crate::bits::Bits;
use crate::bits::playouts::playouts;
use crate::bits::word::{W256, W512, Word};
use crate::{GroundLimits, Random};
use std::path::Path;

fn same<W: Word>(engine: &Bits, target: Target, name: &str) {
    let native = Native::new(target, &engine.phases, &engine.whole).expect("every game of the library becomes code");
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
        let rules = ludens_gdl::read(&text, &ludens_gdl::Limits::default()).rules.expect("valid rules");
        let engine = Bits::new(&rules, &GroundLimits::default()).expect("it can be grounded");
        if let Some(target) = engine.processor.target(512) {
            same::<W512>(&engine, target, &name);
        }
        if let Some(target) = engine.processor.target(256) {
            same::<W256>(&engine, target, &name);
            same::<W256>(&engine, Target::Avx2, &name);
        }
    }
}
