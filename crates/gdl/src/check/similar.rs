//! "Did you mean": the known name nearest to one that is not known.

/// More names than this are not searched; a hint is not worth seconds.
const CANDIDATES: usize = 2_000;

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
        .map(|candidate| (distance(text.as_bytes(), candidate.as_bytes(), most), candidate))
        .filter(|&(edits, _)| edits <= most && edits < text.len())
        .min_by_key(|&(edits, _)| edits)
        .map(|(_, candidate)| candidate)
}

/// The number of insertions, deletions, replacements and swaps of neighbours, letter case ignored; `most + 1` where it is
/// more than `most`. Places that far from the diagonal are not looked at.
fn distance(a: &[u8], b: &[u8], most: usize) -> usize {
    let far = most + 1;
    let mut rows = [vec![far; b.len() + 1], vec![far; b.len() + 1], (0..=b.len()).map(|edits| edits.min(far)).collect()];
    for (i, x) in a.iter().enumerate() {
        rows.rotate_left(1);
        let [older, above, row] = &mut rows;
        row.fill(far);
        row[0] = (i + 1).min(far);
        for j in i.saturating_sub(most)..b.len().min(i + 1 + most) {
            let y = &b[j];
            let replace = above[j] + usize::from(!x.eq_ignore_ascii_case(y));
            let mut best = replace.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && x.eq_ignore_ascii_case(&b[j - 1]) && a[i - 1].eq_ignore_ascii_case(y) {
                best = best.min(older[j - 1] + 1);
            }
            row[j + 1] = best.min(far);
        }
    }
    rows[2][b.len()]
}

#[cfg(test)]
mod tests {
    use super::{HINTS, Hints, distance, nearest};

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
    fn edits_are_counted_up_to_a_bound() {
        for (a, b, edits) in [
            ("", "", 0),
            ("", "ab", 2),
            ("control", "contorl", 1),
            ("kitten", "Sitting", 3),
            ("defined", "undefined", 2),
            ("abcdef", "bcdefa", 2),
            ("abcd", "wxyz", 4),
        ] {
            for most in 0..6 {
                assert_eq!(distance(a.as_bytes(), b.as_bytes(), most), edits.min(most + 1), "{a} {b} {most}");
                assert_eq!(distance(b.as_bytes(), a.as_bytes(), most), edits.min(most + 1), "{b} {a} {most}");
            }
        }
    }

    #[test]
    fn hints_run_out() {
        let mut hints = Hints::new();
        let given = (0..2 * HINTS).filter_map(|_| hints.search(|| Some(String::new()))).count();
        assert_eq!(given, HINTS);
    }
}
