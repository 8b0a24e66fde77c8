//! Which move to look at first.

/// Who chooses: the role that the search is for, or all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The role; it wants many points.
    Own = 0,
    /// The others; they want the role to have few.
    Others = 1,
}

/// Moves that share a place in the table of successes lie this far apart.
const PLACES: usize = 1 << 12;

/// Points that a move with the most successes is put ahead of one with none.
const SUCCESS: f32 = 20.0;

/// Above every score, in this order: ends, what the table says, what refuted a sibling, all others.
const END: f32 = 4000.0;
const KNOWN: f32 = 3000.0;
const KILLERS: [f32; 2] = [2000.0, 1000.0];

/// What cut off at each ply, and how often each move did anywhere. Moves go by *tags*, numbers that need not be unique.
#[derive(Debug)]
pub(super) struct Order {
    killers: bool,
    history: bool,
    /// Per ply and side, the last one first.
    last: Vec<[[u32; 2]; 2]>,
    successes: [Vec<u32>; 2],
    most: [u32; 2],
}

impl Order {
    pub(super) fn new(killers: bool, history: bool) -> Order {
        Order { killers, history, last: Vec::new(), successes: [vec![0; PLACES], vec![0; PLACES]], most: [1; 2] }
    }

    /// Another position is searched: what succeeded counts less, what cut off nothing.
    pub(super) fn begin(&mut self) {
        self.last.clear();
        for (list, most) in self.successes.iter_mut().zip(&mut self.most) {
            for count in list.iter_mut() {
                *count /= 8;
            }
            *most = (*most / 8).max(1);
        }
    }

    /// How early a move shall be looked at, the greatest first; `score` is better for the side the greater it is, from -100 to 100.
    #[inline]
    pub(super) fn urgency(&self, side: Side, ply: usize, tag: u32, score: f32) -> f32 {
        let mut urgency = score;
        if self.history {
            urgency += SUCCESS * self.successes[side as usize][tag as usize % PLACES] as f32 / self.most[side as usize] as f32;
        }
        if self.killers
            && let Some(last) = self.last.get(ply)
            && let Some(place) = last[side as usize].iter().position(|&killer| killer == tag)
        {
            urgency += KILLERS[place];
        }
        urgency
    }

    /// As urgency, of a move that leads to the end.
    pub(super) fn end(score: f32) -> f32 {
        END + score
    }

    /// As urgency, of the move that the table names.
    pub(super) fn known() -> f32 {
        KNOWN
    }

    /// A move was good enough to leave the others alone.
    pub(super) fn reward(&mut self, side: Side, ply: usize, tag: u32, depth: u32) {
        if self.last.len() <= ply {
            self.last.resize(ply + 1, [[u32::MAX; 2]; 2]);
        }
        let last = &mut self.last[ply][side as usize];
        if last[0] != tag {
            *last = [tag, last[0]];
        }
        let count = &mut self.successes[side as usize][tag as usize % PLACES];
        *count = count.saturating_add(depth * depth);
        let most = &mut self.most[side as usize];
        *most = (*most).max(*count);
        if *most > 1 << 30 {
            for count in &mut self.successes[side as usize] {
                *count /= 2;
            }
            *most /= 2;
        }
    }
}

/// A number of a move to be sorted by, the most urgent first, equal ones in their order.
#[inline]
pub(super) fn sortable(urgency: f32, number: usize) -> u64 {
    let bits = urgency.to_bits();
    let ascending = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
    u64::from(!ascending) << 32 | number as u64
}

/// The number that was made sortable.
#[inline]
pub(super) fn number(sortable: u64) -> usize {
    sortable as u32 as usize
}

#[cfg(test)]
mod tests {
    use super::{Order, Side, number, sortable};

    #[test]
    fn the_most_urgent_comes_first() {
        let urgencies = [0.0, -3.5, 100.0, 0.25, -0.0, 3000.0, 0.25];
        let mut list: Vec<u64> = urgencies.iter().enumerate().map(|(index, &urgency)| sortable(urgency, index)).collect();
        list.sort_unstable();
        let numbers: Vec<usize> = list.into_iter().map(number).collect();
        assert_eq!(numbers, [5, 2, 3, 6, 0, 4, 1]);
    }

    #[test]
    fn what_cut_off_is_tried_before_others() {
        let mut order = Order::new(true, true);
        let urgency = |order: &Order, tag| order.urgency(Side::Own, 2, tag, 50.0);
        for tag in [7, 8, 8, 9] {
            order.reward(Side::Own, 2, tag, 3);
        }
        assert!(urgency(&order, 9) > urgency(&order, 8) && urgency(&order, 8) > urgency(&order, 7));
        assert!(urgency(&order, 7) > urgency(&order, 1));
        order.begin();
        assert!(urgency(&order, 9) < 100.0);
        assert!((order.urgency(Side::Others, 2, 9, 50.0) - 50.0).abs() < f32::EPSILON);
    }
}
