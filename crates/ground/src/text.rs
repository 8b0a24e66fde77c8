//! Terms as text.

use crate::terms::{TermId, Terms};
use ludens_gdl::term_text;

/// A term as a sheet writes it.
pub(crate) fn term(terms: &Terms, names: &[String], term: TermId) -> String {
    cut(terms, names, term, usize::MAX)
}

/// A term as a sheet writes it, no more than about so many bytes of it.
pub(crate) fn cut(terms: &Terms, names: &[String], term: TermId, most: usize) -> String {
    term_text(term, most, |term| (&names[terms.symbol(term) as usize], terms.args(term)))
}

/// How many bytes the text of every term has. Rules can make terms whose text no memory holds, of a few terms that occur again and again.
pub(crate) fn lengths(terms: &Terms, names: &[String]) -> Vec<u64> {
    let mut lengths: Vec<u64> = Vec::with_capacity(terms.len());
    for term in 0..terms.len() as TermId {
        // Parts come before what they are part of. A blank before each, and a pair of parentheses.
        let parts = terms.args(term).iter().map(|&arg| lengths[arg as usize].saturating_add(1));
        let inside = parts.fold(0_u64, u64::saturating_add);
        let brackets = if inside > 0 { 2 } else { 0 };
        lengths.push(inside.saturating_add(names[terms.symbol(term) as usize].len() as u64 + brackets));
    }
    lengths
}
