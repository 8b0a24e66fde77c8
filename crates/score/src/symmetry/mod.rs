//! Symmetries of a game: ways in which it looks the same from elsewhere.
//!
//! What depends on what (`support`) makes a graph (`graph`), and ways to map that onto itself are candidates (`refine`, `search`): vertices that look different are
//! told apart until all are, beginning from each of those that look the same. What anything is called has no part in it. There are several graphs: in one, columns become columns and
//! symbols that the facts put side by side (`orders`) stay so, in others there is more of what earns points. A candidate is a symmetry if positions of random play and what they become
//! look the same (`check`): legal moves by number, all their successors, the end and the points. Networks know no turns here: a lane may hold a state of any phase.

mod check;
mod graph;
mod images;
mod orders;
mod refine;
mod search;
mod support;

use crate::linear::each_bit;
use crate::sample::Matches;
use crate::vocabulary::{FluentId, Vocabulary};
use check::Check;
use graph::{Detail, Graph};
use images::{Maps, complete};
use ludens_gdl::Rules;
use ludens_machine::{Machine, Random, RoleId};
use search::{Found, Images, Search};
use support::Support;

/// Generators, at most.
const MOST: usize = 16;

/// Edges of a graph that are looked at, all rounds of refinement together.
const MOST_WORK: usize = 8_000_000;

/// Candidates of a graph that may turn out wrong, and of one that is tried when symmetries are known; fluents of all of them together.
const MOST_WRONG: usize = 200;
const MOST_WRONG_LATER: usize = 30;
const MOST_FLUENTS: usize = 200_000;

/// A way in which a game looks the same from elsewhere: what is legal in a state, what comes of it, whether it is the end and what it earns is, mapped, what is so
/// in the state that it is mapped to. The state in which matches begin may become another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    fluents: Box<[FluentId]>,
    roles: Box<[RoleId]>,
    maps: Maps,
}

impl Symmetry {
    /// What a fluent becomes.
    pub fn fluent(&self, fluent: FluentId) -> FluentId {
        self.fluents[fluent.0 as usize]
    }

    /// What a role becomes.
    pub fn role(&self, role: RoleId) -> RoleId {
        self.roles[role.0 as usize]
    }

    /// Whether every role stays what it is.
    pub fn keeps_roles(&self) -> bool {
        (0..).zip(&self.roles).all(|(role, image)| image.0 == role)
    }

    /// What a state becomes, by its words.
    pub fn state(&self, words: &[u64]) -> Vec<u64> {
        image_of(words, |fluent| self.fluents[fluent].0 as usize)
    }

    fn of(vocabulary: &Vocabulary, found: &Found) -> Symmetry {
        let fluents: Box<[FluentId]> = found.fluents.iter().map(|&fluent| FluentId(fluent)).collect();
        let roles: Box<[RoleId]> = found.roles.iter().map(|&role| RoleId(role)).collect();
        let maps = Maps::of(vocabulary, &fluents, &roles);
        Symmetry { fluents, roles, maps }
    }
}

/// Finds symmetries of which all others are made, as far as they can be told in positions of these matches; none where the game is too large, and fewer when it is
/// time to stop. Those that keep roles come first. The rules, where they are given, tell in what order the symbols of a column are.
pub fn symmetries(
    machine: &Machine,
    vocabulary: &Vocabulary,
    matches: &Matches,
    rules: Option<&Rules>,
    random: &mut Random,
    stop: &dyn Fn() -> bool,
) -> Vec<Symmetry> {
    let Some(support) = machine.net().and_then(Support::of) else { return Vec::new() };
    let mut check = Check::new(machine, matches, vocabulary.rows().len(), random);
    if check.is_empty() {
        return Vec::new();
    }
    let seen = check.seen(vocabulary.rows().len());
    let orders = rules.map_or_else(Vec::new, |rules| orders::orders(rules, vocabulary));
    let mut accepted: Vec<Found> = Vec::new();
    let mut best: (Vec<Found>, f64) = (Vec::new(), 0.0);
    let mut known: Vec<Vec<usize>> = Vec::new();
    for detail in Detail::ALL {
        // These two pass over what would rule much out.
        if matches!(detail, Detail::Goals | Detail::Play) && !best.0.is_empty() && rules.is_some() {
            break;
        }
        let Some(graph) = Graph::of(&support, vocabulary, &orders, detail) else { continue };
        check.refresh();
        let most_wrong = if best.0.is_empty() { MOST_WRONG } else { MOST_WRONG_LATER };
        let mut holds = |images: &Images| {
            let found = Found { fluents: complete(vocabulary, &images.fluents), roles: images.roles.clone() };
            if !accepted.contains(&found) {
                if !check.holds(&found, stop) {
                    return None;
                }
                accepted.push(found.clone());
            }
            Some(found)
        };
        let mut search = Search {
            graph: &graph,
            rows: vocabulary.rows(),
            seen: &seen,
            work: MOST_WORK,
            wrong: most_wrong.min(MOST_FLUENTS / vocabulary.rows().len().max(1)),
            most: MOST,
            stop,
            holds: &mut holds,
        };
        let Some(start) = search.start() else { break };
        // What tells vertices apart no worse finds nothing else.
        let parts = start.parts(0..graph.fluents);
        if known.contains(&parts) {
            continue;
        }
        let (found, order) = search.generators(start);
        if order > best.1 + 1e-9 {
            best = (found, order);
        }
        if detail != Detail::Columns {
            known.push(parts);
        }
    }
    let mut found: Vec<Symmetry> = best.0.iter().map(|found| Symmetry::of(vocabulary, found)).collect();
    found.sort_by_key(|symmetry| !symmetry.keeps_roles());
    found
}

/// A state whose fluents are the images of those of another.
fn image_of(words: &[u64], of: impl Fn(usize) -> usize) -> Vec<u64> {
    let mut image = vec![0_u64; words.len()];
    each_bit(words, |fluent| {
        let fluent = of(fluent);
        image[fluent / 64] |= 1 << (fluent % 64);
    });
    image
}

/// A number that looks like chance.
fn mixed(number: u64) -> u64 {
    Random::new(number).bits()
}
