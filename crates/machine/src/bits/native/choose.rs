//! Choosing one of the legal moves in every lane, as operations. It chooses like `select`, from the same random words.
//!
//! Moves are the leaves of a tree: seven in a group, because three bits hold their count, then a few nodes in each. A random number below
//! the whole count is carried down. Every lane stands at one node of a level, so the counts of its children are gathered from all nodes
//! into one set of words. All leaves of a group have the same weight, a power of two: its count is shifted, and what arrives there is shifted back.

use super::lut::{AND, Builder, Lit, MAJORITY, MUX, OR_BOTH, XOR};
use crate::bits::select::groups;

/// Leaves of a group, and children of every node above.
const GROUP: usize = 7;
const RADIX: usize = 4;

/// A number, one literal per bit, the lowest first.
type Number = Vec<Lit>;

/// Counts of every node of a tree, from the groups of leaves to the root.
struct Counts {
    /// So many for every group.
    leaves: Vec<Lit>,
    /// Of every group: how many leaves there are, and by how many bits their count is shifted.
    groups: Vec<(usize, u8)>,
    levels: Vec<Vec<Number>>,
}

/// Gives for every legal move whether it is chosen, and whether there was any. `legal` is asked for the moves one by one; `shifts` has the weight of each, as a
/// power of two, ascending.
pub(super) fn choose(
    builder: &mut Builder,
    shifts: &[u8],
    mut legal: impl FnMut(usize, &mut Builder) -> Lit,
    random: &[Lit],
) -> (Vec<Lit>, Lit) {
    let mut counts = Counts { leaves: Vec::with_capacity(shifts.len()), groups: Vec::new(), levels: vec![Vec::new()] };
    let mut start = 0;
    for (len, shift) in groups(shifts, GROUP) {
        let mut group = [Lit::FALSE; GROUP];
        for (at, lit) in group.iter_mut().enumerate().take(len) {
            *lit = legal(start + at, builder);
        }
        start += len;
        counts.leaves.extend(group);
        counts.groups.push((len, shift));
        let unshifted = count(builder, &group);
        counts.levels[0].push(trimmed([vec![Lit::FALSE; shift.into()], unshifted].concat()));
    }
    while counts.levels[counts.levels.len() - 1].len() > 1 {
        let below = &counts.levels[counts.levels.len() - 1];
        let sum =
            |builder: &mut Builder, children: &[Number]| children.iter().fold(Vec::new(), |sum, child| add(builder, &sum, child));
        let above = below.chunks(RADIX).map(|children| sum(builder, children)).collect();
        counts.levels.push(above);
    }
    let total = counts.levels[counts.levels.len() - 1][0].clone();
    let some = total.iter().fold(Lit::FALSE, |some, &bit| builder.or(some, bit));
    let rank = below(builder, &total, random);
    (descend(builder, &counts, rank), some)
}

/// How many of seven.
fn count(builder: &mut Builder, leaves: &[Lit; GROUP]) -> Number {
    let (one, two) = builder.add(leaves[0], leaves[1], leaves[2]);
    let (other, more) = builder.add(leaves[3], leaves[4], leaves[5]);
    let (one, still) = builder.add(one, other, leaves[6]);
    let (two, four) = builder.add(two, more, still);
    trimmed(vec![one, two, four])
}

fn trimmed(mut number: Number) -> Number {
    while number.last() == Some(&Lit::FALSE) {
        number.pop();
    }
    number
}

fn bit(number: &[Lit], at: usize) -> Lit {
    number.get(at).copied().unwrap_or(Lit::FALSE)
}

fn add(builder: &mut Builder, a: &[Lit], b: &[Lit]) -> Number {
    let mut carry = Lit::FALSE;
    let mut sum = Vec::new();
    for at in 0..a.len().max(b.len()) {
        let (here, next) = builder.add(bit(a, at), bit(b, at), carry);
        sum.push(here);
        carry = next;
    }
    sum.push(carry);
    trimmed(sum)
}

/// Whether a number is below another.
fn less(builder: &mut Builder, a: &[Lit], b: &[Lit]) -> Lit {
    (0..a.len().max(b.len())).fold(Lit::FALSE, |borrow, at| builder.lut(MAJORITY, [!bit(a, at), bit(b, at), borrow]))
}

/// The lowest bits of a difference.
fn subtract(builder: &mut Builder, a: &[Lit], b: &[Lit], bits: usize) -> Number {
    let mut borrow = Lit::FALSE;
    let mut rest = Vec::new();
    for at in 0..bits {
        rest.push(builder.lut(XOR, [bit(a, at), bit(b, at), borrow]));
        borrow = builder.lut(MAJORITY, [!bit(a, at), bit(b, at), borrow]);
    }
    rest
}

