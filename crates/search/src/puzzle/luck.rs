//! Plain random matches, as many as the fast engine can play: where nothing leads to the goal, luck may.

use super::best::Best;
use crate::{Error, Meter, Worker};
use ludens_machine::{Lanes, Manner, MoveId, Random, Request, RoleId, State};

/// The only role.
const ALONE: RoleId = RoleId(0);
/// Matches in one go.
const MATCHES: u64 = 512;

/// Random matches from one state.
#[derive(Debug)]
pub(super) struct Luck {
    root: Option<State>,
    max_plies: u64,
    work: u64,
}

impl Luck {
    pub(super) fn new(max_plies: u64) -> Luck {
        Luck { root: None, max_plies, work: 0 }
    }

    /// Begins at this state.
    pub(super) fn begin(&mut self, words: &[u64]) {
        self.root = Some(State::of_words(words));
    }

    /// Positions passed.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Plays matches for about so much [`work`](Luck::work).
    pub(super) fn turn(
        &mut self,
        work: u64,
        lanes: &mut Lanes<'_>,
        random: &mut Random,
        (meter, worker): (&Meter<'_>, &Worker<'_>),
        best: &Best,
    ) -> Result<(), Error> {
        let Some(root) = &self.root else { return Ok(()) };
        let until = self.work + work;
        let mut request = Request {
            starts: std::slice::from_ref(root),
            each: MATCHES,
            max_plies: self.max_plies,
            positions: false,
            manner: Manner::default(),
        };
        while self.work < until && !worker.is_over() && !best.is_top() {
            let again = random.clone();
            let (mut number, mut passed, mut most, mut found) = (0_u64, 0, best.points(), None);
            lanes.reports(&request, random, &mut |ended| {
                if let Some(&[points]) = ended.points
                    && most.is_none_or(|most| most < points)
                {
                    (most, found) = (Some(points), Some(number));
                }
                passed += ended.plies + 1;
                number += 1;
            })?;
            meter.add_simulations(number);
            meter.add_nodes(passed);
            self.work += passed;
            if let (Some(points), Some(wanted)) = (most, found)
                && !worker.is_over()
            {
                // The same matches once more, now with the states they pass.
                let (mut number, mut states) = (0, Vec::new());
                request.positions = true;
                lanes.reports(&request, &mut again.clone(), &mut |ended| {
                    if number == wanted && ended.points == Some(&[points]) {
                        states = ended.positions.to_vec();
                    }
                    number += 1;
                })?;
                request.positions = false;
                if let Some(moves) = moves_between(&states, lanes)? {
                    best.offer(points, &moves);
                }
            }
        }
        Ok(())
    }
}

/// Moves that lead from each of these states to the next.
fn moves_between(states: &[State], lanes: &mut Lanes<'_>) -> Result<Option<Vec<MoveId>>, Error> {
    let mut moves = Vec::new();
    let mut words = Vec::new();
    for pair in states.windows(2) {
        lanes.load_copies(pair[0].words(), 1);
        lanes.evaluate()?;
        let legal = lanes.legal(0, ALONE).to_vec();
        let mut found = None;
        for part in legal.chunks(lanes.width()) {
            lanes.load_copies(pair[0].words(), part.len());
            part.iter().enumerate().for_each(|(lane, &id)| lanes.play(lane, &[id]));
            lanes.advance()?;
            found = found.or_else(|| {
                part.iter().enumerate().find_map(|(lane, &id)| {
                    words.clear();
                    lanes.store(lane, &mut words);
                    (words == pair[1].words()).then_some(id)
                })
            });
        }
        match found {
            Some(id) => moves.push(id),
            None => return Ok(None),
        }
    }
    Ok(Some(moves))
}
