//! A match as data: what must hold in every state, and what is played there.

use ludens_gdl::parse_ground_list;
use ludens_machine::{Machine, MoveId};

/// One state of a match. Lists of terms are written with blanks between them, in any order.
pub(crate) struct Stage {
    /// The fluents; [`ANY`] where the case is not about them.
    pub(crate) state: &'static str,
    pub(crate) terminal: bool,
    /// Per role.
    pub(crate) legal: &'static [&'static str],
    /// Per role.
    pub(crate) goals: &'static [&'static str],
    /// The joint move; empty at the end.
    pub(crate) play: &'static [&'static str],
}

pub(crate) const ANY: &str = "*";

/// A state that is not terminal.
pub(crate) const fn on(
    state: &'static str,
    legal: &'static [&'static str],
    goals: &'static [&'static str],
    play: &'static [&'static str],
) -> Stage {
    Stage { state, terminal: false, legal, goals, play }
}

/// A terminal state, the last of its match.
pub(crate) const fn end(state: &'static str, legal: &'static [&'static str], goals: &'static [&'static str]) -> Stage {
    Stage { state, terminal: true, legal, goals, play: &[] }
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts
}

fn terms(text: &str) -> Vec<String> {
    sorted(parse_ground_list(text).expect("terms").iter().map(ToString::to_string).collect())
}

/// Plays the match and compares.
pub(crate) fn follow(machine: &Machine, stages: &[Stage], context: &str) {
    let mut lanes = machine.lanes(1);
    lanes.load(0, machine.initial());
    for (step, stage) in stages.iter().enumerate() {
        let context = format!("{context}, step {step}");
        if stage.state != ANY {
            assert_eq!(sorted(machine.fluents(&lanes.state(0))), terms(stage.state), "{context}: state");
        }
        lanes.evaluate_fully().unwrap_or_else(|error| panic!("{context}: {error}"));
        assert_eq!(lanes.terminal(0), stage.terminal, "{context}: terminal");
        assert_eq!(machine.roles().len(), stage.legal.len(), "{context}: roles");
        for (role, (legal, goals)) in machine.roles().zip(stage.legal.iter().zip(stage.goals)) {
            let moves = lanes.legal(0, role).iter().map(|&id| machine.move_text(id)).collect();
            assert_eq!(sorted(moves), terms(legal), "{context}: legal moves of {}", machine.role_name(role));
            let values = lanes.goals(0, role).unwrap_or_else(|error| panic!("{context}: {error}"));
            let values = values.into_iter().map(|id| machine.goal_text(id)).collect();
            assert_eq!(sorted(values), terms(goals), "{context}: goals of {}", machine.role_name(role));
        }
        if !stage.play.is_empty() {
            let joint: Vec<MoveId> = stage.play.iter().map(|text| machine.find_move(text).expect("a move")).collect();
            lanes.play(0, &joint);
            lanes.advance().unwrap_or_else(|error| panic!("{context}: {error}"));
        }
    }
}
