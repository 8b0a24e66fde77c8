//! The steps of a goal that go through what there is: fluents, moves, answers, static relations.

use super::dialect::Language;
use super::step::{Steps, lifetime_name};
use crate::relational::key_map::{HASHED, NEVER};
use crate::relational::plan::{Op, Run};

impl Steps<'_> {
    pub(super) fn scan(&mut self, op: Op, at: u32) {
        match op {
            Op::FluentScan { index, key, iterator, .. } => {
                let (key, next) = (self.values(key), self.register(iterator + 1));
                self.line(&format!("{next} = first_in(g, {index}, {key});"));
            }
            Op::BucketScan { bucket, iterator, .. } => {
                let next = self.register(iterator + 1);
                self.line(&format!("{next} = first_of(g, {bucket});"));
            }
            Op::FluentNext { link, actions, iterator, fail } => {
                let (taken, next) = (self.register(iterator), self.register(iterator + 1));
                self.label(at);
                self.go_if(&format!("{next} == NONE"), fail);
                self.line(&format!("{taken} = {next};"));
                self.line(&format!("{next} = next_in(g, {taken}, {link});"));
                for pair in self.run(actions).chunks_exact(2) {
                    self.act(pair[1], &format!("column(g, {taken}, {})", pair[0]), at);
                }
            }
            Op::StateScan { iterator } | Op::DoesScan { iterator } => {
                let iterator = self.register(iterator);
                self.line(&format!("{iterator} = 0;"));
            }
            Op::StateNext { action, iterator, fail } => {
                let iterator = self.register(iterator);
                self.label(at);
                self.go_if(&format!("{iterator} >= count_current(g)"), fail);
                self.line(&format!("f = fluent_term(g, current_at(g, {iterator}));"));
                self.line(&format!("{iterator} += 1;"));
                self.act(action, "f", at);
            }
            Op::DoesNext { role, action, iterator, fail } => {
                let iterator = self.register(iterator);
                self.label(at);
                self.go_if(&format!("{iterator} == {}", self.roles.len()), fail);
                self.line(&format!("f = {iterator};"));
                self.line(&format!("{iterator} += 1;"));
                self.act(role, "role_at(f)", at);
                self.act(action, "joint_of(g, f)", at);
            }
            Op::AnswerScan { goal, args, iterator } => {
                self.burn();
                let (call, iterator) = (self.call(goal, args, false), self.register(iterator));
                self.line(&format!("{iterator} = {call};"));
            }
            Op::AnswerNext { goal, actions, iterator, fail } => {
                let arena = lifetime_name(self.program.goals[goal as usize].arena);
                let iterator = self.register(iterator);
                self.label(at);
                self.go_if(&format!("{iterator} == NONE"), fail);
                self.line(&format!("f = {iterator};"));
                self.line(&format!("{iterator} = next_row(g, {arena}, f);"));
                for (i, &action) in self.run(actions).iter().enumerate() {
                    self.act(action, &format!("row_value(g, {arena}, f, {i})"), at);
                }
            }
            _ => {}
        }
    }

    pub(super) fn fact(&mut self, op: Op, at: u32) {
        match op {
            Op::InFacts { facts, key, not, fail } => {
                let width = self.program.facts[facts as usize].members.width;
                match self.look_up(&format!("f{facts}"), key, width) {
                    Some(found) => self.go_if(&format!("{found} {} NONE", if not { "!=" } else { "==" }), fail),
                    None if not => {}
                    None => self.never(fail),
                }
            }
            Op::FactScan { index, key, iterator, fail, .. } => {
                self.group(index, key, fail);
                let (next, end) = (self.register(iterator), self.register(iterator + 1));
                let starts = format!("x{index}_starts");
                self.line(&format!("{next} = {};", self.language.at(&starts, "f")));
                self.line(&format!("{end} = {};", self.language.at(&starts, "f + 1")));
            }
            Op::FactLookUp { index, key, actions, fail } => {
                self.group(index, key, fail);
                self.line(&format!("f = {};", self.language.at(&format!("x{index}_starts"), "f")));
                self.take_row(index, actions, fail);
            }
            Op::FactNext { index, actions, iterator, fail } => {
                let (next, end) = (self.register(iterator), self.register(iterator + 1));
                self.label(at);
                self.go_if(&format!("{next} == {end}"), fail);
                self.line(&format!("f = {next};"));
                self.line(&format!("{next} += {};", actions.len));
                self.take_row(index, actions, at);
            }
            _ => {}
        }
    }

    /// Puts the number of a group of a static relation into `f`.
    fn group(&mut self, index: u32, key: Run, fail: u32) {
        let width = self.program.fact_indexes[index as usize].map.width;
        if let Some(found) = self.look_up(&format!("x{index}"), key, width) {
            self.line(&format!("f = {found};"));
            self.go_if("f == NONE", fail);
        } else {
            self.line("f = 0;");
            self.never(fail);
        }
    }

    fn never(&mut self, fail: u32) {
        let condition = self.language.truth(true);
        self.go_if(condition, fail);
    }

    fn take_row(&mut self, index: u32, actions: Run, miss: u32) {
        for (i, &action) in self.run(actions).iter().enumerate() {
            let column = self.language.at(&format!("x{index}_rows"), &format!("f + {i}"));
            self.act(action, &column, miss);
        }
    }

    /// Looks a compiled key up in a static table: an expression, or nothing where it can never be found.
    fn look_up(&mut self, table: &str, key: Run, width: usize) -> Option<String> {
        let (head, rest) = self.run(key).split_first()?;
        match *head {
            NEVER => None,
            HASHED => {
                let values: Vec<String> = rest.iter().map(|&source| self.value(source)).collect();
                let values = self.language.list(&values);
                let (by_ref, size) = (self.by_ref(), format!("{table}_size"));
                Some(format!("find_static_hashed({by_ref}{table}_keys, {by_ref}{table}_table, {size}, {values})"))
            }
            head => {
                let mut values = Vec::new();
                for pair in rest.chunks_exact(2) {
                    values.extend([self.language.number(pair[1]), self.register(pair[0])]);
                }
                let values = self.language.list(&values);
                let by_ref = self.by_ref();
                Some(format!("find_static({by_ref}{table}_scaled, {width}, {by_ref}{table}_dense, {head}, {values})"))
            }
        }
    }

    fn by_ref(&self) -> &'static str {
        if self.language == Language::Rust { "&" } else { "" }
    }
}
