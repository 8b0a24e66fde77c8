//! `facts.txt`: what is known about a game of the library, checked with the engine.
//!
//! A line is empty, a comment (`# ...`), or a fact; one that begins with a blank goes on with the line before it.
//!
//! ```text
//! perft 9 72 504                       sequences of 1, 2, ... joint moves
//! turns control 7 49 302               the same in turns: until the fluents of that relation change, or the match is over
//! match (mark 1 1); ... => 50 50       a whole match, and the points of every role at its end
//! legal (mark 1 1) => (mark 1 2)       after these moves, somebody may play each of those
//! illegal (mark 1 1) => (mark 1 1)     after these moves, nobody may play any of those
//! only (mark 1 1) => (mark 1 2) ...    after these moves, those and `noop` are all that is legal
//! position NAME (control x) ...        the facts below start from this state
//! ```
//!
//! Moves are written as in `moves.rs`.

use crate::engine;
use crate::moves::Line;
use crate::perft::{MAX_DEPTH, Perft};
use crate::turns::{self, TooManyStates};
use anyhow::{Context, Result, bail};
use ludens_gdl::{Rules, legible, parse_ground_list};
use ludens_machine::{Declared, Limits, Machine, State};
use serde::Serialize;
use std::collections::{BTreeSet, HashSet};

/// What waiting is called: `only` does not count it.
const WAITING: &str = "noop";

/// Moves that a sentence names; where more of them are wrong, it says how many.
const MAX_NAMED: usize = 20;

/// Everything a file states.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    positions: Vec<Position>,
    facts: Vec<Fact>,
}

/// A state that some facts start from.
#[derive(Debug, PartialEq, Eq)]
struct Position {
    line: usize,
    name: String,
    fluents: Vec<String>,
}

/// One of them.
#[derive(Debug, PartialEq, Eq)]
struct Fact {
    /// The line of the file, from 1.
    line: usize,
    /// Where it starts, in `positions`; the initial state if nowhere else.
    position: Option<usize>,
    claim: Claim,
}

#[derive(Debug, PartialEq, Eq)]
enum Claim {
    /// Counts by depth, from 1.
    Perft(Vec<u64>),
    /// Counts by turns, which the fluents of a relation tell apart.
    Turns(String, Vec<u64>),
    /// Moves to the end, and the points of every role.
    Match(String, Vec<u8>),
    /// Moves, and what can be played after them.
    Moves(Kind, String, Vec<String>),
}

/// What is said of a list of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Legal,
    Illegal,
    Only,
}

impl Facts {
    /// Reads a file's text.
    pub(crate) fn parse(text: &str) -> Result<Facts> {
        let mut facts = Facts::default();
        for (number, line) in whole_lines(text)? {
            facts.parse_line(number, &line).with_context(|| format!("line {number} of the facts"))?;
        }
        let mut names = HashSet::new();
        if let Some(again) = facts.positions.iter().find(|position| !names.insert(&position.name)) {
            bail!("line {} of the facts: there is a position `{}` already", again.line, legible(&again.name));
        }
        Ok(facts)
    }

