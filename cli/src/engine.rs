//! Which engine plays, and how it is made: the options that several commands share.

use clap::ValueEnum;
use ludens_gdl::Rules;
use ludens_machine::{Error, Limits, Machine, relational};

/// The engines by the names the command line knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
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
}

impl EngineArgs {
    /// Builds the machine that was asked for.
    pub(crate) fn build(self, rules: &Rules) -> Result<Machine, Error> {
        match self.engine {
            Engine::Relational => {
                let options = relational::Options {
                    memo: self.memo == Switch::On,
                    profile: self.profile == Switch::On,
                    ..relational::Options::default()
                };
                Machine::relational(rules, &options, &Limits::default())
            }
        }
    }
}

/// The reference engine as it comes.
pub(crate) fn reference(rules: &Rules) -> Result<Machine, Error> {
    Machine::relational(rules, &relational::Options::default(), &Limits::default())
}
