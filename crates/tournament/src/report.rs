//! What a whole contest says: every duel, every player, what went wrong.

use crate::duel::{Duel, GameReport, Overall, correct};
use crate::ratings::{Game, ratings};
use crate::{ForfeitKind, Limits, Played, Slot, mean, wilson};
use serde::Serialize;

/// What is known when all matches, or as many as there are, have been played.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// What the plan is called; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The names of all players.
    pub players: Vec<String>,
    /// What a move might cost: one text for every budget.
    pub budgets: Vec<String>,
    /// Where every budget stands on an axis.
    #[serde(skip)]
    pub sizes: Vec<f64>,
    /// Where chance started.
    pub seed: u64,
    /// Every game, all budgets together.
    pub games: Vec<GameLine>,
    /// The mean over all games of every player's score.
    pub overall: Option<Vec<f64>>,
    /// Half of the 95% interval of each, where there are just two players.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overall_error: Option<f64>,
    /// How much better the first player is than the others, in points of a rating.
    pub elo: Option<f64>,
    /// Its 95% interval.
    pub elo_interval: Option<[f64; 2]>,
    /// Every player's rating, all budgets together; only where there are more than two.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ratings: Vec<RatingLine>,
    /// Who met whom, under which budget.
    pub duels: Vec<Duel>,
    /// Matches lost by crashes, illegal moves and time-outs.
    pub forfeits: Vec<ForfeitLine>,
    /// Matches that were played again because their players did not get the processor, and of those the ones that count all the same.
    pub replayed: u64,
    /// See above.
    pub starved: u64,
}

/// One game, all who played it.
#[derive(Clone, Debug, Serialize)]
pub struct GameLine {
    /// The game.
    pub name: String,
    /// Matches played.
    pub matches: u64,
    /// Every player's mean score.
    pub score: Vec<Option<f64>>,
    /// Of the first player.
    pub wins: u64,
    /// Of the first player.
    pub draws: u64,
    /// Of the first player.
    pub losses: u64,
    /// Wilson's 95% interval of the first player's score.
    pub interval: Option<[f64; 2]>,
    /// More about it, where two players met under one budget.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub more: Option<More>,
}

/// What is said of a game where just two players met under one budget.
#[derive(Clone, Debug, Serialize)]
pub struct More {
    lead: Option<f64>,
    lead_error: Option<f64>,
    pair_interval: Option<[f64; 2]>,
    p: Option<f64>,
    p_holm: Option<f64>,
    mean_plies: f64,
    simulations_per_cpu_second: [f64; 2],
    nodes_per_cpu_second: [f64; 2],
    cpu_seconds_per_move: [f64; 2],
    faults: [u64; 2],
}

/// How good a player is.
#[derive(Clone, Debug, Serialize)]
pub struct RatingLine {
    /// Its name.
    pub player: String,
    /// In points; the mean of all is 0.
    pub elo: f64,
    /// Half of the 95% interval.
    pub error: f64,
    /// The mean of its scores in all duels and games.
    pub score: Option<f64>,
    /// Matches it played.
    pub matches: u64,
}

/// A match that was lost by a fault.
#[derive(Clone, Debug, Serialize)]
pub struct ForfeitLine {
    /// The game.
    pub game: String,
    /// Who lost it.
    pub player: String,
    /// The match's name in the store.
    pub id: String,
    /// What it did.
    pub kind: ForfeitKind,
    /// At which joint move.
    pub ply: u64,
    /// In more words.
    pub text: String,
}

/// What a report is about.
#[derive(Clone, Debug)]
pub struct Subject {
    /// What it is called; may be empty.
    pub title: String,
    /// The names of the games.
    pub games: Vec<String>,
    /// The names of the players.
    pub players: Vec<String>,
    /// The budgets.
    pub budgets: Vec<Limits>,
    /// Who meets whom.
    pub meetings: Vec<[usize; 2]>,
    /// Where chance started.
    pub seed: u64,
}

