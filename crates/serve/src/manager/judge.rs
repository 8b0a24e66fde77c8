//! What an answer is worth, and what is played where it is worth nothing.

use crate::message::Reply;
use crate::record::Thought;
use ludens_gdl::{legible, parse_ground};
use ludens_machine::{Machine, MoveId, Random, RoleId};

/// The most that a record quotes of an answer.
const MAX_QUOTED: usize = 200;

/// What an answer is worth.
#[derive(Debug, Default)]
pub(super) struct Judged {
    /// The move, if it is one, and legal.
    pub(super) choice: Option<MoveId>,
    /// What is wrong, as ggp-base's records have it; empty where nothing is.
    pub(super) error: String,
    pub(super) thought: Option<Thought>,
    /// In seconds.
    pub(super) latency: Option<f64>,
}

/// Judges an answer to PLAY; `reveal` gives names back that were hidden from the player.
pub(super) fn judge(
    machine: &Machine,
    role: RoleId,
    legal: &[MoveId],
    reply: &Reply,
    reveal: impl Fn(&str) -> Option<String>,
) -> Judged {
    let text = reply.to_string();
    let choice = reveal(&text).and_then(|text| meant(machine, legal, &text));
    let error = if choice.is_some() { String::new() } else { format!("IL {}", quoted(&text)) };
    let thought = match reply {
        Reply::Move(chosen) => chosen.thought.as_ref(),
        _ => None,
    };
    let name = |text: &str| reveal(text).unwrap_or_else(|| text.to_owned());
    let thought = thought.map(|thought| Thought::of_player(role.0 as usize, thought, name));
    Judged { choice, error, thought, latency: None }
}

/// The legal move that a text means. Letter case matters only where two moves differ in nothing else.
fn meant(machine: &Machine, legal: &[MoveId], text: &str) -> Option<MoveId> {
    let text = parse_ground(text).ok()?.to_string();
    let mut alike = Vec::new();
    for &id in legal {
        let known = machine.move_text(id);
        if known == text {
            return Some(id);
        }
        if known.eq_ignore_ascii_case(&text) {
            alike.push(id);
        }
    }
    match alike[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// The beginning of an answer, in one line that can be printed anywhere.
fn quoted(text: &str) -> String {
    let mut words = String::new();
    for character in text.trim().chars().take(MAX_QUOTED) {
        words.push(if character.is_whitespace() { ' ' } else { character });
    }
    legible(&words)
}

/// Any legal move. It depends on the seed, the step and the role, not on how the engine numbers its moves.
pub(super) fn any_move(machine: &Machine, legal: &[MoveId], seed: u64, step: usize, role: RoleId) -> MoveId {
    let mut texts: Vec<(String, MoveId)> = legal.iter().map(|&id| (machine.move_text(id), id)).collect();
    texts.sort_unstable();
    let mut random = Random::new(mix(mix(seed, step as u64), u64::from(role.0)));
    texts[random.below(texts.len())].1
}

/// A seed of several numbers.
pub fn mix(seed: u64, salt: u64) -> u64 {
    Random::new(seed ^ salt.wrapping_mul(0xd134_2543_de82_ef95).rotate_left(23)).bits()
}

#[cfg(test)]
mod tests {
    use super::{any_move, meant, quoted};
    use ludens_gdl::{Limits, read};
    use ludens_machine::{Machine, MoveId, RoleId, relational};

    fn machine(moves: &str) -> (Machine, Vec<MoveId>) {
        let sheet = format!("(role r) (init on) {moves} (<= terminal (not (true on))) (goal r 0)");
        let rules = read(&sheet, &Limits::default()).rules.expect("valid");
        let machine =
            Machine::relational(&rules, &relational::Options::default(), &ludens_machine::Limits::default()).expect("a machine");
        let mut lanes = machine.lanes(1);
        lanes.load(0, machine.initial());
        lanes.evaluate().expect("an evaluation");
        let legal = lanes.legal(0, RoleId(0)).to_vec();
        drop(lanes);
        (machine, legal)
    }

    #[test]
    fn letter_case_matters_where_nothing_else_differs() {
        let (machine, legal) = machine("(legal r (go a)) (legal r (go A)) (legal r Wait)");
        let text = |said: &str| meant(&machine, &legal, said).map(|id| machine.move_text(id));
        assert_eq!(text(" ( go  A ) ").as_deref(), Some("(go A)"));
        assert_eq!(text("(go a)").as_deref(), Some("(go a)"));
        assert_eq!(text("(GO A)"), None);
        assert_eq!(text("WAIT").as_deref(), Some("Wait"));
        for said in ["", "(go b)", "(go a) (go a)", "(go a", "nil", "(go ?x)"] {
            assert_eq!(text(said), None, "{said}");
        }
    }

    #[test]
    fn chance_depends_on_the_seed_and_the_place_alone() {
        let (one, its) = machine("(legal r a) (legal r b) (legal r c) (legal r d)");
        let (other, others) = machine("(legal r d) (legal r b) (legal r a) (legal r c)");
        let mut seen = std::collections::BTreeSet::new();
        for step in 0..40 {
            let text = one.move_text(any_move(&one, &its, 7, step, RoleId(0)));
            assert_eq!(text, other.move_text(any_move(&other, &others, 7, step, RoleId(0))));
            seen.insert(text);
        }
        assert_eq!(seen.len(), 4);
    }

    #[test]
    fn quotations_are_short_and_plain() {
        assert_eq!(quoted(" a\nb "), "a b");
        assert!(quoted(&"x".repeat(1_000_000)).len() <= 200);
        assert!(!quoted("\u{1b}[2J").contains('\u{1b}'));
    }
}
