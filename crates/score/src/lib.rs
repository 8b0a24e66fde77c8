//! What positions are worth: [`Evaluator`]s give every role points for a state that need not be the end.
//!
//! Most are weighted sums of what can be counted in a state. [`Vocabulary`] tells the tables that states are made of, [`Pattern`] and [`Feature`] what is
//! counted, [`Function`] is a sum that people can read, and [`Weighed`] the same for searches. [`guided`], [`rows`], [`clune`] and [`learned`] are methods to
//! find one from the rules and from play.

pub mod clune;
mod constants;
mod derived;
mod distance;
mod evaluator;
mod explain;
mod feature;
mod function;
mod goal;
pub mod guided;
mod invention;
pub mod learned;
mod linear;
mod lines;
mod method;
mod null;
mod partial;
mod pattern;
mod patterns;
mod phase;
mod playouts;
mod reading;
mod refusal;
mod reliability;
pub mod rows;
mod sample;
pub mod symmetry;
mod vocabulary;

pub use derived::{Atoms, Derived};
pub use distance::Distance;
pub use evaluator::Evaluator;
pub use explain::{Accountant, Balance, Part, View, changes};
pub use feature::Feature;
pub use function::{Account, Function, Link, Term, Weighed};
pub use goal::Goal;
pub use invention::{Invention, Section};
pub use linear::{Drift, Gauge, Linear, Sums};
pub use lines::{Family, Lines, Live, Purpose};
pub use method::{Invented, Method};
pub use null::Null;
pub use partial::{Conjunction, Partial};
pub use pattern::Pattern;
pub use phase::Phase;
pub use playouts::Playouts;
pub use refusal::Refusal;
pub use reliability::reliability;
pub use sample::{Course, Matches, outcomes};
pub use vocabulary::{FluentId, Row, SymbolId, Table, TableId, Vocabulary};
