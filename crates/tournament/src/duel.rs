//! What many matches say about two players.

use crate::{Played, bootstrap, elo, error_of_mean, holm, mean, p_value, wilson};
use ludens_machine::Random;
use serde::Serialize;
use std::collections::BTreeMap;

/// How one game went between two players. Lists of two are for the two of them.
#[derive(Clone, Debug, Serialize)]
pub struct GameReport {
    /// The game.
    pub name: String,
    /// Matches played.
    pub matches: u64,
    /// Mean points of the player's roles, 100 points counting 1; none where it has not played.
    pub score: [Option<f64>; 2],
    /// Matches the first player won: its points against those of the other.
    pub wins: u64,
    /// Matches in which both had the same.
    pub draws: u64,
    /// Matches the first player lost.
    pub losses: u64,
    /// Wilson's 95% interval of the first player's score.
    pub interval: Option<[f64; 2]>,
    /// How far the first player is ahead, from -1 to 1.
    pub lead: Option<f64>,
    /// Half of the 95% interval of that, by how much pairs differ.
    pub lead_error: Option<f64>,
    /// The 95% interval of the first player's score by drawing pairs anew.
    pub pair_interval: Option<[f64; 2]>,
    /// How likely a lead as large as this, to either side, is between equal players.
    pub p: Option<f64>,
    /// The same for a claim about each of all cells of the report (Holm).
    pub p_holm: Option<f64>,
    /// Joint moves of a match.
    pub mean_plies: f64,
    /// Per CPU second of thinking.
    pub simulations_per_cpu_second: [f64; 2],
    /// Per CPU second of thinking.
    pub nodes_per_cpu_second: [f64; 2],
    /// CPU seconds per move thought about.
    pub cpu_seconds_per_move: [f64; 2],
    /// Matches that were lost by a fault: a crash, an illegal move, a time-out.
    pub faults: [u64; 2],
    /// Matches that count though their players did not get the processor.
    pub starved: u64,
}

/// All games together, each counting the same.
#[derive(Clone, Debug, Serialize)]
pub struct Overall {
    /// Of both players.
    #[serde(rename = "overall")]
    pub score: Option<[f64; 2]>,
    /// Half of the 95% interval of each of the two, by how much pairs differ.
    #[serde(rename = "overall_error")]
    pub error: Option<f64>,
    /// What the lead amounts to, in points of a rating.
    pub elo: Option<f64>,
    /// Its 95% interval.
    pub elo_interval: Option<[f64; 2]>,
}

/// What two players did against each other under one budget.
#[derive(Clone, Debug, Serialize)]
pub struct Duel {
    /// Their numbers.
    pub players: [usize; 2],
    /// The number of the budget.
    pub budget: usize,
    /// Game by game.
    pub games: Vec<GameReport>,
    /// All of them.
    #[serde(flatten)]
    pub overall: Overall,
}

/// Half of an interval that leads from -1 to 1 could have, by their mean and the number of matches alone.
fn widest(leads: &[f64], matches: usize) -> f64 {
    let [low, high] = wilson(f64::midpoint(1.0, mean(leads).unwrap_or(0.0)), matches as f64);
    high - low
}

/// Whether numbers differ by more than what is lost in computing with them.
pub(crate) fn differ(numbers: &[f64]) -> bool {
    numbers.first().is_some_and(|first| numbers.iter().any(|number| (number - first).abs() > 1e-9))
}

/// Corrects p for a claim about each of all games that somebody played.
pub(crate) fn correct(games: &mut [&mut GameReport]) {
    let known: Vec<f64> = games.iter().filter_map(|game| game.p).collect();
    let with = games.iter_mut().filter(|game| game.p.is_some());
    with.zip(holm(&known)).for_each(|(game, p)| game.p_holm = Some(p));
}

/// The score of the first player in a pair that is complete: half of how far it is ahead, and a half.
pub fn pair_score(both: &[&Played]) -> Option<f64> {
    leads(both).first().map(|lead| f64::midpoint(1.0, *lead))
}

