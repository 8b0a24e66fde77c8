//! What many matches say about two players.

use super::play::{Job, Played};
use crate::words::grouped;
use comfy_table::{CellAlignment, Table, presets};
use ludens_machine::Random;
use ludens_search::Spec;
use ludens_tournament::{bootstrap, elo, error_of_mean, holm, mean, p_value, wilson};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// How one game went. Lists of two are for the two players.
#[derive(Clone, Debug, Serialize)]
pub(super) struct GameReport {
    pub(super) name: String,
    pub(super) matches: u64,
    /// Mean points of the player's roles, 100 points counting 1; none where it has not played.
    pub(super) score: [Option<f64>; 2],
    /// Of the first player: its points against those of the other.
    wins: u64,
    draws: u64,
    losses: u64,
    /// Wilson's 95% interval of the first player's score.
    interval: Option<[f64; 2]>,
    /// How far the first player is ahead, from -1 to 1, and half of the 95% interval of that by how much pairs differ.
    lead: Option<f64>,
    lead_error: Option<f64>,
    /// The 95% interval of the first player's score by drawing pairs anew.
    pair_interval: Option<[f64; 2]>,
    /// How likely a lead as large as this, to either side, is between equal players; and the same for a claim about each of the games (Holm).
    p: Option<f64>,
    p_holm: Option<f64>,
    mean_plies: f64,
    /// Per CPU second of thinking.
    simulations_per_cpu_second: [f64; 2],
    nodes_per_cpu_second: [f64; 2],
    /// CPU seconds per move thought about.
    cpu_seconds_per_move: [f64; 2],
    /// Moves that a search failed to choose, so that they were random.
    faults: [u64; 2],
}

/// All games together, each counting the same.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Overall {
    #[serde(rename = "overall")]
    score: Option<[f64; 2]>,
    /// Half of the 95% interval of each of the two, by how much pairs differ.
    #[serde(rename = "overall_error")]
    error: Option<f64>,
    elo: Option<f64>,
    elo_interval: Option<[f64; 2]>,
}

/// The score of each player in a match; none for one that has no role.
fn scores(played: &Played) -> [Option<f64>; 2] {
    [0, 1].map(|player| {
        let own = played.seats.iter().zip(&played.points).filter(|&(&seat, _)| seat == player);
        let points: Vec<f64> = own.map(|(_, &points)| f64::from(points) / 100.0).collect();
        mean(&points)
    })
}

/// Half of an interval that leads from -1 to 1 could have, by their mean and the number of matches alone.
fn widest(leads: &[f64], matches: usize) -> f64 {
    let [low, high] = wilson(f64::midpoint(1.0, mean(leads).unwrap_or(0.0)), matches as f64);
    high - low
}

/// The reports of all games, from matches in any order.
pub(super) fn games(names: &[&str], results: &[(Job, Played)]) -> Vec<GameReport> {
    let of_game = |game: usize| results.iter().filter(move |(job, _)| job.game == game).map(|(_, played)| played);
    let report = |(game, name): (usize, &&str)| GameReport::new(name, &of_game(game).collect::<Vec<_>>());
    let mut reports: Vec<GameReport> = names.iter().enumerate().map(report).collect();
    let known: Vec<f64> = reports.iter().filter_map(|game| game.p).collect();
    let with = reports.iter_mut().filter(|game| game.p.is_some());
    with.zip(holm(&known)).for_each(|(game, p)| game.p_holm = Some(p));
    reports
}

/// The score of the first player in a pair that is complete: half of how far it is ahead, and a half.
pub(super) fn pair_score(both: &[&Played]) -> Option<f64> {
    leads(both).first().map(|lead| f64::midpoint(1.0, *lead))
}

impl GameReport {
    fn new(name: &str, matches: &[&Played]) -> GameReport {
        let each: Vec<[Option<f64>; 2]> = matches.iter().map(|played| scores(played)).collect();
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
            lead_error: error_of_mean(&leads).map(|error| if error > 0.0 { error } else { widest(&leads, matches.len()) }),
            pair_interval: bootstrap(&leads.iter().map(|lead| f64::midpoint(1.0, *lead)).collect::<Vec<_>>(), &mut random),
            p: p_value(&leads, &mut random),
            p_holm: None,
            mean_plies: mean(&matches.iter().map(|played| played.plies as f64).collect::<Vec<_>>()).unwrap_or(0.0),
            simulations_per_cpu_second: per(sum(|played, player| played.simulations[player] as f64), cpu),
            nodes_per_cpu_second: per(sum(|played, player| played.nodes[player] as f64), cpu),
            cpu_seconds_per_move: per(cpu, sum(|played, player| played.thoughts[player] as f64)),
            faults: [0, 1].map(|player| matches.iter().map(|played| played.faults[player]).sum()),
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
        pairs.entry(played.pair).or_default().push(scores(played));
    }
    let lead = |both: &Vec<[Option<f64>; 2]>| {
        let of = |player: usize| mean(&both.iter().filter_map(|scores| scores[player]).collect::<Vec<_>>());
        Some(of(0)? - of(1)?)
    };
    pairs.values().filter(|both| both.len() == 2).filter_map(lead).collect()
}

