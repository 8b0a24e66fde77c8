//! The iterated prisoner's dilemma: how often each of the four outcomes came about.

use crate::harness::{Simulator, agree};

#[derive(Clone)]
struct PrisonersDilemma {
    /// Indexed by whether left defected and whether right did.
    outcomes: [[u8; 2]; 2],
}

impl Simulator for PrisonersDilemma {
    fn new() -> PrisonersDilemma {
        PrisonersDilemma { outcomes: [[0; 2]; 2] }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        vec![vec!["cooperate".to_owned(), "defect".to_owned()]; 2]
    }

    fn play(&mut self, joint: &[String]) {
        let [left, right] = [0, 1].map(|player: usize| usize::from(joint[player] == "defect"));
        self.outcomes[left][right] += 1;
    }

    fn terminal(&self) -> bool {
        self.outcomes.as_flattened().iter().sum::<u8>() == 20
    }

    fn points(&self) -> Vec<u8> {
        let [[both_cooperated, right_tempted], [left_tempted, both_defected]] = self.outcomes;
        [left_tempted, right_tempted].map(|tempted| 5 * tempted + 3 * both_cooperated + both_defected).to_vec()
    }
}

#[test]
fn agrees() {
    agree::<PrisonersDilemma>("iterated_prisoners_dilemma");
}
