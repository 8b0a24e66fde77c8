//! [`Syntax`] to [`Rules`]: names interned, `or` taken apart, everything checked.

use std::collections::{HashMap, HashSet};

use crate::diagnostic::Findings;
use crate::expand::Clauses;
use crate::forms::Forms;
use crate::syntax::{Node, NodeId, WordId};
use crate::wording::{legible, plural};
use crate::words::{self, Connective, Meaning, Words};
use crate::{
    Atom, Code, Depends, Diagnostic, Keyword, Limits, Literal, Names, Relation, RelationId, Rule, Rules, Span, Symbol, Syntax,
    Term, VarId, check, depends,
};

/// Checks a syntax and brings it into normal form. There are [`Rules`] only where there is no error, neither here nor in
/// the syntax itself.
pub fn lower(syntax: &Syntax, limits: &Limits) -> (Option<Rules>, Vec<Diagnostic>) {
    let mut findings = Findings::new(limits);
    let rules = lower_into(syntax, limits, &mut findings);
    (rules, findings.finish())
}

pub(crate) fn lower_into(syntax: &Syntax, limits: &Limits, findings: &mut Findings) -> Option<Rules> {
    let words = Words::new(syntax);
    let mut lowering = Lowering::new(syntax, &words);
    let mut complete = !syntax.broken;
    let mut forms = Forms::new(syntax, &words, limits, findings);
    for (number, &statement) in syntax.statements().iter().enumerate() {
        let sound = forms.statement(statement);
        complete &= sound;
        if sound && let Err(finding) = lowering.statement(statement, number as u32, limits) {
            complete = false;
            forms.findings.push(finding);
        }
    }
    let uses = forms.uses;
    let Lowering { mut rules, statements, variable_clashes, .. } = lowering;
    for finding in variable_clashes {
        findings.push(finding);
    }
    rules.case_sensitive = rules.names.clash();
    let component_of = depends::fill(&mut rules);
    let sheet = check::Sheet {
        syntax,
        words: &words,
        uses: &uses,
        rules: &rules,
        statements: &statements,
        component_of: &component_of,
        complete,
    };
    check::sheet(&sheet, findings);
    collect_roles(&mut rules, limits, findings);
    (complete && !findings.has_errors()).then_some(rules)
}

fn collect_roles(rules: &mut Rules, limits: &Limits, findings: &mut Findings) {
    let Some(role) = rules.keyword(Keyword::Role) else { return };
    let mut seen = HashSet::new();
    let mut stated: Vec<&Atom> = rules.rules.iter().map(|rule| &rule.head).filter(|head| head.relation == role).collect();
    stated.retain(|head| seen.insert(&head.args[0]));
    if let Some(surplus) = stated.get(limits.roles) {
        let message = format!("the sheet has {}, and the limit is {}", plural(stated.len(), "role"), limits.roles);
        findings.push(Diagnostic::new(Code::TooLarge, surplus.span, message, "one role too many"));
    }
    rules.roles = stated.into_iter().map(|head| head.args[0].clone()).collect();
    rules.needs_gdl2 = rules.roles.iter().any(|role| matches!(role, Term::Apply(name, _) if rules.names.text(*name) == "random"));
}

/// The work in progress.
struct Lowering<'a> {
    syntax: &'a Syntax,
    words: &'a Words,
    rules: Rules,
    /// The statement every rule came from, by its place in the syntax's list.
    statements: Vec<u32>,
    /// How much text was written out more than once because of `or`.
    copied_bytes: usize,
    /// Set once there are too many rules: the rest is only looked at for its form.
    full: bool,
    /// The symbol of every word that has been met as a name.
    symbols: Vec<Option<Symbol>>,
    by_text: HashMap<String, Symbol>,
    relations: HashMap<(Symbol, usize), RelationId>,
    variables: Variables,
    /// Rules with variables that differ in letter case only.
    variable_clashes: Vec<Diagnostic>,
}

/// The variables of the rule at hand.
struct Variables {
    /// For every word the rule it was last met in and its number there.
    slots: Vec<(u32, VarId)>,
    /// The number of the rule at hand, from 1.
    rule: u32,
    /// Their words, by number.
    words: Vec<WordId>,
    /// Set where `?X` and `?x` are one variable.
    folds: bool,
}

