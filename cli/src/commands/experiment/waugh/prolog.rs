//! The rules as a Prolog program, as general game players had them before gdlcc: the state as dynamic facts, every question asked from scratch.
//!
//! Names of the sheet become numbers, so nothing a sheet says is anything else than an atom there. Conditions stay in the order of the sheet; those under `not` and
//! `distinct` wait until their variables are known. Relations that can reach themselves are tabled, for they might go round in circles otherwise.

use super::child::{self, Folder, Found};
use super::matches::{MAX_PLIES, Position};
use anyhow::{Context, Result};
use ludens_gdl::{Depends, GroundTerm, Keyword, Literal, RelationId, Rule, Rules, Term, VarId, parse_ground};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

const SYSTEM: &str = "swipl";
const LOOP: &str = include_str!("loop.pl");

/// A game in Prolog.
pub(super) struct Program {
    folder: Folder,
    symbols: HashMap<String, u32>,
    roles: Vec<String>,
}

impl Program {
    /// Translates; inside, why it cannot be run here.
    pub(super) fn new(rules: &Rules) -> Result<Result<Program, String>> {
        if !child::is_there(SYSTEM) {
            return Ok(Err(format!("{SYSTEM} is not installed")));
        }
        let folder = Folder::new()?;
        folder.write("game.pl", &(translate(rules) + LOOP))?;
        let symbols = rules.names.texts().into_iter().zip(0..).collect();
        Ok(Ok(Program { folder, symbols, roles: rules.roles.iter().map(term).collect() }))
    }

    /// Lets it simulate from positions.
    pub(super) fn measure(&self, positions: &[Position], seconds: f64, seed: u64) -> Result<Vec<Found>> {
        let mut text = format!("limits({seconds:?}, {seed}, {MAX_PLIES}).\n");
        for position in positions {
            let fluents: Result<Vec<String>> =
                position.fluents.iter().map(|fluent| self.ground(&parse_ground(fluent)?)).collect();
            let role = self.roles.get(position.role as usize).context("no such role")?;
            let _ = writeln!(text, "position({role}, [{}]).", fluents?.join(", "));
        }
        self.folder.write("positions.pl", &text)?;
        let args = ["-f", "none", "-q", "--stack-limit=1g", "-O", "-g", "main", "-t", "halt", "game.pl", "positions.pl"];
        child::measure(&self.folder, SYSTEM, &args, positions, seconds)
    }

    fn ground(&self, found: &GroundTerm) -> Result<String> {
        let symbol = self.symbols.get(&found.name).with_context(|| format!("no such name: {}", found.name))?;
        let args: Result<Vec<String>> = found.args.iter().map(|arg| self.ground(arg)).collect();
        Ok(applied(&format!("c{symbol}"), &args?))
    }
}

/// A name with its arguments.
fn applied(name: &str, args: &[String]) -> String {
    if args.is_empty() { name.to_owned() } else { format!("{name}({})", args.join(", ")) }
}

fn term(found: &Term) -> String {
    match found {
        Term::Var(VarId(number)) => format!("V{number}"),
        Term::Apply(symbol, args) => applied(&format!("c{}", symbol.0), &terms(args)),
    }
}

fn terms(found: &[Term]) -> Vec<String> {
    found.iter().map(term).collect()
}

/// A kind of fluent: its name and its number of arguments.
type Fluent = (u32, usize);