    fn parse_line(&mut self, number: usize, line: &str) -> Result<()> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let arrow = |after: &str| rest.split_once("=>").with_context(|| format!("`{word}` has `=>` and then {after}"));
        let claim = match word {
            "position" => return self.parse_position(number, rest),
            "perft" => Claim::Perft(counts(rest)?),
            "turns" => {
                let (relation, rest) = rest.split_once(' ').context("`turns` has the name of a relation and then numbers")?;
                Claim::Turns(relation.to_owned(), counts(rest)?)
            }
            "match" => {
                let (moves, points) = arrow("the points of every role")?;
                Claim::Match(moves.trim().to_owned(), numbers(points)?)
            }
            "legal" | "illegal" | "only" => {
                let (moves, listed) = arrow("moves")?;
                let kind = match word {
                    "legal" => Kind::Legal,
                    "illegal" => Kind::Illegal,
                    _ => Kind::Only,
                };
                Claim::Moves(kind, moves.trim().to_owned(), terms(listed)?)
            }
            _ => {
                bail!("`{}` is none of `perft`, `turns`, `match`, `legal`, `illegal`, `only` and `position`", legible(word))
            }
        };
        let position = self.positions.len().checked_sub(1);
        let mut beside = self.facts.iter().rev().take_while(|known| known.position == position);
        if word == "perft" && beside.any(|known| matches!(known.claim, Claim::Perft(_))) {
            bail!("there is a `perft` already");
        }
        self.facts.push(Fact { line: number, position, claim });
        Ok(())
    }

    fn parse_position(&mut self, line: usize, rest: &str) -> Result<()> {
        let (name, fluents) = rest.split_once(' ').context("a position has a name and then fluents")?;
        self.positions.push(Position { line, name: name.to_owned(), fluents: terms(fluents)? });
        Ok(())
    }

    /// What a game of the library may not lack and this file does.
    pub(crate) fn lacks(&self) -> Option<&'static str> {
        let from_start =
            |wanted: fn(&Claim) -> bool| self.facts.iter().any(|fact| fact.position.is_none() && wanted(&fact.claim));
        if !from_start(|claim| matches!(claim, Claim::Perft(_))) {
            return Some("a `perft` from the start");
        }
        (!from_start(|claim| matches!(claim, Claim::Match(..)))).then_some("a `match` from the start")
    }

    /// Finds out what holds, until `stop` says to give up. An error is a limit, which says nothing about the facts; what was found before
    /// it stands in the outcome.
    pub(crate) fn check(&self, rules: &Rules, machine: &Machine, stop: &dyn Fn() -> bool, outcome: &mut Outcome) -> Result<()> {
        // Only these two ask what the sheet declares.
        let asks = |fact: &Fact| matches!(fact.claim, Claim::Moves(Kind::Illegal, ..));
        let known = if !self.positions.is_empty() || self.facts.iter().any(asks) {
            Known::of(rules).context("cannot list what `base` and `input` declare")?
        } else {
            Known::default()
        };
        let mut states = Vec::new();
        for position in &self.positions {
            match position.state(machine, &known) {
                Ok(state) => states.push(Some(state)),
                Err(error) if refutes(&error) => {
                    outcome.failures.push(format!("line {}: {error:#}", position.line));
                    states.push(None);
                }
                Err(error) => return Err(error).with_context(|| format!("line {} of the facts", position.line)),
            }
        }
        for fact in &self.facts {
            // A position that is none has been named.
            let Some(state) = fact.position.map_or(Some(machine.initial()), |index| states[index].as_ref()) else { continue };
            let found = fact.claim.find_out(machine, state, &known, stop);
            if stop() && found.is_err() {
                break;
            }
            let found = found.or_else(|error| match error {
                error if refutes(&error) => Ok(Found { checked: fact.claim.len(), failures: vec![format!("{error:#}")] }),
                error => Err(error).with_context(|| format!("line {} of the facts", fact.line)),
            })?;
            let place = |index: usize| format!(" from `{}`", legible(&self.positions[index].name));
            let place = fact.position.map_or_else(String::new, place);
            outcome.checked += found.checked;
            let failures = found.failures.into_iter();
            outcome.failures.extend(failures.map(|failure| format!("line {}{place}: {failure}", fact.line)));
            if stop() {
                break;
            }
        }
        Ok(())
    }
}

/// What became of the facts.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Outcome {
    /// Facts that were checked; each depth of a count is one.
    pub(crate) checked: usize,
    /// One sentence for each that does not hold, and for what is wrong with the file.
    pub(crate) failures: Vec<String>,
}

/// What became of one of them.
#[derive(Debug, Default)]
struct Found {
    /// As far as the check came.
    checked: usize,
    failures: Vec<String>,
}

/// Whether an error shows that a fact does not hold, and not that its check could not be finished.
fn refutes(error: &anyhow::Error) -> bool {
    !error.is::<TooManyStates>() && !error.downcast_ref().is_some_and(engine::gave_up)
}

/// What `base` and `input` know: a misspelt fluent never holds, and a misspelt move is never legal.
#[derive(Default)]
struct Known {
    fluents: BTreeSet<String>,
    moves: BTreeSet<String>,
}

impl Known {
    fn of(rules: &Rules) -> Result<Known> {
        let Declared { fluents, moves } = Declared::of(rules, &Limits::default())?;
        Ok(Known { fluents: fluents.into_iter().collect(), moves: moves.into_iter().map(|(_, text)| text).collect() })
    }
}

impl Position {
    fn state(&self, machine: &Machine, known: &Known) -> Result<State> {
        if let Some(stray) = self.fluents.iter().find(|&fluent| !known.fluents.contains(fluent)) {
            bail!("`base` does not know the fluent `{}`", legible(stray));
        }
        Ok(machine.state_of(self.fluents.iter().map(String::as_str))?)
    }
}

impl Claim {
    /// How many facts it states: each depth of a count is one.
    fn len(&self) -> usize {
        match self {
            Claim::Perft(counts) | Claim::Turns(_, counts) => counts.len(),
            Claim::Match(..) | Claim::Moves(..) => 1,
        }
    }

