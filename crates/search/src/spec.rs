//! Players as people write them: `uct`, `uct:grave=off,c=0.7`, `minimax:eval=null,depth=4`.
//!
//! A name, and options after a colon. One table ([`PLAYERS`]) drives reading, messages, documentation and the way back to text.

mod build;
mod error;
mod start;
mod table;

pub use error::SpecError;
pub(crate) use start::PRACTISING;
pub use start::{Ready, Start};
pub use table::{Kind, PLAYERS, Player, PlayerOption, Value};

use std::fmt;

/// A player and how it is set up.
#[derive(Clone, Debug)]
pub struct Spec {
    player: &'static Player,
    /// One for every option of the player, in the order of the table.
    values: Vec<Value>,
}

impl Spec {
    /// Reads one player. Blanks around names, options and values do not matter.
    pub fn parse(text: &str) -> Result<Spec, SpecError> {
        let (name, options) = match text.split_once(':') {
            Some((name, options)) => (name.trim(), Some(options)),
            None => (text.trim(), None),
        };
        let player = PLAYERS.iter().find(|player| player.name == name).ok_or_else(|| SpecError::unknown_player(name))?;
        let mut spec = Spec { player, values: player.options.iter().map(|option| option.default).collect() };
        let mut given = vec![false; player.options.len()];
        for piece in options.into_iter().flat_map(|options| options.split(',')) {
            let (name, text) = piece.split_once('=').ok_or_else(|| SpecError::not_an_option(player, piece.trim()))?;
            let (name, text) = (name.trim(), text.trim());
            let place = player.options.iter().position(|option| option.name == name);
            let place = place.ok_or_else(|| SpecError::unknown_option(player, name))?;
            let option = &player.options[place];
            if std::mem::replace(&mut given[place], true) {
                return Err(SpecError::Twice { option: option.name });
            }
            spec.values[place] = option.kind.value(text).ok_or_else(|| SpecError::bad_value(option, text))?;
        }
        Ok(spec)
    }

    /// Reads a list of players, separated by commas as their options are; see [`split_specs`].
    pub fn parse_list(text: &str) -> Result<Vec<Spec>, SpecError> {
        split_specs(text).into_iter().map(Spec::parse).collect()
    }

    /// Which player it is.
    pub fn player(&self) -> &'static Player {
        self.player
    }
}

/// What tells players apart is what they are and how they are set up, not how it was written.
impl PartialEq for Spec {
    fn eq(&self, other: &Spec) -> bool {
        self.player.name == other.player.name && self.values == other.values
    }
}

/// The shortest text that means the same: options that differ from their defaults only, in the order of the table.
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.player.name)?;
        let mut before = ':';
        for (option, value) in self.player.options.iter().zip(&self.values).filter(|(option, value)| option.default != **value) {
            write!(f, "{before}{}={value}", option.name)?;
            before = ',';
        }
        Ok(())
    }
}

/// Takes a list of players apart at its commas: what has a `=`, and no `:` before it, belongs to the player before it.
/// `uct:grave=off,c=0.7,mc` is two players.
pub fn split_specs(text: &str) -> Vec<&str> {
    let mut specs: Vec<&str> = Vec::new();
    let (mut start, mut end) = (0, 0);
    for piece in text.split(',') {
        let continues = end > 0 && piece.split_once('=').is_some_and(|(name, _)| !name.contains(':'));
        if end > 0 && !continues {
            specs.push(&text[start..end - 1]);
            start = end;
        }
        end += piece.len() + 1;
    }
    specs.push(&text[start..]);
    specs
}

#[cfg(test)]
mod tests {
    use super::{Kind, PLAYERS, Spec, split_specs};

    #[test]
    fn the_table_is_consistent() {
        for player in PLAYERS {
            assert_eq!(PLAYERS.iter().filter(|other| other.name == player.name).count(), 1, "{}", player.name);
            for option in player.options {
                assert_eq!(player.options.iter().filter(|other| other.name == option.name).count(), 1, "{}", option.name);
                assert_eq!(
                    option.kind.value(&option.default.to_string()),
                    Some(option.default),
                    "{}: {}",
                    player.name,
                    option.name
                );
            }
            let spec = Spec::parse(player.name).unwrap();
            assert_eq!(spec.to_string(), player.name);
        }
    }

