//! Proving that at most one of a group of fluents holds in every state that play can reach.
//!
//! By induction. At the start it is so. If it is so in some state, then whatever is played, it is so in the next: that is asked of a network of
//! the rules without their conditions under `not`, in which more is legal and more comes next than in the game itself. The moves of the roles are
//! gone through one by one; for each, what must hold for it to be legal is assumed, and what follows is worked out with most of the state open.

use crate::Limits;
use crate::counting::{Counting, Exhausted, Known, Needs};
use crate::fixpoint::Grounder;
use crate::net::{Net, Signal};
use crate::relaxed::relaxed;
use crate::terms::{TermId, Terms};
use ludens_gdl::Rules;
use rustc_hash::FxHashSet;

/// The fluents with one function and some arguments in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Group {
    pub(crate) symbol: u32,
    /// What is the same for all; `None` where they differ.
    pub(crate) key: Vec<Option<TermId>>,
}

impl Group {
    /// Whether a fluent is one of them.
    pub(crate) fn has(&self, term: TermId, terms: &Terms) -> bool {
        let args = terms.args(term);
        let same = |(key, arg): (&Option<TermId>, &TermId)| key.is_none_or(|key| key == *arg);
        terms.symbol(term) == self.symbol && args.len() == self.key.len() && self.key.iter().zip(args).all(same)
    }
}

/// Signals that may be read for a proof.
const READS: u64 = 400_000_000;

/// A group with more fluents is not gone through one by one.
const SPLIT: usize = 8;

/// How deep alternatives are looked into.
const DEPTH: usize = 16;

/// Which of the groups are proven.
pub(crate) fn proven(rules: &Rules, limits: &Limits, groups: &FxHashSet<Group>) -> FxHashSet<Group> {
    let mut list: Vec<Group> = groups.iter().cloned().collect();
    list.sort_unstable_by(|left, right| (left.symbol, &left.key).cmp(&(right.symbol, &right.key)));
    let made = relaxed(rules, limits, &mut list);
    let Ok(Some((grounder, net))) = made else { return FxHashSet::default() };
    let alive = prove(&grounder, &net, &list);
    list.into_iter().zip(alive).filter(|(group, alive)| *alive && groups.contains(group)).map(|(group, _)| group).collect()
}

/// A proof under way.
struct Proof<'a> {
    net: &'a Net,
    values: Counting,
    /// Moves by role.
    moves: Vec<Vec<usize>>,
    /// Fluents that must hold where a move is legal.
    needs: Vec<Vec<u32>>,
    /// The members of each group, and the groups of each fluent.
    members: Vec<Vec<u32>>,
    groups: Vec<Vec<usize>>,
    /// Groups not yet given up, and those that are proven already.
    alive: Vec<bool>,
    settled: Vec<bool>,
}

fn prove(grounder: &Grounder<'_>, net: &Net, list: &[Group]) -> Vec<bool> {
    let table = &grounder.tables[grounder.program.keywords.fluent as usize];
    let rows =
        |group: &Group| (0..table.len() as u32).filter(|&row| group.has(table.row(row)[0], &grounder.program.terms)).collect();
    let members: Vec<Vec<u32>> = list.iter().map(rows).collect();
    let once = |rows: &Vec<u32>| rows.iter().filter(|&&row| net.fluents[row as usize].initial).count() <= 1;
    let alive = members.iter().map(once).collect();
    let Some(values) = Counting::new(net, READS) else { return vec![false; list.len()] };
    let mut proof = Proof::new(net, values, members, alive);
    proof.run();
    proof.alive
}

