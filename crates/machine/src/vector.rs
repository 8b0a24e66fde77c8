//! Work on many states at once with all instructions that this machine's processor has, for those who bring work of their own.

use crate::bits;

/// Something that is done with words of many bits. What it calls must be `#[inline(always)]` throughout: it is compiled once for each kind of processor, and what is
/// called from elsewhere is compiled for any.
pub trait Job {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run(self) -> Self::Output;
}

/// Does a job.
#[inline]
pub fn run<J: Job>(job: J) -> J::Output {
    bits::run(job)
}

/// How many sums [`add_where`] adds to.
pub const SUMS: usize = bits::TOGETHER;

/// Adds numbers to those of [`SUMS`] sums for which their bits are set, one number after the other, so that the sums are the same on every processor.
pub fn add_where(numbers: &[(u64, f32)], sums: &mut [f32; SUMS]) {
    bits::add_where(numbers, sums);
}

#[cfg(test)]
mod tests {
    use super::{Job, SUMS, add_where, run};

    struct Double(u64);

    impl Job for Double {
        type Output = u64;

        #[inline(always)]
        fn run(self) -> u64 {
            2 * self.0
        }
    }

    #[test]
    fn jobs_are_done_and_bits_say_where() {
        assert_eq!(run(Double(4)), 8);
        let mut sums = [1.0; SUMS];
        add_where(&[(1, 2.0), (1 << 63 | 1, 0.5)], &mut sums);
        assert_eq!((sums[0], sums[1], sums[63]), (3.5, 1.0, 1.5));
    }
}
