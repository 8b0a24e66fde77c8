//! A game that somebody is going to play: its sheet, its machine, its looks.

use crate::console::Console;
use crate::engine::EngineArgs;
use crate::sheet::Sheet;
use crate::view::View;
use anyhow::{Result, anyhow};
use ludens_gdl::{Rules, legible};
use ludens_machine::{Machine, RoleId, State};
use ludens_serve::record::sha256_hex;
use std::sync::OnceLock;

/// A game, ready to be played.
pub(crate) struct Playable {
    pub(crate) name: String,
    pub(crate) machine: Machine,
    /// The SHA-256 of the sheet.
    pub(crate) sha256: String,
    sheet: Sheet,
    /// Made when the first position is drawn.
    view: OnceLock<View>,
}

impl Playable {
    /// Finds, reads and builds a game; says so where it is not played by the engine that was asked for.
    pub(crate) fn open(game: &str, engine: impl Into<EngineArgs>, console: Console) -> Result<Playable> {
        Playable::of(Sheet::open(game)?, engine, console)
    }

    /// Builds the game of a sheet.
    pub(crate) fn of(sheet: Sheet, engine: impl Into<EngineArgs>, console: Console) -> Result<Playable> {
        let machine = engine.into().machine_of(&sheet)?;
        let name = sheet.source.name.clone();
        if let Some(reason) = machine.fallback() {
            console.note(&format!("{name}: played by the relational engine: {reason}"));
        }
        Ok(Playable { name, machine, sha256: sha256_hex(&sheet.source.bytes), sheet, view: OnceLock::new() })
    }

    /// What the sheet says.
    pub(crate) fn rules(&self) -> Result<&Rules> {
        self.sheet.valid_rules()
    }

    /// The text of the sheet.
    pub(crate) fn sheet_text(&self) -> &str {
        self.sheet.text()
    }

    /// The rules as players get them in a message.
    pub(crate) fn message_text(&self) -> String {
        self.sheet.message_text()
    }

    /// The names of all roles, in their order.
    pub(crate) fn roles(&self) -> Vec<String> {
        self.machine.roles().map(|role| self.machine.role_name(role).to_owned()).collect()
    }

    /// The role with this name; letter case matters only where two names differ in nothing else.
    pub(crate) fn role(&self, name: &str) -> Result<RoleId> {
        let named = |same: &dyn Fn(&str) -> bool| self.machine.roles().find(|&role| same(self.machine.role_name(role)));
        named(&|role| role == name).or_else(|| named(&|role| role.eq_ignore_ascii_case(name))).ok_or_else(|| {
            let roles = self.roles().iter().map(|role| format!("`{}`", legible(role))).collect::<Vec<_>>().join(", ");
            anyhow!("{} has no role `{}`; its roles are {roles}", self.name, legible(name))
        })
    }

    /// A position, drawn.
    pub(crate) fn draw(&self, state: &State) -> String {
        self.view.get_or_init(|| View::of(&self.sheet, &self.machine)).draw(&self.machine.fluents(state))
    }
}
