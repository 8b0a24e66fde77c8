//! Puzzles: games of one role, in which the best end is looked for and then played to.

mod best;
mod graph;
mod luck;
mod nested;
mod seen;

use crate::simple::legal_moves;
use crate::{Bounds, Budget, Error, Meter, MoveReport, Search, Settings, Verdict, Watch, Worker};
use best::{Best, Plan};
use graph::{Graph, Order, Progress};
use luck::Luck;
use ludens_machine::{Lanes, Machine, MoveId, Random, RoleId, State};
use nested::{HIGHEST, Nested};

/// The fast engine looks at so many states at once, and the other one at so many.
const WIDTHS: [usize; 2] = [512, 16];
/// Matches that are played at once, on either.
const MATCHES: [usize; 2] = [64, 8];
/// Positions that are passed or met in one turn, on either.
const TURNS: [u64; 2] = [16_384, 1024];

/// Looks for a plan to the best end, and follows it.
///
/// Up to five searches take turns, each with the same share of the time, or of the positions where these or simulations are limited: nested rollout policy adaptation
/// whose levels grow with time; the same with one level only, which begins anew all the time; going through all states in the order of their distance; and
/// going through them in depth, in random order, anew when memory is full; and, on the fast engine, plain random matches. Threads after the first have rollouts only, with many levels and with one by
/// turns. A plan is proven to be the best when it has the most points there can be, or every state that can be reached was looked at. A proven plan is
/// followed without another look; one that is not is kept until a better one is found. Where the position is not on the plan the search begins anew.
///
/// A state without a legal move that is not terminal counts as an end, with the points as they stand.
#[derive(Debug)]
pub struct Puzzle<'m> {
    machine: &'m Machine,
    /// The most points there can be.
    most: u8,
    tools: Tools<'m>,
    random: Random,
    /// From where on the plan leads.
    at: Vec<u64>,
    plan: Plan,
    proven: bool,
}

/// What all searches of the first thread work with, and the lanes of the others.
#[derive(Debug)]
struct Tools<'m> {
    wide: Graph,
    deep: Graph,
    patient: Nested,
    restless: Nested,
    /// On the fast engine.
    luck: Option<Luck>,
    states: Lanes<'m>,
    matches: Lanes<'m>,
    others: Vec<(Lanes<'m>, Nested)>,
    turn: u64,
}

impl<'m> Puzzle<'m> {
    /// Plays this game.
    ///
    /// # Errors
    /// If the game has more than one role, even where the others never have a choice: [`Mc`](crate::Mc) plays those.
    pub fn new(machine: &'m Machine, settings: &Settings) -> Result<Puzzle<'m>, Error> {
        if machine.roles().len() != 1 {
            return Err(Error::NotAlone { roles: machine.roles().len() });
        }
        let engine = usize::from(machine.as_bits().is_none());
        let graph = |order| Graph::new(order, settings.memory / 8 * 3, settings.max_plies);
        let threads = settings.threads.max(1);
        let nested = |levels| Nested::new(levels, settings.memory / 4 / (threads + 1), settings.max_plies);
        let other = |number: usize| (machine.lanes(MATCHES[engine]), nested(if number % 2 == 1 { HIGHEST } else { 1 }));
        let tools = Tools {
            wide: graph(Order::Wide),
            deep: graph(Order::Deep),
            patient: nested(HIGHEST),
            restless: nested(1),
            luck: machine.as_bits().map(|_| Luck::new(settings.max_plies)),
            states: machine.lanes(WIDTHS[engine]),
            matches: machine.lanes(MATCHES[engine]),
            others: (1..threads).map(other).collect(),
            turn: TURNS[engine],
        };
        let (at, plan, random) = (Vec::new(), Plan::default(), Random::new(settings.seed));
        Ok(Puzzle { machine, most: 100, tools, random, at, plan, proven: false })
    }

    /// Says that there are never more points than so many, if that is known from the rules; otherwise 100.
    #[must_use]
    pub fn with_most(self, points: u8) -> Puzzle<'m> {
        Puzzle { most: points, ..self }
    }

    /// Goes along the plan up to the position; forgets it if the position is not on it.
    fn follow(&mut self, words: &[u64], worker: &Worker<'_>) -> Result<(), Error> {
        let (mut plan, mut at) = (std::mem::take(&mut self.plan), std::mem::replace(&mut self.at, words.to_vec()));
        let proven = std::mem::take(&mut self.proven);
        let lanes = &mut self.tools.states;
        for passed in 0..plan.moves.len() {
            if at == words {
                plan.moves.drain(..passed);
                (self.plan, self.proven) = (plan, proven);
                break;
            }
            // The position is seldom far; and it should be found even if there is no time.
            if passed > 2 && worker.is_over() {
                break;
            }
            lanes.load_copies(&at, 1);
            lanes.play(0, &plan.moves[passed..=passed]);
            lanes.advance()?;
            at.clear();
            lanes.store(0, &mut at);
        }
        Ok(())
    }
}

impl Search for Puzzle<'_> {
    fn think(&mut self, position: &State, _: RoleId, budget: &Budget, watch: &Watch<'_>) -> Result<Verdict, Error> {
        let meter = Meter::new(budget, watch);
        let worker = meter.worker();
        let legal = legal_moves(self.machine, &mut self.tools.states, position)?.swap_remove(0);
        self.follow(position.words(), &worker)?;
        // The search has its own.
        drop(worker);
        let best = Best::new(self.plan.clone(), self.most);
        if !self.proven {
            let random = Random::new(self.random.bits());
            let counted = budget.nodes.is_some() || budget.simulations.is_some();
            let job = Job { meter: &meter, best: &best, depth: budget.depth, counted };
            let all = self.tools.search(&job, position.words(), random)?;
            self.plan = best.plan();
            self.proven = self.plan.points.is_some_and(|points| all || points >= self.most);
        }
        Ok(self.verdict(&legal, &best, &meter))
    }
}

