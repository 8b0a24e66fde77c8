//! States whose points are found later, many at once.

use super::phase::Phase;
use super::word::{Word, count};

/// States in which a match is over, kept until there are enough of them to find the points of all at once.
#[derive(Debug)]
pub(super) struct Pool {
    /// Per fluent: a bit for every state kept.
    kept: Vec<u64>,
    pub(super) filled: usize,
}

impl Pool {
    pub(super) fn new<W: Word>(fluents: usize) -> Pool {
        Pool { kept: vec![0; fluents * W::LANES / 64], filled: 0 }
    }

    /// Whether more states than a word has lanes would be kept.
    #[inline(always)]
    pub(super) fn is_full_with<W: Word>(&self, over: W) -> bool {
        self.filled + count(over) as usize > W::LANES
    }

    /// Keeps the states of some lanes.
    #[inline(always)]
    pub(super) fn keep<W: Word>(&mut self, code: &Phase, fluents: &[W], over: W) {
        let parts = W::LANES / 64;
        for ((known, kept), &word) in code.known.iter().zip(self.kept.chunks_exact_mut(parts)).zip(fluents) {
            let word = match known {
                Some(true) => W::ONES,
                Some(false) => W::ZERO,
                None => word,
            };
            let mut at = self.filled;
            for part in 0..parts {
                let mask = over.part(part);
                if mask != 0 {
                    let bits = W::compress(word.part(part), mask);
                    kept[at / 64] |= bits << (at % 64);
                    // What does not fit goes on in the next 64.
                    if at % 64 + mask.count_ones() as usize > 64 {
                        kept[at / 64 + 1] |= bits >> (64 - at % 64);
                    }
                    at += mask.count_ones() as usize;
                }
            }
        }
        self.filled += count(over) as usize;
    }

    /// Puts all states kept into lanes; answers which.
    #[inline(always)]
    pub(super) fn empty<W: Word>(&mut self, fluents: &mut [W]) -> W {
        for (slot, kept) in fluents.iter_mut().zip(self.kept.chunks_exact_mut(W::LANES / 64)) {
            for (part, bits) in kept.iter_mut().enumerate() {
                slot.set_part(part, std::mem::take(bits));
            }
        }
        let mut over = W::ZERO;
        (0..std::mem::take(&mut self.filled)).for_each(|lane| over.set_bit(lane, true));
        over
    }
}
