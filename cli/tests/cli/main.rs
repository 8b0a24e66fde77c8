//! The binary as its users see it: exit codes, JSON keys, error texts, and inputs that nobody means well with.

mod bench;
mod check;
mod commands;
mod games;
mod hostile;
mod show;
mod support;
mod verify;
