//! Ctrl-C as a question that long jobs ask, so that what they found is still printed.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From here on the first Ctrl-C only sets a flag; the second one ends the process at once.
pub(crate) fn listen() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .map_err(Into::into)
}

/// Whether Ctrl-C has been pressed since [`listen`].
pub(crate) fn is_requested() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// The sign itself, for searches that look at it.
pub(crate) fn sign() -> &'static AtomicBool {
    &INTERRUPTED
}
