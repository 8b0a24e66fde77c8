//! Random changes to sheets: of bytes, of words, of whole lists.

use std::ops::Range;

/// Splitmix64: small, seeded, good enough.
pub(crate) struct Random {
    state: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `limit`, which must not be 0.
    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

const WORDS: &[&str] = &[
    "role", "base", "input", "init", "true", "does", "legal", "next", "goal", "terminal", "<=", "not", "or", "distinct", "sees",
    "random", "ROLE", "Not", "?x", "?X", "?", "a", "A", "0", "101", "(", ")", "()", "((", "))", ";", "\n", "(or)", "(not p)",
    "é",
];

/// One of the corpus with a few changes.
pub(crate) fn mutate(corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut text = random.pick(corpus).clone();
    for _ in 0..=random.below(4) {
        text = match random.below(4) {
            0 => mutate_bytes(text, random),
            1 => mutate_words(&text, random),
            _ => mutate_lists(&text, corpus, random),
        };
    }
    text
}

fn mutate_bytes(mut text: Vec<u8>, random: &mut Random) -> Vec<u8> {
    let at = random.below(text.len() + 1);
    match random.below(4) {
        0 => text.insert(at, random.next() as u8),
        1 if at < text.len() => text[at] = random.next() as u8,
        2 if at < text.len() => {
            text.remove(at);
        }
        _ => text.truncate(at),
    }
    text
}

/// The words and parentheses of a text, by their bytes.
fn pieces(text: &[u8]) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        let plain = |byte: u8| !byte.is_ascii_whitespace() && byte != b'(' && byte != b')';
        at += text[at..].iter().take_while(|&&byte| plain(byte)).count().max(1);
        if !text[start].is_ascii_whitespace() {
            pieces.push(start..at);
        }
    }
    pieces
}

fn replace(text: &[u8], range: Range<usize>, with: &[u8]) -> Vec<u8> {
    [&text[..range.start], with, &text[range.end..]].concat()
}

fn mutate_words(text: &[u8], random: &mut Random) -> Vec<u8> {
    let pieces = pieces(text);
    if pieces.is_empty() {
        return random.pick(WORDS).as_bytes().to_vec();
    }
    let one = random.pick(&pieces).clone();
    let other = text[random.pick(&pieces).clone()].to_vec();
    match random.below(4) {
        0 => replace(text, one, random.pick(WORDS).as_bytes()),
        1 => replace(text, one, &other),
        2 => replace(text, one, b""),
        _ => replace(text, one.start..one.start, &[random.pick(WORDS).as_bytes(), b" "].concat()),
    }
}

/// A random list of a text, if it has one.
fn list(text: &[u8], random: &mut Random) -> Option<Range<usize>> {
    let opens: Vec<usize> = (0..text.len()).filter(|&at| text[at] == b'(').collect();
    if opens.is_empty() {
        return None;
    }
    let start = *random.pick(&opens);
    let mut depth = 0_usize;
    for (offset, byte) in text[start..].iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(start..start + offset + 1);
        }
    }
    None
}

fn mutate_lists(text: &[u8], corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let Some(one) = list(text, random) else { return text.to_vec() };
    let own = text[one.clone()].to_vec();
    let donor = if random.below(2) == 0 { text } else { random.pick(corpus) };
    let other = list(donor, random).map_or_else(Vec::new, |range| donor[range].to_vec());
    let wrap = |before: &str, after: &str| [before.as_bytes(), &own, after.as_bytes()].concat();
    match random.below(9) {
        0 => replace(text, one, b""),
        1 => replace(text, one, &other),
        2 => replace(text, one.clone(), &[&own[..], b" ", &own].concat()),
        3 => replace(text, one.end..one.end, &other),
        4 => replace(text, one, &wrap("(not ", ")")),
        5 => replace(text, one, &[b"(or ", &own[..], b" ", &other, b")"].concat()),
        6 => {
            let depth = random.below(80);
            replace(text, one, &wrap(&"(f ".repeat(depth), &")".repeat(depth)))
        }
        // One argument more, or one list fewer.
        7 => replace(text, one.end - 1..one.end, b" extra)"),
        _ => replace(text, one, &own[1..own.len() - 1]),
    }
}
