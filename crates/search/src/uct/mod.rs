//! UCT on lanes: many descents at once, transpositions shared, what is certain proven.
//!
//! `descend` goes down by `select`, `expand` makes nodes for the positions reached and lets the lanes play from them, `worker` brings the values
//! back up; `bounds` is the solver, `recycle` makes room, `report` says what was found. Nodes are words in an `arena`, laid out by `node` and found
//! by `table`. Threads share the tree without locks while they search; only for more room one of them asks the others to wait between batches.

mod arena;
mod bounds;
mod descend;
mod expand;
mod grave;
mod guess;
mod guessing;
mod guide;
mod history;
mod node;
mod playing;
mod policy;
mod recycle;
mod report;
mod select;
mod table;
#[cfg(test)]
mod tests;
mod tree;
mod worker;

use crate::{Bounds, Budget, Error, Meter, Search, Settings, Verdict, Watch};
use arena::NodeId;
pub use guide::{Guidance, Uses};
pub use policy::Learning;

use ludens_machine::{Machine, Manner, MoveId, RoleId, State};
use ludens_score::Evaluator;
use node::{Fresh, Shape};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;
use tree::{Tree, hash};
use worker::Worker;

/// Which of the moves looked at is played in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The one tried most often: its value is the surest.
    Visits,
    /// The one with the highest value.
    Value,
}

/// How UCT goes about it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::struct_excessive_bools)] // switches, all of which go together
pub struct Options {
    /// How much uncertainty attracts, for values from 0 to 1.
    pub c: f32,
    /// Descents in hand at once, at most.
    pub leaves: usize,
    /// Random matches from each position reached, at least.
    pub playouts: usize,
    /// Whether there are more random matches rather than empty lanes.
    pub fill: bool,
    /// Whether these do not pass over moves that win at once, where that can be told at little expense.
    pub decisive: bool,
    /// Whether moves are likelier there that do well in random matches from the start.
    pub practice: bool,
    /// As many visits of the root as allow for one more descent at once.
    pub patience: usize,
    /// A choice at a node holds for one visit, and for one more for every so many visits that the node has had.
    pub habit: u64,
    /// How much it counts how a move did elsewhere in the tree; 0 is not at all.
    pub history: f32,
    /// What a move that nobody has tried has beyond the mean of its node, in parts of what uncertainty adds to one visit; with 0, or where there are at most eight moves, such moves come first.
    pub urgency: f32,
    /// What is played in the end.
    pub choice: Choice,
    /// Whether what is certain is proven and used.
    pub solver: bool,
    /// With the solver: whether new positions are looked at for ends of the match one move further on.
    pub look_ahead: bool,
    /// Whether positions that are reached in several ways share a node.
    pub transpositions: bool,
    /// Whether the tree is kept from move to move.
    pub reuse: bool,
    /// What random play learns.
    pub learning: Learning,
    /// GRAVE: whether the values of moves wherever they were played below count, too.
    pub grave: bool,
    /// Visits from which on a node's statistics of later moves are used.
    pub grave_visits: u64,
    /// How many visits it takes until a node's own statistics count for more.
    pub grave_k: f32,
    /// What an evaluation function is used for, if there is one.
    pub guidance: Guidance,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            c: 0.25,
            leaves: 64,
            playouts: 8,
            fill: true,
            decisive: true,
            practice: false,
            patience: 8,
            habit: 512,
            history: 12.0,
            urgency: 1.0,
            choice: Choice::Visits,
            solver: true,
            look_ahead: true,
            transpositions: true,
            reuse: true,
            learning: Learning::default(),
            grave: false,
            grave_visits: 50,
            grave_k: 250.0,
            guidance: Guidance::NONE,
        }
    }
}

impl Options {
    /// How random matches choose their moves.
    fn manner(&self) -> Manner {
        Manner { decisive: self.decisive, practised: self.practice }
    }

    /// Those of the search that an evaluation function guides.
    pub fn guided() -> Options {
        // Values lie closer together where they are mixed, and so do those of all moves.
        let uses = Uses { init: true, ..Uses::default() };
        Options {
            c: 0.2,
            history: 0.0,
            urgency: 0.0,
            guidance: Guidance { minimax: 0.35, uses, ..Guidance::NONE },
            ..Options::default()
        }
    }
}

