//! Minimax with a value for every role.

use super::count::{Counter, Stop};
use super::expand::{Choices, Expander, Positions, Reach, Way};
use super::found::{Found, Window};
use super::line::{check, follow};
use super::root::Root;
use super::table::{Entry, Table};
use crate::{Bounds, Budget, Error, Meter, Search, Settings, Verdict, Watch};
use ludens_machine::{Machine, RoleId, State};
use ludens_score::Evaluator;
use std::sync::Arc;

/// How minimax goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Joint moves to look ahead at most; more than 250 are not.
    pub depth: u32,
    /// Remember positions of games for one or two.
    pub table: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { depth: super::alphabeta::Options::DEEPEST, table: true }
    }
}

/// Looks at all moves so many joint moves deep, one deeper each time; every role is supposed to want many points for itself and to value positions as the
/// evaluator does for it (max^n): the Heuristic Player's search.
///
/// Where several roles choose at once they are taken to choose one after the other, knowing the choices before: first the role that the search is for,
/// then the others in the order of the sheet. Of moves that are equally good for it another role plays the one that is worst for the role that the search is
/// for; else the first counts.
#[derive(Debug)]
pub struct Minimax<'m> {
    machine: &'m Machine,
    expander: Expander<'m>,
    options: Options,
    settings: Settings,
    table: Table,
    plies: Vec<Ply>,
    /// Whether two sides had a choice at the same time anywhere.
    simultaneous: bool,
}

/// Positions at one ply, children of one node, and what that node makes of them.
#[derive(Debug)]
struct Ply {
    positions: Positions,
    /// Per role, in the order in which they choose: the best of its moves so far after the moves chosen before, if any.
    best: Vec<Option<Way>>,
    /// What that promises to every role.
    values: Vec<f32>,
}

/// One search.
struct Run<'r, 'm> {
    search: &'r mut Minimax<'m>,
    counter: Counter<'r>,
    root: Root,
    role: usize,
    /// The roles in the order in which they choose.
    order: Vec<usize>,
    /// What the last node promises to every role.
    result: Vec<f32>,
}

/// A node while its moves are looked at.
#[derive(Clone, Copy)]
struct Node {
    ply: usize,
    index: usize,
    depth: u32,
    choices: Choices,
    /// Whether the match is over at all leaves so far.
    complete: bool,
}

impl<'m> Minimax<'m> {
    /// Of the settings, the memory and the seed count; it runs on one thread.
    pub fn new(machine: &'m Machine, evaluator: Arc<dyn Evaluator>, options: Options, settings: Settings) -> Minimax<'m> {
        Minimax {
            machine,
            expander: Expander::new(machine, evaluator, false),
            options,
            settings,
            table: Table::new(if options.table { settings.memory } else { 0 }),
            plies: Vec::new(),
            simultaneous: false,
        }
    }

    fn reach(&mut self, ply: usize) {
        let roles = self.machine.roles().len();
        while self.plies.len() <= ply {
            let positions = self.expander.positions();
            self.plies.push(Ply { positions, best: vec![None; roles], values: vec![0.0; roles * roles] });
        }
    }
}

impl Search for Minimax<'_> {
    fn think(&mut self, position: &State, role: RoleId, budget: &Budget, watch: &Watch<'_>) -> Result<Verdict, Error> {
        let meter = Meter::new(budget, watch);
        let worker = meter.worker();
        let own = role.0 as usize;
        let machine = self.machine;
        self.expander.begin(own, self.settings.seed);
        self.table.grow_older();
        self.reach(0);
        let root = &mut self.plies[0].positions;
        self.expander.look(position.words(), root)?;
        let mut verdict = check(machine, root, own)?;
        let mut counter = Counter::new(&meter, &worker, *watch, budget.nodes);
        counter.begin();
        let deepest = self.options.depth.min(budget.depth.unwrap_or(u32::MAX)).min(super::alphabeta::Options::DEEPEST);
        let moves = Root::new(root.legal(0, own));
        let order = self.expander.order().to_vec();
        let mut run = Run { search: self, counter, root: moves, role: own, order, result: vec![0.0; machine.roles().len()] };
        let mut complete = false;
        for depth in 1..=deepest {
            if complete || worker.is_over() {
                break;
            }
            run.root.begin(depth);
            match run.node(0, 0, depth) {
                Ok(all) => {
                    complete = all;
                    run.root.conclude(Found { value: run.result[own], low: all, high: all });
                    verdict.depth = depth;
                    verdict.values = run.result.iter().copied().map(f64::from).collect();
                }
                Err(Stop::Over) => {
                    run.root.give_up();
                    break;
                }
                Err(Stop::Engine(error)) => return Err((*error).into()),
            }
        }
        let root = run.root;
        self.report(&root, own, complete, &mut verdict)?;
        drop(worker);
        verdict.nodes = meter.nodes();
        (verdict.cpu, verdict.wall) = (meter.cpu(), meter.wall());
        Ok(verdict)
    }
}

