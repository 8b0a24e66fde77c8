//! Ways to map a graph onto itself, found by telling vertices apart until all are.

use super::graph::Graph;
use super::refine::Colouring;
use crate::vocabulary::Row;
use std::collections::BTreeMap;

/// Vertices that are told apart by choice, one after the other, at most.
const DEEPEST: usize = 24;

/// Leaves that are looked at for one vertex that another might become.
const MOST_LEAVES: usize = 64;

/// One choice.
struct Choice {
    /// How vertices look before it.
    before: Colouring,
    /// The colour that the chosen vertex has then.
    colour: u64,
    vertex: u32,
    /// What all look like after it.
    summary: u64,
}

/// What is looked for.
pub(super) struct Search<'a> {
    pub(super) graph: &'a Graph,
    /// All fluents.
    pub(super) rows: &'a [Row],
    /// Per fluent: a number that others have that are always true where it is, and whether it matters what becomes of it.
    pub(super) seen: &'a [(u64, bool)],
    /// Edges that may be looked at.
    pub(super) work: usize,
    /// Ways that may turn out wrong.
    pub(super) wrong: usize,
    /// Ways that are wanted, at most.
    pub(super) most: usize,
    pub(super) stop: &'a dyn Fn() -> bool,
    /// Makes a way to map of what can become of fluents and of roles, if there is one.
    pub(super) holds: &'a mut dyn FnMut(&Images) -> Option<Found>,
}

/// Per fluent and per role: what it becomes, where that is certain.
pub(super) struct Images {
    pub(super) fluents: Vec<Option<u32>>,
    pub(super) roles: Vec<u32>,
}

/// Per fluent and per role: what it becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) fluents: Vec<u32>,
    pub(super) roles: Vec<u32>,
}