fn translate(rules: &Rules) -> String {
    let fluents = fluents_of(rules);
    let mut text = String::from(":- style_check(-singleton).\n:- style_check(-no_effect).\n:- dynamic d/2, u/1.\n");
    for (symbol, arity) in &fluents {
        let _ = writeln!(text, ":- dynamic s{symbol}_{arity}/{arity}.");
    }
    let mut heads: BTreeMap<RelationId, Vec<&Rule>> = BTreeMap::new();
    for rule in &rules.rules {
        heads.entry(rule.head.relation).or_default().push(rule);
    }
    let edges = edges_of(&heads);
    let mut tabled = false;
    for index in 0..rules.relations.len() as u32 {
        let id = RelationId(index);
        let relation = rules.relation(id);
        let passed_over = [Keyword::True, Keyword::Does, Keyword::Base, Keyword::Input, Keyword::Init];
        if relation.keyword.is_some_and(|keyword| passed_over.contains(&keyword)) {
            continue;
        }
        let name = name_of(rules, id);
        if reaches_itself(id, &edges) {
            let _ = writeln!(text, ":- table {name}/{}.", relation.arity);
            tabled |= relation.depends != Depends::Nothing;
        }
        match heads.get(&id) {
            Some(all) => all.iter().for_each(|rule| text += &clause(rules, rule)),
            None => {
                let _ = writeln!(text, ":- dynamic {name}/{}.", relation.arity);
            }
        }
    }
    for keyword in [Keyword::Legal, Keyword::Next, Keyword::Goal, Keyword::Terminal] {
        if rules.keyword(keyword).is_none() {
            let _ = writeln!(text, ":- dynamic {}/{}.", keyword_name(keyword), keyword.arity());
        }
    }
    let variables = |arity: usize| (0..arity).map(|number| format!("A{number}")).collect::<Vec<_>>();
    let mut clear = String::from("clear :- retractall(u(_))");
    let (mut any, mut put) = (String::new(), String::new());
    for &(symbol, arity) in &fluents {
        let (whole, fact) =
            (applied(&format!("c{symbol}"), &variables(arity)), applied(&format!("s{symbol}_{arity}"), &variables(arity)));
        let _ = writeln!(any, "t({whole}) :- {fact}.");
        let _ = writeln!(put, "put({whole}) :- !, assertz({fact}).");
        let _ = write!(clear, ", retractall({})", applied(&format!("s{symbol}_{arity}"), &vec!["_".to_owned(); arity]));
    }
    let _ = writeln!(text, "{any}t(F) :- u(F).\n{put}put(F) :- assertz(u(F)).\n{clear}.");
    let roles: Vec<String> = rules.roles.iter().map(term).collect();
    let fresh = if tabled { "fresh :- abolish_all_tables." } else { "fresh." };
    let _ = writeln!(text, "roles([{}]).\n{fresh}\n", roles.join(", "));
    text
}

/// Every kind of fluent that the rules mention where fluents stand.
fn fluents_of(rules: &Rules) -> BTreeSet<Fluent> {
    let is_of_fluents =
        |id: RelationId| matches!(rules.relation(id).keyword, Some(Keyword::Init | Keyword::Next | Keyword::True));
    let atoms = rules.rules.iter().flat_map(|rule| std::iter::once(&rule.head).chain(rule.body.iter().filter_map(Literal::atom)));
    let kind = |found: &Term| match found {
        Term::Apply(symbol, args) => Some((symbol.0, args.len())),
        Term::Var(_) => None,
    };
    atoms.filter(|atom| is_of_fluents(atom.relation)).filter_map(|atom| kind(&atom.args[0])).collect()
}

/// Which relations the rules of a relation ask.
fn edges_of(heads: &BTreeMap<RelationId, Vec<&Rule>>) -> HashMap<RelationId, BTreeSet<RelationId>> {
    let asked = |rule: &&Rule| rule.body.iter().filter_map(Literal::atom).map(|atom| atom.relation).collect::<Vec<_>>();
    heads.iter().map(|(&id, all)| (id, all.iter().flat_map(asked).collect())).collect()
}

fn reaches_itself(id: RelationId, edges: &HashMap<RelationId, BTreeSet<RelationId>>) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![id];
    while let Some(next) = open.pop() {
        for &other in edges.get(&next).into_iter().flatten() {
            if other == id {
                return true;
            }
            if seen.insert(other) {
                open.push(other);
            }
        }
    }
    false
}

fn keyword_name(keyword: Keyword) -> &'static str {
    match keyword {
        Keyword::Role => "role",
        Keyword::Base | Keyword::Input => "declared",
        Keyword::Init => "first",
        Keyword::True => "t",
        Keyword::Does => "d",
        Keyword::Legal => "l",
        Keyword::Next => "n",
        Keyword::Goal => "g",
        Keyword::Terminal => "e",
    }
}

fn name_of(rules: &Rules, id: RelationId) -> String {
    rules.relation(id).keyword.map_or_else(|| format!("r{}", id.0), |keyword| keyword_name(keyword).to_owned())
}

