//! Choosing one of the legal moves in every lane at once, each with the same chance, or with chances that are powers of two.
//!
//! Moves are the leaves of a tree in which every node has eight children. Adders count the legal moves below each node, one bit of the counts
//! per word. A random number below the whole count says which move, and is carried down: at each level the counts of the eight children
//! of the node where a lane stands are gathered: every lane stands at one node only, so one set of words will do. The number
//! goes to the first child whose count is above it, and the counts before that are taken off it. At the leaves it has become a mark at
//! one legal move per lane. Leaves of one node are all as likely: where their weight is a power of two, the count is shifted by as many bits, and the number that
//! arrives there shifted back.

use super::layout::Wire;
use super::value;
use super::word::Word;

/// Random bits that decide one choice, beyond those that the count itself has: the chances of moves differ by less than one part in
/// 2^16 of each.
const RANDOM_BITS: usize = 16;

/// The most bits a count can have: eight times as many moves take three more.
const COUNT_BITS: usize = 28;

/// The most that a move may be likelier than others, as a power of two.
pub(super) const MOST_SHIFT: u8 = 4;

/// How many random words a choice between moves of such weights takes.
pub(super) fn random_words(shifts: &[u8]) -> usize {
    let total: usize = shifts.iter().map(|&shift| 1 << shift).sum();
    if shifts.len() > 1 { RANDOM_BITS + (usize::BITS - total.leading_zeros()) as usize } else { 0 }
}

/// How moves of ascending weights are divided into groups of at most so many, all of the same weight: how many each has, and their weight.
pub(super) fn groups(shifts: &[u8], size: usize) -> impl Iterator<Item = (usize, u8)> {
    shifts.chunk_by(|one, next| one == next).flat_map(move |alike| alike.chunks(size)).map(|group| (group.len(), group[0]))
}

/// Nodes have so many children.
const CHILDREN: usize = 8;

/// Room for the counts of one role's moves.
#[derive(Debug)]
pub(super) struct Tree<W> {
    /// Random words for a choice.
    words: usize,
    /// Of every node above leaves: how many it has, and by how many bits their count is shifted.
    groups: Vec<(usize, u8)>,
    /// The greatest of these shifts.
    most: u8,
    /// Per level, from the leaves: the counts of its nodes, so many words each, padded to groups of eight nodes.
    counts: Vec<Vec<W>>,
    /// Per level: lanes that stand at a node.
    marks: Vec<Vec<W>>,
}

/// Sum and carry of three bits.
#[inline(always)]
fn full<W: Word>(a: W, b: W, c: W) -> (W, W) {
    let half = a.xor(b);
    (half.xor(c), a.and(b).or(half.and(c)))
}

/// Sum and carry of two bits.
#[inline(always)]
fn half<W: Word>(a: W, b: W) -> (W, W) {
    (a.xor(b), a.and(b))
}

impl<W: Word> Tree<W> {
    /// For moves of such weights, as powers of two, ascending.
    pub(super) fn new(shifts: &[u8]) -> Tree<W> {
        let groups: Vec<(usize, u8)> = groups(shifts, CHILDREN).collect();
        let most = shifts.last().copied().unwrap_or(0);
        let mut tree = Tree { words: random_words(shifts), groups, most, counts: Vec::new(), marks: Vec::new() };
        let mut nodes = if shifts.len() > 1 { tree.groups.len() * CHILDREN } else { 1 };
        loop {
            let padded = if nodes > 1 { nodes.next_multiple_of(CHILDREN) } else { 1 };
            tree.counts.push(vec![W::ZERO; padded * tree.bits(tree.counts.len())]);
            tree.marks.push(vec![W::ZERO; padded]);
            if nodes <= 1 {
                return tree;
            }
            nodes = nodes.div_ceil(CHILDREN);
        }
    }

    /// The bits of a count of a node that is so many levels above the leaves.
    fn bits(&self, level: usize) -> usize {
        3 * level + 1 + if level > 0 { usize::from(self.most) } else { 0 }
    }

    /// Marks one legal move per lane: writes to `does`, which has a slot for every leaf. Lanes without a legal move get none.
    /// Answers the lanes that have one.
    #[inline(always)]
    pub(super) fn choose(&mut self, slots: &mut [W], legal: &[Wire], does: &[u32], random: &mut Source<W>) -> W {
        let mut legal = legal.iter();
        for (group, &(len, _)) in self.counts[0].chunks_mut(CHILDREN).zip(&self.groups) {
            for (count, &wire) in group.iter_mut().zip(legal.by_ref().take(len)) {
                *count = value(slots, wire);
            }
        }
        let top = self.counts.len() - 1;
        if top == 0 {
            let only = self.counts[0][0];
            for &slot in does {
                slots[slot as usize] = only;
            }
            return only;
        }
        match self.bits(top) {
            ..=4 => self.mark::<4>(slots, does, random),
            5..=7 => self.mark::<7>(slots, does, random),
            8..=10 => self.mark::<10>(slots, does, random),
            11..=13 => self.mark::<13>(slots, does, random),
            _ => self.mark::<COUNT_BITS>(slots, does, random),
        }
    }

