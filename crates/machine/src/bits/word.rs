//! Machine words that hold one bit of every lane.

/// A row of bits, one per lane.
pub(super) trait Word: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// How many lanes it holds.
    const LANES: usize;
    const ZERO: Self;
    const ONES: Self;
    fn and(self, other: Self) -> Self;
    /// This and not the other.
    fn and_not(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn not(self) -> Self;
    fn is_zero(self) -> bool;
    /// Sums of 64 bits each, what does not fit lost.
    fn add(self, other: Self) -> Self;
    /// Every 64 bits turned to the left.
    fn rotate<const BY: i32>(self) -> Self;
    /// Every 64 bits shifted to the left.
    fn shift<const BY: i32>(self) -> Self;
    /// Every 64 bits shifted to the right.
    fn shift_back<const BY: i32>(self) -> Self;
    /// The bits, 64 lanes at a time.
    fn part(&self, index: usize) -> u64;
    fn set_part(&mut self, index: usize, bits: u64);

    /// The same 64 bits again and again.
    #[inline(always)]
    fn repeat(bits: u64) -> Self {
        let mut word = Self::ZERO;
        for part in 0..Self::LANES / 64 {
            word.set_part(part, bits);
        }
        word
    }

    /// Where at least two of three are set.
    #[inline(always)]
    fn majority(self, two: Self, three: Self) -> Self {
        self.and(two).or(three.and(self.xor(two)))
    }

    /// The bits at the places of a mask, side by side.
    #[inline(always)]
    fn compress(bits: u64, mask: u64) -> u64 {
        compress(bits, mask)
    }

    #[inline(always)]
    fn bit(&self, lane: usize) -> bool {
        self.part(lane / 64) >> (lane % 64) & 1 == 1
    }

    #[inline(always)]
    fn set_bit(&mut self, lane: usize, value: bool) {
        let (index, shift) = (lane / 64, lane % 64);
        let bits = self.part(index) & !(1 << shift) | u64::from(value) << shift;
        self.set_part(index, bits);
    }
}

/// The bits at the places of a mask, side by side, one after the other.
#[inline(always)]
fn compress(bits: u64, mut mask: u64) -> u64 {
    let (mut packed, mut at) = (0, 0);
    while mask != 0 {
        packed |= (bits >> mask.trailing_zeros() & 1) << at;
        at += 1;
        mask &= mask - 1;
    }
    packed
}

/// How many lanes are set.
#[inline(always)]
pub(super) fn count<W: Word>(lanes: W) -> u64 {
    (0..W::LANES / 64).map(|part| u64::from(lanes.part(part).count_ones())).sum()
}

/// At most so many of the lanes.
#[inline(always)]
pub(super) fn lowest<W: Word>(lanes: W, mut most: u64) -> W {
    if most >= W::LANES as u64 {
        return lanes;
    }
    let mut some = W::ZERO;
    for part in 0..W::LANES / 64 {
        let mut bits = lanes.part(part);
        while u64::from(bits.count_ones()) > most {
            bits &= !(1 << bits.ilog2());
        }
        most -= u64::from(bits.count_ones());
        some.set_part(part, bits);
    }
    some
}

