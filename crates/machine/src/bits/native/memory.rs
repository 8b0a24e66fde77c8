//! Memory that holds code.
#![allow(unsafe_code)] // calling what was written there

use memmap2::{Mmap, MmapMut};

/// A function in memory of its own, which is no longer written to.
#[derive(Debug)]
pub(super) struct Function {
    code: Mmap,
}

impl Function {
    /// None where the system does not allow it, or the processor is of another kind.
    pub(super) fn new(code: &[u8]) -> Option<Function> {
        if !cfg!(target_arch = "x86_64") {
            return None;
        }
        let mut memory = MmapMut::map_anon(code.len()).ok()?;
        memory.copy_from_slice(code);
        Some(Function { code: memory.make_exec().ok()? })
    }

    /// Calls the code.
    ///
    /// # Safety
    /// The code is a function of three addresses by the rules of System V, the processor has its instructions, and it reads and writes only
    /// what the addresses lead to.
    #[cfg(target_arch = "x86_64")]
    pub(super) unsafe fn call(&self, from: *const u8, to: *mut u8, scratch: *mut u8) {
        // SAFETY: the memory is executable, stays as it is while we live, and holds a function of this kind: the caller says so.
        unsafe {
            let function: extern "sysv64" fn(*const u8, *mut u8, *mut u8) = std::mem::transmute(self.code.as_ptr());
            function(from, to, scratch);
        }
    }

    /// There is no code for other processors.
    ///
    /// # Safety
    /// It does nothing.
    #[cfg(not(target_arch = "x86_64"))]
    pub(super) unsafe fn call(&self, _: *const u8, _: *mut u8, _: *mut u8) {
        unreachable!("no code is made for this processor, {} bytes", self.code.len());
    }
}