fn atom(rules: &Rules, id: RelationId, args: &[Term]) -> String {
    match (rules.relation(id).keyword, args) {
        (Some(Keyword::True), [Term::Apply(symbol, parts)]) => applied(&format!("s{}_{}", symbol.0, parts.len()), &terms(parts)),
        _ => applied(&name_of(rules, id), &terms(args)),
    }
}

fn clause(rules: &Rules, rule: &Rule) -> String {
    let head = atom(rules, rule.head.relation, &rule.head.args);
    let body: Vec<String> = ordered(&rule.body)
        .into_iter()
        .map(|literal| match literal {
            Literal::Is(found) => atom(rules, found.relation, &found.args),
            Literal::Not(found) => format!("\\+ {}", atom(rules, found.relation, &found.args)),
            Literal::Distinct(left, right, _) => format!("{} \\== {}", term(left), term(right)),
            Literal::Equal(left, right, _) => format!("{} = {}", term(left), term(right)),
        })
        .collect();
    if body.is_empty() { format!("{head}.\n") } else { format!("{head} :- {}.\n", body.join(", ")) }
}

/// The conditions in an order in which what must be known is known.
fn ordered(body: &[Literal]) -> Vec<&Literal> {
    let mut known = BTreeSet::new();
    let (mut order, mut waiting): (Vec<&Literal>, Vec<&Literal>) = (Vec::new(), Vec::new());
    for literal in body {
        match literal {
            Literal::Is(_) | Literal::Equal(..) => {
                literal.each_variable(&mut |variable| {
                    known.insert(variable);
                });
                order.push(literal);
            }
            Literal::Not(_) | Literal::Distinct(..) => waiting.push(literal),
        }
        waiting.retain(|literal| {
            let mut ready = true;
            literal.each_variable(&mut |variable| ready &= known.contains(&variable));
            if ready {
                order.push(literal);
            }
            !ready
        });
    }
    order.extend(waiting);
    order
}

#[cfg(test)]
mod tests {
    use super::{Program, translate};
    use crate::commands::experiment::waugh::matches::Position;
    use ludens_gdl::{Limits, Rules, read};

    fn rules_of(sheet: &str) -> Rules {
        read(sheet, &Limits::default()).rules.expect("it is valid")
    }

    const SHEET: &str = "
(role |it's|) (init (at a)) (init open) (edge a b) (edge b a) (edge b c)
(<= (reach ?x ?y) (edge ?x ?y)) (<= (reach ?x ?z) (reach ?x ?y) (edge ?y ?z))
(<= (legal ?r (go ?y)) (distinct ?x ?y) (role ?r) (true (at ?x)) (reach ?x ?y))
(<= (legal |it's| shut) (true open))
(<= (next (at ?y)) (does ?r (go ?y))) (<= (next (at ?x)) (true (at ?x)) (does ?r shut))
(<= (next ?f) (true ?f) (not (kept ?f))) (<= (kept (at ?x)) (edge ?x ?y)) (<= (kept (at c)) (true open)) (<= (kept open) (does ?r shut))
(<= terminal (not (true open))) (<= (goal ?r 100) (role ?r))";

    #[test]
    fn a_sheet_becomes_clauses() {
        let text = translate(&rules_of(SHEET));
        assert!(!text.contains("it's"), "{text}");
        assert_eq!(text.matches(":- table").count(), 1, "only one relation reaches itself: {text}");
        let legal = text.lines().find(|line| line.starts_with("l(") && line.contains("\\==")).expect("a rule");
        assert!(legal.ends_with("\\== V0.") || legal.ends_with("\\== V1."), "what must differ is known by then: {legal}");
    }

    #[test]
    fn it_plays_where_there_is_a_system_to_run_it() {
        let Ok(program) = Program::new(&rules_of(SHEET)).expect("a folder") else { return };
        let position =
            |fluents: &[&str]| Position { phase: 0, role: 0, fluents: fluents.iter().map(ToString::to_string).collect() };
        let found = program.measure(&[position(&["(at a)", "open"]), position(&["(at c)"])], 0.01, 1).expect("counts");
        // From a it can go to b and c (and itself, which is left out), or shut.
        assert_eq!(found[0].legal, [3]);
        assert!(found[0].count.states > found[0].count.simulations && found[0].count.simulations > 0, "{found:?}");
        assert_eq!((found[1].legal[0], found[1].count.states), (0, 0), "it is over there");
    }
}