    #[test]
    fn only_what_differs_from_the_default_is_written() {
        for (text, canonical) in [
            ("uct", "uct"),
            (" uct : grave = on , c=0.70 ", "uct:c=0.7,grave=on"),
            ("uct:c=2.5e-1,grave=off", "uct"),
            ("minimax:depth=4,eval=null", "minimax:eval=null,depth=4"),
            ("minimax:depth=off", "minimax"),
            ("guct:use= rollout + cutoff ,minimax=0", "guct:minimax=0,use=cutoff+rollout"),
        ] {
            let spec = Spec::parse(text).unwrap();
            assert_eq!(spec.to_string(), canonical, "{text}");
            assert_eq!(Spec::parse(canonical).unwrap(), spec, "{text}");
        }
    }

    #[test]
    fn lists_are_split_where_a_player_begins() {
        assert_eq!(split_specs("uct:grave=off,c=0.7,mc"), ["uct:grave=off,c=0.7", "mc"]);
        assert_eq!(split_specs("mc,uct:c=1,uct:c=2,leaves=3"), ["mc", "uct:c=1", "uct:c=2,leaves=3"]);
        assert_eq!(split_specs("a"), ["a"]);
        assert_eq!(split_specs(""), [""]);
        assert_eq!(split_specs(",,"), ["", "", ""]);
        assert_eq!(split_specs("c=1,d=2,é"), ["c=1,d=2", "é"]);
    }

    #[test]
    fn messages_say_what_would_be_right() {
        for (text, message) in [
            ("ucd", "unknown player `ucd`: did you mean `uct`? the players are `auto`, `random`, "),
            ("Uct", "did you mean `uct`?"),
            ("", "a player is missing: the players are `auto`, `random`, "),
            ("zzzzzz:c=1", "unknown player `zzzzzz`: the players are"),
            ("uct:x=1", "uct has no option `x`; its options are `c`, "),
            ("uct:graev=on", "uct has no option `graev`: did you mean `grave`? its options are"),
            ("first:x=1", "first has no option `x`; it has none"),
            ("uct:c", "`c` is no option: write it as `c=VALUE`; the options of uct are `c`, "),
            ("uct:", "an option is missing after the colon or comma; the options of uct are"),
            ("uct:c=11", "`c` must be a number from 0 to 10, not `11`"),
            ("uct:c=nan", "`c` must be a number from 0 to 10, not `nan`"),
            ("uct:leaves=0", "`leaves` must be a whole number from 1 to 512, not `0`"),
            ("uct:grave=yes", "`grave` must be `on` or `off`, not `yes`"),
            ("minimax:depth=x", "`depth` must be a whole number from 1 to 250, or `off`, not `x`"),
            ("uct:c=1,c=2", "`c` is given twice"),
            ("guct:use=all", "`use` must be `none`, or any of `cutoff`, `order`, `init` and `rollout` joined by `+`, not `all`"),
            ("guct:use=init+init", "joined by `+`, not `init+init`"),
            ("guct:use=", "joined by `+`, not ``"),
            ("a\u{1b}[2J", "unknown player `a\\u{1b}[2J`"),
        ] {
            let error = Spec::parse(text).unwrap_err().to_string();
            assert!(error.contains(message), "{text}: {error}");
        }
    }

    #[test]
    fn defaults_are_those_of_the_searches() {
        let spec = |name: &str| Spec::parse(name).unwrap();
        assert_eq!(spec("uct").uct_options(), crate::uct::Options::default());
        assert_eq!(spec("guct").guct_options(), crate::uct::Options::guided());
        assert_eq!(spec("alphabeta").alphabeta_options(), crate::depth::alphabeta::Options::default());
        assert_eq!(spec("mtdf").mtdf_options(), crate::depth::alphabeta::Options::default());
        assert_eq!(spec("minimax").minimax_options(), crate::depth::minimax::Options::default());
    }

    #[test]
    fn kinds_say_what_they_are() {
        assert_eq!(Kind::Choice(&["a", "b", "c"]).to_string(), "`a`, `b` or `c`");
    }
}
