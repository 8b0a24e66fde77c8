//! What evaluation functions promise, method by method.

mod clune;
mod explain;
mod guided;
mod learned;
mod rows;
mod support;