    fn find_out(&self, machine: &Machine, start: &State, known: &Known, stop: &dyn Fn() -> bool) -> Result<Found> {
        match self {
            Claim::Perft(expected) => {
                let mut perft = Perft::new(machine, expected.len()).stop_when(stop);
                perft.count(start)?;
                let counts = perft.whole_counts();
                Ok(Found { checked: counts.len(), failures: compare("perft", expected, counts) })
            }
            Claim::Turns(relation, expected) => {
                let counts = turns::count(machine, start, relation, expected.len(), stop)?;
                Ok(Found { checked: counts.len(), failures: compare("turns", expected, &counts) })
            }
            Claim::Match(moves, expected) => {
                let mut line = Line::from(machine, start)?;
                if !line.play_until(moves, stop)? {
                    return Ok(Found::default());
                }
                if !line.is_terminal() {
                    bail!("the match is not over after these moves");
                }
                let points = line.only_points()?;
                let failure = || format!("expected {expected:?} points, got {points:?}");
                Ok(Found { checked: 1, failures: if points == *expected { Vec::new() } else { vec![failure()] } })
            }
            Claim::Moves(kind, moves, listed) => {
                let mut line = Line::from(machine, start)?;
                if !line.play_until(moves, stop)? {
                    return Ok(Found::default());
                }
                if line.is_terminal() {
                    bail!("the match is over after these moves");
                }
                Ok(Found { checked: 1, failures: kind.failures(listed, &line.legal().into_iter().collect(), known) })
            }
        }
    }
}

impl Kind {
    fn failures(self, listed: &[String], legal: &BTreeSet<String>, known: &Known) -> Vec<String> {
        let mut failures = Vec::new();
        for text in listed {
            let shown = legible(text);
            match (self, legal.contains(text)) {
                (Kind::Legal | Kind::Only, false) => failures.push(format!("`{shown}` is not legal")),
                (Kind::Illegal, true) => failures.push(format!("`{shown}` is legal")),
                (Kind::Illegal, false) if !known.moves.contains(text) => {
                    failures.push(format!("`input` does not know `{shown}`"));
                }
                _ => {}
            }
        }
        if self == Kind::Only {
            let listed: HashSet<&String> = listed.iter().collect();
            let more = legal.iter().filter(|&text| text != WAITING && !listed.contains(text));
            failures.extend(more.map(|text| format!("`{}` is legal too", legible(text))));
        }
        if failures.len() > MAX_NAMED {
            let more = failures.len() - MAX_NAMED;
            failures.truncate(MAX_NAMED);
            failures.push(format!("and so on for {more} more"));
        }
        // One fact that does not hold, whatever is wrong with it.
        if failures.is_empty() { failures } else { vec![failures.join("; ")] }
    }
}

fn compare(what: &str, expected: &[u64], got: &[u64]) -> Vec<String> {
    let pairs = expected.iter().zip(got).enumerate().filter(|(_, (expected, got))| expected != got);
    pairs.map(|(depth, (expected, got))| format!("{what} {}: expected {expected}, got {got}", depth + 1)).collect()
}

/// The lines that say something, with those that go on joined to those they go on with; numbered from 1.
fn whole_lines(text: &str) -> Result<Vec<(usize, String)>> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let said = line.trim();
        if said.is_empty() || said.starts_with('#') {
            continue;
        }
        match lines.last_mut() {
            _ if !line.starts_with(char::is_whitespace) => lines.push((index + 1, said.to_owned())),
            Some((_, known)) => {
                known.push(' ');
                known.push_str(said);
            }
            None => bail!("line {} of the facts begins with a blank, and there is no line that it could go on with", index + 1),
        }
    }
    Ok(lines)
}

/// At least one ground term, each as the engine writes it.
fn terms(text: &str) -> Result<Vec<String>> {
    let terms = parse_ground_list(text).with_context(|| format!("`{}`", legible(text.trim())))?;
    if terms.is_empty() {
        bail!("terms are missing");
    }
    Ok(terms.iter().map(ToString::to_string).collect())
}

/// Counts by depth, as deep as a walk goes.
fn counts(text: &str) -> Result<Vec<u64>> {
    let counts = numbers(text)?;
    if counts.len() > usize::from(MAX_DEPTH) {
        bail!("{} numbers are too many: counts go to depth {MAX_DEPTH}", counts.len());
    }
    Ok(counts)
}

