//! The network of a game without its conditions under `not`.

use crate::exclusive::Group;
use crate::fixpoint::Grounder;
use crate::net::Net;
use crate::program::{Lit, Pattern, Role, Test};
use crate::{Error, Limits, build};
use ludens_gdl::Rules;
use rustc_hash::{FxHashMap, FxHashSet};

/// How many functions may help at most: every group looks at all fluents.
const HELPERS: usize = 64;

/// The network of what can be legal and come next, conditions under `not` left out. Functions of which one fluent holds at the start, as whose
/// turn it is, may help to prove other groups: they are added. Other fluents are taken to hold; nothing where that is not possible.
pub(crate) fn relaxed<'a>(
    rules: &'a Rules,
    limits: &Limits,
    list: &mut Vec<Group>,
) -> Result<Option<(Grounder<'a>, Net)>, Error> {
    let mut grounder = Grounder::new(rules, limits)?;
    grounder.list_statics()?;
    grounder.spread_shapes();
    let init = &grounder.tables[grounder.program.keywords.init as usize];
    let terms = &grounder.program.terms;
    // Functions of the fluents at the start: how many of each, in the order of the first ones.
    let mut functions: Vec<(u32, usize, u32)> = Vec::new();
    let mut numbers: FxHashMap<(u32, usize), usize> = FxHashMap::default();
    for row in 0..init.len() as u32 {
        let term = init.row(row)[0];
        let (symbol, arity) = (terms.symbol(term), terms.args(term).len());
        let number = *numbers.entry((symbol, arity)).or_insert_with(|| {
            functions.push((symbol, arity, 0));
            functions.len() - 1
        });
        functions[number].2 += 1;
    }
    for (symbol, arity, _) in functions.into_iter().filter(|&(_, arity, count)| arity > 0 && count == 1).take(HELPERS) {
        let whole = Group { symbol, key: vec![None; arity] };
        if !list.contains(&whole) {
            list.push(whole);
        }
    }
    let kept: FxHashSet<(u32, usize)> = list.iter().map(|group| (group.symbol, group.key.len())).collect();
    if !grounder.relax(&kept) {
        return Ok(None);
    }
    grounder.project()?;
    grounder.demand()?;
    grounder.spread()?;
    let instances = grounder.instances()?;
    let names = rules.names.texts();
    let net = build::net(&grounder, &instances, &names)?;
    Ok(Some((grounder, net)))
}

impl Grounder<'_> {
    /// Leaves out conditions under `not`, fluents of other functions, and what neither legal moves nor successors need; false where a fluent
    /// cannot be left out.
    fn relax(&mut self, kept: &FxHashSet<(u32, usize)>) -> bool {
        let program = &mut self.program;
        let keywords = program.keywords;
        let (relations, terms) = (&program.relations, &program.terms);
        let other = |pattern: &Pattern| match pattern {
            Pattern::Var(_) => false,
            Pattern::Ground(term) => !kept.contains(&(terms.symbol(*term), terms.args(*term).len())),
            Pattern::Apply(symbol, args) => !kept.contains(&(*symbol, args.len())),
        };
        program.clauses.retain(|clause| clause.head.rel != keywords.next || !other(&clause.head.args[0]));
        let mut by_head: Vec<Vec<usize>> = vec![Vec::new(); relations.len()];
        for (index, clause) in program.clauses.iter_mut().enumerate() {
            clause.negative.retain(|lit| relations[lit.rel as usize].role == Role::Static);
            by_head[clause.head.rel as usize].push(index);
        }
        let mut needed = vec![false; relations.len()];
        let mut open = vec![keywords.legal, keywords.next, keywords.init];
        while let Some(rel) = open.pop() {
            if !std::mem::replace(&mut needed[rel as usize], true) {
                let bodies = by_head[rel as usize].iter().map(|&clause| &program.clauses[clause]);
                open.extend(bodies.flat_map(|clause| clause.positive.iter().chain(&clause.negative)).map(|lit| lit.rel));
            }
        }
        program.clauses.retain(|clause| needed[clause.head.rel as usize]);
        program.clauses.iter_mut().all(|clause| {
            // A variable may be a fluent that is left out. Where it only stays what it is, that does not matter.
            let stays = |arg: &Pattern| clause.head.rel == keywords.next && clause.head.args[0] == *arg;
            let any = |lit: &Lit| lit.rel == keywords.fluent && matches!(lit.args[0], Pattern::Var(_)) && !stays(&lit.args[0]);
            if clause.positive.iter().any(any) {
                return false;
            }
            clause.positive.retain(|lit| lit.rel != keywords.fluent || !other(&lit.args[0]));
            let known: FxHashSet<u32> = clause.positive.iter().flat_map(Lit::vars).collect();
            let used = clause.tests.iter().flat_map(Test::vars).chain(clause.negative.iter().flat_map(Lit::vars));
            used.chain(clause.head.vars()).all(|var| known.contains(&var))
        })
    }
}
