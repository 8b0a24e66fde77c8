//! What every source file keeps to, as a test: the order of the crates, who may print or look at a clock, sizes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates in the order of the pipeline; each may depend only on those before it.
const PIPELINE: &[&str] = &["gdl", "ground", "machine", "score", "search", "serve", "tournament", "cli"];

/// The only crate that may contain `unsafe`.
const UNSAFE_CRATE: &str = "machine";

/// Crates that may ask what time it is; for the others a clock is an argument.
const CLOCK_CRATES: &[&str] = &["serve", "tournament", "cli"];

/// Longer files and functions must be listed in the ratchet.
const FILE_LINES: usize = 600;
const FUNCTION_LINES: usize = 80;
const RATCHET: &str = "tidy-ratchet.txt";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A Rust source file of the workspace.
struct Source {
    /// From the root, with `/`.
    path: String,
    /// The crate's short name: `gdl`, `cli`.
    krate: String,
    text: String,
}

impl Source {
    /// Whether it is part of the crate itself, not a test, a bench or a build script.
    fn is_product(&self) -> bool {
        self.path.contains("/src/")
    }

    /// The lines before the unit tests, numbered from 1, without comments.
    fn product_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().take_while(|line| !line.starts_with("#[cfg(test)]"));
        lines.enumerate().map(|(index, line)| (index + 1, line.split("//").next().unwrap_or_default()))
    }
}

fn sources() -> Vec<Source> {
    let mut crates: Vec<(String, PathBuf)> = vec![("cli".to_owned(), root().join("cli"))];
    for entry in fs::read_dir(root().join("crates")).expect("the crates") {
        let path = entry.expect("an entry").path();
        crates.push((path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned(), path));
    }
    let mut found = Vec::new();
    for (krate, folder) in crates {
        let mut folders = vec![folder];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let text = fs::read_to_string(&path).expect("a source file in UTF-8");
                    let path = path.strip_prefix(root()).expect("inside").to_str().expect("UTF-8").replace('\\', "/");
                    found.push(Source { path, krate: krate.clone(), text });
                }
            }
        }
    }
    assert!(found.len() > 10, "the sources were found");
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

/// Fails with all complaints at once.
#[track_caller]
fn report(complaints: &[String]) {
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
}

/// Whether the text has this word, not just as a part of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    let part_of_name = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word)
        .any(|(at, _)| !line[..at].ends_with(part_of_name) && !line[at + word.len()..].starts_with(part_of_name))
}

#[test]
fn crates_depend_only_on_earlier_ones() {
    let place = |name: &str| PIPELINE.iter().position(|known| *known == name);
    let mut complaints = Vec::new();
    let mut manifests = vec![("cli".to_owned(), root().join("cli/Cargo.toml"))];
    for entry in fs::read_dir(root().join("crates")).expect("the crates") {
        let path = entry.expect("an entry").path();
        manifests.push((path.file_name().and_then(|name| name.to_str()).expect("a name").to_owned(), path.join("Cargo.toml")));
    }
    for (name, manifest) in manifests {
        let Some(own) = place(&name) else {
            complaints.push(format!("crates/{name} has no place in the pipeline"));
            continue;
        };
        let manifest: toml::Table = fs::read_to_string(manifest).expect("a manifest").parse().expect("TOML");
        for table in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let names = manifest.get(table).and_then(toml::Value::as_table).into_iter().flat_map(toml::Table::keys);
            for dependency in names.filter_map(|name| name.strip_prefix("ludens-")) {
                if place(dependency).is_none_or(|other| other >= own) {
                    complaints.push(format!("{name} may not depend on {dependency}"));
                }
            }
        }
    }
    report(&complaints);
}

#[test]
fn unsafe_code_is_where_it_may_be_and_says_why_it_is_sound() {
    let mut complaints = Vec::new();
    for source in sources() {
        let lines: Vec<&str> = source.text.lines().collect();
        for (index, line) in lines.iter().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            if !has_word(code, "unsafe") || code.contains('"') {
                continue;
            }
            let at = format!("{}:{}", source.path, index + 1);
            if source.krate != UNSAFE_CRATE {
                complaints.push(format!("{at}: `unsafe` outside of {UNSAFE_CRATE}"));
                continue;
            }
            // The reason stands in the comment right above, attributes aside.
            let above = lines[..index].iter().rev().map(|line| line.trim_start());
            let mut comment = above.skip_while(|line| line.starts_with("#[")).take_while(|line| line.starts_with("//"));
            if !comment.any(|line| line.contains("SAFETY:") || line.contains("# Safety")) {
                complaints.push(format!("{at}: `unsafe` without a SAFETY comment"));
            }
        }
    }
    report(&complaints);
}