/// A random number below a count: a random fraction times the count, bit by bit.
fn below(builder: &mut Builder, count: &[Lit], random: &[Lit]) -> Number {
    let mut product = vec![Lit::FALSE; count.len()];
    for &random in random {
        let mut carry = Lit::FALSE;
        for at in 0..count.len() {
            let added = builder.and(count[at], random);
            let (sum, next) = builder.add(product[at], added, carry);
            carry = next;
            if at > 0 {
                product[at - 1] = sum;
            }
        }
        if let Some(last) = product.last_mut() {
            *last = carry;
        }
    }
    trimmed(product)
}

/// From the root to the leaf where each lane's number leads.
fn descend(builder: &mut Builder, counts: &Counts, mut rank: Number) -> Vec<Lit> {
    let mut marks = vec![Lit::TRUE];
    for level in (1..counts.levels.len()).rev() {
        let children = &counts.levels[level - 1];
        let bits = children.iter().map(Vec::len).max().unwrap_or(0).max(1);
        // What the first children have in all, where the lane stands.
        let count =
            |node: usize, at: usize| children.get(node * RADIX + at / bits).map_or(Lit::FALSE, |child| bit(child, at % bits));
        let mut sums: Vec<Number> = Vec::new();
        for there in gathered(builder, &marks, (RADIX - 1) * bits, count).chunks_exact(bits) {
            let sum = match sums.last() {
                Some(before) => add(builder, before, there),
                None => trimmed(there.to_vec()),
            };
            sums.push(sum);
        }
        // Whether the lane's move is among them.
        let mut within: Vec<Lit> = sums.iter().map(|sum| less(builder, &rank, sum)).collect();
        within.push(Lit::TRUE);
        let mut next = Vec::with_capacity(children.len());
        for child in 0..children.len() {
            let (mark, at) = (marks[child / RADIX], child % RADIX);
            let before = if at == 0 { Lit::FALSE } else { within[at - 1] };
            next.push(builder.lut(AND, [mark, within[at], !before]));
        }
        let passed: Number = (0..bits)
            .map(|at| {
                let last = bit(&sums[RADIX - 2], at);
                let inner = (1..RADIX - 1)
                    .rev()
                    .fold(last, |rest, child| builder.lut(MUX, [within[child], bit(&sums[child - 1], at), rest]));
                builder.and(!within[0], inner)
            })
            .collect();
        rank = subtract(builder, &rank, &passed, bits);
        marks = next;
    }
    let rank = shifted_back(builder, counts, &marks, &rank);
    let leaves = gathered(builder, &marks, GROUP, |group, at| counts.leaves[group * GROUP + at]);
    let chosen = leaf(builder, &leaves, &rank);
    let mut does = Vec::with_capacity(counts.leaves.len());
    for (mark, &(len, _)) in marks.into_iter().zip(&counts.groups) {
        does.extend(chosen[..len].iter().map(|&here| builder.and(mark, here)));
    }
    does
}

/// The number among the leaves of the group at which each lane stands, whatever they weigh.
fn shifted_back(builder: &mut Builder, counts: &Counts, marks: &[Lit], rank: &[Lit]) -> Number {
    let most = counts.groups.iter().map(|&(_, shift)| shift).max().unwrap_or(0);
    let mut shifted = rank.to_vec();
    for shift in 1..=most {
        let here = marks.iter().zip(&counts.groups).filter(|(_, group)| group.1 == shift);
        let stands = here.fold(Lit::FALSE, |any, (&mark, _)| builder.or(any, mark));
        for (at, shifted) in shifted.iter_mut().enumerate() {
            *shifted = builder.lut(MUX, [stands, bit(rank, at + usize::from(shift)), *shifted]);
        }
    }
    shifted
}

/// Bits of the node at which each lane stands. A node's bits come one after the other, so that its mark is read once.
fn gathered(builder: &mut Builder, marks: &[Lit], bits: usize, of: impl Fn(usize, usize) -> Lit) -> Number {
    let mut any = vec![Lit::FALSE; bits];
    for (node, &mark) in marks.iter().enumerate() {
        for (at, any) in any.iter_mut().enumerate() {
            *any = builder.lut(OR_BOTH, [*any, mark, of(node, at)]);
        }
    }
    any
}

/// Which of seven leaves is the one of that rank among those that are set.
fn leaf(builder: &mut Builder, leaves: &[Lit], rank: &[Lit]) -> Vec<Lit> {
    // Whether so many are still to be passed.
    let mut left: Vec<Lit> = (0..GROUP)
        .map(|passed| {
            let digit = |at: usize| bit(rank, at).inverted(passed >> at & 1 == 0);
            builder.lut(AND, [digit(0), digit(1), digit(2)])
        })
        .collect();
    let mut chosen = Vec::new();
    for &here in leaves {
        chosen.push(builder.and(here, left[0]));
        left = (1..left.len()).map(|at| builder.lut(MUX, [here, left[at], left[at - 1]])).collect();
    }
    chosen
}
