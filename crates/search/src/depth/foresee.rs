//! Cuts by foresight: `ProbCut` (Buro 1995), at every depth.
//!
//! What a search to some depth finds is much like what one to about half that depth does. By how much the two differ is measured before the first match, in
//! positions of the game; later a shallow search whose value lies so far outside of the window that a deep one would hardly come back spares the deep
//! one. Where what an evaluator says changes with every move, the two differ much, and little is cut.

use super::alphabeta::{AlphaBeta, Options};
use super::count::Stop;
use super::found::{Found, Window};
use super::node::{At, Run};
use crate::simple::legal_moves;
use crate::{Budget, Error, Search, Settings, Watch};
use ludens_machine::{Lanes, Machine, MoveId, Random, RoleId, State};
use ludens_score::Evaluator;
use std::sync::Arc;

/// The least depth that is foreseen.
const LEAST: u32 = 3;

/// The greatest depth that is measured; greater ones are taken to be as hard to foresee.
const MEASURED: u32 = 6;

/// Positions that are measured, at most, and for how many it is worth to go on with a depth.
const POSITIONS: usize = 200;
const ENOUGH: usize = 30;

/// Nodes that a search may take for that, and all of them.
const NODES: u64 = 20_000;
const ALL_NODES: u64 = 1_200_000;

/// One position of so many on the way of a match is measured, and one move of as many is random.
const SELDOM: usize = 4;

/// Matches are given up after so many joint moves.
const LONG: u32 = 200;

/// Memory for the searches.
const MEMORY: usize = 16 << 20;

/// Log-odds count up to here: what is certain is no more than that.
const CERTAIN: f32 = 4.0;

/// A shallow search is off by at least so much, in log-odds.
const FLOOR: f32 = 0.05;

/// How deep a search foresees one of some depth: about half as deep, with the same side to move at its leaves.
fn shallow(depth: u32) -> u32 {
    depth - 2 * depth.div_ceil(4)
}

/// Points as the logarithm of odds.
fn odds(points: f32) -> f32 {
    let share = (points / 100.0).clamp(0.001, 0.999);
    (share / (1.0 - share)).ln().clamp(-CERTAIN, CERTAIN)
}

/// The other way round.
fn points(odds: f32) -> f32 {
    100.0 / (1.0 + (-odds).exp())
}

/// How well shallow searches foresee deep ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Foresight {
    /// From the least depth on.
    steps: Vec<Step>,
}

/// The log-odds that a deep search finds are about those of the shallow one times a factor, with a standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    factor: f32,
    error: f32,
}

impl Step {
    /// Fits it to pairs of what a shallow and a deep search found.
    fn fit(pairs: &[(f32, f32)]) -> Step {
        let (squares, products) =
            pairs.iter().fold((1e-6, 0.0), |(squares, products), (x, y)| (squares + x * x, products + x * y));
        let factor: f32 = (products / squares).clamp(0.5, 2.0);
        let errors: f32 = pairs.iter().map(|(x, y)| (y - factor * x).powi(2)).sum();
        Step { factor, error: (errors / pairs.len() as f32).sqrt().max(FLOOR) }
    }
}

impl Foresight {
    /// Measures it by searches in positions of matches, until it is enough or `is_over`. What cannot be measured in time is not foreseen.
    ///
    /// # Errors
    /// If the rules cannot be followed any further.
    pub fn measure(
        machine: &Machine,
        evaluator: &Arc<dyn Evaluator>,
        options: Options,
        settings: Settings,
        watch: &Watch<'_>,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Foresight, Error> {
        // What was found in other positions is not to make shallow searches deeper.
        let options = Options { deeper: false, ..options };
        let settings = Settings { memory: settings.memory.min(MEMORY), ..settings };
        let search = AlphaBeta::new(machine, evaluator.clone(), options, settings);
        let (lanes, random) = (machine.lanes(1), Random::new(settings.seed));
        let mut walk = Walk { machine, search, lanes, random, watch, is_over, nodes: 0 };
        let mut rows: Vec<Vec<f32>> = Vec::new();
        let (mut position, mut plies) = (machine.initial().clone(), 0);
        while rows.len() < POSITIONS && walk.nodes < ALL_NODES && !is_over() {
            let next = if plies < LONG { walk.step(&position, &mut rows)? } else { None };
            plies = if next.is_some() { plies + 1 } else { 0 };
            position = next.unwrap_or_else(|| machine.initial().clone());
            // Nodes are all that is counted: also who never has a choice comes to an end.
            walk.nodes += 1;
        }
        Ok(Foresight::fit(&rows))
    }

