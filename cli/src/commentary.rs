//! What an evaluation function says of a match while it goes on.

use crate::playable::Playable;
use anyhow::Result;
use ludens_machine::{RoleId, State};
use ludens_score::{Accountant, Balance, Invented, Invention, Link, Part, View, changes};

/// Terms that are named after a move.
const NAMED: usize = 3;

/// Those that move less than this share of the one that moved most are not worth a word.
const SLIGHT: f64 = 0.1;

/// Somebody who looks on, with a function in mind.
pub(crate) struct Commentary<'a> {
    game: &'a Playable,
    invented: &'a Invented,
    accountant: Accountant<'a>,
    /// The position before the move.
    before: View,
}

impl<'a> Commentary<'a> {
    /// Begins at the start of a match.
    pub(crate) fn new(game: &'a Playable, invented: &'a Invented) -> Result<Commentary<'a>> {
        let accountant = Accountant::new(&invented.vocabulary, &invented.invention);
        let before = View::of_state(&game.machine, game.machine.initial())?;
        Ok(Commentary { game, invented, accountant, before })
    }

    /// Looks at a position that needs no word.
    pub(crate) fn skip(&mut self, state: &State) -> Result<()> {
        self.before = View::of_state(&self.game.machine, state)?;
        Ok(())
    }

    /// What the function says of the position after a move, for the role that moved, and which terms moved most.
    pub(crate) fn after(&mut self, role: RoleId, state: &State) -> Result<String> {
        let machine = &self.game.machine;
        let after = View::of_state(machine, state)?;
        let [before, now]: [Balance; 2] = [&self.before, &after].map(|view| self.accountant.balance(role, view));
        let moved = changes(&before.parts, &now.parts);
        let most = moved.first().map_or(0.0, |part| part.adds.abs());
        let name = |part: &Part| {
            let feature = &self.accountant.term(role, part.term).feature;
            format!("{:+.2} {}", part.adds, feature.reading(&self.invented.vocabulary, machine))
        };
        let named: Vec<String> = moved.iter().take(NAMED).filter(|part| part.adds.abs() >= most * SLIGHT).map(name).collect();
        self.before = after;
        let (method, role) = (self.invented.invention.method(), machine.role_name(role));
        let unit = match &self.invented.invention {
            Invention::Function(function) if function.link == Link::Odds => "odds",
            _ => "points",
        };
        let moved = if named.is_empty() { String::new() } else { format!("; {unit} {}", named.join(", ")) };
        Ok(format!("   {method}: {:.1} for {role} ({:+.1}){moved}", now.points, now.points - before.points))
    }
}
