//! What an experiment has to say, and how it is written: as Markdown that is also readable as it is.

use crate::words::wrap;
use std::fmt::Write as _;

/// A result: what was done and found, in sections, and what becomes of the paper's claims.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document {
    pub(crate) title: String,
    pub(crate) sections: Vec<Section>,
    pub(crate) findings: Vec<Finding>,
}

/// A part with a title.
#[derive(Clone, Debug, Default)]
pub(crate) struct Section {
    title: String,
    blocks: Vec<Block>,
}

#[derive(Clone, Debug)]
enum Block {
    Text(String),
    Table(Table),
    Plot { name: String, caption: String, svg: String },
}

impl Section {
    pub(crate) fn new(title: &str) -> Section {
        Section { title: title.to_owned(), blocks: Vec::new() }
    }

    /// A paragraph. Its lines are broken anew.
    #[must_use]
    pub(crate) fn text(mut self, text: impl Into<String>) -> Section {
        self.blocks.push(Block::Text(text.into()));
        self
    }

    #[must_use]
    pub(crate) fn table(mut self, table: Table) -> Section {
        self.blocks.push(Block::Table(table));
        self
    }

    /// A plot; the name becomes a part of the file's, and must be different for all plots of a document.
    #[must_use]
    pub(crate) fn plot(mut self, name: &str, caption: &str, svg: String) -> Section {
        debug_assert!(name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_' || character == '-'));
        self.blocks.push(Block::Plot { name: name.to_owned(), caption: caption.to_owned(), svg });
        self
    }
}

/// Rows under a header. The first `left` columns are words, all others numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    header: Vec<String>,
    left: usize,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(header: &[&str], left: usize) -> Table {
        Table { header: header.iter().map(ToString::to_string).collect(), left, rows: Vec::new() }
    }

    /// A row; what is missing at its end stays empty.
    pub(crate) fn row(&mut self, mut cells: Vec<String>) {
        debug_assert!(cells.len() <= self.header.len());
        cells.resize(self.header.len(), String::new());
        self.rows.push(cells);
    }

    fn markdown(&self) -> String {
        let clean = |cell: &String| cell.replace('|', "\\|").replace(['\n', '\r'], " ");
        let lines: Vec<Vec<String>> =
            std::iter::once(&self.header).chain(&self.rows).map(|row| row.iter().map(clean).collect()).collect();
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0).max(3);
        let widths: Vec<usize> = (0..self.header.len()).map(width).collect();
        let mut text = String::new();
        for (index, line) in lines.iter().enumerate() {
            for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
                let _ = if column < self.left { write!(text, "| {cell:<width$} ") } else { write!(text, "| {cell:>width$} ") };
            }
            text.push_str("|\n");
            if index == 0 {
                for (column, width) in widths.iter().enumerate() {
                    let end = if column < self.left { '-' } else { ':' };
                    let _ = write!(text, "|{}{end}", "-".repeat(width + 1));
                }
                text.push_str("|\n");
            }
        }
        text
    }
}

/// What becomes of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Reproduced,
    Surpassed,
    NotReproduced,
    /// There were too few measurements to tell, or it could not be measured here.
    NotDecided,
}

impl Outcome {
    fn text(self) -> &'static str {
        match self {
            Outcome::Reproduced => "reproduced",
            Outcome::Surpassed => "surpassed",
            Outcome::NotReproduced => "not reproduced",
            Outcome::NotDecided => "not decided at this scale",
        }
    }
}

/// A claim of the paper, and what our measurements say of it.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub(crate) claim: String,
    pub(crate) outcome: Outcome,
    pub(crate) why: String,
}

/// Where the numbers come from.
pub(super) struct Heading {
    pub(super) date: String,
    pub(super) machine: String,
    pub(super) command: String,
    pub(super) scale: String,
    pub(super) seed: u64,
    pub(super) seconds: f64,
}

