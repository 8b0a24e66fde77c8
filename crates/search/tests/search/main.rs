//! What searches promise, on games of the library, on random small games, and against a solver that goes through everything.

mod calm;
mod choose;
mod depth;
mod guct;
mod mc;
mod narrow;
mod pupil;
mod puzzle;
mod solver;
mod spec;
mod support;
mod uct;
