//! Which engine plays, and how it is made: the options that several commands share.

use crate::sheet::Sheet;
use anyhow::{Context, Result};
use clap::ValueEnum;
use ludens_gdl::Rules;
use ludens_machine::{Error, GroundLimits, Limits, Machine, relational};

/// The engines by the names the command line knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// A boolean network, many states at once; a sheet that cannot be grounded within the limits is played by the other.
    Lanes,
    /// Query plans over the rules: the reference.
    Relational,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    /// Use it.
    On,
    /// Do without.
    Off,
}

/// How the machine is built.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct EngineArgs {
    /// The engine that executes the rules.
    #[arg(long, value_enum, default_value = "relational")]
    pub(crate) engine: Engine,
    /// Remember the answers of sub-queries within a state.
    #[arg(long, value_enum, value_name = "ON|OFF", default_value = "on", hide_possible_values = true)]
    pub(crate) memo: Switch,
    /// Choose clause order and memoisation from a profile of a few random matches.
    #[arg(long, value_enum, value_name = "ON|OFF", default_value = "on", hide_possible_values = true)]
    pub(crate) profile: Switch,
    /// Remember states met before, with what was found out about them, in so many bytes (64K to 1G): pays where play comes back
    /// to the same states often. For the relational engine.
    #[arg(long, value_name = "OFF|SIZE", default_value = "off", value_parser = table_bytes)]
    pub(crate) table: TableBytes,
}

/// The size of a transposition table; 0 for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TableBytes(usize);

impl TableBytes {
    /// A table of so many bytes; none of 0.
    pub(crate) fn of(bytes: usize) -> TableBytes {
        TableBytes(bytes)
    }
}

fn table_bytes(text: &str) -> Result<TableBytes, String> {
    if text == "off" {
        return Ok(TableBytes(0));
    }
    match bytes(text) {
        Some(bytes @ 0x1_0000..=0x4000_0000) => Ok(TableBytes(bytes)),
        Some(_) => Err("a table has 64K to 1G bytes".to_owned()),
        None => Err("give `off` or a number of bytes, such as 65536, 512K, 16M or 1G".to_owned()),
    }
}

/// A number of bytes: `65536`, `512K`, `16M`, `1G`.
pub(crate) fn bytes(text: &str) -> Option<usize> {
    let (digits, unit) = match text.char_indices().last() {
        Some((at, 'K' | 'k')) => (&text[..at], 10),
        Some((at, 'M' | 'm')) => (&text[..at], 20),
        Some((at, 'G' | 'g')) => (&text[..at], 30),
        _ => (text, 0),
    };
    digits.parse::<usize>().ok().and_then(|number| number.checked_mul(1 << unit))
}

impl EngineArgs {
    /// This engine with all else as it comes.
    pub(crate) fn plain(engine: Engine) -> EngineArgs {
        EngineArgs { engine, memo: Switch::On, profile: Switch::On, table: TableBytes(0) }
    }

    /// The machine that was asked for; the errors of a sheet that is not valid are printed.
    pub(crate) fn machine_of(self, sheet: &Sheet) -> Result<Machine> {
        self.build(sheet.valid_rules()?).with_context(|| cannot_build(sheet))
    }

    /// Builds the machine that was asked for.
    pub(crate) fn build(self, rules: &Rules) -> Result<Machine, Error> {
        let options = relational::Options {
            memo: self.memo == Switch::On,
            profile: self.profile == Switch::On,
            table: self.table.0,
            ..relational::Options::default()
        };
        match self.engine {
            Engine::Lanes => Machine::fastest(rules, &GroundLimits::default(), &options, &Limits::default()),
            Engine::Relational => Machine::relational(rules, &options, &Limits::default()),
        }
    }
}

/// What is said where an engine cannot be made to play a valid sheet.
pub(crate) fn cannot_build(sheet: &Sheet) -> String {
    format!("the engine cannot play {}", sheet.source.name)
}

/// Whether the engine itself could not go on, as at a limit: that says nothing about what it was asked, so it is no answer.
pub(crate) fn gave_up(error: &Error) -> bool {
    !matches!(error, Error::Unknown { .. })
}

/// The reference engine as it comes.
pub(crate) fn reference(rules: &Rules) -> Result<Machine, Error> {
    Machine::relational(rules, &relational::Options::default(), &Limits::default())
}

/// A machine that cannot list its legal moves: there are a thousand of them, and it may take five hundred steps.
#[cfg(test)]
pub(crate) fn short_of_steps() -> (Rules, Machine) {
    use std::fmt::Write as _;
    let mut sheet = String::from("(role r) (<= (next (at ?n)) (true (at ?n))) (<= terminal (true over)) (goal r 0)\n");
    sheet += "(<= (legal r (go ?a ?b ?c)) (true (at ?a)) (true (at ?b)) (true (at ?c)))\n";
    for place in 0..10 {
        let _ = writeln!(sheet, "(init (at {place}))");
    }
    let reading = ludens_gdl::read(&sheet, &ludens_gdl::Limits::default());
    let limits = Limits { steps: 500, ..Limits::default() };
    let rules = reading.rules.expect("it is valid");
    let machine = Machine::relational(&rules, &relational::Options::default(), &limits).expect("a machine");
    (rules, machine)
}

#[cfg(test)]
mod tests {
    use super::{TableBytes, table_bytes};

    #[test]
    fn sizes_of_tables_are_read() {
        for (text, bytes) in [("off", 0), ("65536", 65536), ("64k", 65536), ("16M", 16 << 20), ("1G", 1 << 30)] {
            assert_eq!(table_bytes(text), Ok(TableBytes(bytes)), "{text}");
        }
        for text in ["", "on", "M", "63K", "2G", "-1", "1.5M", "99999999999999999999G", "18014398509481985K", "16é"] {
            assert!(table_bytes(text).is_err(), "{text}");
        }
    }
}
