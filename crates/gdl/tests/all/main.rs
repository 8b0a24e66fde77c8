//! The front end from outside, on sheets.

mod common;
mod conformance;
mod public;
mod roundtrip;
mod sheets;
mod stress;
