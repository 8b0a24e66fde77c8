//! Going through all states, each once.

use super::best::Best;
use super::seen::{Met, Seen};
use crate::{Error, Meter, Worker};
use ludens_machine::{Lanes, MoveId, Random, RoleId};
use std::collections::VecDeque;

/// The only role.
const ALONE: RoleId = RoleId(0);

/// Which of the states that were met is looked at next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The one met first: all states at one distance before those that are further away.
    Wide,
    /// The one met last. When memory is full it begins anew, in another random order.
    Deep,
}

/// How a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// There is more to look at.
    Open,
    /// It looked at every state that can be reached.
    Exhausted,
    /// It looked at all that it could, but not at every state.
    Ended,
}

/// A state that was met and not yet looked at.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    node: u32,
    depth: u32,
    words: u32,
}

/// States met from one on, what led to each, and those to be looked at. As every end has its points for certain, there is nothing to be backed up: the best end
/// is the value, and the links lead back from it.
#[derive(Debug)]
pub(super) struct Graph {
    order: Order,
    seen: Seen,
    /// Per state met: the one before it, and the move.
    links: Vec<(u32, MoveId)>,
    waiting: VecDeque<Waiting>,
    /// The words of all waiting, one after the other.
    words: VecDeque<u64>,
    /// The most bytes for those waiting.
    room: usize,
    max_plies: u32,
    /// Something was left out, as there was no room for it.
    full: bool,
    /// Something was left out, as it was too far away.
    cut: bool,
    depth: u32,
    work: u64,
    root: Vec<u64>,
    batch: Batch,
}

/// States looked at together.
#[derive(Debug, Default)]
struct Batch {
    words: Vec<u64>,
    /// Where the words of each begin, and where the last ends.
    begins: Vec<usize>,
    states: Vec<Waiting>,
    /// The successors: the place in the batch of the state before it, and the move.
    next: Vec<(usize, MoveId)>,
    stored: Vec<u64>,
}

impl Batch {
    fn words(&self, place: usize) -> &[u64] {
        &self.words[self.begins[place]..self.begins[place + 1]]
    }
}

impl Graph {
    /// Empty, with so many bytes at most.
    pub(super) fn new(order: Order, bytes: usize, max_plies: u64) -> Graph {
        Graph {
            order,
            seen: Seen::new(bytes / 2),
            links: Vec::new(),
            waiting: VecDeque::new(),
            words: VecDeque::new(),
            room: bytes / 4,
            max_plies: u32::try_from(max_plies).unwrap_or(u32::MAX),
            full: false,
            cut: false,
            depth: 0,
            work: 0,
            root: Vec::new(),
            batch: Batch::default(),
        }
    }

    /// Forgets everything and begins at this state.
    pub(super) fn begin(&mut self, words: &[u64]) {
        self.root = words.to_vec();
        self.cut = false;
        self.depth = 0;
        self.restart();
    }

    fn restart(&mut self) {
        self.full = false;
        self.seen.clear();
        self.links.clear();
        self.waiting.clear();
        self.words.clear();
        self.seen.insert(&self.root);
        self.links.push((0, MoveId(0)));
        self.words.extend(&self.root);
        self.waiting.push_back(Waiting { node: 0, depth: 0, words: self.root.len() as u32 });
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.seen.bytes() + self.links.len() * size_of::<(u32, MoveId)>() + self.waiting_bytes()
    }

    fn waiting_bytes(&self) -> usize {
        self.waiting.len() * size_of::<Waiting>() + self.words.len() * size_of::<u64>()
    }

    /// The distance of the states looked at last.
    pub(super) fn depth(&self) -> u32 {
        self.depth
    }

    /// States looked at or met, each time that it was met.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Goes on for about so much [`work`](Graph::work).
    pub(super) fn turn(
        &mut self,
        work: u64,
        lanes: &mut Lanes<'_>,
        random: &mut Random,
        (meter, worker): (&Meter<'_>, &Worker<'_>),
        best: &Best,
    ) -> Result<Progress, Error> {
        let until = self.work + work;
        while self.work < until && !worker.is_over() && !best.is_top() {
            if self.waiting.is_empty() {
                return Ok(if self.cut || self.full { Progress::Ended } else { Progress::Exhausted });
            }
            if self.full && self.order == Order::Deep {
                self.restart();
            }
            self.pop(lanes.width());
            meter.add_nodes(self.batch.states.len() as u64);
            self.look(lanes, random, best)?;
            self.expand(lanes, worker)?;
            self.work += (self.batch.states.len() + self.batch.next.len()) as u64;
        }
        Ok(Progress::Open)
    }