impl Document {
    /// The plots with their names.
    pub(super) fn plots(&self) -> impl Iterator<Item = (&str, &str)> {
        self.sections.iter().flat_map(|section| &section.blocks).filter_map(|block| match block {
            Block::Plot { name, svg, .. } => Some((name.as_str(), svg.as_str())),
            Block::Text(_) | Block::Table(_) => None,
        })
    }

    /// The whole text, for a file of this name beside the plots.
    pub(super) fn markdown(&self, name: &str, heading: &Heading) -> String {
        let mut text = format!("# {}\n\n", self.title);
        let mut about = Table::new(&["", ""], 2);
        let version = format!("ludens {}", env!("CARGO_PKG_VERSION"));
        for (what, value) in [
            ("date", heading.date.clone()),
            ("machine", heading.machine.clone()),
            ("version", version),
            ("command", format!("`{}`", heading.command)),
            ("scale", heading.scale.clone()),
            ("seed", heading.seed.to_string()),
            ("time it took", duration(heading.seconds)),
        ] {
            about.row(vec![what.to_owned(), value]);
        }
        text += &about.markdown();
        if !self.findings.is_empty() {
            text += "\n## What becomes of the paper's claims\n\n";
            for finding in &self.findings {
                let line = format!("- **{}**: {} {}", finding.outcome.text(), finding.claim, finding.why);
                text += &crate::words::wrap_at(&line, 100, 2);
            }
        }
        for section in &self.sections {
            let _ = write!(text, "\n## {}\n", section.title);
            for block in &section.blocks {
                text.push('\n');
                match block {
                    Block::Text(paragraph) => text += &wrap(paragraph),
                    Block::Table(table) => text += &table.markdown(),
                    Block::Plot { name: plot, caption, .. } => {
                        let _ = writeln!(text, "![{}]({name}-{plot}.svg)", caption.replace(['[', ']'], ""));
                    }
                }
            }
        }
        text
    }
}

/// `45 s`, `6 min 5 s`, `30 h 2 min`.
fn duration(seconds: f64) -> String {
    match seconds.round() as u64 {
        seconds if seconds < 60 => format!("{seconds} s"),
        seconds if seconds < 3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::{Document, Finding, Heading, Outcome, Section, Table, duration};

    #[test]
    fn a_document_has_everything_in_it() {
        let mut table = Table::new(&["game", "ours"], 1);
        table.row(vec!["a|b".to_owned(), "12".to_owned()]);
        table.row(vec!["c".to_owned()]);
        let section = Section::new("Table 1").text("Some  words.").table(table).plot("one", "A [plot]", "<svg/>".to_owned());
        let finding = Finding { claim: "It is fast.".to_owned(), outcome: Outcome::NotDecided, why: "Nobody looked.".to_owned() };
        let document = Document { title: "T".to_owned(), sections: vec![section], findings: vec![finding] };
        let [date, machine, command, scale] = ["2026-01-02", "m", "ludens x", "quick"].map(str::to_owned);
        let text = document.markdown("x", &Heading { date, machine, command, scale, seed: 7, seconds: 61.0 });
        for part in [
            "# T\n",
            "| date         | 2026-01-02 ",
            "| command      | `ludens x` ",
            "| seed         | 7 ",
            "| time it took | 1 min 1 s ",
            "- **not decided at this scale**: It is fast. Nobody looked.\n",
            "\n## Table 1\n\nSome words.\n\n| game | ours |\n|------|-----:|\n| a\\|b |   12 |\n| c    |      |\n\n![A plot](x-one.svg)\n",
        ] {
            assert!(text.contains(part), "`{part}` is not in:\n{text}");
        }
        assert_eq!(document.plots().collect::<Vec<_>>(), [("one", "<svg/>")]);
    }

    #[test]
    fn times_are_read_easily() {
        assert_eq!([0.2, 59.4, 60.0, 3599.0, 7325.0].map(duration), ["0 s", "59 s", "1 min 0 s", "59 min 59 s", "2 h 2 min"]);
    }
}
