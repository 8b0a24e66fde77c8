//! What rules derive from a state, as a network of its own.

mod common;

use common::{Random, evaluate, library, net, value};
use ludens_ground::{Net, Node};

/// Every atom that is derived from a state alone is noted in the next one; what hangs on moves, or on itself, or is asked for in part, is not told.
const NOTED: &str = "(role solo) (goal solo 100) (<= terminal (true end))
    (init (on 1)) (number 1) (number 2) (number 3) (succ 1 2) (succ 2 3) (near 1 2) (near 2 1) (near 2 3) (near 3 2)
    (legal solo wait) (<= (legal solo (flip ?x)) (number ?x))
    (<= (next (on ?x)) (true (on ?x)) (not (does solo (flip ?x))))
    (<= (next (on ?x)) (does solo (flip ?x)) (not (true (on ?x))))
    (<= (pair ?x ?y) (true (on ?x)) (true (on ?y)) (succ ?x ?y))
    (<= (alone ?x) (true (on ?x)) (not (beside ?x)))
    (<= (beside ?x) (pair ?x ?y)) (<= (beside ?y) (pair ?x ?y))
    (<= dark (not some)) (<= some (true (on ?x)))
    (<= (same ?x) (true (on ?x)))
    (<= (flipped ?x) (does solo (flip ?x)))
    (reached 1) (<= (reached ?y) (reached ?x) (near ?x ?y) (true (on ?y)))
    (<= (next (was (pair ?x ?y))) (pair ?x ?y)) (<= (next (was (alone ?x))) (alone ?x)) (<= (next (was (beside ?x))) (beside ?x))
    (<= (next (was dark)) dark) (<= (next (was some)) some) (<= (next (was (same ?x))) (same ?x))
    (<= (next (was (flipped ?x))) (flipped ?x)) (<= (next (was (reached ?x))) (reached ?x))";

fn derived(net: &Net) -> &Net {
    let derived = net.derived.as_deref().expect("something is derived");
    assert_eq!(derived.check(), Ok(()));
    derived
}

#[test]
fn atoms_hold_when_the_rules_say_so() {
    let net = net(NOTED);
    let derived = derived(&net);
    let mut texts: Vec<&str> = derived.probes.iter().map(|probe| probe.text.as_str()).collect();
    texts.sort_unstable();
    assert_eq!(
        texts,
        [
            "(alone 1)",
            "(alone 2)",
            "(alone 3)",
            "(beside 1)",
            "(beside 2)",
            "(beside 3)",
            "(pair 1 2)",
            "(pair 2 3)",
            "dark",
            "some"
        ],
        "what a fluent says, what moves do and what goes in circles is left out"
    );
    let idle = vec![false; net.moves.len()];
    let mut random = Random(5);
    for _ in 0..200 {
        let state: Vec<bool> = net.fluents.iter().map(|_| random.below(2) == 0).collect();
        let (values, beside) = (evaluate(&net, &state, &idle), evaluate(derived, &state, &idle));
        for probe in &derived.probes {
            let noted = format!("(was {})", probe.text);
            let fluent = net.fluents.iter().find(|fluent| fluent.text == noted).expect("all are noted");
            assert_eq!(value(&beside, probe.holds), value(&values, fluent.next), "{}", probe.text);
        }
    }
}

#[test]
fn play_does_not_carry_it() {
    let mut games = 0;
    for (name, sheet) in library() {
        let net = net(&sheet);
        assert!(net.probes.is_empty(), "{name}");
        let Some(beside) = &net.derived else { continue };
        games += 1;
        assert_eq!(beside.check(), Ok(()), "{name}");
        assert!(beside.loops.is_empty() && beside.derived.is_none(), "{name}");
        assert!(!beside.probes.is_empty() && beside.probes.len() <= 1 << 12, "{name}");
        let reads_moves = |node: &Node| matches!(node, Node::And { .. });
        let gates = beside.nodes.iter().zip(0..).filter(|(node, _)| reads_moves(node)).map(|(_, number)| number);
        for gate in gates {
            for signal in beside.inputs(ludens_ground::NodeId(gate)) {
                let read = beside.nodes[signal.node().0 as usize];
                assert!(matches!(read, Node::Fluent(_) | Node::And { .. }), "{name}: {read:?} is read");
            }
        }
        assert_eq!(net.fluents.len(), beside.fluents.len(), "{name}: fluents have the same numbers");
    }
    assert!(games > 25, "only {games} games have something that is derived");
}

#[test]
fn relations_of_many_atoms_are_left_out_first() {
    let sheet = "(role solo) (goal solo 100) (<= terminal (true end)) (legal solo wait)
        (digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7) (digit 8) (digit 9)
        (<= (init (on ?x)) (digit ?x)) (<= (next (on ?x)) (true (on ?x)) (digit ?x))
        (<= (two ?x ?y) (true (on ?x)) (true (on ?y)))
        (<= (four ?a ?b ?c ?d) (two ?a ?b) (two ?c ?d))
        (<= (next (was 2)) (two ?x ?y)) (<= (next (was 4)) (four ?a ?b ?c ?d))";
    let net = net(sheet);
    let probes = net.derived.as_ref().map_or(0, |derived| derived.probes.len());
    assert_eq!(probes, 100, "ten thousand are too many");
}

#[test]
fn relations_with_long_names_are_not_told() {
    let long = "n".repeat(5000);
    let net = net(&NOTED.replace("alone", &long));
    let texts: Vec<&str> = derived(&net).probes.iter().map(|probe| probe.text.as_str()).collect();
    assert!(texts.contains(&"(pair 1 2)") && texts.iter().all(|text| text.len() < 100), "{texts:?}");
}
