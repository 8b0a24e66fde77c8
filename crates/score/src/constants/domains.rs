//! Which arguments range over the same constants, as far as the rules tell: those that share a variable.

use crate::vocabulary::{TableId, Vocabulary};
use ludens_gdl::{Literal, RelationId, Rule, Rules, Symbol, Term};
use std::collections::BTreeMap;

/// Where a term can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// An argument of a relation.
    Relation(RelationId, usize),
    /// An argument of a function with so many: the columns of tables are such.
    Function(Symbol, usize, usize),
}

/// Places that share a domain.
#[derive(Debug)]
pub(crate) struct Domains {
    numbers: BTreeMap<Place, usize>,
    /// Per place: another one of the same domain, nearer to the one that stands for it.
    nearer: Vec<usize>,
    /// Per table: its name in the rules.
    names: Vec<Option<Symbol>>,
}

impl Domains {
    pub(crate) fn of(rules: &Rules, vocabulary: &Vocabulary) -> Domains {
        let known: BTreeMap<&str, u32> = (0..rules.names.len() as u32).map(|id| (rules.names.text(Symbol(id)), id)).collect();
        let name = |table: &crate::Table| known.get(table.name.as_str()).copied().map(Symbol);
        let names = vocabulary.tables().map(|(_, table)| name(table)).collect();
        let mut this = Domains { numbers: BTreeMap::new(), nearer: Vec::new(), names };
        for rule in &rules.rules {
            this.read(rule);
        }
        this
    }

    /// Joins the places of every variable of a rule.
    fn read(&mut self, rule: &Rule) {
        let mut first: Vec<Option<usize>> = vec![None; rule.variables.len()];
        for atom in rule.body.iter().filter_map(Literal::atom).chain([&rule.head]) {
            for (argument, term) in atom.args.iter().enumerate() {
                self.visit(Place::Relation(atom.relation, argument), term, &mut first);
            }
        }
    }

    fn visit(&mut self, place: Place, term: &Term, first: &mut [Option<usize>]) {
        let place = self.number(place);
        match term {
            Term::Var(variable) => match &mut first[variable.0 as usize] {
                Some(other) => {
                    let (one, two) = (self.root(place), self.root(*other));
                    self.nearer[one.max(two)] = one.min(two);
                }
                none => *none = Some(place),
            },
            Term::Apply(name, parts) => {
                for (argument, part) in parts.iter().enumerate() {
                    self.visit(Place::Function(*name, parts.len(), argument), part, first);
                }
            }
        }
    }

    fn number(&mut self, place: Place) -> usize {
        let next = self.nearer.len();
        let number = *self.numbers.entry(place).or_insert(next);
        if number == next {
            self.nearer.push(next);
        }
        number
    }

    fn root(&self, mut place: usize) -> usize {
        while self.nearer[place] != place {
            place = self.nearer[place];
        }
        place
    }

    /// The domain of an argument of a relation.
    pub(crate) fn of_relation(&self, relation: RelationId, argument: usize) -> Option<usize> {
        self.numbers.get(&Place::Relation(relation, argument)).map(|&place| self.root(place))
    }

    /// The domain of a column.
    pub(crate) fn of_column(&self, table: TableId, column: usize, columns: usize) -> Option<usize> {
        let name = self.names[table.0 as usize]?;
        self.numbers.get(&Place::Function(name, columns, column)).map(|&place| self.root(place))
    }
}
