//! What evaluation functions promise, method by method.

mod guided;
mod learned;
mod rows;
mod support;
