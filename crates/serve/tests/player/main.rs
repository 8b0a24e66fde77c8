//! The player as hosts see it: through messages, and through bytes.

mod session;
mod support;
