//! Values in an order, so that they can be the side of a board.

use ludens_gdl::{Rules, Term};
use std::collections::{BTreeSet, HashMap, HashSet};

/// A side of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    /// In their order; where some are left out in between, they are put in.
    pub(super) labels: Vec<String>,
    /// Whether they are single letters, or begin with one: what people name columns by.
    pub(super) is_letters: bool,
}

impl Axis {
    /// Values in an order: numbers, a chain of the rules' own, single letters, or names that end in numbers.
    pub(super) fn of(values: &BTreeSet<&str>, chains: &Chains<'_>, most: usize) -> Option<Axis> {
        let is_letter = |value: &&str| value.chars().count() == 1 && value.chars().all(char::is_alphabetic);
        let is_letters = values.iter().all(is_letter);
        let labels = numbers("", values, most)
            .or_else(|| chains.ordered(values))
            .or_else(|| if is_letters { Some(values.iter().map(|value| (*value).to_owned()).collect()) } else { None });
        let labels = labels.or_else(|| {
            let first = values.first()?;
            let prefix = first.trim_end_matches(|character: char| character.is_ascii_digit());
            numbers(prefix, values, most)
        })?;
        (labels.len() <= most).then_some(Axis { labels, is_letters })
    }

    /// Whether every value of the other is one of these.
    pub(super) fn has_all_of(&self, other: &Axis) -> bool {
        other.labels.iter().all(|label| self.labels.contains(label))
    }
}

/// Numbers after one prefix, by value, those in between included.
fn numbers(prefix: &str, values: &BTreeSet<&str>, most: usize) -> Option<Vec<String>> {
    let number = |value: &&str| -> Option<i64> {
        let number: i64 = value.strip_prefix(prefix)?.parse().ok()?;
        // `01` would be written as another label than it came from.
        (format!("{prefix}{number}") == **value).then_some(number)
    };
    let numbers: Vec<i64> = values.iter().map(number).collect::<Option<_>>()?;
    let (&low, &high) = (numbers.iter().min()?, numbers.iter().max()?);
    (high.checked_sub(low)?.unsigned_abs() < most as u64)
        .then(|| (low..=high).map(|number| format!("{prefix}{number}")).collect())
}

/// Chains of constants that facts of the rules form: `(succ a b) (succ b c)`.
pub(super) struct Chains<'r>(Vec<Vec<&'r str>>);

impl<'r> Chains<'r> {
    /// All chains of all binary relations that are listed as facts.
    pub(super) fn of(rules: &'r Rules) -> Chains<'r> {
        let mut pairs: HashMap<u32, Vec<(&str, &str)>> = HashMap::new();
        for rule in rules.rules.iter().filter(|rule| rule.body.is_empty() && rules.relation(rule.head.relation).keyword.is_none())
        {
            if let [Term::Apply(a, none_a), Term::Apply(b, none_b)] = &*rule.head.args
                && none_a.is_empty()
                && none_b.is_empty()
            {
                pairs.entry(rule.head.relation.0).or_default().push((rules.names.text(*a), rules.names.text(*b)));
            }
        }
        let mut relations: Vec<(u32, Vec<(&str, &str)>)> = pairs.into_iter().collect();
        relations.sort_unstable();
        Chains(relations.into_iter().flat_map(|(_, pairs)| chains(&pairs)).collect())
    }

    /// These values in the order of a chain, with all between them.
    fn ordered(&self, values: &BTreeSet<&str>) -> Option<Vec<String>> {
        self.0.iter().find_map(|chain| {
            let places: Vec<usize> =
                values.iter().map(|value| chain.iter().position(|link| link == value)).collect::<Option<_>>()?;
            let (&low, &high) = (places.iter().min()?, places.iter().max()?);
            Some(chain[low..=high].iter().map(|link| (*link).to_owned()).collect())
        })
    }
}

/// The chains that pairs form, if nothing has two successors or two predecessors. Rings are none.
fn chains<'r>(pairs: &[(&'r str, &'r str)]) -> Vec<Vec<&'r str>> {
    let next: HashMap<&str, &str> = pairs.iter().copied().collect();
    let after: HashSet<&str> = next.values().copied().collect();
    if next.len() < pairs.len() || after.len() < pairs.len() {
        return Vec::new();
    }
    let starts = pairs.iter().map(|&(start, _)| start).filter(|start| !after.contains(start));
    starts.map(|start| std::iter::successors(Some(start), |link| next.get(link).copied()).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Axis, Chains};
    use ludens_gdl::{Limits, read};

    fn labels(facts: &str, values: &[&str]) -> Option<String> {
        let sheet = format!(
            "(role r) (init (at 1)) (<= (legal r go) (true (at 1))) (<= (next (at 2)) (does r go)) (<= terminal (true (at 2))) (goal r 100) {facts}"
        );
        let rules = read(&sheet, &Limits::default()).rules.expect("a valid sheet");
        Axis::of(&values.iter().copied().collect(), &Chains::of(&rules), 40).map(|axis| axis.labels.join(" "))
    }

    #[test]
    fn values_are_put_in_order() {
        let chain = "(after one two) (after two three) (after three four) (turn x o) (turn o x)";
        assert_eq!(labels(chain, &["2", "10", "9"]).as_deref(), Some("2 3 4 5 6 7 8 9 10"));
        assert_eq!(labels(chain, &["three", "one"]).as_deref(), Some("one two three"));
        assert_eq!(labels(chain, &["c10", "c9", "c8"]).as_deref(), Some("c8 c9 c10"));
        assert_eq!(labels(chain, &["x", "o"]).as_deref(), Some("o x"), "a ring is no order, but letters have one");
        assert_eq!(labels(chain, &["white", "black"]), None);
        assert_eq!(labels(chain, &["1", "100"]), None, "too far apart");
        assert_eq!(labels(chain, &["01", "02"]), None);
        assert_eq!(
            labels("(links a d) (links d c) (links c b)", &["a", "b"]).as_deref(),
            Some("a d c b"),
            "the rules' own order"
        );
    }
}
