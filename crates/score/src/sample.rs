//! Matches of random play, to learn from.

use ludens_machine::{Error, Machine, Manner, Random, Request, Rollouts, Totals};

/// Matches are given up after so many joint moves, whatever limit is asked for.
const MOST_PLIES: usize = 10_000;

/// Words of positions that are kept, give or take those of the matches played at once: 64 MiB.
const MOST_WORDS: usize = 1 << 23;

/// Matches that are played at once.
const AT_ONCE: usize = 64;

/// The positions of some matches that came to an end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Matches {
    /// The words of a position.
    words: usize,
    states: Vec<u64>,
    /// Per match: where its positions begin and how it ended.
    ends: Vec<Match>,
}

/// One match.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Match {
    first: usize,
    count: usize,
    points: Box<[u8]>,
}

/// A look at one match.
#[derive(Clone, Copy, Debug)]
pub struct Course<'a> {
    words: usize,
    states: &'a [u64],
    /// The points of every role.
    pub points: &'a [u8],
}

impl<'a> Course<'a> {
    /// How many positions there are, the end included.
    pub fn len(&self) -> usize {
        self.states.len() / self.words.max(1)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Up to so many plies, equally far apart, from a place that differs from match to match: neighbours tell the same story. The end is not one of
    /// them: everybody knows what it is worth.
    pub fn some(&self, count: usize, random: &mut Random) -> impl Iterator<Item = usize> + use<> {
        let open = self.len().saturating_sub(1);
        let step = (open / count.max(1)).max(1);
        (random.below(step)..open).step_by(step).take(count)
    }

    /// A position.
    pub fn position(&self, ply: usize) -> &'a [u64] {
        &self.states[ply * self.words..(ply + 1) * self.words]
    }

    /// All positions.
    pub fn positions(&self) -> Vec<&'a [u64]> {
        (0..self.len()).map(|ply| self.position(ply)).collect()
    }
}

impl Matches {
    /// Plays so many random matches from the beginning, or fewer if it is time to stop or there are positions enough. Those that come to no end within the limit are left out.
    pub fn play(
        machine: &Machine,
        count: usize,
        max_plies: u64,
        random: &mut Random,
        stop: &dyn Fn() -> bool,
    ) -> Result<Matches, Error> {
        let words = machine.initial().words().len();
        // Those that are played at once have their positions in memory together.
        let max_plies = max_plies.min((MOST_WORDS / (AT_ONCE * words.max(1))).clamp(100, MOST_PLIES) as u64);
        let mut this = Matches { words, states: Vec::new(), ends: Vec::new() };
        let mut lanes = machine.lanes(AT_ONCE);
        let mut left = count;
        while left > 0 && !this.is_full() && !stop() {
            let each = left.min(AT_ONCE);
            left -= each;
            let starts = std::slice::from_ref(machine.initial());
            let request = Request { starts, each: each as u64, max_plies, positions: true, manner: Manner::default() };
            lanes.reports(&request, random, &mut |ended| {
                let Some(points) = ended.points else { return };
                let first = this.states.len();
                ended.positions.iter().for_each(|state| this.states.extend_from_slice(state.words()));
                this.ends.push(Match { first, count: ended.positions.len(), points: points.into() });
            })?;
        }
        Ok(this)
    }

    /// Adds other matches of the same game.
    pub fn append(&mut self, other: Matches) {
        let Matches { words, states, ends } = other;
        self.words = words;
        let first = self.states.len();
        self.states.extend(states);
        self.ends.extend(ends.into_iter().map(|end| Match { first: end.first + first, ..end }));
    }

    /// Whether more positions would take too much memory.
    pub fn is_full(&self) -> bool {
        self.states.len() >= MOST_WORDS
    }

    /// How many matches there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The points that a role always had, if they were always the same.
    pub fn constant(&self, role: usize) -> Option<u8> {
        let mut all = self.ends.iter().map(|end| end.points[role]);
        let first = all.next()?;
        all.all(|points| points == first).then_some(first)
    }

    /// Whether there are two roles, which always had a hundred points together.
    pub fn is_shared(&self) -> bool {
        self.ends.iter().all(|end| matches!(*end.points, [one, two] if u32::from(one) + u32::from(two) == 100))
    }

    /// One of them.
    pub fn course(&self, index: usize) -> Course<'_> {
        let Match { first, count, points } = &self.ends[index];
        Course { words: self.words, states: &self.states[*first..first + count * self.words], points }
    }

    /// All of them.
    pub fn courses(&self) -> impl Iterator<Item = Course<'_>> {
        (0..self.len()).map(|index| self.course(index))
    }
}

/// The mean points of every role over random matches from some positions, in their order; nothing where no match ended.
pub fn outcomes(
    machine: &Machine,
    positions: &[&[u64]],
    each: usize,
    max_plies: u64,
    random: &mut Random,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<Option<Vec<f64>>>, Error> {
    let mut lanes = machine.lanes(AT_ONCE);
    let mut totals = Totals::default();
    let roles = machine.roles().len();
    let asked = Rollouts { starts: positions, each, shares: &[], max_plies, manner: Manner::default() };
    lanes.rollouts(&asked, random, stop, &mut totals)?;
    let mean = |start: usize| {
        let finished = totals.finished[start];
        let points = &totals.points[start * roles..(start + 1) * roles];
        (finished > 0).then(|| points.iter().map(|&sum| f64::from(sum) / f64::from(finished)).collect())
    };
    Ok((0..positions.len()).map(mean).collect())
}
