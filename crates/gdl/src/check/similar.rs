//! "Did you mean": the known name nearest to one that is not known.

/// More names than this are not searched; a hint is not worth seconds.
const CANDIDATES: usize = 5_000;

/// Only the first of many unknown names get a hint: every one of them is a search through all known names.
const HINTS: usize = 100;

/// Counts the hints that one check may still search for.
pub(crate) struct Hints {
    left: usize,
}

impl Hints {
    pub(crate) fn new() -> Self {
        Self { left: HINTS }
    }

    /// What `search` finds, as long as searching is allowed.
    pub(crate) fn search(&mut self, search: impl FnOnce() -> Option<String>) -> Option<String> {
        self.left = self.left.checked_sub(1)?;
        search()
    }
}

/// The candidate with the fewest edits from `text`, at most a third of its length; the first of equals.
pub(crate) fn nearest<'a>(text: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let most = (text.len() / 3).clamp(1, 4);
    if text.len() > 64 {
        return None;
    }
    candidates
        .take(CANDIDATES)
        .filter(|candidate| *candidate != text && candidate.len().abs_diff(text.len()) <= most)
        .map(|candidate| (distance(text.as_bytes(), candidate.as_bytes()), candidate))
        .filter(|&(edits, _)| edits <= most && edits < text.len())
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, candidate)| candidate)
}

/// The number of insertions, deletions, replacements and swaps of neighbours, letter case ignored.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut older: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let replace = above[j] + usize::from(!x.eq_ignore_ascii_case(y));
            let mut best = replace.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && x.eq_ignore_ascii_case(&b[j - 1]) && a[i - 1].eq_ignore_ascii_case(y) {
                best = best.min(older[j - 1] + 1);
            }
            row.push(best);
        }
        older = above;
        above = row;
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::{HINTS, Hints, nearest};

    #[test]
    fn the_nearest_name_is_offered() {
        let names = ["cell", "control", "succ", "x"];
        for (text, expected) in
            [("cel", Some("cell")), ("contorl", Some("control")), ("SUCC", Some("succ")), ("row", None), ("y", None)]
        {
            assert_eq!(nearest(text, names.into_iter()), expected, "{text}");
        }
    }

    #[test]
    fn hints_run_out() {
        let mut hints = Hints::new();
        let given = (0..2 * HINTS).filter_map(|_| hints.search(|| Some(String::new()))).count();
        assert_eq!(given, HINTS);
    }
}
