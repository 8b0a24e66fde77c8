//! The options of commands that look at one position.

use crate::console::Console;
use crate::engine::EngineArgs;
use crate::moves::Line;
use crate::playable::Playable;
use anyhow::{Result, bail};
use ludens_machine::RoleId;

/// A position of a game, and for whom it is looked at.
#[derive(Debug, clap::Args)]
pub(crate) struct PositionArgs {
    /// A library name, a `.kif` file, or a folder with METADATA.
    game: String,
    /// Play these joint moves first.
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
    /// For which role; without it, for the first one that has a choice.
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
}

impl PositionArgs {
    /// Reads and builds the game.
    pub(crate) fn open(&self, engine: impl Into<EngineArgs>, console: Console) -> Result<Playable> {
        Playable::open(&self.game, engine, console)
    }

    /// Goes to the position. Where the match is over there, it is said what that means.
    pub(crate) fn find<'g>(&self, game: &'g Playable, over: &str) -> Result<(Line<'g>, RoleId)> {
        let mut line = Line::new(&game.machine)?;
        line.play(&self.moves)?;
        if line.is_terminal() {
            bail!("the match is over in this position: {over}");
        }
        if let Some(role) = game.machine.roles().find(|&role| line.legal_of(role).is_empty()) {
            bail!("{} has no legal move here, and the match is not over", game.machine.role_name(role));
        }
        let role = match &self.role {
            Some(name) => game.role(name)?,
            None => game.machine.roles().find(|&role| line.legal_of(role).len() > 1).unwrap_or(RoleId(0)),
        };
        Ok((line, role))
    }
}
