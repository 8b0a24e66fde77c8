//! Rock, paper, scissors: all that was shown, with the hands in a circle in which each beats the one before.

use crate::harness::{Simulator, agree};

const HANDS: [&str; 3] = ["(show rock)", "(show paper)", "(show scissors)"];

#[derive(Clone)]
struct RockPaperScissors {
    shown: Vec<[usize; 2]>,
}

impl Simulator for RockPaperScissors {
    fn new() -> RockPaperScissors {
        RockPaperScissors { shown: Vec::new() }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        vec![HANDS.map(str::to_owned).to_vec(); 2]
    }

    fn play(&mut self, joint: &[String]) {
        let hand = |player: usize| HANDS.iter().position(|hand| *hand == joint[player]).expect("a hand");
        self.shown.push([hand(0), hand(1)]);
    }

    fn terminal(&self) -> bool {
        self.shown.len() == 10
    }

    fn points(&self) -> Vec<u8> {
        let rounds = |distance: usize| self.shown.iter().filter(|[left, right]| (3 + left - right) % 3 == distance).count();
        let left = u8::try_from(50 + 5 * rounds(1) - 5 * rounds(2)).expect("at most a hundred");
        vec![left, 100 - left]
    }
}

#[test]
fn agrees() {
    agree::<RockPaperScissors>("rock_paper_scissors");
}
