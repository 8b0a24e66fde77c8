//! The binary as its users see it: exit codes, JSON keys, error texts, and inputs that nobody means well with.

mod arena;
mod bench;
mod check;
mod commands;
mod eval;
mod experiment;
mod games;
mod hostile;
mod manage;
mod matches;
mod play;
mod player;
mod players;
mod search;
mod show;
mod support;
mod tournament;
mod verify;