impl Minimax<'_> {
    fn report(&mut self, root: &Root, role: usize, complete: bool, verdict: &mut Verdict) -> Result<(), Error> {
        verdict.memory = (self.table.bytes() + self.plies.iter().map(|ply| ply.positions.bytes()).sum::<usize>()) as u64;
        let Some((way, found)) = root.choice() else { return Ok(()) };
        // What roles do that want something else than each other is no certainty.
        let faithful = self.expander.is_contest() && !self.simultaneous;
        verdict.moves = root.reports(faithful);
        verdict.choice = verdict.moves[0].id;
        if complete && faithful {
            verdict.bounds = Bounds::exact(found.value.clamp(0.0, 100.0) as u8);
        }
        if !faithful {
            verdict.moves.iter_mut().for_each(|report| report.bounds = Bounds::OPEN);
        }
        let depth = verdict.depth.max(1);
        let (line, _) = follow(&mut self.expander, &self.table, &self.plies[0].positions, way, role, depth)?;
        verdict.line = line;
        verdict.values[role] = f64::from(found.value);
        Ok(())
    }
}

impl Run<'_, '_> {
    /// Finds what a position promises to every role, some joint moves deep; whether the match is over at all leaves.
    fn node(&mut self, ply: usize, index: usize, depth: u32) -> Result<bool, Stop> {
        let positions = &self.search.plies[ply].positions;
        let choices = positions.choices(index, self.role);
        let mut key = 0;
        if self.search.options.table && ply > 0 {
            key = positions.key(index);
            if self.order.len() <= 2
                && let Some(entry) = self.search.table.get(key)
                && (u32::from(entry.depth) == depth || entry.low_proven && u32::from(entry.depth) < depth)
            {
                self.result[0] = entry.low;
                if let Some(second) = self.result.get_mut(1) {
                    *second = entry.high;
                }
                return Ok(entry.low_proven);
            }
        }
        self.search.simultaneous |= choices.own > 1 && choices.replies > 1;
        self.search.reach(ply + 1);
        self.search.plies[ply + 1].best.fill(None);
        let mut node = Node { ply, index, depth, choices, complete: true };
        self.parts(&mut node)?;
        let Ply { best, values, .. } = &self.search.plies[ply + 1];
        self.result.copy_from_slice(&values[..self.order.len()]);
        if self.search.options.table && ply > 0 {
            let way = best[0].unwrap_or(Way { own: 0, reply: 0 });
            let entry = Entry {
                low: self.result[0],
                high: *self.result.get(1).unwrap_or(&0.0),
                depth: depth as u8,
                low_proven: node.complete,
                high_proven: node.complete,
                own: Entry::small(way.own as u64),
                reply: Entry::small(way.reply),
            };
            self.search.table.put(key, entry);
        }
        Ok(node.complete)
    }

