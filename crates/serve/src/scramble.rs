//! Names that tell nothing: every constant and variable of a sheet renamed, and moves translated back and forth.

use ludens_machine::Random;
use std::collections::{HashMap, HashSet};

/// Words that keep their meaning, as at ggp-base's host: `base`, `input` and `random` are among them, `sees` is not.
const KEYWORDS: &[&str] = &[
    "<=", "not", "or", "distinct", "role", "init", "true", "does", "legal", "next", "goal", "terminal", "base", "input", "random",
];

/// Words of the protocol, which no name may be.
const RESERVED: &[&str] = &["sees", "nil", "and", "busy", "done", "ready", "info", "play", "stop", "ping", "start", "abort"];

/// A new name for every name.
#[derive(Clone, Debug)]
pub struct Scramble {
    there: HashMap<String, String>,
    /// By names in lower case: players may shout.
    back: HashMap<String, String>,
}

impl Scramble {
    /// New names for a sheet. The same seed gives the same names.
    pub fn new(sheet: &str, seed: u64) -> Scramble {
        let mut names: Vec<&str> = Vec::new();
        let mut seen = HashSet::new();
        for word in words(sheet).filter(|word| !is_kept(word)) {
            if seen.insert(word) {
                names.push(word);
            }
        }
        let mut inventor = Inventor::new(&names, seed);
        let mut scramble = Scramble { there: HashMap::new(), back: HashMap::new() };
        // Some sheets spell one variable in two letter cases, so these must stay alike.
        let mut variables: HashMap<String, (String, u32)> = HashMap::new();
        for name in names {
            let new = if name.starts_with('?') {
                let (new, spellings) =
                    variables.entry(name.to_ascii_lowercase()).or_insert_with(|| (format!("?{}", inventor.invent()), 0));
                *spellings += 1;
                respelt(new, *spellings - 1).unwrap_or_else(|| format!("?{}", inventor.invent()))
            } else {
                let new = inventor.invent();
                scramble.back.insert(new.clone(), name.to_owned());
                new
            };
            scramble.there.insert(name.to_owned(), new);
        }
        scramble
    }

    /// A sheet, or a part of it, under the new names. Names that the sheet does not have stay.
    pub fn hide(&self, text: &str) -> String {
        replace(text, |word| Some(self.there.get(word).map_or(word, String::as_str))).unwrap_or_default()
    }

    /// What was said under the new names, under the old ones; `None` if it has a name that nobody was told.
    pub fn reveal(&self, text: &str) -> Option<String> {
        replace(
            text,
            |word| if is_kept(word) { Some(word) } else { self.back.get(&word.to_ascii_lowercase()).map(String::as_str) },
        )
    }
}

/// Integers and keywords.
fn is_kept(word: &str) -> bool {
    let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number || KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
}

fn is_separator(character: char) -> bool {
    character == '(' || character == ')' || matches!(character, ' ' | '\t'..='\r')
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_separator).filter(|word| !word.is_empty())
}

/// A text with other words, and all between them as it was.
fn replace<'t>(text: &'t str, word: impl Fn(&'t str) -> Option<&'t str>) -> Option<String> {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let start = rest.find(|character| !is_separator(character)).unwrap_or(rest.len());
        replaced.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.find(is_separator).unwrap_or(rest.len());
        if end > 0 {
            replaced.push_str(word(&rest[..end])?);
        }
        rest = &rest[end..];
    }
    Some(replaced)
}

/// The same letters in other cases: for every number another spelling, as far as there are any.
fn respelt(name: &str, number: u32) -> Option<String> {
    let letters = name.bytes().filter(u8::is_ascii_lowercase).count() as u32;
    if letters < 32 && number >> letters > 0 {
        return None;
    }
    let mut place = 0;
    let spell = |character: char| {
        if !character.is_ascii_lowercase() {
            return character;
        }
        place += 1;
        if place <= 32 && number >> (place - 1) & 1 == 1 { character.to_ascii_uppercase() } else { character }
    };
    Some(name.chars().map(spell).collect())
}

