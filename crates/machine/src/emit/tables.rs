//! The tables of a game: names, terms, static relations, what is indexed.

use super::dialect::Language;
use crate::Error;
use crate::relational::Relational;
use crate::relational::key_map::{KeyMap, hash_words};
use crate::relational::plan::Op;
use crate::relational::registry::Registry;
use ludens_ground::{Net, Node, Signal};
use std::collections::BTreeSet;

/// Numbers in all tables: more than that no compiler likes.
const MAX_NUMBERS: usize = 16 << 20;

/// The tables beside query plans.
pub(super) fn of_plans(engine: &Relational, registry: &Registry, language: Language) -> Result<String, Error> {
    let mut text = String::new();
    let roles = engine.role_names();
    let roles: Vec<(&str, Option<u8>)> = roles.iter().map(|name| (name.as_str(), None)).collect();
    let names: Vec<(&str, Option<u8>)> =
        engine.names.iter().zip(&engine.points).map(|(name, points)| (name.as_str(), *points)).collect();
    let schema = &engine.program.schema;
    text += &language.constant("ROLES", roles.len());
    text += &language.constant("GOALS", engine.program.goals.len());
    text += &language.constant("MOVE_FUNCTORS", engine.program.move_functors.len());
    match language {
        Language::Rust => {
            text += &fold_case(engine.case_sensitive, language);
            let points: Vec<u32> = names.iter().map(|(_, points)| points.map_or(u32::MAX, u32::from)).collect();
            text += &language.table("POINTS", &points);
        }
        Language::C => {
            text += &fold_case(engine.case_sensitive, language);
            text += &language.constant("NAMES", names.len());
            text += &language.constant("TERMS", registry.terms.len());
            text += &language.constant("FLUENTS", registry.fluents.len());
            text += &language.constant("MOVES", registry.moves.len());
            text += &language.constant("FUNCTORS", schema.functors.len());
            text += &language.constant("INDEXES", schema.indexes.len());
            text += &language.constant("BUCKETS", schema.buckets.len());
            text += &language.constant("MAX_ARITY", schema.functors.iter().map(|functor| functor.1).max().unwrap_or(0));
            text += "\n#include \"names.h\"\n\n";
        }
    }
    text += &language.names("ROLE_NAMES", &roles);
    text += &language.names("NAME_TABLE", &names);
    text += &language.table("ROLE_TERMS", &engine.roles);
    let terms = terms(registry, language);
    let facts = facts(engine, language);
    if terms.len() + facts.len() > 6 * MAX_NUMBERS {
        let relation = "the tables of emitted code".to_owned();
        return Err(Error::Limit { what: "numbers", limit: MAX_NUMBERS as u64, relation });
    }
    text += &terms;
    text += &of_schema(engine, language);
    text += &facts;
    Ok(text)
}

/// Whether texts that are looked up may differ in letter case.
fn fold_case(case_sensitive: bool, language: Language) -> String {
    match language {
        Language::Rust => format!("pub(crate) const FOLD_CASE: bool = {};\n", !case_sensitive),
        Language::C => language.constant("FOLD_CASE", usize::from(!case_sensitive)),
    }
}

fn terms(registry: &Registry, language: Language) -> String {
    let terms = &registry.terms;
    let all = 0..terms.len() as u32;
    let symbols: Vec<u32> = all.clone().map(|term| terms.symbol(term)).collect();
    let mut starts = vec![0];
    let mut args = Vec::new();
    for term in all {
        args.extend_from_slice(terms.args(term));
        starts.push(args.len() as u32);
    }
    let fluents: Vec<u32> = (0..registry.fluents.len() as u32).map(|fluent| registry.fluents.term(fluent)).collect();
    let moves: Vec<u32> = (0..registry.moves.len() as u32).map(|id| registry.moves.term(id)).collect();
    let tables = [
        ("TERM_SYMBOLS", symbols),
        ("TERM_STARTS", starts),
        ("TERM_ARGS", args),
        ("FLUENT_TABLE", fluents),
        ("MOVE_TABLE", moves),
    ];
    tables.iter().map(|(name, values)| language.table(name, values)).collect()
}

/// What of a state is indexed, and how.
fn of_schema(engine: &Relational, language: Language) -> String {
    let schema = &engine.program.schema;
    let (mut functors, mut functor_indexes) = (Vec::new(), Vec::new());
    for (number, &(symbol, arity)) in schema.functors.iter().enumerate() {
        let start = functor_indexes.len() as u32;
        let own = (0..schema.indexes.len() as u32).filter(|&index| schema.indexes[index as usize].functor as usize == number);
        functor_indexes.extend(own);
        functors.push([symbol, arity as u32, start, functor_indexes.len() as u32]);
    }
    let (mut indexes, mut columns) = (Vec::new(), Vec::new());
    for spec in &schema.indexes {
        let start = columns.len() as u32;
        columns.extend(spec.known.iter().map(|&column| column as u32));
        indexes.push([start, columns.len() as u32]);
    }
    let (mut buckets, mut keys) = (Vec::new(), Vec::new());
    for (index, key) in &schema.buckets {
        buckets.push([*index, keys.len() as u32]);
        keys.extend_from_slice(key);
    }
    let mut text = language.rows("FUNCTOR_TABLE", &functors);
    text += &language.table("FUNCTOR_INDEXES", &functor_indexes);
    text += &language.rows("INDEX_TABLE", &indexes);
    text += &language.table("INDEX_COLUMNS", &columns);
    text += &language.rows("BUCKET_TABLE", &buckets);
    text += &language.table("BUCKET_KEYS", &keys);
    text
}

