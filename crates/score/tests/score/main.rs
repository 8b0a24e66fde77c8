//! What evaluation functions promise, method by method.

mod clune;
mod derived;
mod explain;
mod guided;
mod learned;
mod lines;
mod partial;
mod rows;
mod sums;
mod support;
mod symmetry;
