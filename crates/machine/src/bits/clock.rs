//! How long matches have been going on.

use super::word::Word;

/// When the match of each lane began, one bit of the number per word.
pub(super) struct Clock<W> {
    /// Joint moves played since the beginning, by all lanes.
    pub(super) ply: u64,
    max_plies: u64,
    began: Vec<W>,
    /// Room for how long ago that is.
    ages: Vec<W>,
    /// No match can be too long before this.
    check: u64,
}

impl<W: Word> Clock<W> {
    #[inline(always)]
    pub(super) fn new(max_plies: u64) -> Clock<W> {
        // Times are told apart as long as no match is older than the limit.
        let bits = if max_plies >= 1 << 62 { 0 } else { 65 - max_plies.leading_zeros() };
        let room = || vec![W::ZERO; bits as usize];
        Clock { ply: 0, max_plies, began: room(), ages: room(), check: max_plies }
    }

    #[inline(always)]
    pub(super) fn begin(&mut self, lanes: W) {
        for (bit, word) in self.began.iter_mut().enumerate() {
            *word = if self.ply >> bit & 1 == 1 { word.or(lanes) } else { word.and_not(lanes) };
        }
    }

    /// Those of the lanes whose match has not been going on for too long.
    #[inline(always)]
    pub(super) fn in_time(&mut self, mut lanes: W) -> W {
        if self.ply < self.check || self.began.is_empty() {
            return lanes;
        }
        // How long each match has been going on: now less then, a bit of all differences at a time; and whether that is below the limit.
        let (mut borrow, mut below) = (W::ZERO, W::ZERO);
        for (bit, began) in self.began.iter().enumerate() {
            let now = if self.ply >> bit & 1 == 1 { W::ONES } else { W::ZERO };
            let age = now.xor(*began).xor(borrow);
            borrow = began.and_not(now).or(borrow.and_not(now.xor(*began)));
            let limit = if self.max_plies >> bit & 1 == 1 { W::ONES } else { W::ZERO };
            below = limit.and_not(age).or(below.and_not(age.xor(limit)));
            self.ages[bit] = age;
        }
        lanes = lanes.and(below);
        let (mut oldest, mut among) = (0, lanes);
        for (bit, age) in self.ages.iter().enumerate().rev() {
            let older = among.and(*age);
            if !older.is_zero() {
                among = older;
                oldest |= 1 << bit;
            }
        }
        self.check = self.ply + (self.max_plies - oldest).max(1);
        lanes
    }
}
