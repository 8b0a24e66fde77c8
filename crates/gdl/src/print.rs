//! [`Rules`] back to text, and the pieces of it that other stages print.

use std::fmt::{self, Write as _};

use crate::{Atom, Literal, RelationId, Rule, Rules, Term};

/// Longer rules get one line for every condition.
const LINE_WIDTH: usize = 100;

impl Rules {
    /// A term of a rule, with single blanks and no blank next to a parenthesis.
    pub fn term_text(&self, term: &Term, rule: &Rule) -> String {
        let mut text = String::new();
        self.write_term(term, &rule.variables, &mut text);
        text
    }

    /// An atom of a rule, such as `(cell ?x 1)` or `open`.
    pub fn atom_text(&self, atom: &Atom, rule: &Rule) -> String {
        let mut text = String::new();
        self.write_atom(atom, rule, &mut text);
        text
    }

    /// A condition of a rule.
    pub fn literal_text(&self, literal: &Literal, rule: &Rule) -> String {
        let mut text = String::new();
        let pair = |left: &Term, right: &Term, text: &mut String| {
            text.push_str("(distinct ");
            self.write_term(left, &rule.variables, text);
            text.push(' ');
            self.write_term(right, &rule.variables, text);
            text.push(')');
        };
        match literal {
            Literal::Is(atom) => self.write_atom(atom, rule, &mut text),
            Literal::Not(atom) => {
                text.push_str("(not ");
                self.write_atom(atom, rule, &mut text);
                text.push(')');
            }
            Literal::Distinct(left, right, _) => pair(left, right, &mut text),
            Literal::Equal(left, right, _) => {
                text.push_str("(not ");
                pair(left, right, &mut text);
                text.push(')');
            }
        }
        text
    }

    /// A whole fact or rule; a long rule has one condition a line.
    pub fn rule_text(&self, rule: &Rule) -> String {
        let head = self.atom_text(&rule.head, rule);
        if rule.body.is_empty() {
            return head;
        }
        let body: Vec<String> = rule.body.iter().map(|literal| self.literal_text(literal, rule)).collect();
        let width = head.len() + body.iter().map(|literal| literal.len() + 1).sum::<usize>();
        let separator = if width > LINE_WIDTH { "\n    " } else { " " };
        format!("(<= {head}{separator}{})", body.join(separator))
    }

    /// A relation as `name/arity`.
    pub fn relation_text(&self, id: RelationId) -> String {
        let relation = self.relation(id);
        format!("{}/{}", self.names.text(relation.name), relation.arity)
    }

    fn write_atom(&self, atom: &Atom, rule: &Rule, text: &mut String) {
        let name = self.names.text(self.relation(atom.relation).name);
        self.write_application(name, &atom.args, &rule.variables, text);
    }

    fn write_term(&self, term: &Term, variables: &[String], text: &mut String) {
        match term {
            Term::Var(var) => {
                let _ = write!(text, "?{}", variables[var.0 as usize]);
            }
            Term::Apply(name, args) => self.write_application(self.names.text(*name), args, variables, text),
        }
    }

    fn write_application(&self, name: &str, args: &[Term], variables: &[String], text: &mut String) {
        if args.is_empty() {
            return text.push_str(name);
        }
        text.push('(');
        text.push_str(name);
        for arg in args {
            text.push(' ');
            self.write_term(arg, variables, text);
        }
        text.push(')');
    }
}

/// The whole sheet as canonical KIF, one statement after another; reading it gives these rules again, but for the spans.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rule in &self.rules {
            writeln!(f, "{}", self.rule_text(rule))?;
        }
        Ok(())
    }
}