    /// The same once the leaves are known and are several; counts have no more than `BITS` bits.
    #[inline(always)]
    fn mark<const BITS: usize>(&mut self, slots: &mut [W], does: &[u32], random: &mut Source<W>) -> W {
        let top = self.counts.len() - 1;
        self.count_leaves();
        for level in 1..top {
            self.add_up::<BITS>(level);
        }
        let count = &self.counts[top];
        let some = count.iter().fold(W::ZERO, |any, &bit| any.or(bit));
        // One move alone has a single bit of its own weight; where weights differ that is not looked for.
        if self.most == 0 && count[1..].iter().all(|bit| bit.is_zero()) {
            // Nobody has a choice.
            let mut does = does.iter();
            for (leaves, &(len, _)) in self.counts[0].chunks_exact(CHILDREN).zip(&self.groups) {
                does.by_ref().take(len).zip(leaves).for_each(|(&slot, &leaf)| slots[slot as usize] = leaf);
            }
            (0..self.words).for_each(|_| {
                random.word();
            });
            return some;
        }
        // Bits that no lane uses cost nothing.
        let used = 1 + count.iter().rposition(|bit| !bit.is_zero()).unwrap_or(0);
        let mut rank = random.below::<BITS>(&count[..used], self.words);
        self.marks[top][0] = some;
        for level in (1..top).rev() {
            let chosen = self.child::<BITS>(level, &mut rank);
            let (below, above) = self.marks.split_at_mut(level + 1);
            for (&here, children) in above[0].iter().zip(below[level].chunks_exact_mut(8)) {
                for (child, &chosen) in children.iter_mut().zip(&chosen) {
                    *child = here.and(chosen);
                }
            }
        }
        self.shift_back(&mut rank);
        let chosen = self.leaf(&rank);
        let mut does = does.iter();
        for (&here, &(len, _)) in self.marks[1].iter().zip(&self.groups) {
            does.by_ref().take(len).zip(&chosen).for_each(|(&slot, &chosen)| slots[slot as usize] = here.and(chosen));
        }
        some
    }

    /// The counts above the leaves.
    #[inline(always)]
    fn count_leaves(&mut self) {
        let width = self.bits(1);
        let (leaves, sums) = self.counts.split_at_mut(1);
        let sums = sums[0].chunks_exact_mut(width);
        for ((leaf, sum), &(_, shift)) in leaves[0].chunks_exact(CHILDREN).zip(sums).zip(&self.groups) {
            let (one, two) = full(leaf[0], leaf[1], leaf[2]);
            let (other, more) = full(leaf[3], leaf[4], leaf[5]);
            let (one, still) = full(one, other, leaf[6]);
            let (one, last) = half(one, leaf[7]);
            let (two, four) = full(two, more, still);
            let (two, also) = half(two, last);
            let (four, eight) = half(four, also);
            sum[usize::from(shift)..][..4].copy_from_slice(&[one, two, four, eight]);
        }
    }

    /// The counts above a level that is not the leaves.
    #[inline(always)]
    fn add_up<const BITS: usize>(&mut self, level: usize) {
        let (width, wider) = (self.bits(level), self.bits(level + 1));
        let (below, above) = self.counts.split_at_mut(level + 1);
        for (children, sum) in below[level].chunks_exact(8 * width).zip(above[0].chunks_exact_mut(wider)) {
            sum.fill(W::ZERO);
            sum[..width].copy_from_slice(&children[..width]);
            for child in children[width..].chunks_exact(width) {
                let mut carry = W::ZERO;
                for (at, sum) in sum.iter_mut().enumerate() {
                    let added = child.get(at).copied().unwrap_or(W::ZERO);
                    (*sum, carry) = full(*sum, added, carry);
                }
            }
        }
    }

