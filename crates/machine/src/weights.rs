//! Numbers that fluents add to sums.

/// What every fluent adds to each of several sums, where that is anything: see [`Lanes::weigh`](crate::Lanes::weigh).
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Per sum: fluents by number, ascending, and what each adds.
    sums: Vec<Vec<(u32, f32)>>,
}

impl Weights {
    /// From lists of a number for every fluent, one for each sum.
    pub fn new(sums: &[&[f32]]) -> Weights {
        let some = |numbers: &&[f32]| {
            let all = numbers.iter().enumerate().map(|(fluent, &number)| (fluent as u32, number));
            all.filter(|&(_, number)| number != 0.0).collect()
        };
        Weights { sums: sums.iter().map(some).collect() }
    }

    /// How many sums there are.
    pub fn sums(&self) -> usize {
        self.sums.len()
    }

    /// Numbers that are not nothing, of all sums.
    pub fn len(&self) -> usize {
        self.sums.iter().map(Vec::len).sum()
    }

    /// Whether nothing is ever added.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What fluents add to one of the sums.
    pub(crate) fn of(&self, sum: usize) -> &[(u32, f32)] {
        &self.sums[sum]
    }
}