fn numbers<N: std::str::FromStr>(text: &str) -> Result<Vec<N>> {
    let numbers: Vec<N> = text
        .split_whitespace()
        .map(|word| word.parse().ok().with_context(|| format!("`{}` is not such a number", legible(word))))
        .collect::<Result<_>>()?;
    if numbers.is_empty() {
        bail!("numbers are missing");
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::{Claim, Fact, Facts, Kind, Outcome, Position};
    use crate::{engine, library, sheet::Sheet};
    use anyhow::Result;
    use ludens_gdl::Rules;
    use ludens_machine::Machine;
    use std::cell::Cell;

    fn check(text: &str, rules: &Rules, machine: &Machine) -> Result<Outcome> {
        let mut outcome = Outcome::default();
        Facts::parse(text).unwrap().check(rules, machine, &|| false, &mut outcome).map(|()| outcome)
    }

    #[test]
    fn all_kinds_of_lines_are_read() {
        let text =
            "# why\n\nperft 9 72\nturns control 9\nmatch (a 1) b;\n   c => 100 0\nposition late (at 1)\n\t(at  2)\nonly => a b\n";
        let facts = Facts::parse(text).unwrap();
        let fact = |line, position, claim| Fact { line, position, claim };
        let expected = Facts {
            positions: vec![Position {
                line: 7,
                name: "late".to_owned(),
                fluents: vec!["(at 1)".to_owned(), "(at 2)".to_owned()],
            }],
            facts: vec![
                fact(3, None, Claim::Perft(vec![9, 72])),
                fact(4, None, Claim::Turns("control".to_owned(), vec![9])),
                fact(5, None, Claim::Match("(a 1) b; c".to_owned(), vec![100, 0])),
                fact(9, Some(0), Claim::Moves(Kind::Only, String::new(), vec!["a".to_owned(), "b".to_owned()])),
            ],
        };
        assert_eq!(facts, expected);
    }

    #[test]
    fn bad_lines_are_named() {
        for (text, needle) in [
            ("perft 9 x", "line 1 of the facts: `x` is not such a number"),
            ("perft", "numbers are missing"),
            (&format!("perft{}", " 1".repeat(1001)), "1001 numbers are too many: counts go to depth 1000"),
            ("\u{1b}[2J", "`\\u{1b}[2J` is none of `perft`"),
            ("perft 1\nperft 2", "line 2 of the facts: there is a `perft` already"),
            ("  perft 1", "line 1 of the facts begins with a blank"),
            ("turns 1 2\nturns", "line 2 of the facts: `turns` has the name"),
            ("match a; b", "`=>`"),
            ("match a => 500", "`500` is not such a number"),
            ("legal a =>", "terms are missing"),
            ("illegal a => (b", "`(b`"),
            ("position late", "a name and then fluents"),
            ("position a b\nposition a c", "line 2 of the facts: there is a position `a` already"),
            ("result a => 50", "`result` is none of `perft`"),
        ] {
            let error = format!("{:#}", Facts::parse(text).unwrap_err());
            assert!(error.contains(needle), "{text}: {error}");
        }
    }

    #[test]
    fn what_a_file_lacks_is_said() {
        for (text, lacks) in [
            ("", Some("a `perft` from the start")),
            ("perft 1", Some("a `match` from the start")),
            ("match a => 1\nposition p (at 1)\nperft 1", Some("a `perft` from the start")),
            ("perft 1\nmatch a => 1", None),
        ] {
            assert_eq!(Facts::parse(text).unwrap().lacks(), lacks, "{text}");
        }
    }

    /// A position in which x has two in the first row, and o is to move.
    const LATE: &str = "position late (control o) (cell 1 1 x) (cell 1 2 x) (cell 1 3 empty) (cell 2 1 o) (cell 2 2 o)
  (cell 2 3 empty) (cell 3 1 x) (cell 3 2 o) (cell 3 3 x)
";

    #[test]
    fn wrong_facts_are_found() {
        let sheet = Sheet::of_library(library::find("tic_tac_toe").unwrap());
        let rules = sheet.rules().unwrap();
        let machine = engine::reference(rules).unwrap();
        for (text, failure) in [
            ("perft 9 73", "line 1: perft 2: expected 73, got 72"),
            ("turns control 9 73", "line 1: turns 2: expected 73, got 72"),
            ("turns contrl 9", "line 1: no fluent of `contrl` holds in the beginning"),
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
            ("illegal => noop", "line 1: `noop` is legal"),
            ("legal (mark 1 1) => (mark 1 2) (mark 1 1)", "line 1: `(mark 1 1)` is not legal"),
            ("illegal (mark 1 1) => (mark 1 1) (mark 1 2)", "line 1: `(mark 1 2)` is legal"),
            ("illegal (mark 1 1) => (mark 1 4)", "line 1: `input` does not know `(mark 1 4)`"),
            ("legal (mark 1 1) => (mark 1 1) (mark 1 2) (mark 4 4)", "`(mark 1 1)` is not legal; `(mark 4 4)` is not legal"),
            (&format!("{LATE}only => (mark 1 3)"), "line 3 from `late`: `(mark 2 3)` is legal too"),
            (&format!("{LATE}only => (mark 1 3) (mark 2 3) (mark 1 1)"), "line 3 from `late`: `(mark 1 1)` is not legal"),
            (&format!("{LATE}only (mark 2 3) => (mark 1 3)"), "line 3 from `late`: the match is over after these moves"),
            ("position late (cell 1 4 x)\nperft 9", "line 1: `base` does not know the fluent `(cell 1 4 x)`"),
        ] {
            let failures = check(text, rules, &machine).unwrap().failures;
            assert_eq!(failures.len(), 1, "{text}: {failures:?}");
            assert!(failures[0].contains(failure), "{text}: {}", failures[0]);
        }
    }

    #[test]
    fn a_match_ends_with_one_goal_value_for_every_role() {
        let text = "(role r) (init at) (<= (legal r go) (true at)) (<= terminal (not (true at))) (goal r 50)";
        for (more, failure) in [("(goal r 70)", "r has 2 goal values at the end"), ("", "")] {
            let reading = ludens_gdl::read(&format!("{text} {more}"), &ludens_gdl::Limits::default());
            let rules = reading.rules.unwrap();
            let failures = check("match go => 50", &rules, &engine::reference(&rules).unwrap()).unwrap().failures;
            assert_eq!(failures.len(), usize::from(!more.is_empty()), "{failures:?}");
            assert!(failures.iter().all(|text| text.contains(failure)), "{failures:?}");
        }
    }

    #[test]
    fn facts_from_a_position_hold() {
        let sheet = Sheet::of_library(library::find("tic_tac_toe").unwrap());
        let rules = sheet.rules().unwrap();
        let text = format!(
            "{LATE}perft 2 1 0\nturns control 2 1 0\nonly => (mark 1 3) (mark 2 3)\nlegal => (mark 2 3)\nillegal => (mark 1 1)\n\
            match (mark 2 3) => 0 100\nmatch (mark 1 3); (mark 2 3) => 50 50"
        );
        let outcome = check(&text, rules, &engine::reference(rules).unwrap()).unwrap();
        assert_eq!((outcome.checked, outcome.failures), (11, Vec::<String>::new()));
    }

    #[test]
    fn facts_from_no_position_are_not_counted() {
        let sheet = Sheet::of_library(library::find("tic_tac_toe").unwrap());
        let rules = sheet.rules().unwrap();
        let text = "perft 9 72\nposition wrong (cell 1 4 x)\nperft 9\nlegal => (mark 1 1)";
        let outcome = check(text, rules, &engine::reference(rules).unwrap()).unwrap();
        assert_eq!((outcome.checked, outcome.failures.len()), (2, 1));
    }

    /// What is found out before somebody says to stop counts; a long match does not go on to its end.
    #[test]
    fn a_check_can_be_stopped() {
        let sheet = Sheet::of_library(library::find("tic_tac_toe").unwrap());
        let rules = sheet.rules().unwrap();
        let machine = engine::reference(rules).unwrap();
        let win = "match (mark 1 1); (mark 2 1); (mark 1 2); (mark 2 2); (mark 1 3) => 100 0";
        for (text, questions, checked) in [
            ("perft 9 72 504 3024 15120", 500, 2),
            ("turns control 9 72 504 3024 15120", 500, 2),
            (win, 3, 0),
            (win, 100, 1),
            (&format!("{win}\nperft 9 72 504"), 20, 2),
        ] {
            let asked = Cell::new(0);
            let stop = || {
                asked.set(asked.get() + 1);
                asked.get() >= questions
            };
            let mut outcome = Outcome::default();
            Facts::parse(text).unwrap().check(rules, &machine, &stop, &mut outcome).unwrap();
            assert_eq!((outcome.checked, &outcome.failures[..]), (checked, &[][..]), "{text}");
            assert!(asked.get() <= questions + 10, "{text}: asked {} times", asked.get());
        }
    }

    #[test]
    fn a_limit_refutes_nothing() {
        let (rules, machine) = engine::short_of_steps();
        for text in ["perft 9", "turns at 9", "match (go 1 1 1) => 0"] {
            let error = format!("{:#}", check(text, &rules, &machine).unwrap_err());
            assert!(error.contains("the steps limit of 500 was reached"), "{text}: {error}");
        }
    }
}
