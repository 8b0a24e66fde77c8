//! Rules as the grounder wants them: only what play needs, statics told apart, patterns over interned terms.

use crate::Error;
use crate::substitute;
use crate::terms::{TermId, Terms};
use ludens_gdl::{Atom, Depends, Keyword, Literal, RelationId, Rule, Rules, Term};
use smallvec::SmallVec;

/// A relation of the grounder, an index into [`Program::relations`].
pub(crate) type Rel = u32;

/// A term with variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Pattern {
    Var(u32),
    Ground(TermId),
    Apply(u32, Box<[Pattern]>),
}

/// A relation over patterns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Lit {
    pub(crate) rel: Rel,
    pub(crate) args: Box<[Pattern]>,
    /// It only says which bindings are worth looking at: what it says is a condition elsewhere.
    pub(crate) guard: bool,
}

/// Two terms that must differ.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Test {
    pub(crate) left: Pattern,
    pub(crate) right: Pattern,
}

/// A rule.
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    pub(crate) head: Lit,
    pub(crate) positive: Vec<Lit>,
    pub(crate) negative: Vec<Lit>,
    pub(crate) tests: Vec<Test>,
    /// Variables are `0..variables`.
    pub(crate) variables: u32,
    /// The rule of the sheet it comes from.
    pub(crate) origin: u32,
}

/// What a relation is to the net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The same in every state.
    Static,
    /// Known in a state: `true`.
    Fluent,
    /// Known of the moves played: `does`.
    Move,
    /// Follows from rules.
    Derived,
    /// What another relation is asked for: it restricts what is worked out, and is no part of the net.
    Asked,
}

/// A relation.
#[derive(Clone, Debug)]
pub(crate) struct Relation {
    pub(crate) name: String,
    pub(crate) arity: usize,
    pub(crate) role: Role,
}

/// The relations GDL knows by name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keywords {
    pub(crate) init: Rel,
    pub(crate) fluent: Rel,
    pub(crate) does: Rel,
    pub(crate) legal: Rel,
    pub(crate) next: Rel,
    pub(crate) goal: Rel,
    pub(crate) terminal: Rel,
}

/// All rules that play needs.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) relations: Vec<Relation>,
    pub(crate) clauses: Vec<Clause>,
    pub(crate) keywords: Keywords,
    /// The roles, as terms.
    pub(crate) roles: Vec<TermId>,
    pub(crate) terms: Terms,
}

impl Pattern {
    /// A function term; one term where all its parts are.
    pub(crate) fn apply(symbol: u32, args: Vec<Pattern>, terms: &mut Terms) -> Result<Pattern, Error> {
        let term = |arg: &Pattern| if let Pattern::Ground(term) = arg { Some(*term) } else { None };
        match args.iter().map(term).collect::<Option<Vec<TermId>>>() {
            Some(args) => Ok(Pattern::Ground(terms.intern(symbol, &args)?)),
            None => Ok(Pattern::Apply(symbol, args.into())),
        }
    }

    pub(crate) fn each_variable(&self, visit: &mut impl FnMut(u32)) {
        match self {
            Pattern::Var(var) => visit(*var),
            Pattern::Ground(_) => {}
            Pattern::Apply(_, args) => args.iter().for_each(|arg| arg.each_variable(visit)),
        }
    }

    /// The same with other variables.
    pub(crate) fn renamed(&self, name: &mut impl FnMut(u32) -> u32) -> Pattern {
        match self {
            Pattern::Var(var) => Pattern::Var(name(*var)),
            Pattern::Ground(term) => Pattern::Ground(*term),
            Pattern::Apply(symbol, args) => Pattern::Apply(*symbol, args.iter().map(|arg| arg.renamed(name)).collect()),
        }
    }
}

/// A set of variables, ascending.
pub(crate) type Vars = SmallVec<[u32; 8]>;

fn sorted(mut vars: Vars) -> Vars {
    vars.sort_unstable();
    vars.dedup();
    vars
}

impl Lit {
    pub(crate) fn vars(&self) -> Vars {
        let mut vars = Vars::new();
        self.args.iter().for_each(|arg| arg.each_variable(&mut |var| vars.push(var)));
        sorted(vars)
    }

    pub(crate) fn renamed(&self, name: &mut impl FnMut(u32) -> u32) -> Lit {
        Lit { rel: self.rel, args: self.args.iter().map(|arg| arg.renamed(name)).collect(), guard: self.guard }
    }
}

impl Test {
    pub(crate) fn vars(&self) -> Vars {
        let mut vars = Vars::new();
        self.left.each_variable(&mut |var| vars.push(var));
        self.right.each_variable(&mut |var| vars.push(var));
        sorted(vars)
    }

    pub(crate) fn renamed(&self, name: &mut impl FnMut(u32) -> u32) -> Test {
        Test { left: self.left.renamed(name), right: self.right.renamed(name) }
    }
}