    /// Looks at all moves of a node, as many at once as there is room for, until one is as good as can be.
    fn parts(&mut self, node: &mut Node) -> Result<(), Stop> {
        let Choices { own, replies } = node.choices;
        let most = self.search.expander.most();
        let mut way = Way { own: 0, reply: 0 };
        while way.own < own {
            // Several own moves with all replies, or some replies to one.
            let count = if replies <= most {
                (most / replies).min((own - way.own) as u64) * replies
            } else {
                most.min(replies - way.reply)
            };
            self.expand(node, way, count as usize)?;
            for child in 0..count as usize {
                self.child(node, child, way)?;
                way.reply += 1;
                if way.reply == replies {
                    way = Way { own: way.own + 1, reply: 0 };
                    let children = &self.search.plies[node.ply + 1];
                    if children.best[0].is_some() && children.values[self.role] >= 100.0 {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    fn expand(&mut self, node: &Node, first: Way, count: usize) -> Result<(), Stop> {
        let reach = if node.depth == 1 { Reach::Leaves } else { Reach::Unscored };
        let Minimax { plies, expander, .. } = &mut *self.search;
        let (parents, children) = plies.split_at_mut(node.ply + 1);
        let from = (&parents[node.ply].positions, node.index);
        self.counter.expand(expander, from, first, count, node.choices, reach, &mut children[0].positions)
    }

    /// Finds what a child promises, and what those who have chosen by then make of it.
    fn child(&mut self, node: &mut Node, child: usize, way: Way) -> Result<(), Stop> {
        let positions = &self.search.plies[node.ply + 1].positions;
        let over = positions.is_over(child);
        let mut complete = over;
        if over || node.depth == 1 {
            self.result.copy_from_slice(positions.scores(child));
        } else {
            complete = self.node(node.ply + 1, child, node.depth - 1)?;
        }
        node.complete &= complete;
        let roles = self.order.len();
        let (parents, children) = self.search.plies.split_at_mut(node.ply + 1);
        let (parent, children) = (&parents[node.ply].positions, &mut children[0]);
        let mut rest = way.reply + 1;
        for level in (0..roles).rev() {
            let chooser = self.order[level];
            let best = &mut children.values[level * roles..][..roles];
            let better = children.best[level].is_none()
                || self.result[chooser] > best[chooser]
                || level > 0 && self.result[chooser] >= best[chooser] && self.result[self.role] < best[self.role];
            if level == 0 && node.ply == 0 {
                let found = Found { value: self.result[chooser], low: node.complete, high: node.complete };
                let way = children.best.get(1).copied().flatten().unwrap_or(way);
                self.root.settle(way, found, Window::OPEN, Window::OPEN);
            }
            if better {
                best.copy_from_slice(&self.result);
                children.best[level] = Some(if level + 1 < roles { children.best[level + 1].unwrap_or(way) } else { way });
            }
            if level + 1 < roles {
                children.best[level + 1] = None;
            }
            // The one who chose before hears of it after the last move of this one.
            let moves = parent.legal(node.index, chooser).len() as u64;
            if level == 0 || !rest.is_multiple_of(moves) {
                break;
            }
            rest /= moves;
            self.result.copy_from_slice(&children.values[level * roles..][..roles]);
        }
        Ok(())
    }
}

/// Plays what the evaluator likes best after one joint move: [`Minimax`] of depth 1.
#[derive(Debug)]
pub struct OnePly<'m>(Minimax<'m>);

impl<'m> OnePly<'m> {
    /// Of the settings, the seed counts.
    pub fn new(machine: &'m Machine, evaluator: Arc<dyn Evaluator>, settings: Settings) -> OnePly<'m> {
        OnePly(Minimax::new(machine, evaluator, Options { depth: 1, table: false }, settings))
    }
}

impl Search for OnePly<'_> {
    fn think(&mut self, position: &State, role: RoleId, budget: &Budget, watch: &Watch<'_>) -> Result<Verdict, Error> {
        self.0.think(position, role, budget, watch)
    }
}