impl Overall {
    pub(super) fn of(games: &[GameReport]) -> Overall {
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

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let Some([first, second]) = self.score else { return text };
        let _ = write!(text, "overall: {first:.3} to {second:.3}");
        if let Some(error) = self.error {
            let _ = write!(text, ", ± {error:.3}");
        }
        if let Some(elo) = self.elo {
            let _ = write!(text, "; Elo {elo:+.0}");
        }
        if let Some([low, high]) = self.elo_interval {
            let _ = write!(text, " ({low:+.0} to {high:+.0})");
        }
        text + "\n"
    }
}

/// How it stands while matches are played.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Running {
    /// Per player: the sum of its scores, and of how many matches.
    sums: [(f64, u64); 2],
}

impl Running {
    pub(super) fn add(&mut self, played: &Played) {
        for (sum, score) in self.sums.iter_mut().zip(scores(played)) {
            *sum = score.map_or(*sum, |score| (sum.0 + score, sum.1 + 1));
        }
    }

    pub(super) fn text(&self, players: &[Spec; 2]) -> String {
        let [first, second] =
            self.sums.map(|(sum, count)| if count == 0 { "-".to_owned() } else { format!("{:.3}", sum / count as f64) });
        format!("{} {first} : {second} {}", players[0], players[1])
    }
}

/// All games as a table.
pub(super) fn table(games: &[GameReport]) -> String {
    let mut table = Table::new();
    let header = ["game", "matches", "1st", "2nd", "won", "drawn", "lost", "95% interval", "lead", "±", "p", "plies"];
    table.load_style(presets::NOTHING).set_header(header.into_iter().chain(["1st per CPU s", "2nd per CPU s", "faults"]));
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let or_dash = |number: Option<f64>| number.map_or_else(|| "-".to_owned(), |number| format!("{number:.3}"));
    for game in games {
        let interval = game.interval.map_or_else(|| "-".to_owned(), |[low, high]| format!("{low:.3}..{high:.3}"));
        // Not every search counts descents.
        let rate = |player: usize| match [game.simulations_per_cpu_second[player], game.nodes_per_cpu_second[player]] {
            [simulations, _] if simulations > 0.0 => format!("{} sims", grouped(simulations)),
            [_, nodes] if nodes > 0.0 => format!("{} nodes", grouped(nodes)),
            _ => "-".to_owned(),
        };
        table.add_row([
            game.name.clone(),
            game.matches.to_string(),
            or_dash(game.score[0]),
            or_dash(game.score[1]),
            game.wins.to_string(),
            game.draws.to_string(),
            game.losses.to_string(),
            interval,
            or_dash(game.lead),
            or_dash(game.lead_error),
            or_dash(game.p_holm),
            format!("{:.1}", game.mean_plies),
            rate(0),
            rate(1),
            format!("{}/{}", game.faults[0], game.faults[1]),
        ]);
    }
    table.trim_fmt() + "\n\n"
}

#[cfg(test)]
mod tests {
    use super::{GameReport, Overall, games, widest};
    use crate::commands::arena::play::{Job, Played};

    fn played(pair: u32, second: bool, roles: usize, points: &[u8]) -> Played {
        Played {
            id: String::new(),
            game: "g".to_owned(),
            players: ["a", "b"].map(str::to_owned),
            budget: String::new(),
            seed: 1,
            pair,
            second,
            seats: Job { game: 0, pair, second }.seats(roles),
            opening: Vec::new(),
            plies: 10,
            points: points.to_vec(),
            thoughts: [5; 2],
            cpu_seconds: [1.0, 2.0],
            simulations: [100; 2],
            nodes: [0; 2],
            faults: [0; 2],
        }
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-3
    }

    #[test]
    fn claims_about_many_games_are_corrected() {
        // Two pairs that were both won leave much open.
        assert!(near(widest(&[1.0, 1.0], 4), 0.49));
        let mut results = Vec::new();
        for game in 0..3 {
            for pair in 0..8 {
                for second in [false, true] {
                    let seats = Job { game, pair, second }.seats(2);
                    let wins = game == 0 || (pair % 2 == 0) != second;
                    let points: Vec<u8> = seats.iter().map(|&seat| if (seat == 0) == wins { 100 } else { 0 }).collect();
                    results.push((Job { game, pair, second }, played(pair, second, 2, &points)));
                }
            }
        }
        let reports = games(&["a", "b", "c"], &results);
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