/// The search. It remembers its tree from move to move.
#[derive(Debug)]
pub struct Uct<'m> {
    machine: &'m Machine,
    options: Options,
    settings: Settings,
    tree: Shared,
    workers: Vec<Worker<'m>>,
}

/// The tree, which threads search together and of which one may ask the others to leave it.
#[derive(Debug)]
struct Shared {
    inner: RwLock<Tree>,
    /// Whoever wants to be alone holds it: without it others would be back in the tree before the one that waits has woken up.
    gate: Mutex<()>,
}

impl Shared {
    fn new(tree: Tree) -> Shared {
        Shared { inner: RwLock::new(tree), gate: Mutex::new(()) }
    }

    /// To search in.
    fn enter(&self) -> RwLockReadGuard<'_, Tree> {
        let _gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        self.inner.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// To rebuild, while all others wait.
    fn clear(&self) -> RwLockWriteGuard<'_, Tree> {
        let _gate = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        self.inner.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Who thinks on others' time must be able to stop.
const PONDERING_PAUSE: Duration = Duration::from_millis(50);

/// Where all threads search.
#[derive(Clone, Copy, Debug)]
struct Site {
    root: NodeId,
    role: usize,
    /// There is no more room, and no time to make some.
    is_full: bool,
    /// Neither is there for larger tables.
    is_crowded: bool,
    /// What recycling may take.
    longest_pause: Duration,
}

impl<'m> Uct<'m> {
    /// A search that knows nothing yet.
    pub fn new(machine: &'m Machine, options: Options, settings: Settings) -> Uct<'m> {
        Uct::with(machine, None, Options { guidance: Guidance::NONE, ..options }, settings)
    }

    /// The same, guided by an evaluation function.
    pub fn guided(machine: &'m Machine, evaluator: &Arc<dyn Evaluator>, options: Options, settings: Settings) -> Uct<'m> {
        // Statistics of later moves and guesses would be used one at the expense of the other.
        Uct::with(machine, Some(evaluator), Options { grave: false, learning: Learning::default(), ..options }, settings)
    }

    fn with(machine: &'m Machine, evaluator: Option<&Arc<dyn Evaluator>>, options: Options, settings: Settings) -> Uct<'m> {
        let roles = machine.roles().len();
        let mut options = options;
        options.leaves = options.leaves.clamp(1, 512);
        options.playouts = options.playouts.clamp(1, 512);
        let has_guesses = options.guidance.needs_guesses();
        options.look_ahead &= options.solver || has_guesses;
        if machine.as_bits().is_none() {
            // One state at a time: nothing is gained by waiting for others.
            options.leaves = 1;
            options.playouts = 1;
            options.look_ahead = false;
        }
        machine.prepare_manner(options.manner());
        let shape = Shape {
            roles,
            stride: 2 + usize::from(options.grave) + usize::from(has_guesses),
            guesses: if has_guesses { Shape::guess_words(roles) } else { 0 },
            has_means: options.history > 0.0 || options.urgency > 0.0,
            alone: settings.threads <= 1,
        };
        let range = machine.roles().map(|role| machine.range(role)).map(|(low, high)| Bounds { low, high }).collect();
        let seeds =
            (0..settings.threads.max(1) as u64).map(|thread| settings.seed.wrapping_add(thread.wrapping_mul(0x9e37_79b9)));
        let workers = seeds.map(|seed| Worker::new(machine, evaluator, &options, settings.max_plies, seed)).collect();
        Uct { machine, options, settings, tree: Shared::new(Tree::new(shape, range, settings.memory)), workers }
    }

    /// Bytes of nodes and tables.
    fn memory(&self) -> usize {
        self.settings.memory
    }

    fn tree(&mut self) -> &mut Tree {
        self.tree.inner.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// The node of the position to search from, with guesses where there shall be some.
    fn guessed_root(&mut self, position: &State, moves: &[&[MoveId]]) -> Result<Option<NodeId>, Error> {
        let Some(root) = self.root(position, moves) else { return Ok(None) };
        let Uct { tree, workers, .. } = self;
        let tree = tree.inner.get_mut().unwrap_or_else(PoisonError::into_inner);
        if tree.shape.guesses > 0
            && !tree.has_guesses(root)
            && let Some(worker) = workers.first_mut()
        {
            worker.guess(tree, root)?;
        }
        Ok(Some(root))
    }

    /// The node of the position to search from, made if need be.
    fn root(&mut self, position: &State, moves: &[&[MoveId]]) -> Option<NodeId> {
        let (most, reuse) = (self.memory(), self.options.reuse);
        let tree = self.tree();
        let (state, hash) = (position.words(), hash(position.words()));
        let known = tree.find(hash, state);
        if !reuse || known.is_none() && tree.bytes() > most / 2 {
            tree.reset();
        } else if let Some(known) = known {
            return Some(known);
        }
        let bounds = tree.range.clone();
        let fresh = Fresh { hash, moves, state, bounds: &bounds };
        let mut nursery = tree.nursery(most);
        if let Some(id) = tree.add(&mut nursery, &fresh) {
            tree.table.insert(hash, id);
            tree.keep_spare(nursery);
            return Some(id);
        }
        // What is left of the room was too little, or there was none.
        tree.reset();
        let mut nursery = tree.nursery(most.max(arena::CHUNK_BYTES + tree.bytes()));
        let id = tree.add(&mut nursery, &fresh)?;
        tree.table.insert(hash, id);
        tree.keep_spare(nursery);
        Some(id)
    }

    /// What the legal moves are, or why there are none.
    fn legal(&self, position: &State) -> Result<Vec<Vec<MoveId>>, Error> {
        let mut lanes = self.machine.lanes(1);
        lanes.load(0, position);
        lanes.evaluate()?;
        if lanes.terminal(0) {
            return Err(Error::Over);
        }
        let moves: Vec<Vec<MoveId>> = self.machine.roles().map(|role| lanes.legal(0, role).to_vec()).collect();
        match self.machine.roles().find(|role| moves[role.0 as usize].is_empty()) {
            Some(stuck) => Err(Error::Stuck { role: self.machine.role_name(stuck).to_owned() }),
            None => Ok(moves),
        }
    }

    fn run(&mut self, site: &RwLock<Site>, meter: &Meter<'_>) -> Result<(), Error> {
        let Uct { options, settings, tree, workers, .. } = self;
        let most = settings.memory;
        if let [worker] = &mut workers[..] {
            return search(worker, tree, site, options, most, meter);
        }
        let tree = &*tree;
        let options = &*options;
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                workers.iter_mut().map(|worker| scope.spawn(move || search(worker, tree, site, options, most, meter))).collect();
            let ends: Vec<Result<(), Error>> =
                threads.into_iter().map(|thread| thread.join().expect("no search panics")).collect();
            ends.into_iter().collect()
        })
    }
}

/// One thread's search, until the budget is used up or the answer is certain.
fn search(
    worker: &mut Worker<'_>,
    tree: &Shared,
    site: &RwLock<Site>,
    options: &Options,
    most: usize,
    meter: &Meter<'_>,
) -> Result<(), Error> {
    let share = meter.worker();
    let mut idle = 0;
    loop {
        {
            let tree = tree.enter();
            let Site { root, role, is_full, is_crowded, .. } = *site.read().unwrap_or_else(PoisonError::into_inner);
            if worker.generation != tree.generation {
                worker.settle_in(None, tree.generation);
            }
            if worker.is_starved()
                && !is_full
                && let Some(nursery) = tree.nursery(most)
            {
                worker.settle_in(Some(nursery), tree.generation);
            }
            let wants_room = worker.is_starved() && !is_full || tree.is_crowded() && !is_crowded;
            if !wants_room {
                if share.is_over() || tree.is_decided(root, role, options.solver) {
                    meter.finish();
                    return Ok(());
                }
                let went_on = worker.batch(&tree, root, options, meter, &share).inspect_err(|_| meter.finish())?;
                idle = if went_on { 0 } else { idle + 1 };
                // All ways are taken by other threads, which will be back at once.
                if idle > 0 {
                    std::thread::yield_now();
                }
                continue;
            }
        }
        make_room(worker, tree, site, most, meter);
    }
}

/// More room for a thread's nodes, while all others wait.
fn make_room(worker: &mut Worker<'_>, tree: &Shared, site: &RwLock<Site>, most: usize, meter: &Meter<'_>) {
    let mut tree = tree.clear();
    let mut site = site.write().unwrap_or_else(PoisonError::into_inner);
    // Every entry of a table is read once and written once.
    let tables = tree.table.bytes() + tree.joints.bytes();
    let may_grow = meter.leaves(Duration::from_nanos(tables as u64));
    if may_grow {
        tree.grow_tables(most);
    }
    let is_content = !worker.is_starved() && worker.generation == tree.generation;
    let mut nursery = worker.nursery.take().filter(|_| is_content).or_else(|| tree.nursery(most));
    if nursery.is_none() || may_grow && tree.is_crowded() {
        // Recycling visits every node, here and there in memory.
        let cost = Duration::from_nanos(tree.bytes() as u64 * 4);
        if meter.leaves(cost) && cost <= site.longest_pause {
            let tables = tree.table.bytes() + tree.joints.bytes();
            site.root = tree.recycle(site.root, (most / 2).saturating_sub(tables).max(most / 8));
            tree.grow_tables(most);
            nursery = tree.nursery(most);
        }
    }
    (site.is_full, site.is_crowded) = (nursery.is_none(), tree.is_crowded());
    let generation = tree.generation;
    worker.settle_in(nursery, generation);
}

impl Search for Uct<'_> {
    fn think(&mut self, position: &State, role: RoleId, budget: &Budget, watch: &Watch<'_>) -> Result<Verdict, Error> {
        let meter = Meter::new(budget, watch);
        let own = meter.worker();
        let moves = self.legal(position)?;
        let legal = &moves[role.0 as usize];
        let mut verdict = Verdict::first(legal, moves.len()).ok_or(Error::Over)?;
        let lists: Vec<&[MoveId]> = moves.iter().map(Vec::as_slice).collect();
        let Some(root) = self.guessed_root(position, &lists)? else { return Ok(verdict) };
        let site =
            RwLock::new(Site { root, role: role.0 as usize, is_full: false, is_crowded: false, longest_pause: Duration::MAX });
        for worker in &mut self.workers {
            worker.begin();
        }
        drop(own);
        // With nothing to choose there is nothing to find out.
        if legal.len() > 1 {
            self.run(&site, &meter)?;
        }
        let root = site.into_inner().unwrap_or_else(PoisonError::into_inner).root;
        let options = self.options;
        let tree = self.tree();
        report::fill(tree, root, role.0 as usize, &options, &mut verdict);
        verdict.memory = tree.bytes() as u64;
        verdict.simulations = meter.simulations();
        verdict.nodes = meter.nodes();
        verdict.playouts = self.workers.iter().map(|worker| worker.playouts).sum();
        verdict.depth = self.workers.iter().map(|worker| worker.deepest as u32).max().unwrap_or(0);
        verdict.engine = Some(self.workers.iter().map(|worker| worker.engine).sum());
        (verdict.cpu, verdict.wall) = (meter.cpu(), meter.wall());
        Ok(verdict)
    }

    fn ponder(&mut self, position: &State, role: RoleId, watch: &Watch<'_>) -> Result<(), Error> {
        if !self.options.reuse {
            return Ok(());
        }
        let meter = Meter::new(&Budget::default(), watch);
        let moves = self.legal(position)?;
        let lists: Vec<&[MoveId]> = moves.iter().map(Vec::as_slice).collect();
        let Some(root) = self.guessed_root(position, &lists)? else { return Ok(()) };
        // Whoever has a choice: until its best move is certain there is something to find out.
        let chooser = moves.iter().position(|moves| moves.len() > 1).unwrap_or(role.0 as usize);
        self.run(
            &RwLock::new(Site { root, role: chooser, is_full: false, is_crowded: false, longest_pause: PONDERING_PAUSE }),
            &meter,
        )
    }
}
