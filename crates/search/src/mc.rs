//! Flat Monte Carlo: random matches after every move, without a tree. The player that Waugh measured gdlcc with.

mod tally;

use crate::simple::legal_moves;
use crate::{Bounds, Budget, Error, Meter, MoveReport, Search, Settings, Verdict, Watch, Worker};
use ludens_machine::{Lanes, Machine, Manner, MoveId, Random, RoleId, Rollouts, State, Totals};
use tally::{Tally, summed};

/// States in hand at once.
const WIDTH: usize = 512;
/// Up to so many joint moves are each tried in equal shares; where there are more, those of the other roles are drawn anew every round.
const JOINT: usize = 1024;
/// Playouts from a state in one go, at most.
const EACH: usize = 64;

/// All legal moves of the role get random matches in equal shares, all other roles move at random from the start, and the best mean wins.
///
/// A successor in which the match is over counts with its points, without playouts. Matches that are given up do not count; a move after which all were
/// given up is worth 50 points. Where the role has but one move it plays a round and answers; where one certainly wins everything it answers at once.
#[derive(Debug)]
pub struct Mc<'m> {
    machine: &'m Machine,
    settings: Settings,
    /// One for every thread.
    lanes: Vec<Lanes<'m>>,
    random: Random,
}

impl<'m> Mc<'m> {
    /// Plays this game.
    pub fn new(machine: &'m Machine, settings: &Settings) -> Mc<'m> {
        let lanes = (0..settings.threads.max(1)).map(|_| machine.lanes(WIDTH)).collect();
        Mc { machine, settings: *settings, lanes, random: Random::new(settings.seed) }
    }

    /// Playouts on all threads until the budget is used up.
    fn play(&mut self, known: &Known, root: &Root<'_>, meter: &Meter<'_>) -> Result<Known, Error> {
        let run = |lanes: &mut Lanes<'_>, mut random: Random| {
            let mut own = known.clone();
            own.play(root, meter, lanes, &mut random).map(|()| own)
        };
        let Mc { lanes, random, .. } = self;
        let mut parts = lanes.iter_mut().map(|lanes| (lanes, Random::new(random.bits())));
        let Some((lanes, random)) = parts.next() else { return Ok(known.clone()) };
        let run = &run;
        std::thread::scope(|scope| {
            let others: Vec<_> = parts.map(|(lanes, random)| scope.spawn(move || run(lanes, random))).collect();
            let mut sum = run(lanes, random)?;
            for other in others {
                sum.merge(&other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            }
            Ok(sum)
        })
    }
}

impl Search for Mc<'_> {
    fn think(&mut self, position: &State, role: RoleId, budget: &Budget, watch: &Watch<'_>) -> Result<Verdict, Error> {
        let meter = Meter::new(budget, watch);
        let legal = legal_moves(self.machine, &mut self.lanes[0], position)?;
        let root = Root::new(self.settings.max_plies, position, role, legal);
        let mut known = Known::new(&root, &mut self.lanes[0])?;
        meter.add_nodes(1 + known.tallies.len() as u64);
        if !known.is_certain() {
            known = self.play(&known, &root, &meter)?;
        }
        Ok(known.verdict(&root, &meter))
    }
}

/// The position to move in.
struct Root<'a> {
    max_plies: u64,
    words: &'a [u64],
    role: usize,
    legal: Vec<Vec<MoveId>>,
    /// How many joint moves of the others there are to each of its own.
    replies: usize,
}

