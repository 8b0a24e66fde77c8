//! The two languages, as far as generated code tells them apart.

use std::fmt::Write as _;

/// What is emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A crate without dependencies and without `unsafe`.
    Rust,
    /// C99.
    C,
}

/// Numbers in one line of a table.
const PER_LINE: usize = 24;

impl Language {
    /// A number that is a term, a fluent or a place.
    pub(super) fn number(self, value: u32) -> String {
        match self {
            Language::Rust => value.to_string(),
            Language::C => format!("{value}u"),
        }
    }

    /// A list of values as the last argument of a call. C functions take its length, too.
    pub(super) fn list(self, values: &[String]) -> String {
        match self {
            Language::Rust => format!("&[{}]", values.join(", ")),
            Language::C if values.is_empty() => "0, 0".to_owned(),
            Language::C => format!("(const u32[]){{{}}}, {}", values.join(", "), values.len()),
        }
    }

    /// A call that can fail; in C it does not return then.
    pub(super) fn fallible(self, call: &str) -> String {
        match self {
            Language::Rust => format!("{call}?"),
            Language::C => call.to_owned(),
        }
    }

    /// A place of a table.
    pub(super) fn at(self, table: &str, place: &str) -> String {
        match self {
            Language::Rust => format!("{table}[({place}) as usize]"),
            Language::C => format!("{table}[{place}]"),
        }
    }

    /// Truth.
    pub(super) fn truth(self, value: bool) -> &'static str {
        match (self, value) {
            (Language::Rust, true) => "true",
            (Language::Rust, false) => "false",
            (Language::C, true) => "1",
            (Language::C, false) => "0",
        }
    }

    /// A named constant.
    pub(super) fn constant(self, name: &str, value: usize) -> String {
        match self {
            Language::Rust => format!("pub(crate) const {name}: usize = {value};\n"),
            Language::C => format!("#define {name} {value}\n"),
        }
    }

    /// A table of numbers. C has no empty ones: there a zero stands in them.
    pub(super) fn table(self, name: &str, values: &[u32]) -> String {
        let mut text = match self {
            Language::Rust => format!("pub(crate) static {name}: [u32; {}] = [", values.len()),
            Language::C => format!("static UNUSED_OK const uint32_t {name}[] = {{"),
        };
        let values = if values.is_empty() && self == Language::C { &[0] } else { values };
        for (at, value) in values.iter().enumerate() {
            text.push_str(if at % PER_LINE == 0 { "\n    " } else { " " });
            let _ = write!(text, "{value}{}", if self == Language::C { "u," } else { "," });
        }
        text.push_str(if self == Language::C { "\n};\n" } else { "\n];\n" });
        text
    }

    /// A table of short rows.
    pub(super) fn rows<const N: usize>(self, name: &str, rows: &[[u32; N]]) -> String {
        let mut text = match self {
            Language::Rust => format!("pub(crate) static {name}: [[u32; {N}]; {}] = [\n", rows.len()),
            Language::C => format!("static const uint32_t {name}[][{N}] = {{\n"),
        };
        let nothing = [[0; N]];
        for row in if rows.is_empty() && self == Language::C { &nothing } else { rows } {
            let row = row.map(|value| value.to_string()).join(", ");
            let _ = writeln!(text, "    {}{row}{},", self.open(), self.close());
        }
        text.push_str(if self == Language::C { "};\n" } else { "];\n" });
        text
    }

    fn open(self) -> char {
        if self == Language::C { '{' } else { '[' }
    }

    fn close(self) -> char {
        if self == Language::C { '}' } else { ']' }
    }

    /// A table of names, each with its points where it has any: a goal value.
    pub(super) fn names(self, table: &str, names: &[(&str, Option<u8>)]) -> String {
        let mut text = match self {
            Language::Rust => format!("pub(crate) static {table}: [&str; {}] = [\n", names.len()),
            Language::C => format!("static const name {table}[] = {{\n"),
        };
        for (name, points) in names {
            let literal = self.literal(name);
            let _ = match self {
                Language::Rust => writeln!(text, "    {literal},"),
                Language::C => writeln!(text, "    {{{literal}, {}, {}}},", name.len(), points.map_or(-1, i32::from)),
            };
        }
        if names.is_empty() && self == Language::C {
            text.push_str("    {\"\", 0, -1},\n");
        }
        text.push_str(if self == Language::C { "};\n" } else { "];\n" });
        text
    }

    /// A name as a string literal in ASCII. Letters, digits and a few signs stand for themselves, all else is written as numbers, so
    /// that nothing in it can end the literal, start a trigraph, or be taken for part of the number before it.
    pub(super) fn literal(self, name: &str) -> String {
        let mut text = String::from("\"");
        for c in name.chars() {
            if c.is_ascii_alphanumeric() || "_-+*<>=!.,:@".contains(c) {
                text.push(c);
                continue;
            }
            let _ = match self {
                Language::Rust => write!(text, "\\u{{{:x}}}", u32::from(c)),
                Language::C => c.encode_utf8(&mut [0; 4]).bytes().try_for_each(|byte| write!(text, "\\{byte:03o}")),
            };
        }
        text.push('"');
        text
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn literals_hold_whatever_a_name_holds() {
        let name = "a\"\\?\u{0}1é%*/";
        assert_eq!(Language::C.literal(name), "\"a\\042\\134\\077\\0001\\303\\251\\045*\\057\"");
        assert_eq!(Language::Rust.literal(name), "\"a\\u{22}\\u{5c}\\u{3f}\\u{0}1\\u{e9}\\u{25}*\\u{2f}\"");
    }

    #[test]
    fn empty_tables_are_valid_in_both_languages() {
        assert!(Language::C.table("t", &[]).contains("0u"));
        assert_eq!(Language::Rust.table("t", &[]), "pub(crate) static t: [u32; 0] = [\n];\n");
    }
}