impl Report {
    /// From matches in any order. The same matches give the same report.
    pub fn new(subject: &Subject, results: &[(Slot, Played)]) -> Report {
        let mut results: Vec<&(Slot, Played)> = results.iter().collect();
        results.sort_by_key(|(slot, _)| *slot);
        let mut duels = duels(subject, &results);
        correct(&mut duels.iter_mut().flat_map(|duel| &mut duel.games).collect::<Vec<_>>());
        let games: Vec<GameLine> = (0..subject.games.len()).map(|game| game_line(subject, game, &results, &duels)).collect();
        let is_one_duel = duels.len() == 1;
        let ratings = if subject.players.len() > 2 { rating_lines(subject, &duels, &results) } else { Vec::new() };
        let of_player = |player: usize| mean(&games.iter().filter_map(|game| game.score[player]).collect::<Vec<_>>());
        let whole = first_overall(&duels);
        let forfeits = results.iter().flat_map(|(slot, played)| {
            let meeting = subject.meetings[slot.meeting];
            played.forfeits.iter().map(move |forfeit| ForfeitLine {
                game: played.game.clone(),
                player: subject.players[meeting[forfeit.player]].clone(),
                id: played.id.clone(),
                kind: forfeit.kind,
                ply: forfeit.ply,
                text: forfeit.text.clone(),
            })
        });
        Report {
            title: subject.title.clone(),
            players: subject.players.clone(),
            budgets: subject.budgets.iter().map(Limits::text).collect(),
            sizes: subject.budgets.iter().map(Limits::size).collect(),
            seed: subject.seed,
            overall: (0..subject.players.len()).map(of_player).collect(),
            overall_error: whole.error.filter(|_| is_one_duel),
            elo: whole.elo,
            elo_interval: whole.elo_interval.filter(|_| is_one_duel),
            games,
            ratings,
            forfeits: forfeits.collect(),
            replayed: results.iter().filter(|(_, played)| played.attempt > 0).count() as u64,
            starved: results.iter().filter(|(_, played)| played.is_starved()).count() as u64,
            duels,
        }
    }

    /// All matches that count.
    pub fn matches(&self) -> u64 {
        self.games.iter().map(|game| game.matches).sum()
    }
}

/// Every meeting under every budget.
fn duels(subject: &Subject, results: &[&(Slot, Played)]) -> Vec<Duel> {
    let mut duels = Vec::new();
    for budget in 0..subject.budgets.len() {
        for (meeting, &players) in subject.meetings.iter().enumerate() {
            let of = |game: usize| -> Vec<&Played> {
                let own = |(slot, _): &&&(Slot, Played)| (slot.budget, slot.meeting, slot.game) == (budget, meeting, game);
                results.iter().filter(own).map(|(_, played)| played).collect()
            };
            let games = subject.games.iter().enumerate().map(|(game, name)| GameReport::new(name, &of(game)));
            let games: Vec<GameReport> = games.collect();
            duels.push(Duel { players, budget, overall: Overall::of(&games), games });
        }
    }
    duels
}

/// All duels of the first player, as if they were one: every game counts the same.
fn first_overall(duels: &[Duel]) -> Overall {
    let of_first: Vec<GameReport> =
        duels.iter().filter(|duel| duel.players[0] == 0).flat_map(|duel| duel.games.iter().cloned()).collect();
    Overall::of(&of_first)
}

/// One game, all players, all budgets.
fn game_line(subject: &Subject, game: usize, results: &[&(Slot, Played)], duels: &[Duel]) -> GameLine {
    let mut scores: Vec<Vec<f64>> = vec![Vec::new(); subject.players.len()];
    let mut matches = 0;
    for (slot, played) in results.iter().filter(|(slot, _)| slot.game == game) {
        matches += 1;
        for (&player, score) in subject.meetings[slot.meeting].iter().zip(played.scores()) {
            scores[player].extend(score);
        }
    }
    let of_first = || duels.iter().filter(|duel| duel.players[0] == 0).map(|duel| &duel.games[game]);
    let first = mean(&scores[0]);
    let more = |report: &GameReport| More {
        lead: report.lead,
        lead_error: report.lead_error,
        pair_interval: report.pair_interval,
        p: report.p,
        p_holm: report.p_holm,
        mean_plies: report.mean_plies,
        simulations_per_cpu_second: report.simulations_per_cpu_second,
        nodes_per_cpu_second: report.nodes_per_cpu_second,
        cpu_seconds_per_move: report.cpu_seconds_per_move,
        faults: report.faults,
    };
    GameLine {
        name: subject.games[game].clone(),
        matches,
        wins: of_first().map(|game| game.wins).sum(),
        draws: of_first().map(|game| game.draws).sum(),
        losses: of_first().map(|game| game.losses).sum(),
        interval: first.map(|share| wilson(share, scores[0].len() as f64)),
        score: scores.iter().map(|scores| mean(scores)).collect(),
        more: (duels.len() == 1).then(|| more(&duels[0].games[game])),
    }
}

