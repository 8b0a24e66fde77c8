//! Four words side by side, for what is done in four ways at once. Left alone, compilers are now good at it, now make it slower than one by one.
#![allow(unsafe_code)] // vector instructions

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64 as x86;

pub(crate) trait Four: Copy {
    fn of(words: [u64; 4]) -> Self;
    fn all(word: u64) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    /// Without the bits of the other.
    fn and_not(self, other: Self) -> Self;
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn shl(self, by: Self) -> Self;
    fn shr(self, by: Self) -> Self;
    /// All bits where a word is 0, none where it is not.
    fn is_zero(self) -> Self;
    /// The bits that any of the words has.
    fn any(self) -> u64;
    /// Whether a bit is set anywhere.
    fn is_some(self) -> bool;
}

impl Four for [u64; 4] {
    #[inline(always)]
    fn of(words: [u64; 4]) -> Self {
        words
    }

    #[inline(always)]
    fn all(word: u64) -> Self {
        [word; 4]
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        std::array::from_fn(|index| self[index] & other[index])
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        std::array::from_fn(|index| self[index] | other[index])
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        std::array::from_fn(|index| self[index] & !other[index])
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        std::array::from_fn(|index| self[index].wrapping_add(other[index]))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        std::array::from_fn(|index| self[index].wrapping_sub(other[index]))
    }

    #[inline(always)]
    fn shl(self, by: Self) -> Self {
        std::array::from_fn(|index| self[index] << by[index])
    }

    #[inline(always)]
    fn shr(self, by: Self) -> Self {
        std::array::from_fn(|index| self[index] >> by[index])
    }

    #[inline(always)]
    fn is_zero(self) -> Self {
        self.map(|word| if word == 0 { u64::MAX } else { 0 })
    }

    #[inline(always)]
    fn any(self) -> u64 {
        self[0] | self[1] | self[2] | self[3]
    }

    #[inline(always)]
    fn is_some(self) -> bool {
        self.any() != 0
    }
}

/// Every operation is one instruction of AVX2, or two.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct Vector(x86::__m256i);

/// A call of vector instructions.
#[cfg(target_arch = "x86_64")]
macro_rules! vector {
    ($call:expr) => {
        // SAFETY: `hand::play` names this type only where it has seen that the processor has the instructions.
        unsafe { $call }
    };
}

#[cfg(target_arch = "x86_64")]
impl Four for Vector {
    #[inline(always)]
    fn of(words: [u64; 4]) -> Self {
        let [a, b, c, d] = words.map(u64::cast_signed);
        Vector(vector!(x86::_mm256_setr_epi64x(a, b, c, d)))
    }

    #[inline(always)]
    fn all(word: u64) -> Self {
        Vector(vector!(x86::_mm256_set1_epi64x(word.cast_signed())))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Vector(vector!(x86::_mm256_and_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Vector(vector!(x86::_mm256_or_si256(self.0, other.0)))
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        Vector(vector!(x86::_mm256_andnot_si256(other.0, self.0)))
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Vector(vector!(x86::_mm256_add_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Vector(vector!(x86::_mm256_sub_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn shl(self, by: Self) -> Self {
        Vector(vector!(x86::_mm256_sllv_epi64(self.0, by.0)))
    }

    #[inline(always)]
    fn shr(self, by: Self) -> Self {
        Vector(vector!(x86::_mm256_srlv_epi64(self.0, by.0)))
    }

    #[inline(always)]
    fn is_zero(self) -> Self {
        Vector(vector!(x86::_mm256_cmpeq_epi64(self.0, x86::_mm256_setzero_si256())))
    }

    #[inline(always)]
    fn any(self) -> u64 {
        let halves = vector!(x86::_mm_or_si128(x86::_mm256_castsi256_si128(self.0), x86::_mm256_extracti128_si256::<1>(self.0)));
        let word = vector!(x86::_mm_cvtsi128_si64(x86::_mm_or_si128(halves, x86::_mm_unpackhi_epi64(halves, halves))));
        word.cast_unsigned()
    }

    #[inline(always)]
    fn is_some(self) -> bool {
        vector!(x86::_mm256_testz_si256(self.0, self.0)) == 0
    }
}