/// The static relations that the plans ask.
fn facts(engine: &Relational, language: Language) -> String {
    let program = &engine.program;
    let (mut facts, mut indexes) = (BTreeSet::new(), BTreeSet::new());
    for op in &program.code {
        match *op {
            Op::InFacts { facts: table, .. } => {
                facts.insert(table);
            }
            Op::FactScan { index, .. } | Op::FactLookUp { index, .. } | Op::FactNext { index, .. } => {
                indexes.insert(index);
            }
            _ => {}
        }
    }
    let mut text = String::new();
    for table in facts {
        text += &key_map(&format!("f{table}"), &program.facts[table as usize].members, language);
    }
    for index in indexes {
        let table = &program.fact_indexes[index as usize];
        text += &key_map(&format!("x{index}"), &table.map, language);
        text += &language.table(&format!("x{index}_starts"), &table.starts);
        text += &language.table(&format!("x{index}_rows"), &table.rows);
    }
    text
}

/// The tuples of a relation or the keys of its groups, as the plans look them up.
fn key_map(name: &str, map: &KeyMap, language: Language) -> String {
    if !map.dense.is_empty() {
        return language.table(&format!("{name}_scaled"), &map.scaled) + &language.table(&format!("{name}_dense"), &map.dense);
    }
    let size = (2 * map.len() + 2).next_power_of_two();
    let mut table = vec![0; size];
    let arity = map.arity();
    for id in 0..map.len() {
        let mut at = hash_words(map.keys[id * arity..(id + 1) * arity].iter().copied()) as u32 as usize & (size - 1);
        while table[at] != 0 {
            at = (at + 1) & (size - 1);
        }
        table[at] = id as u32 + 1;
    }
    let size = match language {
        Language::Rust => format!("pub(crate) const {name}_size: u32 = {size};\n"),
        Language::C => format!("#define {name}_size {size}u\n"),
    };
    language.table(&format!("{name}_keys"), &map.keys) + &language.table(&format!("{name}_table"), &table) + &size
}

/// The tables beside a network.
pub(super) fn of_net(net: &Net, case_sensitive: bool, language: Language) -> String {
    let mut text = fold_case(case_sensitive, language);
    text += &language.constant("ROLES", net.roles.len());
    text += &language.constant("FLUENTS", net.fluents.len());
    text += &language.constant("MOVES", net.moves.len());
    text += &language.constant("NODES", net.nodes.len());
    if language == Language::C {
        text += "\n#include \"names.h\"\n\n";
    }
    text += &language.names("ROLE_NAMES", &net.roles.iter().map(|name| (name.as_str(), None)).collect::<Vec<_>>());
    text += &language.names("FLUENT_NAMES", &net.fluents.iter().map(|fluent| (fluent.text.as_str(), None)).collect::<Vec<_>>());
    text += &language.names("MOVE_NAMES", &net.moves.iter().map(|known| (known.text.as_str(), None)).collect::<Vec<_>>());
    // The nodes of inputs; node 0 is no input.
    let (mut fluent_nodes, mut does_nodes) = (vec![0; net.fluents.len()], vec![0; net.moves.len()]);
    for (number, node) in net.nodes.iter().enumerate() {
        match *node {
            Node::Fluent(fluent) => fluent_nodes[fluent as usize] = number as u32,
            Node::Does(id) => does_nodes[id as usize] = number as u32,
            _ => {}
        }
    }
    text += &language.table("FLUENT_NODES", &fluent_nodes);
    text += &language.table("DOES_NODES", &does_nodes);
    text += &language.table("INITIAL", &net.fluents.iter().map(|fluent| u32::from(fluent.initial)).collect::<Vec<_>>());
    text += &language.table("NEXT", &net.fluents.iter().map(|fluent| fluent.next.0).collect::<Vec<_>>());
    text += &language.rows("LEGAL", &net.moves.iter().map(|known| [known.role, known.legal.0]).collect::<Vec<_>>());
    let goals: Vec<[u32; 3]> = net
        .goals
        .iter()
        .filter_map(|goal| ludens_gdl::points(&goal.text).map(|points| [goal.role, u32::from(points), goal.holds.0]))
        .collect();
    text += &language.rows("GOAL_TABLE", &goals);
    text += &language.constant("GOAL_COUNT", goals.len());
    text += &language.constant("TERMINAL", net.terminal.unwrap_or(Signal::FALSE).0 as usize);
    text
}