/// Makes up words that can be spoken, each once.
struct Inventor {
    random: Random,
    syllables: u32,
    taken: HashSet<String>,
}

impl Inventor {
    const CONSONANTS: &[u8] = b"bcdfghjklmnpqrstvwxz";
    const VOWELS: &[u8] = b"aeiou";

    fn new(names: &[&str], seed: u64) -> Inventor {
        let known = names.iter().map(|name| name.to_ascii_lowercase());
        let taken: HashSet<String> = known.chain(KEYWORDS.iter().chain(RESERVED).map(|&word| word.to_owned())).collect();
        // A hundred syllables: with so many of them most words are still free when all names have theirs.
        let mut syllables = 2;
        while 100_u64.pow(syllables) < 8 * taken.len() as u64 {
            syllables += 1;
        }
        Inventor { random: Random::new(seed ^ 0x5c4a_3b1e), syllables, taken }
    }

    fn invent(&mut self) -> String {
        loop {
            let mut word = String::new();
            for _ in 0..self.syllables {
                word.push(char::from(Inventor::CONSONANTS[self.random.below(Inventor::CONSONANTS.len())]));
                word.push(char::from(Inventor::VOWELS[self.random.below(Inventor::VOWELS.len())]));
            }
            if self.taken.insert(word.clone()) {
                return word;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Scramble, is_kept};
    use proptest::prelude::*;
    use std::collections::HashSet;

    const SHEET: &str =
        "(ROLE Red) (role random) (init (cell 1 -2 b)) (<= (next (cell ?x ?X ?y)) (true (cell ?X ?x ?y)) (not (sees ?y +3)))";

    #[test]
    fn names_are_hidden_and_found_again() {
        let scramble = Scramble::new(SHEET, 7);
        let hidden = scramble.hide(SHEET);
        for word in ["Red", "cell", "sees", "?x", "?y"] {
            assert!(!hidden.contains(word), "{word} in {hidden}");
        }
        assert!(hidden.starts_with("(ROLE ") && hidden.contains("(role random)") && hidden.contains(" 1 -2 "), "{hidden}");
        assert_eq!(hidden, Scramble::new(SHEET, 7).hide(SHEET));
        assert_ne!(hidden, Scramble::new(SHEET, 8).hide(SHEET));
        let told = scramble.hide("(cell 1 b)");
        assert_eq!(scramble.reveal(&told).as_deref(), Some("(cell 1 b)"));
        assert_eq!(scramble.reveal(&told.to_uppercase()).as_deref(), Some("(cell 1 b)"));
        // Old names were told to nobody.
        assert_eq!(scramble.reveal("(cell 1 b)"), None);
    }

    #[test]
    fn spellings_of_a_variable_stay_alike() {
        let scramble = Scramble::new("(p ?x ?X ?y)", 1);
        let (small, large, other) = (scramble.hide("?x"), scramble.hide("?X"), scramble.hide("?y"));
        assert_ne!(small, large);
        assert!(small.eq_ignore_ascii_case(&large) && !small.eq_ignore_ascii_case(&other));
    }

    #[test]
    fn numbers_and_keywords_are_kept() {
        for word in ["0", "-17", "+3", "<=", "NOT", "Random", "base"] {
            assert!(is_kept(word), "{word}");
        }
        for word in ["+", "-", "1a", "sees", "x", "?1", "<"] {
            assert!(!is_kept(word), "{word}");
        }
    }

    proptest! {
        #[test]
        fn different_names_stay_different(names in prop::collection::hash_set("[?]?[a-zA-Z+<_é]{1,3}", 1..200), seed: u64) {
            let sheet = names.iter().cloned().collect::<Vec<_>>().join(" ");
            let scramble = Scramble::new(&sheet, seed);
            let hidden: HashSet<String> = names.iter().map(|name| scramble.hide(name)).collect();
            prop_assert_eq!(hidden.len(), names.len());
            for name in names.iter().filter(|name| !name.starts_with('?')) {
                prop_assert_eq!(scramble.reveal(&scramble.hide(name)), Some(name.clone()));
            }
        }
    }
}
