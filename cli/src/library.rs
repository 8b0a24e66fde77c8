//! The games that come with the binary: what stands in the folders under `games/`.

use crate::board::Board;
use serde::Deserialize;
use std::sync::LazyLock;

/// A folder as the build script found it.
struct Files {
    name: &'static str,
    rules: Option<&'static str>,
    game: Option<&'static str>,
    facts: Option<&'static str>,
}

static FILES: &[Files] = include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// A game of the library.
#[derive(Debug)]
pub(crate) struct Entry {
    /// In snake case, the folder's name.
    pub(crate) name: &'static str,
    /// The rule sheet.
    pub(crate) rules: &'static str,
    /// What `game.toml` says.
    pub(crate) description: Description,
    /// What is known about the game; see `facts.rs` for the format.
    pub(crate) facts: &'static str,
}

/// `game.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Description {
    /// The game's name as people write it.
    pub(crate) title: String,
    /// The roles, in the order of the sheet.
    pub(crate) players: Vec<String>,
    /// The rules in a paragraph.
    pub(crate) about: String,
    /// Words to find the game by.
    pub(crate) tags: Vec<String>,
    /// What algorithms may rely on.
    pub(crate) properties: Properties,
    /// How to draw a position, where it has a board.
    pub(crate) board: Option<Board>,
    /// About `facts.txt`.
    pub(crate) facts: FactsNote,
}

/// Declared, and checked by random matches in the test of the library.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Properties {
    /// Who moves when.
    pub(crate) turns: Turns,
    /// Whether the points of all players always add up to 100 at the end.
    pub(crate) zero_sum: bool,
}

/// Who moves when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Turns {
    /// There is one player only.
    Alone,
    /// In every state at most one player has a choice.
    Alternating,
    /// Several players may have a choice at once.
    Simultaneous,
}

/// About `facts.txt`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FactsNote {
    /// Where the numbers come from.
    pub(crate) source: String,
}

impl Description {
    /// One word for tables.
    pub(crate) fn kind(&self) -> &'static str {
        match self.properties.turns {
            Turns::Alone => "puzzle",
            Turns::Alternating => "turn-taking",
            Turns::Simultaneous => "simultaneous",
        }
    }
}

static ENTRIES: LazyLock<Vec<Entry>> =
    LazyLock::new(|| FILES.iter().map(|files| entry(files).unwrap_or_else(|error| panic!("{error}"))).collect());

/// Makes an entry of a folder; the test of the library runs this over all of them, so a release holds complete ones only.
fn entry(files: &Files) -> Result<Entry, String> {
    let lacks = |file: &str| format!("games/{} lacks {file}", files.name);
    let game = files.game.ok_or_else(|| lacks("game.toml"))?;
    Ok(Entry {
        name: files.name,
        rules: files.rules.ok_or_else(|| lacks("rules.kif"))?,
        description: toml::from_str(game).map_err(|error| format!("games/{}/game.toml: {error}", files.name))?,
        facts: files.facts.ok_or_else(|| lacks("facts.txt"))?,
    })
}

/// All games, sorted by name.
pub(crate) fn all() -> &'static [Entry] {
    &ENTRIES
}

/// The game with exactly this name.
pub(crate) fn find(name: &str) -> Option<&'static Entry> {
    all().iter().find(|entry| entry.name == name)
}

/// What to do about a name that is not in the library.
pub(crate) fn hint(typed: &str) -> String {
    match nearest(typed) {
        Some(name) => format!("did you mean `{name}`?"),
        None => "`ludens games` lists the library".to_owned(),
    }
}

