//! What the rules say about constants: how often they name them, and where.

use crate::vocabulary::{SymbolId, TableId, Vocabulary};
use ludens_gdl::{Atom, Keyword, RelationId, Rules, Symbol, Term};
use ludens_machine::RoleId;
use std::collections::{BTreeMap, BTreeSet};

/// Where the rules name constants.
#[derive(Debug)]
pub(crate) struct Likeness {
    /// Per symbol: in how many relations it stands, and how often. What holds at the start is left out: somebody has to begin.
    uses: Vec<(usize, usize)>,
    /// The same per role, for its name.
    roles: Vec<(usize, usize)>,
    /// The constants that conditions on the state ask for.
    written: BTreeSet<(TableId, usize, SymbolId)>,
}

impl Likeness {
    pub(super) fn of(rules: &Rules, vocabulary: &Vocabulary) -> Likeness {
        let known: BTreeMap<&str, SymbolId> =
            (0..vocabulary.symbols() as u32).map(|id| (vocabulary.symbol(SymbolId(id)), SymbolId(id))).collect();
        // Per name in the rules.
        let mut uses: Vec<(BTreeSet<RelationId>, usize)> = vec![(BTreeSet::new(), 0); rules.names.len()];
        let mut this = Likeness { uses: vec![(0, 0); vocabulary.symbols()], roles: Vec::new(), written: BTreeSet::new() };
        for rule in &rules.rules {
            let body = rule.body.iter().filter_map(|literal| literal.atom());
            for atom in body.clone().chain([&rule.head]) {
                let keyword = rules.relation(atom.relation).keyword;
                if keyword != Some(Keyword::Init) {
                    for term in &atom.args {
                        each_constant(term, &mut |name| {
                            let (relations, times) = &mut uses[name.0 as usize];
                            relations.insert(atom.relation);
                            *times += 1;
                        });
                    }
                }
            }
            for atom in body.filter(|atom| rules.relation(atom.relation).keyword == Some(Keyword::True)) {
                this.write(rules, vocabulary, &known, atom);
            }
        }
        let uses: Vec<(usize, usize)> = uses.into_iter().map(|(relations, times)| (relations.len(), times)).collect();
        for (name, uses) in (0..).map(Symbol).zip(&uses) {
            if let Some(id) = known.get(rules.names.text(name)) {
                this.uses[id.0 as usize] = *uses;
            }
        }
        let of_role = |role: &Term| match role {
            Term::Apply(name, parts) if parts.is_empty() => uses[name.0 as usize],
            _ => (0, 0),
        };
        this.roles = rules.roles.iter().map(of_role).collect();
        this
    }

    /// Takes down the constants of a condition.
    fn write(&mut self, rules: &Rules, vocabulary: &Vocabulary, known: &BTreeMap<&str, SymbolId>, atom: &Atom) {
        let Some(Term::Apply(name, columns)) = atom.args.first() else { return };
        let Some(table) = vocabulary.find_table(rules.names.text(*name), columns.len()) else { return };
        for (column, term) in columns.iter().enumerate() {
            if let Term::Apply(name, parts) = term
                && parts.is_empty()
                && let Some(&id) = known.get(rules.names.text(*name))
            {
                self.written.insert((table, column, id));
            }
        }
    }

    /// Whether two constants stand in as many relations, as often.
    pub(crate) fn is_alike(&self, one: SymbolId, two: SymbolId) -> bool {
        self.uses[one.0 as usize] == self.uses[two.0 as usize]
    }

    /// The same of the names of two roles, which are not one.
    pub(crate) fn are_roles_alike(&self, one: RoleId, two: RoleId) -> bool {
        one != two && self.roles.get(one.0 as usize) == self.roles.get(two.0 as usize)
    }

    /// Whether a condition asks for this constant in this column.
    pub(crate) fn is_written(&self, table: TableId, column: usize, symbol: SymbolId) -> bool {
        self.written.contains(&(table, column, symbol))
    }
}

/// Calls back with every constant of a term.
fn each_constant(term: &Term, visit: &mut impl FnMut(Symbol)) {
    if let Term::Apply(name, parts) = term {
        if parts.is_empty() {
            visit(*name);
        }
        parts.iter().for_each(|part| each_constant(part, visit));
    }
}