/// Ratings by what everybody got of everybody, a pair counting as one.
fn rating_lines(subject: &Subject, duels: &[Duel], results: &[&(Slot, Played)]) -> Vec<RatingLine> {
    let cells = duels.iter().flat_map(|duel| duel.games.iter().map(|game| (duel.players, game)));
    let games: Vec<Game> = cells
        .filter_map(|(players, game)| {
            let score = f64::midpoint(1.0, game.lead?);
            Some(Game { players, score, count: game.matches as f64 / 2.0 })
        })
        .collect();
    let found = ratings(subject.players.len(), &games);
    let line = |(player, rating): (usize, &crate::Rating)| {
        let own: Vec<f64> = duels
            .iter()
            .filter_map(|duel| duel.players.iter().position(|&one| one == player).map(|place| (duel, place)))
            .flat_map(|(duel, place)| duel.games.iter().filter_map(move |game| game.score[place]))
            .collect();
        let matches = results.iter().filter(|(slot, _)| subject.meetings[slot.meeting].contains(&player)).count() as u64;
        RatingLine { player: subject.players[player].clone(), elo: rating.elo, error: rating.error, score: mean(&own), matches }
    };
    found.iter().enumerate().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::{Report, Subject};
    use crate::{Limits, Pairing, Played, Seating, Slot, meetings, slots};

    /// A contest in which players with lower numbers win, but for every fourth pair.
    fn contest(players: usize, budgets: usize) -> (Subject, Vec<(Slot, Played)>) {
        let subject = Subject {
            title: String::new(),
            games: vec!["a".to_owned(), "b".to_owned()],
            players: (0..players).map(|player| format!("p{player}")).collect(),
            budgets: (1..=budgets).map(|nodes| Limits { nodes: Some(nodes as u64), ..Limits::default() }).collect(),
            meetings: meetings(if players == 2 { Pairing::HeadToHead } else { Pairing::RoundRobin }, players),
            seed: 1,
        };
        let played = |slot: Slot| {
            let seats = slot.seats(2, Seating::One, 1);
            let wins = slot.pair % 4 != 3;
            let points = seats.iter().map(|&seat| if (seat == 0) == wins { 100 } else { 0 }).collect();
            (slot, Played { pair: slot.pair, second: slot.second, seats, points, ..Played::default() })
        };
        let results = slots(8, budgets, 2, subject.meetings.len()).map(played).collect();
        (subject, results)
    }

    #[test]
    fn two_players_are_reported_as_scripts_expect() {
        let (subject, mut results) = contest(2, 1);
        let report = Report::new(&subject, &results);
        assert_eq!(report.overall, Some(vec![0.75, 0.25]));
        assert_eq!((report.games[0].matches, report.games[0].wins, report.games[0].losses), (16, 12, 4));
        assert!(report.elo.is_some_and(|elo| (elo - 190.8).abs() < 0.1) && report.elo_interval.is_some());
        assert!(report.ratings.is_empty());
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!(json["games"][1]["score"], serde_json::json!([0.75, 0.25]));
        assert!(json["games"][0]["p"].is_number() && json["games"][0]["lead"].is_number());
        results.reverse();
        assert_eq!(serde_json::to_value(Report::new(&subject, &results)).unwrap(), json, "in any order");
    }

    #[test]
    fn many_players_and_budgets_are_told_apart() {
        let (subject, results) = contest(3, 2);
        let report = Report::new(&subject, &results);
        assert_eq!(report.duels.len(), 6);
        assert_eq!(report.matches(), 8 * 2 * 2 * 2 * 3);
        let scores: Vec<f64> = report.games[0].score.iter().map(|score| score.unwrap()).collect();
        assert_eq!(scores, [0.75, 0.5, 0.25]);
        let elos: Vec<f64> = report.ratings.iter().map(|line| line.elo).collect();
        assert!(elos[0] > 50.0 && elos[1].abs() < 1.0 && elos[2] < -50.0, "{elos:?}");
        assert_eq!(report.ratings[0].matches, 128);
        // Claims about all twelve cells are corrected for twelve.
        let cell = &report.duels[0].games[0];
        assert!(cell.p_holm.unwrap() >= cell.p.unwrap() && cell.p.is_some());
        assert!(report.elo_interval.is_none(), "several duels are not one sample");
    }

    #[test]
    fn nothing_played_is_no_result() {
        let (subject, _) = contest(2, 1);
        let report = Report::new(&subject, &[]);
        assert_eq!((report.matches(), report.overall, report.elo), (0, None, None));
    }
}
