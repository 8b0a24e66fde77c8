//! GDL text in, checked [`Rules`] out.
//!
//! The stages, each a plain function and a type of its own: text -> [`Syntax`] ([`parse`]) -> [`Rules`] ([`lower`],
//! which validates). Everything a person wrote wrongly comes back as [`Diagnostic`]s with spans, several at once;
//! nothing in this crate panics on bad input, recurses without a limit, or prints.

mod check;
mod code;
mod depends;
mod diagnostic;
mod excerpt;
mod expand;
mod forms;
mod graph;
mod ground;
mod limits;
mod lines;
mod lower;
mod parse;
mod points;
mod print;
mod read;
mod report;
mod rules;
mod strata;
mod syntax;
mod text;
mod uses;
mod wording;
mod words;

pub use code::Code;
pub use diagnostic::{Diagnostic, Severity, Span};
pub use graph::Graph;
pub use ground::{GroundError, GroundTerm, parse_ground, parse_ground_list};
pub use limits::Limits;
pub use lines::{LineIndex, Position};
pub use lower::lower;
pub use parse::parse;
pub use points::points;
pub use read::{Reading, decode, read};
pub use report::{Finding, Report, plain_text};
pub use rules::{Atom, Depends, Keyword, Literal, Names, Relation, RelationId, Rule, Rules, Symbol, Term, VarId};
pub use strata::Stratum;
pub use syntax::{Node, NodeId, Syntax, WordId};
pub use text::term_text;
pub use wording::legible;