impl<'a> Root<'a> {
    fn new(max_plies: u64, position: &'a State, role: RoleId, legal: Vec<Vec<MoveId>>) -> Root<'a> {
        let role = role.0 as usize;
        let others = legal.iter().enumerate().filter(|&(other, _)| other != role);
        let replies = others.map(|(_, moves)| moves.len()).fold(1, usize::saturating_mul);
        Root { max_plies, words: position.words(), role, legal, replies }
    }

    fn own(&self) -> &[MoveId] {
        &self.legal[self.role]
    }

    /// Whether every joint move is tried.
    fn is_complete(&self) -> bool {
        self.own().len().saturating_mul(self.replies) <= JOINT
    }

    /// A move of the role with one of all joint moves of the others, by its number.
    fn joint(&self, own: usize, mut reply: usize) -> Vec<MoveId> {
        let choose = |(role, moves): (usize, &Vec<MoveId>)| {
            if role == self.role {
                return moves[own];
            }
            let chosen = moves[reply % moves.len()];
            reply /= moves.len();
            chosen
        };
        self.legal.iter().enumerate().map(choose).collect()
    }

    /// A move of the role with random ones of the others.
    fn random_joint(&self, own: usize, random: &mut Random) -> Vec<MoveId> {
        let choose =
            |(role, moves): (usize, &Vec<MoveId>)| moves[if role == self.role { own } else { random.below(moves.len()) }];
        self.legal.iter().enumerate().map(choose).collect()
    }
}

/// Successors to play from: their words, and the tallies they belong to.
#[derive(Clone, Debug, Default)]
struct Starts {
    words: Vec<u64>,
    ends: Vec<usize>,
    tallies: Vec<usize>,
}

impl Starts {
    fn words(&self, start: usize) -> &[u64] {
        let from = if start == 0 { 0 } else { self.ends[start - 1] };
        &self.words[from..self.ends[start]]
    }

    /// Plays joint moves, each with its tally, and keeps the successors in which the match goes on; `over` hears of the others.
    fn fill(
        &mut self,
        root: &Root<'_>,
        lanes: &mut Lanes<'_>,
        joint: &[(usize, Vec<MoveId>)],
        over: &mut dyn FnMut(usize, &[u8]),
    ) -> Result<(), Error> {
        self.words.clear();
        self.ends.clear();
        self.tallies.clear();
        for part in joint.chunks(lanes.width()) {
            lanes.load_copies(root.words, part.len());
            for (lane, (_, moves)) in part.iter().enumerate() {
                lanes.play(lane, moves);
            }
            lanes.advance()?;
            lanes.evaluate_ends()?;
            for (lane, &(tally, _)) in part.iter().enumerate() {
                if lanes.terminal(lane) {
                    let points: Result<Vec<u8>, _> =
                        (0..root.legal.len()).map(|role| lanes.points(lane, RoleId(role as u32))).collect();
                    over(tally, &points?);
                } else {
                    lanes.store(lane, &mut self.words);
                    self.ends.push(self.words.len());
                    self.tallies.push(tally);
                }
            }
        }
        Ok(())
    }
}

/// What is known: a tally for every joint move if all are tried, else one for every move of the role.
#[derive(Clone, Debug)]
struct Known {
    tallies: Vec<Tally>,
    /// Tallies per move of the role.
    each: usize,
    role: usize,
    starts: Starts,
}

impl Known {
    fn new(root: &Root<'_>, lanes: &mut Lanes<'_>) -> Result<Known, Error> {
        let each = if root.is_complete() { root.replies } else { 1 };
        let mut tallies = vec![Tally::new(root.legal.len()); root.own().len() * each];
        let mut starts = Starts::default();
        if root.is_complete() {
            let joint: Vec<_> = (0..tallies.len()).map(|tally| (tally, root.joint(tally / each, tally % each))).collect();
            starts.fill(root, lanes, &joint, &mut |tally, points| tallies[tally] = Tally::exact(points))?;
        }
        Ok(Known { tallies, each, role: root.role, starts })
    }

    fn of_move(&self, own: usize) -> &[Tally] {
        &self.tallies[own * self.each..][..self.each]
    }

    fn bounds(&self, own: usize) -> Bounds {
        let all = self.of_move(own).iter().map(|tally| tally.bounds(self.role));
        let join = |one: Bounds, two: Bounds| Bounds { low: one.low.min(two.low), high: one.high.max(two.high) };
        all.reduce(join).unwrap_or(Bounds::OPEN)
    }

    /// Whether playouts could not tell more.
    fn is_certain(&self) -> bool {
        let moves = self.tallies.len() / self.each;
        (0..moves).any(|own| self.bounds(own).low == 100) || self.tallies.iter().all(Tally::is_exact)
    }

    /// Rounds of playouts until the budget is used up.
    fn play(&mut self, root: &Root<'_>, meter: &Meter<'_>, lanes: &mut Lanes<'_>, random: &mut Random) -> Result<(), Error> {
        let worker = meter.worker();
        let result = self.rounds(root, meter, &worker, lanes, random);
        if result.is_err() {
            meter.finish();
        }
        result
    }