    /// From what searches of all depths found in some positions, as far as they were made.
    fn fit(rows: &[Vec<f32>]) -> Foresight {
        let step = |depth: u32| {
            let (one, other) = (shallow(depth) as usize - 1, depth as usize - 1);
            let pairs = rows.iter().filter_map(|row| Some((*row.get(one)?, *row.get(other)?)));
            // What the shallow search is certain of needs no foresight.
            let pairs: Vec<(f32, f32)> = pairs.filter(|(one, _)| one.abs() < CERTAIN).collect();
            (pairs.len() >= ENOUGH).then(|| Step::fit(&pairs))
        };
        Foresight { steps: (LEAST..=MEASURED).map_while(step).collect() }
    }

    /// Of depths that were not measured, that of the last one with the same parity.
    fn step(&self, depth: u32) -> Option<Step> {
        let place = depth.checked_sub(LEAST)? as usize;
        let measured = self.steps.len();
        let place = if place < measured { place } else { (measured + (place + measured) % 2).checked_sub(2)? };
        self.steps.get(place).copied()
    }
}

/// Matches in whose positions searches are compared.
struct Walk<'a, 'm> {
    machine: &'m Machine,
    search: AlphaBeta<'m>,
    lanes: Lanes<'m>,
    random: Random,
    watch: &'a Watch<'a>,
    is_over: &'a dyn Fn() -> bool,
    nodes: u64,
}

impl Walk<'_, '_> {
    /// Goes on to another position, if the match does; sometimes searches are made there.
    fn step(&mut self, position: &State, rows: &mut Vec<Vec<f32>>) -> Result<Option<State>, Error> {
        let legal = match legal_moves(self.machine, &mut self.lanes, position) {
            Err(Error::Over | Error::Stuck { .. }) => return Ok(None),
            legal => legal?,
        };
        let mut joint: Vec<MoveId> = legal.iter().map(|moves| moves[self.random.below(moves.len())]).collect();
        if let Some(role) = legal.iter().position(|moves| moves.len() > 1) {
            if self.random.below(SELDOM) == 0 {
                let mut row = Vec::new();
                while row.len() < MEASURED as usize
                    && !(self.is_over)()
                    && let Some((value, _)) = self.look(position, role, row.len() as u32 + 1)?
                {
                    row.push(value);
                }
                rows.push(row);
            }
            if self.random.below(SELDOM) > 0
                && let Some((_, choice)) = self.look(position, role, 2)?
            {
                joint[role] = choice;
            }
        }
        self.lanes.load_copies(position.words(), 1);
        self.lanes.play(0, &joint);
        self.lanes.advance()?;
        Ok(Some(self.lanes.state(0)))
    }

    /// The log-odds of a role by a search to some depth, and its move; nothing where that takes too long.
    fn look(&mut self, position: &State, role: usize, depth: u32) -> Result<Option<(f32, MoveId)>, Error> {
        let budget = Budget { depth: Some(depth), nodes: Some(NODES), ..Budget::default() };
        let verdict = self.search.think(position, RoleId(role as u32), &budget, self.watch)?;
        self.nodes += verdict.nodes;
        let is_done = verdict.depth == depth || verdict.bounds.low == verdict.bounds.high;
        Ok(is_done.then(|| (odds(verdict.values[role] as f32), verdict.choice)))
    }
}