    /// Takes the next states into the batch.
    fn pop(&mut self, most: usize) {
        let batch = &mut self.batch;
        batch.words.clear();
        batch.begins.clear();
        batch.states.clear();
        batch.begins.push(0);
        while batch.states.len() < most {
            let next = match self.order {
                Order::Wide => self.waiting.pop_front(),
                Order::Deep => self.waiting.pop_back(),
            };
            let Some(state) = next else { break };
            let count = state.words as usize;
            match self.order {
                Order::Wide => batch.words.extend(self.words.drain(..count)),
                Order::Deep => batch.words.extend(self.words.drain(self.words.len() - count..)),
            }
            batch.begins.push(batch.words.len());
            batch.states.push(state);
            self.depth = state.depth;
        }
    }

    /// Finds the ends among the states of the batch, and the moves of the others.
    fn look(&mut self, lanes: &mut Lanes<'_>, random: &mut Random, best: &Best) -> Result<(), Error> {
        let mut batch = std::mem::take(&mut self.batch);
        let states: Vec<&[u64]> = (0..batch.states.len()).map(|place| batch.words(place)).collect();
        lanes.load_all(&states);
        lanes.evaluate()?;
        batch.next.clear();
        for (place, state) in batch.states.iter().enumerate() {
            if lanes.terminal(place) || lanes.legal(place, ALONE).is_empty() {
                let points = lanes.points(place, ALONE)?;
                if best.points().is_none_or(|known| known < points) {
                    best.offer(points, &self.way(state.node));
                }
            } else if state.depth >= self.max_plies {
                self.cut = true;
            } else {
                let begin = batch.next.len();
                batch.next.extend(lanes.legal(place, ALONE).iter().map(|&id| (place, id)));
                if self.order == Order::Deep {
                    shuffle(&mut batch.next[begin..], random);
                }
            }
        }
        self.batch = batch;
        Ok(())
    }

    /// The moves from the root to a state.
    fn way(&self, mut node: u32) -> Vec<MoveId> {
        let mut moves = Vec::new();
        while node != 0 {
            let (before, id) = self.links[node as usize];
            moves.push(id);
            node = before;
        }
        moves.reverse();
        moves
    }

    /// Meets the successors of the states of the batch.
    fn expand(&mut self, lanes: &mut Lanes<'_>, worker: &Worker<'_>) -> Result<(), Error> {
        let mut batch = std::mem::take(&mut self.batch);
        let next = std::mem::take(&mut batch.next);
        for part in next.chunks(lanes.width()) {
            if worker.is_over() {
                // What is left out is not needed any more: the next search begins anew.
                self.full = true;
                break;
            }
            let before: Vec<&[u64]> = part.iter().map(|&(place, _)| batch.words(place)).collect();
            lanes.load_all(&before);
            for (lane, &(_, id)) in part.iter().enumerate() {
                lanes.play(lane, &[id]);
            }
            lanes.advance()?;
            for (lane, &(place, id)) in part.iter().enumerate() {
                batch.stored.clear();
                lanes.store(lane, &mut batch.stored);
                self.meet(&batch.stored, batch.states[place], id);
            }
        }
        batch.next = next;
        self.batch = batch;
        Ok(())
    }

    /// Takes note of a successor, if it is new.
    fn meet(&mut self, words: &[u64], before: Waiting, id: MoveId) {
        let room = self.waiting_bytes() + size_of_val(words) + size_of::<Waiting>() <= self.room;
        if !room {
            self.full = true;
            return;
        }
        match self.seen.insert(words) {
            Met::Known => {}
            Met::Full => self.full = true,
            Met::New => {
                let node = self.links.len() as u32;
                if self.links.len() == self.links.capacity() {
                    // Never more than can be needed.
                    self.links.reserve_exact(self.links.len().min(self.seen.room() - self.links.len()).max(1));
                }
                self.links.push((before.node, id));
                self.words.extend(words);
                self.waiting.push_back(Waiting { node, depth: before.depth + 1, words: words.len() as u32 });
            }
        }
    }
}

fn shuffle<T>(list: &mut [T], random: &mut Random) {
    for last in (1..list.len()).rev() {
        list.swap(last, random.below(last + 1));
    }
}