/// The name that a mistyped one probably meant.
fn nearest(typed: &str) -> Option<&'static str> {
    let letters = |name: &str| name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let typed = letters(typed);
    all()
        .iter()
        .map(|entry| (strsim::damerau_levenshtein(&typed, &letters(entry.name)), entry.name))
        .filter(|&(distance, name)| distance <= 1 + name.len() / 3)
        .min()
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::{FILES, Files, Turns, all, entry, nearest};
    use crate::{board::Cell, engine, facts::Facts, facts::Outcome, sheet::Sheet};
    use ludens_machine::{Declared, Limits, Machine, MoveId, Random, RoleId};
    use std::collections::BTreeMap;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn every_folder_is_complete_and_its_facts_hold() {
        assert!(!FILES.is_empty(), "the library is embedded");
        // Chess takes as long as all the others: every core takes the next game that is left.
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    while let Some(files) = FILES.get(next.fetch_add(1, Ordering::Relaxed)) {
                        check_folder(files);
                    }
                });
            }
        });
    }

    fn check_folder(files: &Files) {
        let game = entry(files).unwrap();
        let sheet = Sheet::of_library(&game);
        assert!(sheet.diagnostics().is_empty(), "{}: {:?}", game.name, sheet.diagnostics());
        let machine = engine::reference(sheet.rules().unwrap()).unwrap();
        let roles: Vec<&str> = machine.roles().map(|role| machine.role_name(role)).collect();
        assert_eq!(roles, game.description.players, "{}", game.name);

        let facts = Facts::parse(game.facts).unwrap();
        assert_eq!(facts.lacks(), None, "what games/{}/facts.txt lacks", game.name);
        let mut outcome = Outcome::default();
        facts.check(sheet.rules().unwrap(), &machine, &|| false, &mut outcome).unwrap();
        assert!(outcome.failures.is_empty(), "{}: {:?}", game.name, outcome.failures);
        check_properties(&machine, &game);
    }

    #[test]
    fn every_board_can_be_drawn() {
        for game in all() {
            let Some(board) = &game.description.board else { continue };
            let sheet = Sheet::of_library(game);
            let rules = sheet.rules().unwrap();
            let declared = Declared::of(rules, &Limits::default()).unwrap();
            let cells: Vec<Cell> = declared.fluents.iter().filter_map(|fluent| board.cell(fluent)).collect();
            assert!(!cells.is_empty(), "{}: no fluent is a cell of the board", game.name);
            let mut symbols = BTreeMap::new();
            for cell in &cells {
                for (given, label) in [(&board.rows, &cell.row), (&board.columns, &cell.column)] {
                    assert!(given.as_ref().is_none_or(|given| given.contains(label)), "{}: {label} is not drawn", game.name);
                }
                let symbol = board.symbol(&cell.content);
                assert!((1..=2).contains(&symbol.chars().count()), "{}: `{symbol}` has one or two characters", game.name);
                let same = symbols.entry(symbol).or_insert(&cell.content);
                assert_eq!(*same, &cell.content, "{}: both are drawn alike", game.name);
            }
            for content in board.symbols.keys().chain(&board.empty).chain(&board.front) {
                assert!(cells.iter().any(|cell| cell.content == *content), "{}: no cell ever holds {content}", game.name);
            }
            let machine = engine::reference(rules).unwrap();
            let drawing = board.draw(&machine.fluents(machine.initial()), &declared.fluents);
            assert!(drawing.lines().count() > 1, "{}: the start is drawn as\n{drawing}", game.name);
        }
    }

    /// The declared properties hold in 50 random matches.
    fn check_properties(machine: &Machine, game: &super::Entry) {
        let mut lanes = machine.lanes(1);
        let mut random = Random::new(1);
        for _ in 0..50 {
            lanes.load(0, machine.initial());
            lanes.evaluate().unwrap();
            while !lanes.terminal(0) {
                let choices = machine.roles().filter(|&role| lanes.legal(0, role).len() > 1).count();
                if game.description.properties.turns != Turns::Simultaneous {
                    assert!(choices <= 1, "{}: players take turns", game.name);
                }
                let pick = |role: RoleId, random: &mut Random| -> MoveId {
                    let legal = lanes.legal(0, role);
                    legal[random.below(legal.len())]
                };
                let joint: Vec<MoveId> = machine.roles().map(|role| pick(role, &mut random)).collect();
                lanes.play(0, &joint);
                lanes.advance().unwrap();
                lanes.evaluate().unwrap();
            }
            let total: u32 = machine.roles().map(|role| u32::from(lanes.points(0, role).unwrap())).sum();
            assert!(!game.description.properties.zero_sum || total == 100, "{}: {total} points in all", game.name);
        }
    }

    #[test]
    fn a_folder_without_facts_is_no_game() {
        let complete = &FILES[0];
        let files = Files { name: "new_game", rules: complete.rules, game: complete.game, facts: None };
        assert_eq!(entry(&files).unwrap_err(), "games/new_game lacks facts.txt");
    }

    #[test]
    fn names_are_sorted_and_in_snake_case() {
        assert!(all().is_sorted_by_key(|entry| entry.name));
        for entry in all() {
            assert!(entry.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'), "{}", entry.name);
        }
    }

    #[test]
    fn a_mistyped_name_finds_its_game() {
        assert_eq!(nearest("ticTacToe"), Some("tic_tac_toe"));
        assert_eq!(nearest("tic-tac-to"), Some("tic_tac_toe"));
        assert_eq!(nearest("a game of which nobody ever heard"), None);
    }
}