impl Run<'_, '_> {
    /// What a shallow search says of a position that a deep one is asked of, if that is enough.
    pub(super) fn foresee(&mut self, at: At, depth: u32, window: Window, guess: f32) -> Result<Option<Found>, Stop> {
        let cut = self.core.options.cut;
        let foresight = self.core.foresight.as_ref().filter(|_| cut > 0.0);
        let Some(step) = foresight.and_then(|foresight| foresight.step(depth)) else { return Ok(None) };
        let margin = cut * step.error;
        // One of both is looked into: whether there is more than enough, or less.
        let (limit, sign) = if guess >= f32::midpoint(window.alpha.max(0.0), window.beta.min(100.0)) {
            (window.beta, 1.0)
        } else {
            (window.alpha, -1.0)
        };
        let far = (odds(limit) + sign * margin) / step.factor;
        if limit <= 0.0 || limit >= 100.0 || far.abs() >= CERTAIN {
            return Ok(None);
        }
        let bound = points(far);
        let asked = if sign > 0.0 {
            Window { alpha: bound.next_down(), beta: bound }
        } else {
            Window { alpha: bound, beta: bound.next_up() }
        };
        let key = self.core.plies[at.ply].positions.key(at.index);
        let deep = if self.core.options.table { self.core.table.get(key) } else { None };
        let found = self.node(at, shallow(depth), asked)?;
        // The table is not to forget for that what a search as deep as this one found.
        if let Some(deep) = deep.filter(|deep| u32::from(deep.depth) >= depth) {
            self.core.table.put(key, deep);
        }
        let is_far = if sign > 0.0 { found.value >= bound } else { found.value <= bound };
        Ok(is_far.then_some(Found { value: limit, low: false, high: false }))
    }
}

#[cfg(test)]
mod tests {
    use super::{Foresight, Step, odds, points, shallow};

    #[test]
    fn shallow_searches_end_with_the_same_side_to_move() {
        let depths: Vec<u32> = (3..=12).map(shallow).collect();
        assert_eq!(depths, [1, 2, 1, 2, 3, 4, 3, 4, 5, 6]);
    }

    #[test]
    fn odds_and_points_are_two_words_for_the_same() {
        for share in [3.0, 27.5, 50.0, 81.0, 97.0] {
            assert!((points(odds(share)) - share).abs() < 0.01, "{share}");
        }
        assert!(odds(100.0) < 5.0 && odds(0.0) > -5.0, "what is certain is no more than very likely");
    }

    #[test]
    fn the_error_is_that_of_the_pairs() {
        let pairs: Vec<(f32, f32)> =
            (-50..50).map(|x| x as f32 / 25.0).flat_map(|x| [(x, 1.2 * x + 0.3), (x, 1.2 * x - 0.3)]).collect();
        let Step { factor, error } = Step::fit(&pairs);
        assert!((factor - 1.2).abs() < 0.01 && (error - 0.3).abs() < 0.01, "{factor} {error}");
    }

    #[test]
    fn what_was_not_measured_is_taken_from_the_last_depth_like_it() {
        let row = |x: f32| vec![x, x, x, x + 0.5, x, x];
        let rows: Vec<Vec<f32>> = (0..40).map(|at| row(at as f32 / 40.0 - 0.5)).collect();
        let all = Foresight::fit(&rows);
        assert_eq!(all.steps.len(), 4);
        assert!(all.step(4).is_some_and(|step| step.error > 0.2) && all.step(3).is_some_and(|step| step.error < 0.1));
        assert_eq!([7, 9, 8, 10].map(|depth| all.step(depth)), [5, 5, 6, 6].map(|depth| all.step(depth)));
        assert_eq!(all.step(2), None);
        let short: Vec<Vec<f32>> = rows.iter().map(|row| row[..3].to_vec()).collect();
        let one = Foresight::fit(&short);
        assert!(one.step(3).is_some() && one.step(4).is_none() && one.step(5) == one.step(3), "{one:?}");
        assert_eq!(Foresight::fit(&rows[..20]), Foresight::default(), "too few");
    }
}