impl<'a> Proof<'a> {
    fn new(net: &'a Net, values: Counting, members: Vec<Vec<u32>>, alive: Vec<bool>) -> Proof<'a> {
        let needs = Needs::new(net);
        let mut groups = vec![Vec::new(); net.fluents.len()];
        for (group, members) in members.iter().enumerate() {
            for &fluent in members {
                groups[fluent as usize].push(group);
            }
        }
        let mut moves = vec![Vec::new(); net.roles.len()];
        for (number, known) in net.moves.iter().enumerate() {
            moves[known.role as usize].push(number);
        }
        let legal = net.moves.iter().map(|known| needs.of(known.legal)).collect();
        let mut proof = Proof { net, values, moves, needs: legal, settled: vec![false; members.len()], members, groups, alive };
        proof.start(&needs);
        proof
    }

    /// Groups each of whose fluents comes from another one of the group, whatever is played, need no more proof.
    fn start(&mut self, needs: &Needs) {
        for (group, members) in self.members.iter().enumerate() {
            let mut sources = FxHashSet::default();
            let mut comes = |&fluent: &u32| {
                let next = self.net.fluents[fluent as usize].next;
                let source = needs.of(next).into_iter().find(|need| members.binary_search(need).is_ok());
                next == Signal::FALSE || source.is_some_and(|source| sources.insert(source))
            };
            self.settled[group] = members.iter().all(&mut comes);
        }
    }

    /// Gives up what cannot be proven, until what is left follows from itself.
    fn run(&mut self) {
        loop {
            let before = self.alive.clone();
            let open: Vec<usize> = (0..self.alive.len()).filter(|&group| self.alive[group] && !self.settled[group]).collect();
            if open.is_empty() {
                return;
            }
            if self.split(&open).is_err() {
                for &group in &open {
                    self.alive[group] = false;
                }
                return;
            }
            if before == self.alive {
                return;
            }
        }
    }

    /// Goes through what a small group that is proven already can be, as whose turn it is: that rules out most moves at once.
    fn split(&mut self, open: &[usize]) -> Result<(), Exhausted> {
        let small = |&group: &usize| self.settled[group] && self.alive[group] && (2..=SPLIT).contains(&self.members[group].len());
        let Some(group) = (0..self.members.len()).find(small) else { return self.role(0, open) };
        let members = self.members[group].clone();
        for holding in (0..=members.len()).map(|at| members.get(at)) {
            let mut undo = Vec::new();
            for member in &members {
                let value = if Some(member) == holding { Known::ALWAYS } else { Known::NEVER };
                self.give(self.values.fluents[*member as usize], value, &mut undo)?;
            }
            for role in 0..self.moves.len() {
                self.rule_out(role, &mut undo)?;
            }
            self.role(0, open)?;
            self.take_back(undo)?;
        }
        Ok(())
    }

    /// Moves of a role that cannot be legal are not played.
    fn rule_out(&mut self, role: usize, undo: &mut Vec<(u32, Known)>) -> Result<(), Exhausted> {
        self.values.spend(self.moves[role].len())?;
        for at in 0..self.moves[role].len() {
            let number = self.moves[role][at];
            if !self.values.of(self.net.moves[number].legal).may {
                self.give(self.values.does[number], Known::NEVER, undo)?;
            }
        }
        Ok(())
    }

    fn take_back(&mut self, undo: Vec<(u32, Known)>) -> Result<(), Exhausted> {
        for (node, value) in undo.into_iter().rev() {
            self.values.set(node, value)?;
        }
        Ok(())
    }

    /// Goes through the moves of a role; groups that are still open after the last role are given up.
    fn role(&mut self, role: usize, open: &[usize]) -> Result<(), Exhausted> {
        if role == self.moves.len() {
            for &group in open {
                self.alive[group] = false;
            }
            return Ok(());
        }
        let moves = self.moves[role].clone();
        let does = |number: usize| self.values.does[number];
        let before: Vec<(u32, Known)> = moves.iter().map(|&number| (does(number), self.values.node(does(number)))).collect();
        for &(node, _) in &before {
            self.values.set(node, Known::NEVER)?;
        }
        for &number in &moves {
            let open: Vec<usize> = open.iter().copied().filter(|&group| self.alive[group]).collect();
            if !open.is_empty() && self.values.of(self.net.moves[number].legal).may {
                self.play(role, number, &open)?;
            }
        }
        self.take_back(before)
    }

    /// One move of a role: what is not proven after it is left to the moves of the next.
    fn play(&mut self, role: usize, number: usize, open: &[usize]) -> Result<(), Exhausted> {
        let mut undo = Vec::new();
        if self.assume(number, &mut undo)? {
            self.give(self.values.does[number], Known::ALWAYS, &mut undo)?;
            for other in (0..self.moves.len()).filter(|&other| other != role) {
                self.rule_out(other, &mut undo)?;
            }
            let mut left = Vec::new();
            for &group in open {
                if !self.holds(group)? {
                    left.push(group);
                }
            }
            if !left.is_empty() {
                self.role(role + 1, &left)?;
            }
        }
        self.take_back(undo)
    }

    /// Assumes what must hold for a move to be legal, and what cannot hold beside it; false where that cannot be.
    fn assume(&mut self, number: usize, undo: &mut Vec<(u32, Known)>) -> Result<bool, Exhausted> {
        for at in 0..self.needs[number].len() {
            let fluent = self.needs[number][at];
            let node = self.values.fluents[fluent as usize];
            if !self.values.node(node).may {
                return Ok(false);
            }
            self.give(node, Known::ALWAYS, undo)?;
            for group in self.groups[fluent as usize].clone() {
                if !self.alive[group] {
                    continue;
                }
                for at in 0..self.members[group].len() {
                    let other = self.members[group][at];
                    let node = self.values.fluents[other as usize];
                    if other != fluent && self.values.node(node).must {
                        return Ok(false);
                    }
                    if other != fluent {
                        self.give(node, Known::NEVER, undo)?;
                    }
                }
            }
        }
        Ok(true)
    }

    fn give(&mut self, node: u32, value: Known, undo: &mut Vec<(u32, Known)>) -> Result<(), Exhausted> {
        let before = self.values.node(node);
        if before != value {
            undo.push((node, before));
            self.values.set(node, value)?;
        }
        Ok(())
    }

    /// Whether at most one of a group can come next: only one may, or each that may is there already.
    fn holds(&mut self, group: usize) -> Result<bool, Exhausted> {
        let members = &self.members[group];
        self.values.spend(members.len())?;
        let may = |fluent: u32| self.values.of(self.net.fluents[fluent as usize].next).may;
        let next: Vec<u32> = members.iter().copied().filter(|&fluent| may(fluent)).collect();
        if next.len() <= 1 {
            return Ok(true);
        }
        for fluent in next {
            let node = self.values.fluents[fluent as usize];
            if !self.implies(self.net.fluents[fluent as usize].next, node, 0)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a signal is true only where an input is.
    fn implies(&mut self, signal: Signal, input: u32, depth: usize) -> Result<bool, Exhausted> {
        if !self.values.of(signal).may {
            return Ok(true);
        }
        if signal.node().0 == input {
            return Ok(!signal.is_not());
        }
        let list = self.net.inputs(signal.node());
        self.values.spend(list.len())?;
        if list.is_empty() || depth == DEPTH {
            return Ok(false);
        }
        if signal.is_not() {
            for &part in list {
                if !self.implies(!part, input, depth + 1)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        if list.contains(&Signal(input << 1)) {
            return Ok(true);
        }
        for &part in list {
            if self.implies(part, input, depth + 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
