//! What depends on what, as a graph: fluents, moves, roles, points, the end, and lines.
//!
//! Gates are passed over: one rule can be made of them in many ways, and which it is says nothing about the game. An edge says that a fluent, a move or a goal
//! depends on a fluent, on a move being played, or on an atom of a circle, and whether on its being true, its being false, or both.

use super::mixed;
use super::orders::Order;
use super::support::Support;
use crate::lines::{Family, Purpose};
use crate::vocabulary::{SymbolId, Vocabulary};
use ludens_ground::{Net, Signal};
use std::collections::BTreeMap;

/// Edges of a graph, at most.
const MOST_EDGES: usize = 300_000;

/// What depends on more than so many things in the same way depends on nearly everything, which tells little: it is left out where there would be too many edges.
const LONGEST: [usize; 4] = [usize::MAX, 512, 128, 48];

/// What an edge says besides which way it goes; those of dependence are 1 to 3.
const BELONGS: u32 = 4;

/// The kinds of vertices.
const FLUENT: u64 = 1;
const MOVE: u64 = 2;
const LATCH: u64 = 3;
const ROLE: u64 = 4;
const GOAL: u64 = 5;
const END: u64 = 6;
const LINE: u64 = 7;
const SYMBOL: u64 = 8;

/// What a graph tells. Rules sometimes say what is symmetric in a way that is not: counted from one end, or walked through in one direction. Less detail
/// passes over that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Detail {
    /// What play depends on, and columns with the order of their symbols.
    Columns,
    /// What play depends on.
    Play,
    /// Besides, what points and the end depend on.
    Goals,
    /// Lines, too.
    Lines,
}

impl Detail {
    /// Those first that usually do.
    pub(super) const ALL: [Detail; 4] = [Detail::Columns, Detail::Lines, Detail::Goals, Detail::Play];
}

/// A graph whose vertices have colours. Fluents come first.
#[derive(Debug)]
pub(super) struct Graph {
    /// Per vertex: where its list of neighbours begins; one more for the end of the last.
    starts: Vec<u32>,
    /// Neighbours, and what the edge says.
    beside: Vec<(u32, u32)>,
    /// Per vertex: what it is.
    pub(super) kinds: Vec<u64>,
    pub(super) fluents: usize,
    /// The vertex of the first role.
    pub(super) first_role: usize,
    pub(super) roles: usize,
}

/// A graph that is being made.
struct Draft<'a> {
    net: &'a Net,
    support: &'a Support<'a>,
    kinds: Vec<u64>,
    edges: Vec<(u32, u32, u32)>,
    /// Atoms of circles that something depends on, and those of them that were not looked at yet.
    latches: Vec<bool>,
    open: Vec<usize>,
    /// As much as anything may depend on in the same way.
    longest: usize,
    /// Room for what a vertex depends on, by how it does.
    groups: [Vec<u32>; 4],
}

impl Draft<'_> {
    fn vertex(&mut self, kind: u64) -> u32 {
        self.kinds.push(kind);
        self.kinds.len() as u32 - 1
    }

    /// A vertex depends on what a signal depends on.
    fn depends(&mut self, vertex: u32, signal: Signal) {
        let first_latch = self.net.fluents.len() + self.net.moves.len();
        let Draft { support, edges, latches, open, groups, .. } = self;
        support.each(signal, |input, label| groups[label as usize].push(input));
        for (label, group) in (0..).zip(groups) {
            if group.len() <= self.longest && edges.len() <= MOST_EDGES {
                edges.extend(group.iter().map(|&input| (vertex, input, label)));
                let circles = group.iter().filter_map(|&input| (input as usize).checked_sub(first_latch));
                open.extend(circles.filter(|&latch| !std::mem::replace(&mut latches[latch], true)));
            }
            group.clear();
        }
    }

    fn belongs(&mut self, vertex: u32, other: u32) {
        self.edges.push((vertex, other, BELONGS));
    }

    /// Those atoms of circles that something depends on, with what they depend on themselves.
    fn circles(&mut self) {
        let first = (self.net.fluents.len() + self.net.moves.len()) as u32;
        while let Some(latch) = self.open.pop() {
            self.depends(first + latch as u32, self.support.becomes[latch]);
        }
    }

    /// Lines, each with its purpose.
    fn lines(&mut self, families: &[Family], goals: &BTreeMap<(u32, &str), u32>, end: u32) {
        for Family { purpose, size, lines } in families {
            let whose = match purpose {
                Purpose::Goal { role, value } => goals.get(&(role.0, value.as_str())).copied(),
                Purpose::End => Some(end),
            };
            for line in lines {
                let vertex = self.vertex(mixed(LINE ^ (*size as u64) << 32));
                self.edges.extend(whose.map(|whose| (vertex, whose, BELONGS)));
                line.iter().for_each(|fluent| self.belongs(vertex, fluent.0));
            }
        }
    }

    /// What stands in columns, each symbol beside those that are next to it.
    fn columns(&mut self, vocabulary: &Vocabulary, orders: &[Order]) {
        for (id, table) in vocabulary.tables() {
            for (column, symbols) in table.columns.iter().enumerate() {
                let first = self.kinds.len() as u32;
                let vertices: BTreeMap<SymbolId, u32> = symbols.iter().copied().zip(first..).collect();
                self.kinds.resize(self.kinds.len() + symbols.len(), SYMBOL);
                for &row in &table.rows {
                    let symbol = vocabulary.rows()[row.0 as usize].symbols[column];
                    self.belongs(row.0, vertices[&symbol]);
                }
                for order in orders.iter().filter(|order| order.columns.contains(&(id, column))) {
                    for (one, two) in &order.pairs {
                        if let (Some(&one), Some(&two)) = (vertices.get(one), vertices.get(two)) {
                            self.edges.extend([(one, two, BELONGS), (two, one, BELONGS)]);
                        }
                    }
                }
            }
        }
    }
}

