//! Ground terms, each once.

use std::collections::HashMap;

use ludens_gdl::{Rules, Symbol, Term};

/// The table of ground terms; a term is an index into it.
#[derive(Default)]
pub(super) struct Terms {
    nodes: Vec<(Symbol, Vec<u32>)>,
    ids: HashMap<(Symbol, Vec<u32>), u32>,
}

/// The values of a rule's variables.
pub(super) type Bindings = Vec<Option<u32>>;

impl Terms {
    fn node(&mut self, symbol: Symbol, args: Vec<u32>) -> u32 {
        let next = self.nodes.len() as u32;
        let id = *self.ids.entry((symbol, args.clone())).or_insert(next);
        if id == next {
            self.nodes.push((symbol, args));
        }
        id
    }

    /// A term without variables.
    pub(super) fn intern(&mut self, term: &Term) -> u32 {
        self.substitute(term, &Vec::new()).expect("a ground term")
    }

    /// A term with its variables replaced by their values, if all have one.
    pub(super) fn substitute(&mut self, term: &Term, bindings: &Bindings) -> Option<u32> {
        match term {
            Term::Var(variable) => bindings.get(variable.0 as usize).copied().flatten(),
            Term::Apply(symbol, args) => {
                let args: Option<Vec<u32>> = args.iter().map(|arg| self.substitute(arg, bindings)).collect();
                Some(self.node(*symbol, args?))
            }
        }
    }

    /// Binds the variables of `pattern` so that it becomes `term`; false where it cannot.
    pub(super) fn matches(&self, pattern: &Term, term: u32, bindings: &mut Bindings) -> bool {
        match pattern {
            Term::Var(variable) => *bindings[variable.0 as usize].get_or_insert(term) == term,
            Term::Apply(symbol, patterns) => {
                let (name, args) = &self.nodes[term as usize];
                name == symbol
                    && args.len() == patterns.len()
                    && patterns.iter().zip(args).all(|(pattern, &arg)| self.matches(pattern, arg, bindings))
            }
        }
    }

    /// As the sheet writes it.
    pub(super) fn text(&self, term: u32, rules: &Rules) -> String {
        let (symbol, args) = &self.nodes[term as usize];
        let name = rules.names.text(*symbol);
        if args.is_empty() {
            return name.to_owned();
        }
        let args: Vec<String> = args.iter().map(|&arg| self.text(arg, rules)).collect();
        format!("({name} {})", args.join(" "))
    }
}
