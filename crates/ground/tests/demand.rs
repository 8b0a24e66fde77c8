//! However much is worked out on demand, networks say the same.

mod common;

use common::{Match, Random, library, rules};
use ludens_ground::{Limits, Net, ground};

/// The network with everything on demand, with nearly everything, and with nothing.
fn made(text: &str) -> Option<[Net; 3]> {
    let rules = rules(text);
    let made = |whole| ground(&rules, &Limits { whole, ..Limits::default() }).ok();
    // Where statics are not listed either, some sheets grow too large.
    Some([made(0).or_else(|| made(100))?, made(4).or_else(|| made(500))?, made(usize::MAX)?])
}

/// Plays random matches on two networks side by side.
fn agree(name: &str, one: &Net, two: &Net, states: usize) {
    let mut random = Random(11);
    let (mut left, mut right) = (Match::new(one), Match::new(two));
    for _ in 0..states {
        assert_eq!(left.fluents(), right.fluents(), "{name}");
        assert_eq!(left.terminal(), right.terminal(), "{name}");
        let mut moves = Vec::new();
        for role in 0..one.roles.len() as u32 {
            let (mut ours, mut theirs) = (left.goals(role), right.goals(role));
            ours.sort_unstable();
            theirs.sort_unstable();
            assert_eq!(ours, theirs, "{name}");
            let legal = left.legal_texts(role);
            assert_eq!(legal, right.legal_texts(role), "{name}");
            if !legal.is_empty() {
                moves.push(legal[random.below(legal.len())]);
            }
        }
        if left.terminal() || moves.len() < one.roles.len() {
            (left, right) = (Match::new(one), Match::new(two));
            continue;
        }
        left.play_texts(&moves);
        right.play_texts(&moves);
    }
}

#[test]
fn games_are_the_same_on_demand() {
    let mut compared = 0;
    for (name, text) in library() {
        let Some([all, most, none]) = made(&text) else { continue };
        compared += 1;
        let states = if none.size().0 > 3_000 { 12 } else { 60 };
        agree(&name, &all, &none, states);
        agree(&name, &most, &none, states);
    }
    assert!(compared > 30, "{compared} games");
}

/// A king on a board, guns, and fields from which the king could be hit: nothing but where the king is joins them.
fn king(rules: &str) -> String {
    let numbers = "(num 1) (num 2) (num 3) (num 4) (num 5) (num 6)";
    let steps = "(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)";
    format!(
        "(role solo) (goal solo 100) (<= terminal (true end)) {numbers} {steps} (init (king 1 1)) (init (gun 3 3)) (init (gun 5 1))
        (<= (near ?x ?y) (succ ?x ?y)) (<= (near ?x ?y) (succ ?y ?x))
        (<= (legal solo (go ?x ?v ?y ?v)) (true (king ?x ?v)) (near ?x ?y)) (<= (legal solo (go ?u ?x ?u ?y)) (true (king ?u ?x)) (near ?x ?y))
        (<= (next (king ?y ?w)) (does solo (go ?x ?v ?y ?w)))
        (<= (next (gun ?u ?v)) (true (gun ?u ?v)) (not (true (king ?u ?v))))
        (<= (hit ?x ?y ?a ?b) (true (gun ?x ?v)) (num ?y) (distinct ?v ?y) (num ?a) (num ?b) (distinct ?a ?x))
        (<= (hit ?x ?y ?a ?b) (true (gun ?u ?y)) (num ?x) (distinct ?u ?x) (num ?a) (num ?b) (distinct ?b ?u))
        (<= (next (safe ?a ?b)) (true (king ?x ?y)) (num ?a) (num ?b) (not (hit ?x ?y ?a ?b))) {rules}"
    )
}

#[test]
fn what_excludes_each_other_is_made_use_of() {
    let [_, demand, whole] = made(&king("")).expect("networks");
    agree("one king", &demand, &whole, 200);
    assert!(demand.size().1 < whole.size().1, "{:?} and {:?}", demand.size(), whole.size());
    // A second king may appear: then nothing is proven, and nothing is made use of.
    for second in ["(<= (next (king 6 6)) (true (gun 3 3)))", "(<= (next (king ?u ?v)) (true (king ?u ?v)) (true (safe ?u ?v)))"]
    {
        let [_, demand, whole] = made(&king(second)).expect("networks");
        agree(second, &demand, &whole, 200);
        assert_eq!(demand.size(), whole.size(), "{second}");
    }
}
