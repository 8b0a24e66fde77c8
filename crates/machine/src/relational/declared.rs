//! What a sheet says can ever hold and ever be played: its `base` and `input`.

use super::compile::{Compiler, Definitions};
use super::order::Order;
use super::registry::{NONE, Replica, Shared};
use super::run::Core;
use super::{statics, term_text};
use crate::{Error, Limits};
use ludens_gdl::{Keyword, Rules};
use std::sync::Arc;

/// The fluents and moves that a sheet declares. Engines do not rely on them; people and checks do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    /// Every fluent of `base`, as text, sorted.
    pub fluents: Vec<String>,
    /// Every role and move of `input`, as text, sorted.
    pub moves: Vec<(String, String)>,
}

impl Declared {
    /// Lists what the sheet declares; a sheet without `base` or `input` declares nothing.
    pub fn of(rules: &Rules, limits: &Limits) -> Result<Declared, Error> {
        let shared = Arc::new(Shared::new(limits.terms));
        let mut replica = Replica::new(&shared);
        let mut definitions = Definitions::new(rules, &mut replica)?;
        statics::list_statics(rules, &mut definitions, &mut replica, limits);
        let names = rules.names.texts();
        // Large terms that occur in many rows are few as terms, but not as text.
        let mut room = limits.bytes;
        let mut list = |keyword| -> Result<Vec<Vec<String>>, Error> {
            let Some(relation) = rules.keyword(keyword) else { return Ok(Vec::new()) };
            let order = Order::Unknowns(rules);
            let (program, goals) = Compiler::new(rules, &definitions, &mut replica, &order, &|_, _| true).listing(&[relation])?;
            let mut core = Core::new(&program, replica.take(), &[], limits);
            let asked = core.ask(goals[0], &[], limits.steps);
            let (arity, arena) = (rules.relation(relation).arity, program.goals[goals[0] as usize].arena);
            let mut rows = Vec::new();
            let mut row = asked.as_ref().map_or(NONE, |answers| answers.head);
            let mut fits = true;
            while row != NONE && fits {
                let values = core.tables.values(arena, row, arity);
                let texts: Vec<String> = values.iter().map(|&term| term_text(&names, &core.replica, term)).collect();
                let left = room.checked_sub(texts.iter().map(String::len).sum());
                fits = left.is_some();
                room = left.unwrap_or(0);
                rows.push(texts);
                row = core.tables.next(arena, row);
            }
            let relation = core.describe(goals[0]);
            replica.give_back(core.replica);
            asked?;
            if !fits {
                return Err(Error::Limit { what: "bytes", limit: limits.bytes as u64, relation });
            }
            rows.sort_unstable();
            Ok(rows)
        };
        let fluents = list(Keyword::Base)?.into_iter().flatten().collect();
        let moves =
            list(Keyword::Input)?.into_iter().filter_map(|row| <[String; 2]>::try_from(row).ok().map(<(String, String)>::from));
        Ok(Declared { fluents, moves: moves.collect() })
    }
}
