//! What positions are worth: [`Evaluator`]s give every role points for a state that need not be the end.

mod evaluator;
mod goal;
mod null;
mod playouts;

pub use evaluator::Evaluator;
pub use goal::Goal;
pub use null::Null;
pub use playouts::Playouts;