/// Calls back with every lane that is set.
#[inline(always)]
pub(super) fn each_lane<W: Word>(lanes: W, mut visit: impl FnMut(usize)) {
    for part in 0..W::LANES / 64 {
        let mut bits = lanes.part(part);
        while bits != 0 {
            visit(part * 64 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
        }
    }
}

macro_rules! word {
    ($name:ident, $parts:literal, $align:literal) => {
        #[derive(Clone, Copy, Debug)]
        #[repr(C, align($align))]
        pub(super) struct $name([u64; $parts]);

        impl Word for $name {
            const LANES: usize = $parts * 64;
            const ZERO: Self = $name([0; $parts]);
            const ONES: Self = $name([u64::MAX; $parts]);

            #[inline(always)]
            fn and(mut self, other: Self) -> Self {
                for (one, two) in self.0.iter_mut().zip(other.0) {
                    *one &= two;
                }
                self
            }

            #[inline(always)]
            fn and_not(mut self, other: Self) -> Self {
                for (one, two) in self.0.iter_mut().zip(other.0) {
                    *one &= !two;
                }
                self
            }

            #[inline(always)]
            fn or(mut self, other: Self) -> Self {
                for (one, two) in self.0.iter_mut().zip(other.0) {
                    *one |= two;
                }
                self
            }

            #[inline(always)]
            fn xor(mut self, other: Self) -> Self {
                for (one, two) in self.0.iter_mut().zip(other.0) {
                    *one ^= two;
                }
                self
            }

            #[inline(always)]
            fn not(mut self) -> Self {
                self.0.iter_mut().for_each(|part| *part = !*part);
                self
            }

            #[inline(always)]
            fn add(mut self, other: Self) -> Self {
                for (one, two) in self.0.iter_mut().zip(other.0) {
                    *one = one.wrapping_add(two);
                }
                self
            }

            #[inline(always)]
            fn rotate<const BY: i32>(mut self) -> Self {
                self.0.iter_mut().for_each(|part| *part = part.rotate_left(BY.unsigned_abs()));
                self
            }

            #[inline(always)]
            fn shift<const BY: i32>(mut self) -> Self {
                self.0.iter_mut().for_each(|part| *part <<= BY);
                self
            }

            #[inline(always)]
            fn shift_back<const BY: i32>(mut self) -> Self {
                self.0.iter_mut().for_each(|part| *part >>= BY);
                self
            }

            #[inline(always)]
            fn is_zero(self) -> bool {
                self.0.iter().fold(0, |all, part| all | part) == 0
            }

            #[inline(always)]
            fn part(&self, index: usize) -> u64 {
                self.0[index]
            }

            #[inline(always)]
            fn set_part(&mut self, index: usize, bits: u64) {
                self.0[index] = bits;
            }
        }
    };
}

word!(W64, 1, 8);
// Elsewhere compilers find the vector instructions by themselves. For x86 they must be told: they would gather 64 bits of many slots at a time
// instead of reading each slot as a whole.
#[cfg(not(target_arch = "x86_64"))]
word!(W128, 2, 16);

#[cfg(target_arch = "x86_64")]
mod x86 {
    #![allow(unsafe_code)] // vector instructions
    use super::{Word, compress};
    use std::arch::x86_64::{
        __m128i, __m256i, __m512i, _mm_add_epi64, _mm_and_si128, _mm_andnot_si128, _mm_cvtsi32_si128, _mm_or_si128,
        _mm_sll_epi64, _mm_srl_epi64, _mm_xor_si128, _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256, _mm256_or_si256,
        _mm256_sll_epi64, _mm256_srl_epi64, _mm256_xor_si256, _mm512_add_epi64, _mm512_and_si512, _mm512_andnot_si512,
        _mm512_or_si512, _mm512_sll_epi64, _mm512_srl_epi64, _mm512_ternarylogic_epi64, _mm512_xor_si512, _pext_u64,
    };

    macro_rules! vector {
        (
            $name:ident, $vector:ident, $parts:literal, $and:ident, $andnot:ident, $or:ident, $xor:ident, $add:ident,
            $shl:ident, $shr:ident $(, $majority:item)?
        ) => {
            #[derive(Clone, Copy, Debug)]
            #[repr(transparent)]
            pub(in crate::bits) struct $name($vector);

            // SAFETY of all blocks: such words are used only where the processor has been seen to have the instructions for them
            // (`Processor::detect`), and a vector of integers is as good as an array of as many bits.
            impl Word for $name {
                const LANES: usize = $parts * 64;
                // SAFETY: see above.
                const ZERO: Self = $name(unsafe { std::mem::transmute::<[u64; $parts], $vector>([0; $parts]) });
                // SAFETY: see above.
                const ONES: Self = $name(unsafe { std::mem::transmute::<[u64; $parts], $vector>([u64::MAX; $parts]) });

                #[inline(always)]
                fn and(self, other: Self) -> Self {
                    // SAFETY: see above.
                    $name(unsafe { $and(self.0, other.0) })
                }

                #[inline(always)]
                fn and_not(self, other: Self) -> Self {
                    // SAFETY: see above. The instruction inverts its first operand.
                    $name(unsafe { $andnot(other.0, self.0) })
                }

                #[inline(always)]
                fn or(self, other: Self) -> Self {
                    // SAFETY: see above.
                    $name(unsafe { $or(self.0, other.0) })
                }

                #[inline(always)]
                fn xor(self, other: Self) -> Self {
                    // SAFETY: see above.
                    $name(unsafe { $xor(self.0, other.0) })
                }

                #[inline(always)]
                fn not(self) -> Self {
                    self.xor(Self::ONES)
                }

                #[inline(always)]
                fn add(self, other: Self) -> Self {
                    // SAFETY: see above.
                    $name(unsafe { $add(self.0, other.0) })
                }

                #[inline(always)]
                fn rotate<const BY: i32>(self) -> Self {
                    // SAFETY: see above.
                    $name(unsafe { $or($shl(self.0, _mm_cvtsi32_si128(BY)), $shr(self.0, _mm_cvtsi32_si128(64 - BY))) })
                }

                #[inline(always)]
                fn shift<const BY: i32>(self) -> Self {
                    // SAFETY: see above.
                    $name(unsafe { $shl(self.0, _mm_cvtsi32_si128(BY)) })
                }

                #[inline(always)]
                fn shift_back<const BY: i32>(self) -> Self {
                    // SAFETY: see above.
                    $name(unsafe { $shr(self.0, _mm_cvtsi32_si128(BY)) })
                }

                $(#[inline(always)]
                $majority)?

                #[inline(always)]
                fn compress(bits: u64, mask: u64) -> u64 {
                    // SAFETY: see above; the instruction comes with those for 256 bits.
                    if $parts > 2 { unsafe { _pext_u64(bits, mask) } } else { compress(bits, mask) }
                }

                #[inline(always)]
                fn is_zero(self) -> bool {
                    (0..$parts).fold(0, |all, index| all | self.part(index)) == 0
                }

                #[inline(always)]
                fn part(&self, index: usize) -> u64 {
                    // SAFETY: see above. Words in memory are not read as a whole.
                    let parts = unsafe { &*(&raw const self.0).cast::<[u64; $parts]>() };
                    parts[index]
                }

                #[inline(always)]
                fn set_part(&mut self, index: usize, bits: u64) {
                    // SAFETY: see above. Words in memory are not written as a whole.
                    let parts = unsafe { &mut *(&raw mut self.0).cast::<[u64; $parts]>() };
                    parts[index] = bits;
                }
            }
        };
    }

    vector!(
        W128,
        __m128i,
        2,
        _mm_and_si128,
        _mm_andnot_si128,
        _mm_or_si128,
        _mm_xor_si128,
        _mm_add_epi64,
        _mm_sll_epi64,
        _mm_srl_epi64
    );
    vector!(
        W256,
        __m256i,
        4,
        _mm256_and_si256,
        _mm256_andnot_si256,
        _mm256_or_si256,
        _mm256_xor_si256,
        _mm256_add_epi64,
        _mm256_sll_epi64,
        _mm256_srl_epi64
    );
    vector!(
        W512,
        __m512i,
        8,
        _mm512_and_si512,
        _mm512_andnot_si512,
        _mm512_or_si512,
        _mm512_xor_si512,
        _mm512_add_epi64,
        _mm512_sll_epi64,
        _mm512_srl_epi64,
        fn majority(self, two: Self, three: Self) -> Self {
            // SAFETY: as for all others. One instruction, which compilers do not find by themselves.
            W512(unsafe { _mm512_ternarylogic_epi64::<0xe8>(self.0, two.0, three.0) })
        }
    );
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{W128, W256, W512};
