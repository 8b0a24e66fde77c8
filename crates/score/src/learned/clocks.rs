//! Fluents that tell the time, and nothing else.

use crate::sample::Matches;
use crate::vocabulary::Vocabulary;

/// Per fluent: whether it is the same in all matches after the same number of joint moves, and so says nothing about who is ahead.
pub(super) fn find(vocabulary: &Vocabulary, matches: &Matches) -> Vec<bool> {
    let words = vocabulary.words();
    // What was seen true, and what was seen false, after so many moves.
    let longest = matches.courses().map(|course| course.len()).max().unwrap_or(0);
    let (mut some, mut all) = (vec![0_u64; longest * words], vec![u64::MAX; longest * words]);
    for course in matches.courses() {
        for ply in 0..course.len() {
            for (at, &word) in course.position(ply).iter().enumerate() {
                some[ply * words + at] |= word;
                all[ply * words + at] &= word;
            }
        }
    }
    let mut varies = vec![0_u64; words];
    for (at, (some, all)) in some.iter().zip(&all).enumerate() {
        varies[at % words.max(1)] |= some & !all;
    }
    (0..vocabulary.rows().len()).map(|fluent| varies[fluent / 64] >> (fluent % 64) & 1 == 0).collect()
}
