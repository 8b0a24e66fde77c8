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

/// An expression as long as a line of a table has room for; JSON has the whole.
pub(crate) fn cut(text: &str) -> std::borrow::Cow<'_, str> {
    const ROOM: usize = 96;
    const DOTS: &str = " ...";
    if text.chars().count() <= ROOM {
        return text.into();
    }
    let end = text.char_indices().nth(ROOM - DOTS.len()).map_or(text.len(), |(end, _)| end);
    // Up to a whole word.
    let end = text[..end].rfind(' ').unwrap_or(end);
    format!("{}{DOTS}", &text[..end]).into()
}

/// How long a line of a paragraph may be.
const LINE: usize = 100;

/// A paragraph broken into lines, each with its line break.
pub(crate) fn wrap(text: &str) -> String {
    wrap_at(text, LINE, 0)
}

/// A paragraph in lines of some length, all but the first of them indented.
pub(crate) fn wrap_at(text: &str, line: usize, indent: usize) -> String {
    let mut wrapped = String::new();
    let mut room = line;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if wrapped.is_empty() {
            room = line.saturating_sub(length);
        } else if room > length {
            wrapped.push(' ');
            room -= length + 1;
        } else {
            wrapped.push('\n');
            wrapped.extend(std::iter::repeat_n(' ', indent));
            room = line.saturating_sub(length);
        }
        wrapped.push_str(word);
    }
    wrapped + "\n"
}

/// Short texts side by side, column by column, as many as a line has room for.
pub(crate) fn columns(texts: &[String]) -> String {
    let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0) + 2;
    let across = ((LINE + 2) / width).clamp(1, texts.len().max(1));
    let down = texts.len().div_ceil(across);
    let mut lines = String::new();
    for row in 0..down {
        let cells: Vec<String> = texts.iter().skip(row).step_by(down).map(|text| format!("{text:<width$}")).collect();
        lines.push_str(cells.concat().trim_end());
        lines.push('\n');
    }
    lines
}

/// Three digits at least where a number is small, thousands apart where it is large.
pub(crate) fn grouped(number: f64) -> String {
    if number < 100.0 {
        return format!("{number:.2}");
    }
    let digits = format!("{number:.0}");
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A count with thousands apart.
pub(crate) fn count(count: u64) -> String {
    if count < 100 { count.to_string() } else { grouped(count as f64) }
}

/// A word for a shell.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./:,=+@%".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::{columns, count, cut, grouped, number, wrap, wrap_at};

    #[test]
    fn lines_are_full_and_not_too_long() {
        let word = "a".repeat(33);
        assert_eq!(wrap(&format!("{word} {word}  {word}")), format!("{word} {word}\n{word}\n"));
        assert_eq!(wrap(&format!("{word} {word}\n {}", &word[1..])), format!("{word} {word} {}\n", &word[1..]));
        assert_eq!(wrap(&"a".repeat(200)), format!("{}\n", "a".repeat(200)));
    }

    #[test]
    fn columns_are_read_from_top_to_bottom() {
        let texts: Vec<String> = (1..=5).map(|number| format!("{}{number}", "a".repeat(30))).collect();
        let lines =
            [vec![0, 2, 4], vec![1, 3]].map(|places| places.into_iter().map(|place| texts[place].as_str()).collect::<Vec<_>>());
        assert_eq!(columns(&texts), lines.map(|line| line.join("  ") + "\n").concat());
        assert_eq!(columns(&[]), "");
    }

    #[test]
    fn long_expressions_are_cut_between_words() {
        let fits = "é".repeat(96);
        assert_eq!(cut(&fits), fits.as_str());
        assert_eq!(cut(&format!("{} {}", "é".repeat(90), "é".repeat(6))), format!("{} ...", "é".repeat(90)));
        assert_eq!(cut(&"é".repeat(97)), format!("{} ...", "é".repeat(92)));
    }

    #[test]
    fn lines_can_be_indented() {
        assert_eq!(wrap_at("aa bb cc dd", 5, 2), "aa bb\n  cc dd\n");
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!(grouped(8.512), "8.51");
        assert_eq!(grouped(999.6), "1,000");
        assert_eq!(grouped(123.4), "123");
        assert_eq!(grouped(1_234_567.0), "1,234,567");
        assert_eq!([0, 7, 100, 12_345].map(count), ["0", "7", "100", "12,345"]);
    }

    #[test]
    fn only_one_is_singular() {
        assert_eq!(number(0, "error"), "0 errors");
        assert_eq!(number(1, "random match"), "1 random match");
        assert_eq!(number(2, "random match"), "2 random matches");
    }
}
