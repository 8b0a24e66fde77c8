//! Numbers with their nouns, and paragraphs.

/// `1 error`, `2 errors`, `3 matches`.
pub(crate) fn number(count: u64, noun: &str) -> String {
    let ending = match count {
        1 => "",
        _ if noun.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{count} {noun}{ending}")
}

/// A text of a stranger on one line of a terminal: characters that move the cursor or change colours are written out.
pub(crate) fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() { visible.extend(character.escape_debug()) } else { visible.push(character) }
    }
    visible
}

/// How long a line of a paragraph may be.
const LINE: usize = 100;

/// A paragraph broken into lines, each with its line break.
pub(crate) fn wrap(text: &str) -> String {
    let mut wrapped = String::new();
    let mut room = LINE;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if wrapped.is_empty() {
            room = LINE.saturating_sub(length);
        } else if room > length {
            wrapped.push(' ');
            room -= length + 1;
        } else {
            wrapped.push('\n');
            room = LINE.saturating_sub(length);
        }
        wrapped.push_str(word);
    }
    wrapped + "\n"
}

#[cfg(test)]
mod tests {
    use super::{number, wrap};

    #[test]
    fn lines_are_full_and_not_too_long() {
        let word = "a".repeat(33);
        assert_eq!(wrap(&format!("{word} {word}  {word}")), format!("{word} {word}\n{word}\n"));
        assert_eq!(wrap(&format!("{word} {word}\n {}", &word[1..])), format!("{word} {word} {}\n", &word[1..]));
        assert_eq!(wrap(&"a".repeat(200)), format!("{}\n", "a".repeat(200)));
    }

    #[test]
    fn only_one_is_singular() {
        assert_eq!(number(0, "error"), "0 errors");
        assert_eq!(number(1, "random match"), "1 random match");
        assert_eq!(number(2, "random match"), "2 random matches");
    }
}