impl GameReport {
    /// From the matches of one game between two players, in any order.
    pub fn new(name: &str, matches: &[&Played]) -> GameReport {
        let each: Vec<[Option<f64>; 2]> = matches.iter().map(|played| played.scores()).collect();
        let of = |player: usize| each.iter().filter_map(|scores| scores[player]).collect::<Vec<f64>>();
        let (first, second) = (of(0), of(1));
        let score = [mean(&first), mean(&second)];
        let leads = leads(matches);
        // The same matches, the same intervals.
        let mut random = Random::new(matches.len() as u64);
        let decided: Vec<f64> = match leads_of_matches(&each) {
            // Where both play alone, a pair is what can be won.
            none if none.is_empty() => leads.clone(),
            leads => leads,
        };
        let count = |wanted: fn(f64) -> bool| decided.iter().filter(|&&lead| wanted(lead)).count() as u64;
        let sum = |value: fn(&Played, usize) -> f64| {
            [0, 1].map(|player| matches.iter().map(|played| value(played, player)).sum::<f64>())
        };
        let cpu = sum(|played, player| played.cpu_seconds[player]);
        let per = |numbers: [f64; 2], by: [f64; 2]| {
            [0, 1].map(|player| if by[player] > 0.0 { numbers[player] / by[player] } else { 0.0 })
        };
        GameReport {
            name: name.to_owned(),
            matches: matches.len() as u64,
            score,
            wins: count(|lead| lead > 0.0),
            draws: count(|lead| lead == 0.0),
            losses: count(|lead| lead < 0.0),
            interval: score[0].map(|share| wilson(share, first.len() as f64)),
            // Of whole pairs, where there are some: a match without its partner favours a seat.
            lead: mean(&leads).or_else(|| score[0].zip(score[1]).map(|(first, second)| first - second)),
            // Pairs that all went the same way do not say how much they could differ; the number of matches does.
            lead_error: error_of_mean(&leads).map(|error| if differ(&leads) { error } else { widest(&leads, matches.len()) }),
            pair_interval: bootstrap(&leads.iter().map(|lead| f64::midpoint(1.0, *lead)).collect::<Vec<_>>(), &mut random),
            p: p_value(&leads, &mut random),
            p_holm: None,
            mean_plies: mean(&matches.iter().map(|played| played.plies as f64).collect::<Vec<_>>()).unwrap_or(0.0),
            simulations_per_cpu_second: per(sum(|played, player| played.simulations[player] as f64), cpu),
            nodes_per_cpu_second: per(sum(|played, player| played.nodes[player] as f64), cpu),
            cpu_seconds_per_move: per(cpu, sum(|played, player| played.thoughts[player] as f64)),
            faults: [0, 1].map(|player| {
                let has_lost = |played: &&&Played| played.forfeits.iter().any(|forfeit| forfeit.player == player);
                matches.iter().filter(has_lost).count() as u64
            }),
            starved: matches.iter().filter(|played| played.is_starved()).count() as u64,
        }
    }
}

/// How far the first player is ahead in every match in which both play.
fn leads_of_matches(each: &[[Option<f64>; 2]]) -> Vec<f64> {
    each.iter().filter_map(|scores| Some(scores[0]? - scores[1]?)).collect()
}

/// How far the first player is ahead in every pair that is complete.
fn leads(matches: &[&Played]) -> Vec<f64> {
    let mut pairs: BTreeMap<u32, Vec<[Option<f64>; 2]>> = BTreeMap::new();
    for played in matches {
        pairs.entry(played.pair).or_default().push(played.scores());
    }
    let lead = |both: &Vec<[Option<f64>; 2]>| {
        let of = |player: usize| mean(&both.iter().filter_map(|scores| scores[player]).collect::<Vec<_>>());
        Some(of(0)? - of(1)?)
    };
    pairs.values().filter(|both| both.len() == 2).filter_map(lead).collect()
}

