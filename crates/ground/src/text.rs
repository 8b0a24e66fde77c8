//! Terms as text.

use crate::terms::{TermId, Terms};

/// A term as a sheet writes it. Rules can nest terms deeper than any stack of ours, so this one is explicit.
pub(crate) fn term(terms: &Terms, names: &[String], term: TermId) -> String {
    let mut text = String::new();
    let mut open = vec![(term, 0)];
    while let Some((term, next)) = open.pop() {
        let args = terms.args(term);
        if next == 0 {
            text.push_str(if args.is_empty() { "" } else { "(" });
            text.push_str(&names[terms.symbol(term) as usize]);
        }
        if let Some(&arg) = args.get(next) {
            text.push(' ');
            open.extend([(term, next + 1), (arg, 0)]);
        } else if !args.is_empty() {
            text.push(')');
        }
    }
    text
}