#[test]
fn only_the_command_line_prints_and_few_look_at_the_clock() {
    let mut complaints = Vec::new();
    for source in sources().iter().filter(|source| source.is_product()) {
        for (number, line) in source.product_lines() {
            let prints = ["print!", "println!", "eprint!", "eprintln!"].iter().any(|word| has_word(line, word));
            if prints && source.krate != "cli" {
                complaints.push(format!("{}:{number}: only cli prints", source.path));
            }
            let clocks = line.contains("Instant::now") || has_word(line, "SystemTime");
            if clocks && !CLOCK_CRATES.contains(&source.krate.as_str()) {
                complaints.push(format!("{}:{number}: a clock is an argument here", source.path));
            }
        }
    }
    report(&complaints);
}

#[test]
fn nothing_is_left_lying_about() {
    // In two pieces, so that this file passes its own test.
    let forbidden = [("TO", "DO"), ("FIX", "ME"), ("dbg", "!("), ("to", "do!("), ("unimplemented", "!("), ("#[ig", "nore")]
        .map(|(a, b)| format!("{a}{b}"));
    let mut complaints = Vec::new();
    for source in sources() {
        for (index, line) in source.text.lines().enumerate() {
            let at = format!("{}:{}", source.path, index + 1);
            if line.ends_with(char::is_whitespace) {
                complaints.push(format!("{at}: blanks at the end of the line"));
            }
            if line.contains('\t') {
                complaints.push(format!("{at}: a tab"));
            }
            for word in forbidden.iter().filter(|word| line.contains(*word)) {
                complaints.push(format!("{at}: `{word}`"));
            }
        }
        if !source.text.ends_with('\n') {
            complaints.push(format!("{}: no line break at the end", source.path));
        }
    }
    report(&complaints);
}

/// Every function with its length, by indentation: the sources are formatted, so a function ends at the first closing brace in
/// the column where it began.
fn functions(text: &str) -> Vec<(String, usize)> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let words: Vec<&str> = line.split("//").next().unwrap_or_default().split_whitespace().collect();
        let Some(at) = words.iter().position(|word| *word == "fn") else { continue };
        let qualifies = |word: &&str| {
            ["pub", "const", "async", "unsafe", "extern"].contains(word) || word.starts_with("pub(") || word.starts_with('"')
        };
        let Some(name) = words.get(at + 1).filter(|_| words[..at].iter().all(qualifies)) else { continue };
        let name = name.split(['(', '<']).next().unwrap_or(name);
        let end = lines[start..].iter().position(|end| end.trim() == "}" && indent(end) == indent(line));
        let one_line = line.ends_with('}') || line.ends_with(';');
        found.push((name.to_owned(), if one_line { 1 } else { end.map_or(1, |length| length + 1) }));
    }
    found
}

#[test]
fn lengths_of_functions_are_measured() {
    let text = "fn a() {\n    let x = || {\n    };\n}\nimpl B {\n    pub(crate) fn b<T>(\n        t: T,\n    ) {\n        t;\n    }\n    fn c() {}\n}\n";
    assert_eq!(functions(text), [("a".to_owned(), 4), ("b".to_owned(), 5), ("c".to_owned(), 1)]);
}

/// Everything over its size: `file PATH` and `function PATH NAME`, with its lines.
fn oversized() -> BTreeMap<String, usize> {
    let mut sizes = BTreeMap::new();
    for source in sources() {
        let lines = source.text.lines().count();
        if lines > FILE_LINES {
            sizes.insert(format!("file {}", source.path), lines);
        }
        for (name, lines) in functions(&source.text).into_iter().filter(|&(_, lines)| lines > FUNCTION_LINES) {
            let longest = sizes.entry(format!("function {} {name}", source.path)).or_insert(lines);
            *longest = lines.max(*longest);
        }
    }
    sizes
}

/// Sizes only go down: what is too long is listed with its length, may not grow, and must be listed shorter once it is.
#[test]
fn sizes_keep_to_the_ratchet() {
    let text = fs::read_to_string(root().join(RATCHET)).expect("the ratchet");
    let mut allowed = BTreeMap::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (what, lines) = line.rsplit_once(' ').expect("a thing and its lines");
        allowed.insert(what.to_owned(), lines.parse::<usize>().expect("a number of lines"));
    }
    let actual = oversized();
    let mut complaints = Vec::new();
    for (what, &lines) in &actual {
        match allowed.get(what) {
            None => complaints.push(format!("{what} has {lines} lines: split it")),
            Some(&limit) if lines > limit => complaints.push(format!("{what} grew from {limit} to {lines} lines: split it")),
            Some(&limit) if lines < limit => {
                complaints.push(format!("{what} shrank to {lines} lines: lower {RATCHET} from {limit}"));
            }
            Some(_) => {}
        }
    }
    for what in allowed.keys().filter(|what| !actual.contains_key(*what)) {
        complaints.push(format!("{what} is no longer too long: remove it from {RATCHET}"));
    }
    report(&complaints);
}
