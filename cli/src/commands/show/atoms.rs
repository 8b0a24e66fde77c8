//! `ludens show --stage atoms`: how grounding went.

use super::cannot_ground;
use crate::measure::ProcessWatch;
use crate::sheet::Sheet;
use crate::words::{number, visible};
use anyhow::{Context, Result};
use comfy_table::{CellAlignment, Table, presets};
use ludens_ground::{Net, RelationGrowth, RuleGrowth, ground_watched, phases};
use ludens_machine::GroundLimits;
use serde::Serialize;
use std::cmp::Reverse;
use std::fmt::Write as _;

/// Relations and rules that a text lists; JSON has more of them.
const LISTED: usize = 20;
const LISTED_IN_JSON: usize = 10_000;

#[derive(Serialize)]
pub(super) struct Report {
    game: String,
    passes: Vec<PassLine>,
    /// Most atoms first.
    relations: Vec<RelationLine>,
    /// Most conditions first, then most atoms.
    rules: Vec<RuleLine>,
    /// How many relations and rules there are, where not all are listed.
    all_relations: usize,
    error: Option<String>,
}

/// What there was at the end of a pass.
#[derive(Serialize)]
struct PassLine {
    name: &'static str,
    /// Whether it went to its end.
    complete: bool,
    cpu_seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    grounder: Option<SizesLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    net: Option<NetLine>,
}

#[derive(Serialize)]
struct SizesLine {
    terms: usize,
    atoms: usize,
    instances: usize,
    conditions: usize,
    rows: u64,
    /// As the limit counts it: an estimate.
    bytes: usize,
}

#[derive(Serialize)]
struct NetLine {
    gates: usize,
    fan_in: usize,
}

#[derive(Serialize)]
struct RelationLine {
    relation: String,
    kind: &'static str,
    atoms: usize,
}

#[derive(Serialize)]
struct RuleLine {
    rule: String,
    conditions: u64,
    instances: u64,
    atoms: u64,
    rows: u64,
}

impl Report {
    /// Grounds a sheet and notes how that goes; the error, where it fails, is the job's.
    pub(super) fn new(sheet: &Sheet, read_seconds: f64) -> Result<(Report, Result<()>)> {
        let rules = sheet.valid_rules()?;
        let mut passes = vec![PassLine::plain("read", read_seconds)];
        let mut growth: Option<(Vec<RelationGrowth>, Vec<RuleGrowth>)> = None;
        let mut watch = ProcessWatch::start();
        let outcome = ground_watched(rules, &GroundLimits::default(), &mut |pass| {
            let line = PassLine::plain(pass.name, watch.seconds());
            let grounder = pass.sizes().map(|sizes| SizesLine {
                terms: sizes.terms,
                atoms: sizes.atoms,
                instances: sizes.instances,
                conditions: sizes.conditions,
                rows: sizes.steps,
                bytes: sizes.bytes,
            });
            let net = pass.net().map(Net::size).map(|(gates, fan_in)| NetLine { gates, fan_in });
            passes.push(PassLine { complete: pass.is_complete, grounder, net, ..line });
            if pass.sizes().is_some() && (!pass.is_complete || pass.name == "instances") {
                growth = Some((pass.relations(), pass.rules(LISTED_IN_JSON)));
            }
            // What was done here is no part of the next pass.
            watch = ProcessWatch::start();
        });
        let outcome = outcome.with_context(|| cannot_ground(sheet));
        if let Ok(net) = &outcome {
            watch = ProcessWatch::start();
            let phases = phases(net);
            let (gates, fan_in) =
                phases.iter().map(|phase| phase.net.size()).fold((0, 0), |(a, b), (gates, fan_in)| (a + gates, b + fan_in));
            passes.push(PassLine { net: Some(NetLine { gates, fan_in }), ..PassLine::plain("phases", watch.seconds()) });
        }
        let (mut relations, rules) = growth.unwrap_or_default();
        relations.sort_by(|one, two| (Reverse(one.atoms), &one.name).cmp(&(Reverse(two.atoms), &two.name)));
        let report = Report {
            game: sheet.source.name.clone(),
            passes,
            all_relations: relations.len(),
            relations: relations.iter().take(LISTED_IN_JSON).map(RelationLine::new).collect(),
            rules: rules.into_iter().map(RuleLine::new).collect(),
            error: outcome.as_ref().err().map(|error| format!("{error:#}")),
        };
        Ok((report, outcome.map(|_| ())))
    }

    pub(super) fn text(&self) -> String {
        let mut text = self.passes_text();
        if !self.relations.is_empty() {
            let mut table = table(&["atoms", "kind", "relation"], &[0]);
            for line in self.relations.iter().take(LISTED) {
                table.add_row([line.atoms.to_string(), line.kind.to_owned(), line.relation.clone()]);
            }
            let _ = write!(text, "\n\n{}", table.trim_fmt());
            text.push_str(&more(self.all_relations, "relation"));
        }
        if !self.rules.is_empty() {
            let mut table = table(&["conditions", "instances", "atoms", "rows", "rule"], &[0, 1, 2, 3]);
            for line in self.rules.iter().take(LISTED) {
                let numbers = [line.conditions, line.instances, line.atoms, line.rows].map(|number| number.to_string());
                table.add_row(numbers.into_iter().chain([line.rule.clone()]));
            }
            let _ = write!(text, "\n\n{}", table.trim_fmt());
            text.push_str(&more(self.rules.len(), "rule"));
        }
        text
    }

    fn passes_text(&self) -> String {
        let header = ["pass", "CPU s", "terms", "atoms", "instances", "conditions", "rows", "MiB", "gates", "fan-in"];
        let mut table = table(&header, &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        for pass in &self.passes {
            let mut cells = vec![
                if pass.complete { pass.name.to_owned() } else { format!("{} (not to its end)", pass.name) },
                format!("{:.4}", pass.cpu_seconds),
            ];
            match &pass.grounder {
                Some(sizes) => {
                    cells.extend([sizes.terms, sizes.atoms, sizes.instances, sizes.conditions].map(|size| size.to_string()));
                    cells.extend([sizes.rows.to_string(), format!("{:.1}", sizes.bytes as f64 / f64::from(1 << 20))]);
                }
                None => cells.extend(std::iter::repeat_n(String::new(), 6)),
            }
            if let Some(net) = &pass.net {
                cells.extend([net.gates.to_string(), net.fan_in.to_string()]);
            }
            table.add_row(cells);
        }
        table.trim_fmt()
    }
}

impl PassLine {
    fn plain(name: &'static str, cpu_seconds: f64) -> PassLine {
        PassLine { name, complete: true, cpu_seconds, grounder: None, net: None }
    }
}

impl RelationLine {
    fn new(growth: &RelationGrowth) -> RelationLine {
        let relation = format!("{}/{}", visible(&growth.name), growth.arity);
        RelationLine { relation, kind: growth.kind, atoms: growth.atoms }
    }
}

impl RuleLine {
    fn new(growth: RuleGrowth) -> RuleLine {
        let RuleGrowth { text, atoms, instances, conditions, steps } = growth;
        RuleLine { rule: visible(&text), conditions, instances, atoms, rows: steps }
    }
}

/// An empty table, some of its columns ranged right.
pub(super) fn table(header: &[&str], right: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    for &column in right {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn more(all: usize, noun: &str) -> String {
    if all > LISTED { format!("\nand {} more", number((all - LISTED) as u64, noun)) } else { String::new() }
}
