//! What can be wrong with a player as somebody wrote it.

use super::{Kind, PLAYERS, Player, PlayerOption};
use ludens_gdl::legible;

/// Why a text is no player, or why a player cannot play a game. What strangers wrote is kept as messages may show it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SpecError {
    /// Nobody has this name.
    #[error("{}{} the players are {}", who(name), did_you_mean(*nearest), list(PLAYERS.iter().map(|player| player.name)))]
    UnknownPlayer {
        /// As it was written; empty where nothing was.
        name: String,
        /// Who was probably meant.
        nearest: Option<&'static str>,
    },
    /// The player does not have this option.
    #[error("{player} has no option `{option}`{}", options_after(player, *nearest))]
    UnknownOption {
        /// The player's name.
        player: &'static str,
        /// As it was written.
        option: String,
        /// Which was probably meant.
        nearest: Option<&'static str>,
    },
    /// Something else than `NAME=VALUE`.
    #[error("{}; the options of {player} are {}", not_an_option(piece), options_of(player))]
    NotAnOption {
        /// The player's name.
        player: &'static str,
        /// As it was written; empty where nothing was.
        piece: String,
    },
    /// The option cannot have this value.
    #[error("`{option}` must be {kind}, not `{text}`")]
    BadValue {
        /// The option's name.
        option: &'static str,
        /// What it can have.
        kind: Kind,
        /// As it was written.
        text: String,
    },
    /// An option stands there twice.
    #[error("`{option}` is given twice")]
    Twice {
        /// The option's name.
        option: &'static str,
    },
    /// The player is none for this game.
    #[error("{player} cannot play this game: {reason}")]
    Unfit {
        /// The player's name.
        player: &'static str,
        /// Why not.
        reason: String,
    },
}

impl SpecError {
    pub(super) fn unknown_player(name: &str) -> SpecError {
        SpecError::UnknownPlayer { name: legible(name), nearest: nearest(name, PLAYERS.iter().map(|player| player.name)) }
    }

    pub(super) fn unknown_option(player: &'static Player, option: &str) -> SpecError {
        let nearest = nearest(option, player.options.iter().map(|option| option.name));
        SpecError::UnknownOption { player: player.name, option: legible(option), nearest }
    }

    pub(super) fn not_an_option(player: &'static Player, piece: &str) -> SpecError {
        SpecError::NotAnOption { player: player.name, piece: legible(piece) }
    }

    pub(super) fn bad_value(option: &'static PlayerOption, text: &str) -> SpecError {
        SpecError::BadValue { option: option.name, kind: option.kind, text: legible(text) }
    }
}

/// The name that a mistyped one probably meant.
fn nearest(typed: &str, names: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    // No name is half as long; the time for a text of any length would be its square.
    let typed: String = typed.chars().take(40).flat_map(char::to_lowercase).collect();
    names
        .map(|name| (strsim::damerau_levenshtein(&typed, name), name))
        .filter(|&(distance, name)| distance <= name.len().div_ceil(3) && distance < typed.chars().count())
        .min()
        .map(|(_, name)| name)
}

fn list(names: impl Iterator<Item = &'static str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn who(name: &str) -> String {
    if name.is_empty() { "a player is missing:".to_owned() } else { format!("unknown player `{name}`:") }
}

fn did_you_mean(nearest: Option<&str>) -> String {
    nearest.map(|name| format!(" did you mean `{name}`?")).unwrap_or_default()
}

fn options_of(player: &str) -> String {
    let options = PLAYERS.iter().find(|known| known.name == player).map_or(&[][..], |player| player.options);
    if options.is_empty() { "none".to_owned() } else { list(options.iter().map(|option| option.name)) }
}

fn options_after(player: &str, nearest: Option<&str>) -> String {
    match (options_of(player), nearest) {
        (options, _) if options == "none" => "; it has none".to_owned(),
        (options, Some(name)) => format!(": did you mean `{name}`? its options are {options}"),
        (options, None) => format!("; its options are {options}"),
    }
}

fn not_an_option(piece: &str) -> String {
    match piece {
        "" => "an option is missing after the colon or comma".to_owned(),
        _ => format!("`{piece}` is no option: write it as `{piece}=VALUE`"),
    }
}