impl Program {
    /// Translates the rules that play can ever ask for.
    pub(crate) fn new(rules: &Rules, max_terms: usize) -> Result<Program, Error> {
        let mut terms = Terms::new(max_terms);
        let by_arguments = by_arguments(rules);
        let mut relations: Vec<Relation> = rules
            .relations
            .iter()
            .enumerate()
            .map(|(index, relation)| Relation {
                name: rules.names.text(relation.name).to_owned(),
                arity: relation.arity,
                role: match (relation.keyword, relation.depends) {
                    (Some(Keyword::True), _) => Role::Fluent,
                    (Some(Keyword::Does), _) => Role::Move,
                    (Some(Keyword::Legal | Keyword::Next | Keyword::Goal | Keyword::Terminal), _) => Role::Derived,
                    (_, Depends::Nothing) if !by_arguments[index] => Role::Static,
                    _ => Role::Derived,
                },
            })
            .collect();
        let mut keyword = |keyword: Keyword, role| {
            let known = rules.keyword(keyword).map(|relation| relation.0);
            known.unwrap_or_else(|| {
                relations.push(Relation { name: keyword.as_str().to_owned(), arity: keyword.arity(), role });
                relations.len() as Rel - 1
            })
        };
        let keywords = Keywords {
            init: keyword(Keyword::Init, Role::Static),
            fluent: keyword(Keyword::True, Role::Fluent),
            does: keyword(Keyword::Does, Role::Move),
            legal: keyword(Keyword::Legal, Role::Derived),
            next: keyword(Keyword::Next, Role::Derived),
            goal: keyword(Keyword::Goal, Role::Derived),
            terminal: keyword(Keyword::Terminal, Role::Derived),
        };
        let asked = [keywords.init, keywords.legal, keywords.next, keywords.goal, keywords.terminal];
        let wanted = needed(rules, relations.len(), &asked);
        let mut clauses = Vec::new();
        let mut room = max_terms;
        for (origin, rule) in rules.rules.iter().enumerate().filter(|(_, rule)| wanted[rule.head.relation.0 as usize]) {
            let translated = clause(rule, origin, &mut terms, &mut room).map_err(|error| error.due_to(rules, origin))?;
            clauses.extend(translated);
        }
        let mut roles = Vec::new();
        for role in &rules.roles {
            if let Pattern::Ground(term) = pattern(role, &mut terms)? {
                roles.push(term);
            }
        }
        Ok(Program { relations, clauses, keywords, roles, terms })
    }

    /// Adds a relation.
    pub(crate) fn relation(&mut self, name: String, arity: usize, role: Role) -> Rel {
        self.relations.push(Relation { name, arity, role });
        self.relations.len() as Rel - 1
    }

    pub(crate) fn role(&self, rel: Rel) -> Role {
        self.relations[rel as usize].role
    }

    pub(crate) fn is_static(&self, rel: Rel) -> bool {
        self.role(rel) == Role::Static
    }
}

/// Static relations that are stratified by their arguments only, and those that need them: they are worked out as gates.
fn by_arguments(rules: &Rules) -> Vec<bool> {
    let mut by_arguments = vec![false; rules.relations.len()];
    let mut needs: Vec<Vec<usize>> = vec![Vec::new(); rules.relations.len()];
    for rule in &rules.rules {
        for atom in rule.body.iter().filter_map(Literal::atom) {
            let relation = atom.relation.0 as usize;
            if rules.relations[relation].depends == Depends::Nothing {
                needs[rule.head.relation.0 as usize].push(relation);
            }
        }
    }
    // Strata come after those they need.
    for stratum in rules.strata() {
        let of = |relation: &RelationId| needs[relation.0 as usize].iter().any(|&needed| by_arguments[needed]);
        if stratum.negates_itself || stratum.relations.iter().any(of) {
            stratum.relations.iter().for_each(|relation| by_arguments[relation.0 as usize] = true);
        }
    }
    by_arguments
}

/// A rule with its equations solved; nothing where they have no solution.
fn clause(rule: &Rule, origin: usize, terms: &mut Terms, room: &mut usize) -> Result<Option<Clause>, Error> {
    let mut clause = Clause {
        head: literal(&rule.head, terms)?,
        positive: Vec::new(),
        negative: Vec::new(),
        tests: Vec::new(),
        variables: rule.variables.len() as u32,
        origin: origin as u32,
    };
    let mut equal = Vec::new();
    for condition in &rule.body {
        match condition {
            Literal::Is(atom) => clause.positive.push(literal(atom, terms)?),
            Literal::Not(atom) => clause.negative.push(literal(atom, terms)?),
            Literal::Distinct(left, right, _) => {
                clause.tests.push(Test { left: pattern(left, terms)?, right: pattern(right, terms)? });
            }
            Literal::Equal(left, right, _) => equal.push((pattern(left, terms)?, pattern(right, terms)?)),
        }
    }
    substitute::equal(clause, equal, terms, room)
}

/// Which relations the asked ones need.
fn needed(rules: &Rules, relations: usize, asked: &[Rel]) -> Vec<bool> {
    let mut wanted = vec![false; relations];
    let mut open = asked.to_vec();
    let mut by_head: Vec<Vec<usize>> = vec![Vec::new(); relations];
    for (index, rule) in rules.rules.iter().enumerate() {
        by_head[rule.head.relation.0 as usize].push(index);
    }
    while let Some(rel) = open.pop() {
        if !std::mem::replace(&mut wanted[rel as usize], true) {
            let bodies = by_head[rel as usize].iter().flat_map(|&rule| &rules.rules[rule].body);
            open.extend(bodies.filter_map(Literal::atom).map(|atom| atom.relation.0));
        }
    }
    wanted
}

fn literal(atom: &Atom, terms: &mut Terms) -> Result<Lit, Error> {
    let args = atom.args.iter().map(|arg| pattern(arg, terms)).collect::<Result<_, Error>>()?;
    Ok(Lit { rel: atom.relation.0, args, guard: false })
}

fn pattern(term: &Term, terms: &mut Terms) -> Result<Pattern, Error> {
    let (symbol, args) = match term {
        Term::Var(var) => return Ok(Pattern::Var(var.0)),
        Term::Apply(symbol, args) => (symbol.0, args),
    };
    let args: Vec<Pattern> = args.iter().map(|arg| pattern(arg, terms)).collect::<Result<_, Error>>()?;
    Pattern::apply(symbol, args, terms)
}
