//! A short sign for every content of a cell, no two alike.

use std::collections::{BTreeMap, BTreeSet};

/// Signs for contents, which may have several words: first letters where they will do, then other letters, then more of them.
pub(super) fn choose(contents: &BTreeSet<String>) -> BTreeMap<String, String> {
    let mut taken: BTreeSet<String> = BTreeSet::from([".".to_owned(), " ".to_owned()]);
    let mut symbols = BTreeMap::new();
    let initials: Vec<String> = contents.iter().filter_map(|content| signs(content).next()).collect();
    let differ = initials.iter().collect::<BTreeSet<_>>().len() == contents.len();
    for content in contents {
        // Two letters that somebody chose already say more than ours.
        let own = Some(content.clone()).filter(|content| !differ && (1..=2).contains(&content.chars().count()));
        let symbol =
            own.into_iter().chain(signs(content)).find(|sign| !taken.contains(sign)).unwrap_or_else(|| content.replace(' ', "_"));
        taken.insert(symbol.clone());
        symbols.insert(content.clone(), symbol);
    }
    symbols
}

/// What could stand for a content, the best first.
fn signs(content: &str) -> impl Iterator<Item = String> {
    let words: Vec<Vec<char>> = content
        .split(|character: char| !character.is_alphanumeric())
        .map(|word| word.chars().collect::<Vec<char>>())
        .filter(|word| !word.is_empty())
        .collect();
    let number = content.parse::<u32>().is_ok().then(|| content.to_owned());
    let parts = capitals(&words);
    let initials: String = parts.iter().map(|word| word[0]).take(3).collect();
    let (last, before) = parts.split_last().map(|(last, before)| (last.clone(), before.to_vec())).unwrap_or_default();
    let start: String = before.iter().map(|word| word[0]).take(2).collect();
    let letters: Vec<char> = last.iter().skip(1).copied().collect();
    let lower = letters.clone().into_iter().map(move |letter| format!("{start}{letter}"));
    let upper = std::iter::once(initials.clone()).map(|sign| sign.to_uppercase());
    let whole: Vec<char> = words.concat();
    let longer = (2..=4.min(whole.len())).map(move |length| whole[..length].iter().collect());
    number.into_iter().chain(std::iter::once(initials)).chain(lower).chain(upper).chain(longer).filter(|sign| !sign.is_empty())
}

/// Words taken apart where a capital begins another one: `whiteRook`.
fn capitals(words: &[Vec<char>]) -> Vec<Vec<char>> {
    let mut parts: Vec<Vec<char>> = Vec::new();
    for word in words {
        for (index, &character) in word.iter().enumerate() {
            let begins = index == 0 || (character.is_uppercase() && word[index - 1].is_lowercase());
            match parts.last_mut() {
                Some(part) if !begins => part.push(character),
                _ => parts.push(vec![character]),
            }
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::choose;

    fn signs(contents: &[&str]) -> String {
        choose(&contents.iter().map(|&content| content.to_owned()).collect()).into_values().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn signs_are_short_and_differ() {
        assert_eq!(signs(&["black", "white"]), "b w");
        assert_eq!(signs(&["off", "only", "open"]), "o n p");
        assert_eq!(signs(&["bk", "bp", "wk", "wp"]), "bk bp wk wp");
        assert_eq!(signs(&["white king", "white knight", "white pawn"]), "wk wn wp");
        assert_eq!(signs(&["whiteKnight", "whiteRook"]), "wK wR");
        assert_eq!(signs(&["1", "12", "(f a)"]), "fa 1 12");
        assert_eq!(signs(&["."]), ".");
    }
}
