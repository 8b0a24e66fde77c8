//! A host, and what it needs.

use ludens_gdl::{Limits, Rules, read};
use ludens_machine::{Lanes, Machine, MoveId, Random, RoleId, relational::Options};
use ludens_search::{Settings, Spec};
use ludens_serve::{Log, Setup};
use std::path::Path;
use std::sync::{Arc, Mutex};

/// The sheet of a game of the library.
pub(crate) fn sheet(game: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(game).join("rules.kif");
    std::fs::read_to_string(path).expect("a game of the library")
}

pub(crate) fn rules(sheet: &str) -> Rules {
    read(sheet, &Limits::default()).rules.expect("a valid sheet")
}

/// Lines that were logged.
#[derive(Clone, Default)]
pub(crate) struct Lines(Arc<Mutex<Vec<String>>>);

impl Lines {
    pub(crate) fn log(&self) -> Log {
        let lines = self.0.clone();
        Arc::new(move |line| lines.lock().unwrap().push(line.to_owned()))
    }

    pub(crate) fn has(&self, part: &str) -> bool {
        self.0.lock().unwrap().iter().any(|line| line.contains(part))
    }
}

impl std::fmt::Display for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.lock().unwrap().join("\n"))
    }
}

/// A player that needs little memory.
pub(crate) fn setup(player: &str, lines: &Lines) -> Setup {
    let settings = Settings { memory: 16 << 20, ..Settings::default() };
    Setup { log: Some(lines.log()), ..Setup::new(Spec::parse(player).expect("a player"), settings) }
}

/// The host's side of a match, which it plays by the reference engine.
pub(crate) struct Host<'m> {
    machine: &'m Machine,
    lanes: Lanes<'m>,
    random: Random,
}

impl<'m> Host<'m> {
    pub(crate) fn new(machine: &'m Machine) -> Host<'m> {
        let mut lanes = machine.lanes(1);
        lanes.load(0, machine.initial());
        lanes.evaluate().unwrap();
        Host { machine, lanes, random: Random::new(7) }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.lanes.terminal(0)
    }

    pub(crate) fn points(&mut self, role: usize) -> u8 {
        self.lanes.points(0, RoleId(role as u32)).unwrap()
    }

    pub(crate) fn legal(&self, role: usize) -> Vec<String> {
        self.lanes.legal(0, RoleId(role as u32)).iter().map(|&id| self.machine.move_text(id)).collect()
    }

    /// Any legal move of every role.
    pub(crate) fn any(&mut self) -> Vec<String> {
        (0..self.machine.roles().len())
            .map(|role| {
                let legal = self.legal(role);
                legal[self.random.below(legal.len())].clone()
            })
            .collect()
    }

    pub(crate) fn play(&mut self, joint: &[String]) {
        let moves: Vec<MoveId> = joint.iter().map(|text| self.machine.find_move(text).unwrap()).collect();
        self.lanes.play(0, &moves);
        self.lanes.advance().unwrap();
        self.lanes.evaluate().unwrap();
    }
}

pub(crate) fn reference(rules: &Rules) -> Machine {
    Machine::relational(rules, &Options::default(), &ludens_machine::Limits::default()).unwrap()
}