impl Overall {
    /// From the reports of all games.
    pub fn of(games: &[GameReport]) -> Overall {
        let mean_of = |player: usize| mean(&games.iter().filter_map(|game| game.score[player]).collect::<Vec<_>>());
        let leads: Vec<f64> = games.iter().filter_map(|game| game.lead).collect();
        let errors: Option<Vec<f64>> = games.iter().filter(|game| game.lead.is_some()).map(|game| game.lead_error).collect();
        let error = errors.filter(|errors| !errors.is_empty());
        let error = error.map(|errors| errors.iter().map(|error| error * error).sum::<f64>().sqrt() / errors.len() as f64 / 2.0);
        let matches: u64 = games.iter().map(|game| game.matches).sum();
        // Nobody is infinitely much better: half a match more could have been lost.
        let margin = 0.5 / (matches as f64 + 1.0);
        let rating = |share: f64| elo(share.clamp(margin, 1.0 - margin));
        let share = mean(&leads).map(|lead| f64::midpoint(1.0, lead));
        Overall {
            score: mean_of(0).zip(mean_of(1)).map(|(first, second)| [first, second]),
            error,
            elo: share.map(rating),
            elo_interval: share.zip(error).map(|(share, error)| [rating(share - error), rating(share + error)]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{GameReport, Overall, correct, widest};
    use crate::{Played, Seating, Slot};

    fn seats(pair: u32, second: bool, roles: usize) -> Vec<usize> {
        Slot { pair, budget: 0, game: 0, meeting: 0, second }.seats(roles, Seating::One, 1)
    }

    fn played(pair: u32, second: bool, roles: usize, points: &[u8]) -> Played {
        Played {
            pair,
            second,
            seats: seats(pair, second, roles),
            plies: 10,
            points: points.to_vec(),
            thoughts: [5; 2],
            cpu_seconds: [1.0, 2.0],
            simulations: [100; 2],
            ..Played::default()
        }
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-3
    }

    #[test]
    fn claims_about_many_games_are_corrected() {
        // Two pairs that were both won leave much open.
        assert!(near(widest(&[1.0, 1.0], 4), 0.49));
        let mut reports = Vec::new();
        for game in 0..3 {
            let mut matches = Vec::new();
            for (pair, second) in (0..8).flat_map(|pair| [(pair, false), (pair, true)]) {
                let wins = game == 0 || (pair % 2 == 0) != second;
                let points = |&seat: &usize| if (seat == 0) == wins { 100 } else { 0 };
                let points: Vec<u8> = seats(pair, second, 2).iter().map(points).collect();
                matches.push(played(pair, second, 2, &points));
            }
            reports.push(GameReport::new("g", &matches.iter().collect::<Vec<_>>()));
        }
        correct(&mut reports.iter_mut().collect::<Vec<_>>());
        assert!(near(reports[0].p.unwrap(), 2.0 / 256.0) && near(reports[0].p_holm.unwrap(), 6.0 / 256.0));
        assert!(near(reports[1].p.unwrap(), 1.0) && near(reports[1].p_holm.unwrap(), 1.0));
        let [low, high] = reports[0].pair_interval.unwrap();
        assert!(low > 0.6 && near(high, 1.0), "{low}..{high}");
    }

    #[test]
    fn scores_follow_the_players_not_the_roles() {
        let matches = [played(0, false, 2, &[100, 0]), played(0, true, 2, &[50, 50]), played(1, false, 2, &[0, 100])];
        let report = GameReport::new("g", &matches.iter().collect::<Vec<_>>());
        // In the second pair the first player has the second role.
        assert_eq!((report.wins, report.draws, report.losses), (2, 1, 0));
        assert!(near(report.score[0].unwrap(), 2.5 / 3.0) && near(report.score[1].unwrap(), 0.5 / 3.0));
        assert!(near(report.simulations_per_cpu_second[1], 50.0));
        assert_eq!(report.lead_error, None, "one pair alone is complete");
    }

    #[test]
    fn pairs_that_all_went_the_same_way_are_not_certain() {
        // A tenth has no exact double: three of them have a mean that is not quite a tenth.
        let matches: Vec<Played> =
            (0..3).flat_map(|pair| [played(pair, false, 2, &[55, 45]), played(pair, true, 2, &[45, 55])]).collect();
        let seated = |mut played: Played| {
            played.points = played.seats.iter().map(|&seat| if seat == 0 { 55 } else { 45 }).collect();
            played
        };
        let matches: Vec<Played> = matches.into_iter().map(seated).collect();
        let report = GameReport::new("g", &matches.iter().collect::<Vec<_>>());
        assert!(near(report.lead.unwrap(), 0.1) && report.lead_error.unwrap() > 0.3, "{:?}", report.lead_error);
        let [low, high] = report.pair_interval.unwrap();
        assert!(low < 0.3 && high > 0.7, "{low}..{high}");
    }

    #[test]
    fn who_plays_alone_is_compared_by_pairs() {
        let matches =
            [played(0, false, 1, &[100]), played(0, true, 1, &[40]), played(1, false, 1, &[10]), played(1, true, 1, &[10])];
        let report = GameReport::new("g", &matches.iter().collect::<Vec<_>>());
        assert_eq!((report.wins, report.draws, report.losses), (1, 1, 0));
        assert_eq!(report.score.map(|score| score.map(|score| (score * 100.0).round() as u32)), [Some(55), Some(25)]);
    }

    #[test]
    fn every_game_counts_the_same() {
        let won = GameReport::new("a", &[&played(0, false, 2, &[100, 0])]);
        let many: Vec<Played> =
            (0..10).map(|pair| played(pair, false, 2, if pair % 2 == 0 { &[0, 100] } else { &[100, 0] })).collect();
        let lost = GameReport::new("b", &many.iter().collect::<Vec<_>>());
        let overall = Overall::of(&[won, lost]);
        assert_eq!(overall.score, Some([0.5, 0.5]));
        assert!(near(overall.elo.unwrap(), 0.0));
        assert!(Overall::of(&[]).elo.is_none());
    }
}