impl Search<'_> {
    /// How vertices look before any choice; `None` if it was given up.
    pub(super) fn start(&mut self) -> Option<Colouring> {
        let mut start = Colouring::of(self.graph);
        self.refine(&mut start).then_some(start)
    }

    /// Finds generators of all ways, and how many there are, as a logarithm.
    pub(super) fn generators(&mut self, start: Colouring) -> (Vec<Found>, f64) {
        let Some((choices, leaf)) = self.descend(start) else { return (Vec::new(), 0.0) };
        let mut found: Vec<Found> = Vec::new();
        let mut order = 0.0;
        // From the last choice to the first: what is found keeps all choices made before.
        let (mut work, mut wrong) = (self.work, self.wrong);
        let roles = choices.iter().filter(|choice| choice.vertex as usize >= self.graph.first_role).count();
        for level in (0..choices.len()).rev() {
            // Each has its share of what is left; half of it is for roles.
            let shares = if level < roles { level + 1 } else { 2 * (level + 1 - roles) };
            (self.work, self.wrong) = (work / shares, wrong.div_ceil(shares));
            let (shared_work, shared_wrong) = (work - self.work, wrong - self.wrong);
            let Choice { before, colour, vertex, .. } = &choices[level];
            let mut known = self.orbit(&found, *vertex);
            for other in self.likely(before, *colour, *vertex) {
                if found.len() >= self.most || self.wrong == 0 {
                    break;
                }
                if known.contains(&other) || self.are_same(*vertex, other) {
                    continue;
                }
                let mut leaves = MOST_LEAVES;
                if let Some(new) = self.from(&choices, &leaf, level, before, Some(other), &mut leaves) {
                    found.push(new);
                    known = self.orbit(&found, *vertex);
                }
            }
            order += (known.len() as f64).ln();
            (work, wrong) = (shared_work + self.work, shared_wrong + self.wrong);
        }
        (self.work, self.wrong) = (work, wrong);
        (found, order)
    }

    fn refine(&mut self, colouring: &mut Colouring) -> bool {
        colouring.refine(self.graph, &mut self.work, self.stop)
    }

    /// Chooses vertices until all roles and all fluents that matter are told apart, or no more may be chosen.
    fn descend(&mut self, start: Colouring) -> Option<(Vec<Choice>, Colouring)> {
        let (mut choices, mut now) = (Vec::new(), start);
        while choices.len() < DEEPEST {
            let roles = now.cells(self.graph.first_role..self.graph.first_role + self.graph.roles);
            let cells = if roles.is_empty() {
                let cells = now.cells(0..self.graph.fluents).into_iter();
                let lively = |members: &[u32]| members.iter().copied().filter(|&fluent| self.is_lively(fluent)).collect();
                let cells = cells
                    .map(|cell| (lively(&cell.members), cell.colour))
                    .filter(|(members, _): &(Vec<u32>, _)| members.len() > 1);
                cells.map(|(members, colour)| (members.len(), members[0], colour)).collect()
            } else {
                roles.into_iter().map(|cell| (cell.members.len(), cell.members[0], cell.colour)).collect::<Vec<_>>()
            };
            // A small cell takes few attempts.
            let Some((_, vertex, colour)) = cells.into_iter().min() else { break };
            let mut after = now.with(vertex, choices.len());
            if !self.refine(&mut after) {
                return None;
            }
            choices.push(Choice { before: now, colour, vertex, summary: after.summary() });
            now = after;
        }
        Some((choices, now))
    }

    /// Whether it matters what becomes of a fluent.
    fn is_lively(&self, vertex: u32) -> bool {
        self.seen.get(vertex as usize).is_some_and(|(_, lively)| *lively)
    }

    /// Whether two fluents are always true together.
    fn are_same(&self, one: u32, two: u32) -> bool {
        let number = |vertex: u32| self.seen.get(vertex as usize).map(|(number, _)| *number);
        number(one).is_some() && number(one) == number(two)
    }

    /// Vertices of a colour, those first that matter and that have most symbols in common with one.
    fn likely(&self, now: &Colouring, colour: u64, like: u32) -> Vec<u32> {
        let mut members = now.members(colour);
        if let Some(row) = self.rows.get(like as usize) {
            let other = |vertex: u32| self.rows.get(vertex as usize);
            let same = |other: &Row| row.symbols.iter().zip(&other.symbols).filter(|(one, two)| one == two).count();
            members.sort_by_key(|&vertex| std::cmp::Reverse((self.is_lively(vertex), other(vertex).map_or(0, same))));
        }
        members
    }

    /// What a vertex becomes by some ways to map and what those make of it then.
    fn orbit(&self, found: &[Found], vertex: u32) -> Vec<u32> {
        let mut orbit = vec![vertex];
        let mut next = 0;
        while let Some(&vertex) = orbit.get(next) {
            for Found { fluents, roles } in found {
                let role = (vertex as usize).checked_sub(self.graph.first_role);
                let image = role.map_or_else(|| fluents[vertex as usize], |role| roles[role] + self.graph.first_role as u32);
                if !orbit.contains(&image) {
                    orbit.push(image);
                }
            }
            next += 1;
        }
        orbit
    }

    /// Chooses vertices that look like those that were chosen first, from a level on; the first of them may be given.
    fn from(
        &mut self,
        choices: &[Choice],
        leaf: &Colouring,
        level: usize,
        now: &Colouring,
        given: Option<u32>,
        leaves: &mut usize,
    ) -> Option<Found> {
        let Some(choice) = choices.get(level) else {
            *leaves -= 1;
            let found = self.images(leaf, now).and_then(|images| (self.holds)(&images));
            self.wrong -= usize::from(found.is_none());
            return found;
        };
        for vertex in given.map_or_else(|| self.likely(now, choice.colour, choice.vertex), |given| vec![given]) {
            if *leaves == 0 || self.wrong == 0 {
                break;
            }
            let mut after = now.with(vertex, level);
            if !self.refine(&mut after) {
                break;
            }
            if after.summary() == choice.summary
                && let Some(found) = self.from(choices, leaf, level + 1, &after, None, leaves)
            {
                return Some(found);
            }
        }
        None
    }

    /// Maps what alone has a colour in one colouring to what has it in another.
    fn images(&self, one: &Colouring, two: &Colouring) -> Option<Images> {
        let map = |range: std::ops::Range<usize>| {
            let first = range.start;
            let mut places: BTreeMap<u64, Option<u32>> = BTreeMap::new();
            for vertex in range.clone() {
                let place = (vertex - first) as u32;
                places.entry(two.colours[vertex]).and_modify(|place| *place = None).or_insert(Some(place));
            }
            range.map(move |vertex| places.get(&one.colours[vertex]).copied().flatten())
        };
        let roles = map(self.graph.first_role..self.graph.first_role + self.graph.roles).collect::<Option<_>>()?;
        Some(Images { fluents: map(0..self.graph.fluents).collect(), roles })
    }
}
