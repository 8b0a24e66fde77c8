//! One spelling for equal terms.

use ludens_gdl::parse_ground;

/// One spelling for all texts of a term: single blanks, none next to a parenthesis, `f` for `(f)`, and lower case where the
/// sheet does not tell cases apart. What is no term stays as it is.
pub(crate) fn canonical(text: &str, case_sensitive: bool) -> String {
    let mut spelt = parse_ground(text).map_or_else(|_| text.to_owned(), |term| term.to_string());
    if !case_sensitive {
        spelt.make_ascii_lowercase();
    }
    spelt
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn spelling_does_not_matter() {
        assert_eq!(canonical("( cell  1\t(f) b )", true), "(cell 1 f b)");
        assert_eq!(canonical("(f)", true), "f");
        assert_eq!(canonical("(f (g a) (h))", true), "(f (g a) h)");
        assert_eq!(canonical("(Cell A)", true), "(Cell A)");
        assert_eq!(canonical("(Cell A)", false), "(cell a)");
        assert_eq!(canonical("error: no (term", true), "error: no (term");
    }
}
