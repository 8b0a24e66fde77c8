//! `facts.txt`: what is known about a game of the library, checked with the engine.
//!
//! A line is empty, a comment (`# ...`), or one of
//!
//! ```text
//! perft 9 72 504
//! match (mark 1 1); (mark 2 2); ... => 50 50
//! ```
//!
//! `perft` gives the number of sequences of 1, 2, ... joint moves from the start. `match` gives a whole match, written as in
//! `moves.rs`, and the points of every role at its end.

use crate::engine;
use crate::moves::Line;
use crate::perft::Perft;
use anyhow::{Context, Result, bail};
use ludens_machine::Machine;

/// Everything a file states.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// Counts by depth, from 1; empty where the file gives none.
    pub(crate) perft: Vec<u64>,
    pub(crate) matches: Vec<Match>,
}

/// A match and its result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Match {
    /// The line of the file, from 1.
    line: usize,
    moves: String,
    points: Vec<u8>,
}

impl Facts {
    /// Reads a file's text.
    pub(crate) fn parse(text: &str) -> Result<Facts> {
        let mut facts = Facts::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                facts.parse_line(index + 1, line).with_context(|| format!("line {} of the facts", index + 1))?;
            }
        }
        Ok(facts)
    }

    fn parse_line(&mut self, number: usize, line: &str) -> Result<()> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "perft" if !self.perft.is_empty() => bail!("there is a `perft` already"),
            "perft" => self.perft = numbers(rest)?,
            "match" => {
                let (moves, points) = rest.split_once("=>").context("a match ends with `=>` and the points of every role")?;
                self.matches.push(Match { line: number, moves: moves.trim().to_owned(), points: numbers(points)? });
            }
            _ => bail!("`{word}` is neither `perft` nor `match`"),
        }
        Ok(())
    }

    /// Says what does not hold, one sentence each.
    pub(crate) fn check(&self, machine: &Machine) -> Result<Vec<String>> {
        let mut failures = Vec::new();
        let mut perft = Perft::new(machine, self.perft.len());
        perft.count(machine.initial())?;
        for (depth, (&expected, &got)) in self.perft.iter().zip(perft.counts()).enumerate() {
            if expected != got {
                failures.push(format!("perft {}: expected {expected}, got {got}", depth + 1));
            }
        }
        for fact in &self.matches {
            if let Some(failure) = fact.failure(machine)? {
                failures.push(format!("line {}: {failure}", fact.line));
            }
        }
        Ok(failures)
    }
}

impl Match {
    fn failure(&self, machine: &Machine) -> Result<Option<String>> {
        let play = || -> Result<Option<String>> {
            let mut line = Line::new(machine)?;
            line.play(&self.moves)?;
            if !line.is_terminal() {
                return Ok(Some("the match is not over after these moves".to_owned()));
            }
            let points = line.points()?;
            Ok((points != self.points).then(|| format!("expected {:?} points, got {points:?}", self.points)))
        };
        play().or_else(|error| match error.downcast_ref() {
            Some(cause) if engine::gave_up(cause) => Err(error).with_context(|| format!("line {} of the facts", self.line)),
            _ => Ok(Some(format!("{error:#}"))),
        })
    }
}

fn numbers<N: std::str::FromStr>(text: &str) -> Result<Vec<N>> {
    let numbers: Vec<N> = text
        .split_whitespace()
        .map(|word| word.parse().ok().with_context(|| format!("`{word}` is not such a number")))
        .collect::<Result<_>>()?;
    if numbers.is_empty() {
        bail!("numbers are missing");
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::{Facts, Match};
    use crate::{engine, library, sheet::Sheet};

    #[test]
    fn both_kinds_of_lines_are_read() {
        let facts = Facts::parse("# why\n\nperft 9 72\nmatch (a 1) b; c => 100 0\n").unwrap();
        let expected = Match { line: 4, moves: "(a 1) b; c".to_owned(), points: vec![100, 0] };
        assert_eq!(facts, Facts { perft: vec![9, 72], matches: vec![expected] });
    }

    #[test]
    fn bad_lines_are_named() {
        for (text, needle) in [
            ("perft 9 x", "line 1 of the facts: `x` is not such a number"),
            ("perft", "numbers are missing"),
            ("perft 1\nperft 2", "line 2 of the facts: there is a `perft` already"),
            ("match a; b", "`=>`"),
            ("match a => 500", "`500` is not such a number"),
            ("result a => 50", "neither `perft` nor `match`"),
        ] {
            let error = format!("{:#}", Facts::parse(text).unwrap_err());
            assert!(error.contains(needle), "{text}: {error}");
        }
    }

    #[test]
    fn wrong_facts_are_found() {
        let entry = library::find("tic_tac_toe").unwrap();
        let machine = engine::reference(Sheet::of_library(entry).rules().unwrap()).unwrap();
        for (text, failure) in [
            ("perft 9 73", "perft 2: expected 73, got 72"),
            ("match (mark 1 1) => 100 0", "line 1: the match is not over after these moves"),
            ("match (mark 1 1); (mark 1 1) => 100 0", "line 1: move 2 of the line, `(mark 1 1)`: it is legal for nobody here"),
            ("match noop noop => 100 0", "`noop` is not legal for x"),
            ("match (mark 1 1) noop noop => 100 0", "3 moves for 2 roles"),
            (
                "match (mark 1 1); (mark 2 1); (mark 1 2); (mark 2 2); (mark 1 3) => 0 100",
                "line 1: expected [0, 100] points, got [100, 0]",
            ),
            (
                "match (mark 1 1); (mark 2 1); (mark 1 2); (mark 2 2); (mark 1 3); (mark 3 3) => 100 0",
                "move 6 of the line, `(mark 3 3)`: the match is over before it",
            ),
        ] {
            let failures = Facts::parse(text).unwrap().check(&machine).unwrap();
            assert_eq!(failures.len(), 1, "{text}");
            assert!(failures[0].contains(failure), "{text}: {}", failures[0]);
        }
    }

    #[test]
    fn a_limit_refutes_nothing() {
        let machine = engine::short_of_steps();
        for text in ["perft 9", "match (go 1 1 1) => 0"] {
            let error = format!("{:#}", Facts::parse(text).unwrap().check(&machine).unwrap_err());
            assert!(error.contains("the steps limit of 500 was reached"), "{text}: {error}");
        }
    }
}
