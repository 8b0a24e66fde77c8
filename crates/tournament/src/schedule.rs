//! Which matches are played: who meets whom, in which seats, in which order.

use ludens_machine::Random;
use serde::{Deserialize, Serialize};

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pairing {
    /// Two players meet.
    HeadToHead,
    /// Everybody meets everybody.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

/// Who has which roles in games of more than two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seating {
    /// One player has one role, another one in every pair, and the other player has all others.
    #[default]
    One,
    /// Each player has half of the roles, drawn anew for every pair; of an odd number one has one more.
    Halves,
}

/// Which match: numbers of lists that the plan has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Slot {
    /// The pair: its matches begin alike.
    pub pair: u32,
    /// The budget.
    #[serde(skip)]
    pub budget: usize,
    /// The game.
    #[serde(skip)]
    pub game: usize,
    /// Who meets whom.
    #[serde(skip)]
    pub meeting: usize,
    /// Whether places are exchanged.
    pub second: bool,
}

/// The meetings of so many players, by their numbers.
pub fn meetings(pairing: Pairing, players: usize) -> Vec<[usize; 2]> {
    match pairing {
        Pairing::HeadToHead => vec![[0, 1]],
        Pairing::Gauntlet => (1..players).map(|other| [0, other]).collect(),
        Pairing::RoundRobin => (0..players).flat_map(|one| (one + 1..players).map(move |other| [one, other])).collect(),
    }
}

/// All matches, in an order in which everybody has played about as much whenever it is broken off: one pair of everything, then the next.
pub fn slots(pairs: u32, budgets: usize, games: usize, meetings: usize) -> impl Iterator<Item = Slot> {
    let rest = move |pair| {
        (0..budgets).flat_map(move |budget| {
            (0..games).flat_map(move |game| {
                (0..meetings).flat_map(move |meeting| [false, true].map(|second| Slot { pair, budget, game, meeting, second }))
            })
        })
    };
    (0..pairs).flat_map(rest)
}

impl Slot {
    /// For every role, which of the two players it is. `seed` is that of the pair.
    pub fn seats(self, roles: usize, seating: Seating, seed: u64) -> Vec<usize> {
        let first = match seating {
            Seating::Halves if roles > 2 => {
                let mut order: Vec<usize> = (0..roles).collect();
                let mut random = Random::new(seed);
                for place in (1..roles).rev() {
                    order.swap(place, random.below(place + 1));
                }
                order[..roles / 2].to_vec()
            }
            _ => vec![self.pair as usize % roles],
        };
        (0..roles).map(|role| usize::from(first.contains(&role) == self.second)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Pairing, Seating, Slot, meetings, slots};

    fn slot(pair: u32, second: bool) -> Slot {
        Slot { pair, budget: 0, game: 0, meeting: 0, second }
    }

    #[test]
    fn players_change_places() {
        let seats = |pair, second, roles| slot(pair, second).seats(roles, Seating::One, 1);
        assert_eq!(seats(0, false, 2), [0, 1]);
        assert_eq!(seats(0, true, 2), [1, 0]);
        assert_eq!(seats(4, false, 3), [1, 0, 1]);
        assert_eq!(seats(4, true, 3), [0, 1, 0]);
        assert_eq!([seats(9, false, 1), seats(9, true, 1)], [[0], [1]]);
        // Over as many pairs as there are roles, both players have every role equally often.
        let mut count = [[0; 2]; 5];
        for pair in 0..5 {
            for second in [false, true] {
                seats(pair, second, 5).iter().enumerate().for_each(|(role, &player)| count[role][player] += 1);
            }
        }
        assert_eq!(count, [[5; 2]; 5]);
    }

    #[test]
    fn halves_are_halves_and_are_exchanged() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..200 {
            let first = slot(0, false).seats(6, Seating::Halves, seed);
            let second = slot(0, true).seats(6, Seating::Halves, seed);
            assert_eq!(first.iter().sum::<usize>(), 3);
            assert!(first.iter().zip(&second).all(|(one, other)| one + other == 1));
            seen.insert(first);
        }
        assert_eq!(seen.len(), 20, "all ways to choose three of six");
        assert_eq!(slot(1, false).seats(2, Seating::Halves, 5), [1, 0], "two roles are as always");
    }

    #[test]
    fn everybody_meets_whom_the_plan_says() {
        assert_eq!(meetings(Pairing::HeadToHead, 2), [[0, 1]]);
        assert_eq!(meetings(Pairing::Gauntlet, 3), [[0, 1], [0, 2]]);
        assert_eq!(meetings(Pairing::RoundRobin, 3), [[0, 1], [0, 2], [1, 2]]);
        let all: Vec<Slot> = slots(2, 2, 3, 1).collect();
        assert_eq!(all.len(), 2 * 2 * 3 * 2);
        assert!(all.is_sorted(), "one pair of everything, then the next");
    }
}
