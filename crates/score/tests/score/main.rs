//! What evaluation functions promise, method by method.

mod explain;
mod guided;
mod learned;
mod rows;
mod support;