impl Puzzle<'_> {
    fn verdict(&self, legal: &[MoveId], best: &Best, meter: &Meter<'_>) -> Verdict {
        let Puzzle { plan, most, proven, tools, .. } = self;
        let low = plan.points.unwrap_or(0);
        let high = if *proven { low } else { (*most).max(low) };
        let mut moves: Vec<MoveReport> = Vec::with_capacity(legal.len());
        for &id in legal {
            let points = best.after(id);
            let bounds = Bounds { low: points.unwrap_or(0), high };
            moves.push(MoveReport { id, visits: u64::from(points.is_some()), value: points.map(f64::from), error: None, bounds });
        }
        let choice = plan.moves.first().copied().unwrap_or(legal[0]);
        // Stable: of equal moves the first stays first, but for the chosen one.
        moves.sort_by_key(|report| (report.id != choice, u8::MAX - report.bounds.low));
        Verdict {
            choice,
            values: vec![plan.points.map_or(50.0, f64::from)],
            bounds: Bounds { low, high },
            moves,
            line: plan.moves.iter().map(|&id| vec![id]).collect(),
            simulations: meter.simulations(),
            playouts: meter.simulations(),
            nodes: meter.nodes(),
            depth: if meter.nodes() == 0 { 0 } else { tools.wide.depth() },
            memory: tools.bytes() as u64,
            engine: None,
            cpu: meter.cpu(),
            wall: meter.wall(),
        }
    }
}

/// What a search is to do.
#[derive(Clone, Copy)]
struct Job<'a> {
    meter: &'a Meter<'a>,
    best: &'a Best,
    depth: Option<u32>,
    /// Whether turns are told by positions, so that the same seed gives the same answer; otherwise by time.
    counted: bool,
}

impl Tools<'_> {
    fn bytes(&self) -> usize {
        let others: usize = self.others.iter().map(|(_, nested)| nested.bytes()).sum();
        self.wide.bytes() + self.deep.bytes() + self.patient.bytes() + self.restless.bytes() + others
    }

    /// What the searches of the first thread have done.
    fn work(&self) -> u64 {
        self.wide.work()
            + self.deep.work()
            + self.patient.work()
            + self.restless.work()
            + self.luck.as_ref().map_or(0, Luck::work)
    }

    /// Searches from a state until the budget is used up or the best plan is certain; answers whether every state was looked at.
    fn search(&mut self, job: &Job<'_>, words: &[u64], mut random: Random) -> Result<bool, Error> {
        self.wide.begin(words);
        self.deep.begin(words);
        self.patient.begin(words);
        self.restless.begin(words);
        self.luck.iter_mut().for_each(|luck| luck.begin(words));
        let mut others = std::mem::take(&mut self.others);
        let turn = self.turn;
        let result = std::thread::scope(|scope| {
            let handles: Vec<_> = others
                .iter_mut()
                .map(|(lanes, nested)| {
                    let random = Random::new(random.bits());
                    nested.begin(words);
                    scope.spawn(move || rollouts(job, nested, lanes, random, turn))
                })
                .collect();
            let mut result = self.turns(job, &mut random);
            job.meter.finish();
            for handle in handles {
                let other = handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                result = result.and_then(|all| other.map(|()| all));
            }
            result
        });
        self.others = others;
        result
    }

    /// The searches of the first thread, in turns.
    fn turns(&mut self, job: &Job<'_>, random: &mut Random) -> Result<bool, Error> {
        let Job { meter, best, depth, counted } = *job;
        let worker = meter.worker();
        // What each search has had; nothing more for those that have ended.
        let mut had = [Some(0_u128); 5];
        while !worker.is_over() && !best.is_top() {
            let least = (0..had.len()).filter(|&index| had[index].is_some()).min_by_key(|&index| had[index]).unwrap_or(0);
            let (began, work) = (meter.wall(), self.work());
            let Tools { wide, deep, patient, restless, luck, states, matches, .. } = self;
            let (turn, watch) = (self.turn, (meter, &worker));
            let progress = match least {
                0 => restless.turn(turn, matches, random, watch, best).map(|()| Progress::Open)?,
                1 => patient.turn(turn, matches, random, watch, best).map(|()| Progress::Open)?,
                2 => deep.turn(turn, states, random, watch, best)?,
                3 => wide.turn(turn, states, random, watch, best)?,
                _ => match luck {
                    // These are much faster than all others.
                    Some(luck) => {
                        luck.turn(if counted { turn } else { turn * 8 }, states, random, watch, best).map(|()| Progress::Open)?
                    }
                    None => Progress::Ended,
                },
            };
            let used = if counted { u128::from(self.work() - work) } else { meter.wall().saturating_sub(began).as_nanos() };
            had[least] = match progress {
                Progress::Exhausted => return Ok(true),
                Progress::Ended => None,
                Progress::Open => had[least].map(|sum| sum + used),
            };
            if depth.is_some_and(|depth| had[3].is_none() || self.wide.depth() > depth) {
                meter.finish();
            }
        }
        Ok(false)
    }
}

/// Nested rollouts alone, for further threads.
fn rollouts(job: &Job<'_>, nested: &mut Nested, lanes: &mut Lanes<'_>, mut random: Random, turn: u64) -> Result<(), Error> {
    let worker = job.meter.worker();
    while !worker.is_over() && !job.best.is_top() {
        if let Err(error) = nested.turn(turn, lanes, &mut random, (job.meter, &worker), job.best) {
            job.meter.finish();
            return Err(error);
        }
    }
    // The others need not go on, either.
    job.meter.finish();
    Ok(())
}
