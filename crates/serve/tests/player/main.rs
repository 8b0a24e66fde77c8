//! The player as hosts see it: through messages, and through bytes.

mod bytes;
mod hostile;
mod session;
mod support;
mod trouble;
