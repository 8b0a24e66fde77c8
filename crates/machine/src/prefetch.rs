//! Asking for memory before it is needed.
#![allow(unsafe_code)] // the instruction for it

/// Lets the processor fetch what will be read soon, where there is an instruction for that.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: it reads nothing and changes nothing but what is in the caches; the address is that of a value that is there.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast::<i8>()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// The same for what will be changed soon while other threads have it too: it is theirs no longer when it comes.
#[inline(always)]
pub fn prefetch_to_change<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: as above. The compiler makes an ordinary prefetch of its own function for this, as the oldest processors have no other; they pass over the
        // instruction.
        unsafe {
            std::arch::asm!("prefetchw byte ptr [{}]", in(reg) std::ptr::from_ref(place), options(nostack, preserves_flags, readonly));
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