impl Graph {
    /// The graph of a network; `None` where that is too large.
    pub(super) fn of(support: &Support<'_>, vocabulary: &Vocabulary, orders: &[Order], detail: Detail) -> Option<Graph> {
        LONGEST.iter().find_map(|&longest| Graph::within(support, vocabulary, orders, detail, longest))
    }

    fn within(support: &Support<'_>, vocabulary: &Vocabulary, orders: &[Order], detail: Detail, longest: usize) -> Option<Graph> {
        let net = support.net;
        let mut draft = Draft {
            net,
            support,
            kinds: vec![FLUENT; net.fluents.len()],
            edges: Vec::new(),
            latches: vec![false; support.becomes.len()],
            open: Vec::new(),
            longest,
            groups: Default::default(),
        };
        draft.kinds.resize(draft.kinds.len() + net.moves.len(), MOVE);
        draft.kinds.resize(support.inputs, LATCH);
        let first_role = draft.kinds.len();
        draft.kinds.resize(first_role + net.roles.len(), ROLE);
        let role = |role: u32| first_role as u32 + role;
        for (vertex, fluent) in (0..).zip(&net.fluents) {
            draft.depends(vertex, fluent.next);
        }
        for (vertex, played) in (net.fluents.len() as u32..).zip(&net.moves) {
            draft.belongs(vertex, role(played.role));
        }
        let mut goals = BTreeMap::new();
        for goal in &net.goals {
            let vertex = draft.vertex(mixed(GOAL ^ text_hash(&goal.text)));
            goals.insert((goal.role, goal.text.as_str()), vertex);
            draft.belongs(vertex, role(goal.role));
            if detail >= Detail::Goals {
                draft.depends(vertex, goal.holds);
            }
        }
        let end = draft.vertex(END);
        if let Some(terminal) = net.terminal.filter(|_| detail >= Detail::Goals) {
            draft.depends(end, terminal);
        }
        if detail >= Detail::Lines {
            draft.lines(vocabulary.families(), &goals, end);
        }
        if detail == Detail::Columns {
            draft.columns(vocabulary, orders);
        }
        for (vertex, played) in (net.fluents.len() as u32..).zip(&net.moves) {
            draft.depends(vertex, played.legal);
        }
        draft.circles();
        let Draft { kinds, edges, .. } = draft;
        if edges.len() > MOST_EDGES {
            return None;
        }
        let (starts, beside) = lists(kinds.len(), &edges);
        Some(Graph { starts, beside, kinds, fluents: net.fluents.len(), first_role, roles: net.roles.len() })
    }

    /// Neighbours of a vertex, and what the edge says.
    pub(super) fn beside(&self, vertex: usize) -> &[(u32, u32)] {
        &self.beside[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// How many vertices there are.
    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }
}

/// Neighbours by vertex, either way.
fn lists(vertices: usize, edges: &[(u32, u32, u32)]) -> (Vec<u32>, Vec<(u32, u32)>) {
    let mut starts = vec![0_u32; vertices + 1];
    for &(from, to, _) in edges {
        starts[from as usize + 1] += 1;
        starts[to as usize + 1] += 1;
    }
    for vertex in 0..vertices {
        starts[vertex + 1] += starts[vertex];
    }
    let mut next = starts.clone();
    let mut beside = vec![(0, 0); edges.len() * 2];
    let mut put = |vertex: u32, other: u32, label: u32| {
        let place = &mut next[vertex as usize];
        beside[*place as usize] = (other, label);
        *place += 1;
    };
    for &(from, to, label) in edges {
        put(from, to, label * 2);
        put(to, from, label * 2 + 1);
    }
    (starts, beside)
}

fn text_hash(text: &str) -> u64 {
    text.bytes().fold(0, |hash, byte| mixed(hash ^ u64::from(byte)))
}
