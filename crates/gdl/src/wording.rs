//! How names and numbers are put into messages.

/// Characters of a name that a message shows.
const SHOWN: usize = 60;

/// A name or term as messages show it: what a terminal would obey or hide is escaped, and what is long is cut. Sheets are
/// written by strangers, and what they wrote ends up on terminals and in logs.
pub fn legible(name: &str) -> String {
    let mut shown = String::new();
    let mut room = SHOWN;
    for character in name.chars() {
        let start = shown.len();
        if is_invisible(character) {
            shown.extend(character.escape_debug());
        } else {
            shown.push(character);
        }
        let width = shown[start..].chars().count();
        if width > room {
            shown.truncate(start);
            shown.push('…');
            break;
        }
        room -= width;
    }
    shown
}

/// True for control characters, and for those that change the direction of the text or take no room.
pub(crate) fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// A number with its noun.
pub(crate) fn plural(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::{legible, plural};

    #[test]
    fn names_are_escaped_and_cut() {
        for (name, expected) in [
            ("cell", "cell"),
            ("it's-\"é\"\\", "it's-\"é\"\\"),
            ("a\u{1b}[31mb\u{7f}\u{9b}c", "a\\u{1b}[31mb\\u{7f}\\u{9b}c"),
            ("\u{202e}live\u{feff}", "\\u{202e}live\\u{feff}"),
        ] {
            assert_eq!(legible(name), expected);
        }
        assert_eq!(legible(&"é".repeat(60)), "é".repeat(60));
        assert_eq!(legible(&"é".repeat(61)), "é".repeat(60) + "…");
        assert_eq!(legible(&"\u{1b}".repeat(1_000)), "\\u{1b}".repeat(10) + "…");
    }

    #[test]
    fn one_is_no_plural() {
        assert_eq!([plural(0, "role"), plural(1, "role"), plural(2, "role")], ["0 roles", "1 role", "2 roles"]);
    }
}