    fn rounds(
        &mut self,
        root: &Root<'_>,
        meter: &Meter<'_>,
        worker: &Worker<'_>,
        lanes: &mut Lanes<'_>,
        random: &mut Random,
    ) -> Result<(), Error> {
        let (mut round, mut from, mut totals) = (0_u32, 0, Totals::default());
        while !worker.is_over() {
            if !root.is_complete() {
                meter.add_simulations(self.draw(root, lanes, random)?);
            }
            // The first rounds are short: with little time every move gets its share.
            let each = (1 << round.min(10)).min(EACH).min((EACH * WIDTH / self.starts.ends.len().max(1)).max(1));
            let left = usize::try_from(meter.simulations_left()).unwrap_or(usize::MAX);
            let count = self.starts.ends.len();
            let asked: Vec<usize> = (0..count.min(left)).map(|index| (from + index) % count).collect();
            from = (from + asked.len()) % count.max(1);
            let starts: Vec<&[u64]> = asked.iter().map(|&start| self.starts.words(start)).collect();
            let each = each.min(left / starts.len().max(1)).max(1);
            let rollouts = Rollouts { starts: &starts, each, shares: &[], max_plies: root.max_plies, manner: Manner::default() };
            lanes.rollouts(&rollouts, random, &|| worker.is_over(), &mut totals)?;
            for (index, start) in asked.into_iter().enumerate() {
                let points = &totals.points[index * root.legal.len()..][..root.legal.len()];
                let tally = &mut self.tallies[self.starts.tallies[start]];
                tally.add(totals.finished[index], totals.unfinished[index], points, root.role);
            }
            meter.add_simulations(totals.playouts());
            meter.add_nodes(totals.plies);
            round += 1;
            if root.own().len() == 1 {
                meter.finish();
            }
        }
        Ok(())
    }

    /// Draws joint moves of the others, the same number for every move of the role; answers how many of them ended the match.
    fn draw(&mut self, root: &Root<'_>, lanes: &mut Lanes<'_>, random: &mut Random) -> Result<u64, Error> {
        let count = root.own().len();
        let times = (JOINT / count).clamp(1, 16);
        let joint: Vec<_> = (0..count * times).map(|index| (index % count, root.random_joint(index % count, random))).collect();
        let mut ended = 0;
        let tallies = &mut self.tallies;
        self.starts.fill(root, lanes, &joint, &mut |tally, points| {
            let points: Vec<u32> = points.iter().map(|&points| u32::from(points)).collect();
            tallies[tally].add(1, 0, &points, root.role);
            ended += 1;
        })?;
        Ok(ended)
    }

    fn merge(&mut self, other: &Known) {
        self.tallies.iter_mut().zip(&other.tallies).for_each(|(one, two)| one.merge(two));
    }

    fn report(&self, id: MoveId, own: usize) -> MoveReport {
        let sum = summed(self.of_move(own), self.role);
        MoveReport { id, visits: sum.visits, value: sum.value, error: sum.error, bounds: self.bounds(own) }
    }

    fn verdict(&self, root: &Root<'_>, meter: &Meter<'_>) -> Verdict {
        let mut moves: Vec<(usize, MoveReport)> =
            root.own().iter().enumerate().map(|(own, &id)| (own, self.report(id, own))).collect();
        // Stable: of equal moves the first stays first. What was never looked at comes last.
        let key = |report: &MoveReport| report.value.unwrap_or(-1.0);
        moves.sort_by(|(_, one), (_, two)| key(two).total_cmp(&key(one)));
        let best = moves[0].0;
        let playouts = self.tallies.iter().map(Tally::playouts).sum();
        let most = |bound: fn(Bounds) -> u8| moves.iter().map(|(_, report)| bound(report.bounds)).max().unwrap_or_default();
        Verdict {
            choice: moves[0].1.id,
            values: (0..root.legal.len()).map(|role| summed(self.of_move(best), role).value.unwrap_or(50.0)).collect(),
            bounds: Bounds { low: most(|bounds| bounds.low), high: most(|bounds| bounds.high) },
            line: if root.replies == 1 { vec![root.joint(best, 0)] } else { Vec::new() },
            simulations: playouts,
            playouts,
            nodes: meter.nodes(),
            depth: 1,
            memory: (self.tallies.len() * size_of::<Tally>() + size_of_val(self.starts.words.as_slice())) as u64,
            engine: None,
            cpu: meter.cpu(),
            wall: meter.wall(),
            moves: moves.into_iter().map(|(_, report)| report).collect(),
        }
    }
}