    /// Which child of its node each lane goes to, at a level that is not the leaves; `rank` becomes the number among that child's moves.
    #[inline(always)]
    fn child<const BITS: usize>(&self, level: usize, rank: &mut [W; BITS]) -> [W; 8] {
        let width = self.bits(level);
        let mut counts = [[W::ZERO; BITS]; 8];
        for (&here, children) in self.marks[level + 1].iter().zip(self.counts[level].chunks_exact(8 * width)) {
            for (known, child) in counts.iter_mut().zip(children.chunks_exact(width)) {
                for (known, &bit) in known.iter_mut().zip(child) {
                    *known = known.or(bit.and(here));
                }
            }
        }
        let mut chosen = [W::ZERO; 8];
        let mut open = W::ONES;
        for (chosen, count) in chosen.iter_mut().zip(&counts) {
            // rank - count; what must be borrowed in the end says that rank is the smaller one.
            let mut rest = [W::ZERO; BITS];
            let mut borrow = W::ZERO;
            for (rest, (&a, &b)) in rest.iter_mut().zip(rank.iter().zip(count)).take(width + 3) {
                let half = a.xor(b);
                *rest = half.xor(borrow);
                borrow = b.and_not(a).or(borrow.and_not(half));
            }
            *chosen = open.and(borrow);
            open = open.and_not(borrow);
            for (rank, &rest) in rank.iter_mut().zip(&rest).take(width + 3) {
                *rank = rank.and_not(open).or(rest.and(open));
            }
        }
        chosen
    }

    /// Turns the number below a node of leaves, whatever they weigh, into one among the leaves.
    #[inline(always)]
    fn shift_back<const BITS: usize>(&self, rank: &mut [W; BITS]) {
        let before = *rank;
        for shift in 1..=self.most {
            let here = self.marks[1].iter().zip(&self.groups).filter(|(_, group)| group.1 == shift);
            let stands = here.fold(W::ZERO, |any, (&mark, _)| any.or(mark));
            for (at, rank) in rank.iter_mut().enumerate() {
                let shifted = before.get(at + usize::from(shift)).copied().unwrap_or(W::ZERO);
                *rank = rank.and_not(stands).or(shifted.and(stands));
            }
        }
    }

    /// Which leaf of its node each lane goes to.
    #[inline(always)]
    fn leaf<const BITS: usize>(&self, rank: &[W; BITS]) -> [W; 8] {
        let mut leaves = [W::ZERO; 8];
        for (&here, children) in self.marks[1].iter().zip(self.counts[0].chunks_exact(8)) {
            for (known, &leaf) in leaves.iter_mut().zip(children) {
                *known = known.or(leaf.and(here));
            }
        }
        // The number is at most seven, and counts down at every leaf that is legal.
        let (mut one, mut two, mut four) = (rank[0], rank[1], rank[2]);
        let mut chosen = [W::ZERO; 8];
        let mut open = W::ONES;
        for (chosen, &leaf) in chosen.iter_mut().zip(&leaves) {
            let legal = leaf.and(open);
            *chosen = legal.and_not(one.or(two).or(four));
            open = open.and_not(*chosen);
            let less = legal.and_not(*chosen);
            let borrow = less.and_not(one);
            one = one.xor(less);
            let more = borrow.and_not(two);
            two = two.xor(borrow);
            four = four.xor(more);
        }
        chosen
    }
}

/// Random words: xoroshiro128++, one generator for every 64 lanes.
#[derive(Clone, Debug)]
pub(super) struct Source<W> {
    one: W,
    two: W,
}

impl<W: Word> Source<W> {
    pub(super) fn new(mut seed: impl FnMut() -> u64) -> Source<W> {
        let (mut one, mut two) = (W::ZERO, W::ZERO);
        for part in 0..W::LANES / 64 {
            // Not both may be zero.
            one.set_part(part, seed() | 1);
            two.set_part(part, seed());
        }
        Source { one, two }
    }

    #[inline(always)]
    pub(super) fn word(&mut self) -> W {
        let word = self.one.add(self.two).rotate::<17>().add(self.one);
        let mixed = self.two.xor(self.one);
        self.one = self.one.rotate::<49>().xor(mixed).xor(mixed.shift::<21>());
        self.two = mixed.rotate::<28>();
        word
    }

    #[inline(always)]
    pub(super) fn fill(&mut self, words: &mut [W]) {
        for word in words {
            *word = self.word();
        }
    }

    /// A random number below the count of each lane: a random fraction times the count, bit by bit.
    #[inline(always)]
    fn below<const BITS: usize>(&mut self, count: &[W], words: usize) -> [W; BITS] {
        let mut factor = [W::ZERO; BITS];
        factor[..count.len()].copy_from_slice(count);
        let mut product = [W::ZERO; BITS];
        for _ in 0..words {
            let random = self.word();
            // (product + count if random) / 2
            let mut carry = W::ZERO;
            for bit in 0..count.len() {
                let added = factor[bit].and(random);
                let (sum, next) = full(product[bit], added, carry);
                carry = next;
                if bit > 0 {
                    product[bit - 1] = sum;
                }
            }
            product[count.len() - 1] = carry;
        }
        product
    }
}
