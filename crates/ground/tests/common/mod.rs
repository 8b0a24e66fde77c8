//! Sheets for the tests, and a slow evaluator of networks.
#![allow(dead_code)] // every test binary uses its own part

use ludens_gdl::{Rules, read};
use ludens_ground::{Limits, Net, Node, NodeId, Signal, ground};
use std::path::PathBuf;

/// The rules of a sheet that is known to be right.
pub(crate) fn rules(text: &str) -> Rules {
    let reading = read(text, &ludens_gdl::Limits::default());
    reading.rules.unwrap_or_else(|| panic!("the sheet is refused: {:?}", reading.diagnostics))
}

/// A sheet as a network that has been checked.
pub(crate) fn net(text: &str) -> Net {
    let net = ground(&rules(text), &Limits::default()).expect("a net");
    assert_eq!(net.check(), Ok(()));
    net
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The library: names and sheets, sorted.
pub(crate) fn library() -> Vec<(String, String)> {
    let folders = std::fs::read_dir(root().join("games")).expect("games");
    let mut games: Vec<(String, String)> = folders
        .filter_map(|folder| {
            let path = folder.expect("a folder").path();
            let text = std::fs::read_to_string(path.join("rules.kif")).ok()?;
            Some((path.file_name()?.to_string_lossy().into_owned(), text))
        })
        .collect();
    games.sort();
    games
}

/// The value of every node for a state and the moves played, by the definition: conjunctions in order, loops until nothing changes.
pub(crate) fn evaluate(net: &Net, state: &[bool], played: &[bool]) -> Vec<bool> {
    let mut values = vec![false; net.nodes.len()];
    let round = |values: &mut Vec<bool>, from: usize, to: usize| {
        for node in from..to {
            values[node] = match net.nodes[node] {
                Node::True => true,
                Node::Fluent(fluent) => state[fluent as usize],
                Node::Does(index) => played[index as usize],
                Node::Latch(_) => values[node],
                Node::And { .. } => net.inputs(NodeId(node as u32)).iter().all(|&signal| value(values, signal)),
            };
        }
    };
    let mut at = 0;
    for body in &net.loops {
        let (start, end) = (body.start as usize, body.end as usize);
        round(&mut values, at, start);
        loop {
            let before = values.clone();
            round(&mut values, start, end);
            let latches: Vec<bool> = body.latches.iter().map(|&(_, becomes)| value(&values, becomes)).collect();
            for (&(latch, _), now) in body.latches.iter().zip(latches) {
                values[latch.0 as usize] = now;
            }
            if values == before {
                break;
            }
        }
        at = end;
    }
    round(&mut values, at, net.nodes.len());
    values
}

/// A signal's value.
pub(crate) fn value(values: &[bool], signal: Signal) -> bool {
    values[signal.node().0 as usize] != signal.is_not()
}

/// A match in progress.
#[derive(Clone)]
pub(crate) struct Match<'a> {
    pub(crate) net: &'a Net,
    pub(crate) state: Vec<bool>,
}

impl<'a> Match<'a> {
    pub(crate) fn new(net: &'a Net) -> Match<'a> {
        Match { net, state: net.fluents.iter().map(|fluent| fluent.initial).collect() }
    }

    fn values(&self) -> Vec<bool> {
        evaluate(self.net, &self.state, &vec![false; self.net.moves.len()])
    }

    /// What holds, sorted.
    pub(crate) fn fluents(&self) -> Vec<&'a str> {
        let holding = self.net.fluents.iter().zip(&self.state).filter(|&(_, &holds)| holds);
        let mut texts: Vec<&str> = holding.map(|(fluent, _)| fluent.text.as_str()).collect();
        texts.sort_unstable();
        texts
    }

    /// The moves of a role, as numbers.
    pub(crate) fn legal(&self, role: u32) -> Vec<usize> {
        let values = self.values();
        let moves = self.net.moves.iter().enumerate();
        moves.filter(|(_, known)| known.role == role && value(&values, known.legal)).map(|(index, _)| index).collect()
    }

    /// The moves of a role, as text, sorted.
    pub(crate) fn legal_texts(&self, role: u32) -> Vec<&'a str> {
        let mut texts: Vec<&str> = self.legal(role).into_iter().map(|index| self.net.moves[index].text.as_str()).collect();
        texts.sort_unstable();
        texts
    }

    pub(crate) fn terminal(&self) -> bool {
        self.net.terminal.is_some_and(|signal| value(&self.values(), signal))
    }

    /// The goal values that a role has.
    pub(crate) fn goals(&self, role: u32) -> Vec<&'a str> {
        let values = self.values();
        let goals = self.net.goals.iter().filter(|goal| goal.role == role && value(&values, goal.holds));
        goals.map(|goal| goal.text.as_str()).collect()
    }

    /// Plays moves, given by number.
    pub(crate) fn play(&mut self, moves: &[usize]) {
        let mut played = vec![false; self.net.moves.len()];
        for &index in moves {
            played[index] = true;
        }
        let values = evaluate(self.net, &self.state, &played);
        self.state = self.net.fluents.iter().map(|fluent| value(&values, fluent.next)).collect();
    }

    /// Plays moves, one per role, given as text.
    pub(crate) fn play_texts(&mut self, moves: &[&str]) {
        let find = |(role, text): (usize, &&str)| {
            let same = |index: &usize| self.net.moves[*index].text == **text;
            self.legal(role as u32).into_iter().find(same).unwrap_or_else(|| panic!("{text} is not legal"))
        };
        let moves: Vec<usize> = moves.iter().enumerate().map(find).collect();
        self.play(&moves);
    }
}

/// A generator of small numbers, the same on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound as u64) as usize
    }
}