impl Variables {
    /// Two variables of the rule at hand that differ in letter case only.
    fn clash(&self, folded: &[WordId]) -> Option<[WordId; 2]> {
        let mut words: Vec<(WordId, WordId)> = self.words.iter().map(|&word| (folded[word.0 as usize], word)).collect();
        words.sort_unstable();
        words.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| [pair[0].1, pair[1].1])
    }
}

impl<'a> Lowering<'a> {
    fn new(syntax: &'a Syntax, words: &'a Words) -> Self {
        let rules = Rules {
            names: Names::default(),
            case_sensitive: false,
            relations: Vec::new(),
            rules: Vec::new(),
            roles: Vec::new(),
            needs_gdl2: false,
        };
        let count = syntax.words.len();
        let variables = Variables { slots: vec![(0, VarId(0)); count], rule: 0, words: Vec::new(), folds: false };
        Self {
            syntax,
            words,
            rules,
            statements: Vec::new(),
            copied_bytes: 0,
            full: false,
            symbols: vec![None; count],
            by_text: HashMap::new(),
            relations: HashMap::new(),
            variables,
            variable_clashes: Vec::new(),
        }
    }

    /// Adds the rules of a statement of sound form.
    fn statement(&mut self, id: NodeId, number: u32, limits: &Limits) -> Result<(), Diagnostic> {
        let (head, body) = match self.syntax.node(id) {
            Node::List([first, head, body @ ..]) if self.is_if(*first) => (*head, body),
            _ => (id, &[][..]),
        };
        let clauses = Clauses::new(self.syntax, self.words, body);
        let span = self.syntax.span(id);
        if self.full {
            return Ok(());
        }
        self.check_size(clauses.count(), span, limits)?;
        clauses.each(|body| {
            let rule = self.rule(id, head, body);
            self.rules.rules.push(rule);
            self.statements.push(number);
        });
        Ok(())
    }

    fn is_if(&self, id: NodeId) -> bool {
        matches!(self.syntax.node(id), Node::Word(word) if self.words.is(word, Connective::If))
    }

    /// Says no before the work is done.
    fn check_size(&mut self, count: usize, span: Span, limits: &Limits) -> Result<(), Diagnostic> {
        let limit = limits.expansions;
        if count > limit {
            let message = format!("the `or`s of this rule stand for more than {limit} rules, which is the limit");
            let finding = Diagnostic::new(Code::TooManyExpansions, span, message, "too many combinations");
            return Err(finding.hint("name some of the `or`s by relations of their own"));
        }
        if count > 1 {
            self.copied_bytes = self.copied_bytes.saturating_add(span.len().saturating_mul(count));
        }
        if self.rules.rules.len() + count > limits.rules || self.copied_bytes > limits.bytes {
            self.full = true;
            let message = format!("without `or` the sheet has more than {} rules or too much text", limits.rules);
            return Err(Diagnostic::new(Code::TooManyExpansions, span, message, "too many from here on"));
        }
        Ok(())
    }

    /// One `or`-free rule. Where two variables differ in letter case only they are two, unless the rule is unsafe that
    /// way and safe the other way.
    fn rule(&mut self, statement: NodeId, head: NodeId, body: &[NodeId]) -> Rule {
        let span = self.syntax.span(statement);
        self.variables.folds = false;
        let rule = self.rule_as_is(head, body, span);
        let Some([first, second]) = self.variables.clash(&self.words.folded) else { return rule };
        let mut folded = None;
        if check::safety::first_unbound(&rule).is_some() {
            self.variables.folds = true;
            folded = Some(self.rule_as_is(head, body, span)).filter(|rule| check::safety::first_unbound(rule).is_none());
        }
        self.note_clash(statement, first, second, folded.is_some());
        folded.unwrap_or(rule)
    }

    fn note_clash(&mut self, statement: NodeId, first: WordId, second: WordId, folded: bool) {
        let (a, b) = (self.syntax.word(first), self.syntax.word(second));
        let span = check::locate(self.syntax, statement, self.syntax.span(statement), b);
        if self.variable_clashes.last().is_some_and(|last| last.span == span) {
            return;
        }
        let (a, b) = (legible(a), legible(b));
        let taken = if folded { "the same variable, because the rule is unsafe otherwise" } else { "two variables" };
        let message = format!("`{b}` and `{a}` differ in letter case only and are taken for {taken}");
        let finding = Diagnostic::new(Code::VariableCase, span, message, format!("compare `{a}`"));
        self.variable_clashes.push(finding.hint("give different variables different names"));
    }

