//! What positions are worth: [`Evaluator`]s give every role points for a state that need not be the end.
//!
//! Most are weighted sums of what can be counted in a state. [`Vocabulary`] tells the tables that states are made of, [`Pattern`] and [`Feature`] what is
//! counted, [`Function`] is a sum that people can read, and [`Weighed`] the same for searches. [`guided`] and [`clune`] are
//! methods to find one from the rules and from random play.

pub mod clune;
mod distance;
mod evaluator;
mod feature;
mod function;
mod goal;
pub mod guided;
mod linear;
mod null;
mod pattern;
mod playouts;
mod refusal;
mod sample;
mod vocabulary;

pub use distance::Distance;
pub use evaluator::Evaluator;
pub use feature::Feature;
pub use function::{Account, Function, Link, Term, Weighed};
pub use goal::Goal;
pub use linear::{Linear, Sums};
pub use null::Null;
pub use pattern::Pattern;
pub use playouts::Playouts;
pub use refusal::Refusal;
pub use sample::{Course, Matches, outcomes};
pub use vocabulary::{FluentId, Row, SymbolId, Table, TableId, Vocabulary};
