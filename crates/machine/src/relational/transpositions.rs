//! What was found out about states met before, so that a state met again is not computed again: gdlcc's transposition table.
//!
//! Everything lies in a ring of words. A state's record has its fluents; its legal moves and goals follow in records of their own, which are younger and
//! so outlive it. Finding a state compares all of its fluents: there are no false hits.

use super::registry::NONE;
use super::ring::{Kind, NOWHERE, Place, Ring};
use crate::MoveId;

/// The first words of a state's record: how many fluents it has, [`UNKNOWN`] or whether it is terminal, where its legal moves are. Where
/// the goals of each role are comes after these, and then the fluents.
const FLUENTS: usize = 0;
const TERMINAL: usize = 1;
const LEGAL: usize = 2;
const GOALS: usize = 3;
/// In a state's record: not asked yet.
const UNKNOWN: u32 = NONE;

/// The first words of a successor's record: the places of both states. The joint move comes after these.
const FROM: usize = 0;
const TO: usize = 2;
const JOINT: usize = 4;

/// How much a transposition table is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableUse {
    /// Its size, which never changes.
    pub bytes: usize,
    /// Questions asked: what can be done in a state, its goals for a role, the successor for a joint move.
    pub asked: u64,
    /// Questions that the table answered.
    pub hits: u64,
}

/// A transposition table of fixed size.
#[derive(Clone, Debug)]
pub(super) struct Transpositions {
    roles: usize,
    ring: Ring,
    stamps: Stamps,
    asked: u64,
    hits: u64,
}

impl Transpositions {
    /// A table of so many bytes. The stamps of fluents come on top, four bytes each.
    pub(super) fn new(bytes: usize, roles: usize) -> Transpositions {
        Transpositions { roles, ring: Ring::new(bytes), stamps: Stamps::default(), asked: 0, hits: 0 }
    }

    pub(super) fn used(&self) -> TableUse {
        TableUse { bytes: self.ring.bytes(), asked: self.asked, hits: self.hits }
    }

    /// The place of a state: `known` if it is still there, else where it is found or put.
    pub(super) fn place(&mut self, known: Place, fluents: &[u32]) -> Place {
        let Transpositions { roles, ring, stamps, .. } = self;
        if ring.is_there(known) {
            return known;
        }
        let sum = fluents.iter().fold(0, |sum: u64, &fluent| sum.wrapping_add(scatter(u64::from(fluent) + 1)));
        let (hash, first) = (scatter(sum), GOALS + *roles);
        let is_it = |record: &[u32]| {
            record[FLUENTS] as usize == fluents.len() && stamps.are_equal(&record[first..][..fluents.len()], fluents)
        };
        if let Some(found) = ring.find(hash, Kind::State, is_it) {
            return found;
        }
        let Some((place, record)) = ring.add(first + fluents.len()) else { return NOWHERE };
        record[..first].fill(UNKNOWN);
        record[FLUENTS] = fluents.len() as u32;
        record[first..].copy_from_slice(fluents);
        ring.enter(hash, Kind::State, place);
        place
    }

    fn count<T>(&mut self, answer: Option<T>) -> Option<T> {
        self.asked += 1;
        self.hits += u64::from(answer.is_some());
        answer
    }

    /// Whether a state is terminal; its legal moves are put into `legal`, those of terminal states only if asked for.
    pub(super) fn evaluation(&mut self, place: Place, fully: bool, legal: &mut [Vec<MoveId>]) -> Option<bool> {
        let answer = self.find_evaluation(place, fully, legal);
        self.count(answer)
    }

    fn find_evaluation(&self, place: Place, fully: bool, legal: &mut [Vec<MoveId>]) -> Option<bool> {
        let words = &self.ring.words;
        let at = self.ring.at(place)?;
        let terminal = match words[at + TERMINAL] {
            UNKNOWN => return None,
            known => known != 0,
        };
        if terminal && !fully {
            legal.iter_mut().for_each(Vec::clear);
            return Some(terminal);
        }
        let mut from = match words[at + LEGAL] {
            UNKNOWN => return None,
            known => known as usize,
        };
        for moves in legal {
            let count = words[from] as usize;
            moves.clear();
            moves.extend(words[from + 1..][..count].iter().map(|&id| MoveId(id)));
            from += 1 + count;
        }
        Some(terminal)
    }