    fn rule_as_is(&mut self, head: NodeId, body: &[NodeId], span: Span) -> Rule {
        self.variables.rule += 1;
        self.variables.words.clear();
        let head = self.atom(head);
        let body = body.iter().map(|&literal| self.literal(literal)).collect();
        let name = |&word: &WordId| self.syntax.word(word)[1..].to_owned();
        let variables = self.variables.words.iter().map(name).collect();
        Rule { head, body, variables, span }
    }

    fn literal(&mut self, id: NodeId) -> Literal {
        let span = self.syntax.span(id);
        match self.syntax.node(id) {
            Node::List(&[first, inner]) if self.is(first, Connective::Not) => match self.syntax.node(inner) {
                Node::List(&[first, left, right]) if self.is(first, Connective::Distinct) => {
                    Literal::Equal(self.term(left), self.term(right), span)
                }
                _ => Literal::Not(self.atom(inner)),
            },
            Node::List(&[first, left, right]) if self.is(first, Connective::Distinct) => {
                Literal::Distinct(self.term(left), self.term(right), span)
            }
            _ => Literal::Is(self.atom(id)),
        }
    }

    fn is(&self, id: NodeId, connective: Connective) -> bool {
        matches!(self.syntax.node(id), Node::Word(word) if self.words.is(word, connective))
    }

    fn atom(&mut self, id: NodeId) -> Atom {
        let (word, args) = self.name_and_args(id);
        let name = self.symbol(word);
        let relation = self.relation(word, name, args.len());
        let args = args.iter().map(|&arg| self.term(arg)).collect();
        Atom { relation, args, span: self.syntax.span(id) }
    }

    /// Recurses as deep as the reader's limit on nesting lets it.
    fn term(&mut self, id: NodeId) -> Term {
        let (word, args) = self.name_and_args(id);
        if self.words.meaning(word) == Meaning::Variable {
            return Term::Var(self.variable(word));
        }
        let name = self.symbol(word);
        Term::Apply(name, args.iter().map(|&arg| self.term(arg)).collect())
    }

    /// The parts of a sentence or term of sound form.
    fn name_and_args(&self, id: NodeId) -> (WordId, &'a [NodeId]) {
        match self.syntax.node(id) {
            Node::Word(word) => (word, &[]),
            Node::List(elements) => match self.syntax.node(elements[0]) {
                Node::Word(word) => (word, &elements[1..]),
                Node::List(_) => unreachable!("forms are checked before lowering"),
            },
        }
    }

    fn variable(&mut self, word: WordId) -> VarId {
        let variables = &mut self.variables;
        let word = if variables.folds { self.words.folded[word.0 as usize] } else { word };
        let slot = &mut variables.slots[word.0 as usize];
        if slot.0 != variables.rule {
            *slot = (variables.rule, VarId(variables.words.len() as u32));
            variables.words.push(word);
        }
        slot.1
    }

    fn symbol(&mut self, word: WordId) -> Symbol {
        if let Some(symbol) = self.symbols[word.0 as usize] {
            return symbol;
        }
        let text = self.syntax.word(word);
        let lower = text.to_ascii_lowercase();
        let text = if words::is_folded_always(&lower) { lower } else { text.to_owned() };
        let texts = &mut self.rules.names.texts;
        let symbol = *self.by_text.entry(text).or_insert_with_key(|text| {
            texts.push(text.clone());
            Symbol(texts.len() as u32 - 1)
        });
        self.symbols[word.0 as usize] = Some(symbol);
        symbol
    }

    fn relation(&mut self, word: WordId, name: Symbol, arity: usize) -> RelationId {
        let relations = &mut self.rules.relations;
        *self.relations.entry((name, arity)).or_insert_with(|| {
            let keyword = match self.words.meaning(word) {
                Meaning::Keyword(keyword) => Some(keyword),
                _ => None,
            };
            relations.push(Relation { name, arity, keyword, depends: Depends::Nothing });
            RelationId(relations.len() as u32 - 1)
        })
    }
}