    /// Keeps what was found out about a state; the legal moves only if they were asked for.
    pub(super) fn keep_evaluation(&mut self, place: Place, terminal: bool, legal: Option<&[Vec<MoveId>]>) {
        let Some(at) = self.ring.at(place) else { return };
        self.ring.words[at + TERMINAL] = terminal.into();
        let Some(legal) = legal else { return };
        let Some((kept, mut record)) = self.ring.add(legal.iter().map(|moves| 1 + moves.len()).sum()) else { return };
        for moves in legal {
            let (own, rest) = record.split_at_mut(1 + moves.len());
            own[0] = moves.len() as u32;
            for (word, id) in own[1..].iter_mut().zip(moves) {
                *word = id.0;
            }
            record = rest;
        }
        self.link(place, LEGAL, kept);
    }

    /// Notes in a state's record where a younger one is, unless that lies where the state was.
    fn link(&mut self, place: Place, word: usize, to: Place) {
        if let Some(at) = self.ring.at(place) {
            self.ring.words[at + word] = to as u32;
        }
    }

    /// Puts the goal values of a role, as terms, into `goals`; tells whether they are known.
    pub(super) fn goals(&mut self, place: Place, role: usize, goals: &mut Vec<u32>) -> bool {
        let from = self.ring.at(place).map_or(UNKNOWN, |at| self.ring.words[at + GOALS + role]);
        let known = (from != UNKNOWN).then_some(from as usize);
        if let Some(from) = self.count(known) {
            let words = &self.ring.words[from..];
            goals.extend_from_slice(&words[1..][..words[0] as usize]);
        }
        known.is_some()
    }

    pub(super) fn keep_goals(&mut self, place: Place, role: usize, goals: &[u32]) {
        if self.ring.is_there(place)
            && let Some((kept, record)) = self.ring.add(1 + goals.len())
        {
            record[0] = goals.len() as u32;
            record[1..].copy_from_slice(goals);
            self.link(place, GOALS + role, kept);
        }
    }

    /// Puts the fluents of the successor for a joint move into `fluents`, and answers where the successor is.
    pub(super) fn successor(&mut self, place: Place, joint: &[u32], fluents: &mut Vec<u32>) -> Option<Place> {
        let ring = &self.ring;
        let is_it = |record: &[u32]| {
            let is_joint = place_in(record, FROM) == place && record[JOINT..][..joint.len()] == *joint;
            is_joint && ring.is_there(place_in(record, TO))
        };
        let known = ring.at(place).and_then(|_| ring.find(hash_joint(place, joint), Kind::Successor, is_it));
        let answer = known.map(|found| place_in(ring.record(found), TO));
        if let Some(to) = answer {
            let record = ring.record(to);
            fluents.clear();
            fluents.extend_from_slice(&record[GOALS + self.roles..][..record[FLUENTS] as usize]);
        }
        self.count(answer)
    }

    /// Keeps a successor, given by its fluents; answers where it is.
    pub(super) fn keep_successor(&mut self, place: Place, joint: &[u32], fluents: &[u32]) -> Place {
        let to = self.place(NOWHERE, fluents);
        let ring = &mut self.ring;
        if ring.is_there(to)
            && ring.is_there(place)
            && let Some((kept, record)) = ring.add(JOINT + joint.len())
        {
            record[..JOINT].copy_from_slice(&[(place >> 32) as u32, place as u32, (to >> 32) as u32, to as u32]);
            record[JOINT..].copy_from_slice(joint);
            ring.enter(hash_joint(place, joint), Kind::Successor, kept);
        }
        to
    }
}

/// Compares sets of fluents: those of one bear the latest stamp while those of the other are looked at.
#[derive(Clone, Debug, Default)]
struct Stamps {
    /// By fluent.
    stamps: Vec<u32>,
    latest: u32,
}

impl Stamps {
    /// Whether two lists without repetition, equally long, have the same fluents.
    fn are_equal(&mut self, one: &[u32], other: &[u32]) -> bool {
        if one == other {
            return true;
        }
        let Stamps { stamps, latest } = self;
        *latest = latest.wrapping_add(1);
        if *latest == 0 {
            stamps.fill(0);
            *latest = 1;
        }
        for &fluent in other {
            if stamps.len() <= fluent as usize {
                stamps.resize(fluent as usize + 64, 0);
            }
            stamps[fluent as usize] = *latest;
        }
        one.iter().all(|&fluent| stamps.get(fluent as usize) == Some(latest))
    }
}

fn place_in(record: &[u32], at: usize) -> Place {
    u64::from(record[at]) << 32 | u64::from(record[at + 1])
}

fn hash_joint(from: Place, joint: &[u32]) -> u64 {
    joint.iter().fold(scatter(from), |hash, &term| scatter(hash.wrapping_add(u64::from(term))))
}

/// Multiplies and folds.
#[inline]
fn scatter(word: u64) -> u64 {
    let product = u128::from(word ^ 0x9e37_79b9_7f4a_7c15) * 0xe703_7ed1_a0b4_28db;
    (product >> 64) as u64 ^ product as u64
}
