//! The paper's claims, and what our matches say of each. Intervals decide, of all budgets together unless the claim is about time.

use super::players::{Opponent, Player, Regime};
use super::published::{CHECKERS, CONNECT_FIVE, CONNECT_FOUR, FIGURES, Figure, GAMES, OTHELLO, Trend};
use super::{Cell, Score, percent};
use crate::commands::experiment::{Finding, Outcome};
use std::fmt::Write as _;

/// Scores this close to a half are even.
const EVEN: f64 = 0.15;

/// All matches, and how to ask for some.
struct Matches<'a>(&'a [Cell]);

impl Matches<'_> {
    fn of(&self, player: Player, opponent: Opponent, regime: Regime, game: usize) -> impl Iterator<Item = &Cell> {
        self.0.iter().filter(move |cell| (cell.player, cell.opponent, cell.regime, cell.game) == (player, opponent, regime, game))
    }

    /// All budgets together.
    fn score(&self, player: Player, opponent: Opponent, regime: Regime, game: usize) -> Option<Score> {
        Score::of(self.of(player, opponent, regime, game))
    }

    /// With the least and with the most time.
    fn ends(&self, figure: &Figure, game: usize) -> Option<[Score; 2]> {
        let cells = || self.of(figure.player, figure.opponent, Regime::OneByOne, game);
        let order = |one: &&Cell, two: &&Cell| one.size.total_cmp(&two.size);
        let (least, most) = (cells().min_by(order)?, cells().max_by(order)?);
        if least.size < most.size { Some([Score::of([least].into_iter())?, Score::of([most].into_iter())?]) } else { None }
    }
}

/// All claims in the order of the paper, then ours.
pub(super) fn findings(cells: &[Cell]) -> Vec<Finding> {
    let matches = Matches(cells);
    let mut findings = Vec::new();
    for figure in &FIGURES {
        for (game, (trend, words)) in figure.trends.into_iter().enumerate() {
            findings.extend(trend_of(&matches, figure, game, trend, words));
        }
        findings.extend(by_time(&matches, figure));
    }
    for game in [CHECKERS, CONNECT_FOUR] {
        findings.extend(better_than_guct(&matches, game));
    }
    for opponent in Opponent::ALL {
        for player in Player::OURS {
            findings.extend(ours(&matches, player, opponent));
        }
    }
    findings.extend(Player::OURS.iter().filter_map(|&player| othello(&matches, player)));
    findings
}

/// What an interval says of how somebody fares.
fn judge(trend: Trend, score: Score) -> Outcome {
    let (holds, fails) = match trend {
        Trend::Wins => (score.low > 0.5, score.high < 0.5),
        Trend::Loses => (score.high < 0.5, score.low > 0.5),
        Trend::DoesNotWin => (score.high < 0.5 + EVEN, score.low > 0.5),
        // Surely better, or surely worse, is not even, however little it is.
        Trend::Even => (score.low > 0.5 - EVEN && score.high < 0.5 + EVEN, score.low > 0.5 || score.high < 0.5 - EVEN),
        Trend::Open => (false, false),
    };
    match (holds, fails) {
        (_, true) => Outcome::NotReproduced,
        (true, _) => Outcome::Reproduced,
        _ => Outcome::NotDecided,
    }
}

/// A game of a figure: the paper's regime decides, lanes stand beside.
fn trend_of(matches: &Matches<'_>, figure: &Figure, game: usize, trend: Trend, words: &str) -> Option<Finding> {
    let score = |regime| matches.score(figure.player, figure.opponent, regime, game);
    let ours = score(Regime::OneByOne)?;
    if trend == Trend::Open {
        return None;
    }
    let published = GAMES[game].table.map(|(percent, error)| percent + error);
    let is_more = figure.opponent == Opponent::Null && published.iter().all(|&theirs| percent(ours.low) > theirs);
    let outcome = if is_more { Outcome::Surpassed } else { judge(trend, ours) };
    let mut why = format!("{} of {} matches.", ours.text(), ours.matches);
    if outcome == Outcome::NotReproduced || outcome == Outcome::NotDecided {
        why += &steps(matches, figure, game);
    }
    if let Some(lanes) = score(Regime::Lanes) {
        let _ = write!(why, " On lanes {}.", lanes.text());
    }
    let claim = format!("{}, {}: {} {words}.", figure.title, GAMES[game].title, figure.player.title());
    Some(Finding { claim, outcome, why })
}

/// How much both could look at, which may be why.
fn steps(matches: &Matches<'_>, figure: &Figure, game: usize) -> String {
    let most =
        matches.of(figure.player, figure.opponent, Regime::OneByOne, game).max_by(|one, two| one.size.total_cmp(&two.size));
    let unit = if figure.player == Player::Mtdf { "nodes" } else { "simulations" };
    most.map_or_else(String::new, |cell| {
        let [own, other] = cell.steps;
        format!(" At {} it had {own:.0} {unit} a move, {} {other:.0} simulations.", cell.budget, figure.opponent.title())
    })
}

/// Where the text says that more time makes it less: in Checkers for GUCT, in Connect5 for MTD(f).
fn by_time(matches: &Matches<'_>, figure: &Figure) -> Option<Finding> {
    let (game, claim) = match (figure.player, figure.opponent) {
        (Player::Guct, Opponent::Uct) => (CHECKERS, "the advantage of GUCT diminishes with time"),
        (Player::Mtdf, Opponent::Uct | Opponent::UctThreads) => (CONNECT_FIVE, "UCT gains more than MTD(f) with time"),
        (Player::Mtdf, Opponent::Guct | Opponent::GuctThreads) => (CONNECT_FIVE, "with more time the chances are more even"),
        _ => return None,
    };
    let [least, most] = matches.ends(figure, game)?;
    let why = format!("{} with the least time, {} with the most.", least.text(), most.text());
    let claim = format!("{}, {}: {claim}.", figure.title, GAMES[game].title);
    Some(Finding { claim, outcome: greater(least, most), why })
}

/// Whether the first score is the greater one: their difference has an interval (Newcombe's), and it decides.
fn greater(one: Score, two: Score) -> Outcome {
    let difference = one.mean - two.mean;
    let low = difference - (one.mean - one.low).hypot(two.high - two.mean);
    let high = difference + (one.high - one.mean).hypot(two.mean - two.low);
    match (low > 0.0, high < 0.0) {
        (true, _) => Outcome::Reproduced,
        (_, true) => Outcome::NotReproduced,
        _ => Outcome::NotDecided,
    }
}

/// Figure 5 against figure 4.
fn better_than_guct(matches: &Matches<'_>, game: usize) -> Option<Finding> {
    let score = |player| matches.score(player, Opponent::Uct, Regime::OneByOne, game);
    let (mtdf, guct) = (score(Player::Mtdf)?, score(Player::Guct)?);
    Some(Finding {
        claim: format!("Figures 4 and 5, {}: MTD(f) fares better against UCT than GUCT does.", GAMES[game].title),
        outcome: greater(mtdf, guct),
        why: format!("MTD(f) {}, GUCT {}.", mtdf.text(), guct.text()),
    })
}

/// Ours against one of the paper's opponents, in all games.
fn ours(matches: &Matches<'_>, player: Player, opponent: Opponent) -> Option<Finding> {
    let of = |regime| -> Vec<(usize, Score)> {
        (0..GAMES.len()).filter_map(|game| Some((game, matches.score(player, opponent, regime, game)?))).collect()
    };
    let scores = of(Regime::OneByOne);
    if scores.is_empty() {
        return None;
    }
    let text = |scores: &[(usize, Score)]| {
        scores.iter().map(|(game, score)| format!("{} {}", GAMES[*game].title, score.text())).collect::<Vec<_>>().join(", ")
    };
    let outcome = if scores.iter().all(|(_, score)| score.low > 0.5) {
        Outcome::Surpassed
    } else if scores.iter().any(|(_, score)| score.high < 0.5) {
        Outcome::NotReproduced
    } else {
        Outcome::NotDecided
    };
    let mut why = format!("{}.", text(&scores));
    let lanes = of(Regime::Lanes);
    if !lanes.is_empty() {
        let _ = write!(why, " On lanes {}.", text(&lanes));
    }
    let claim = format!("(Ours to reach) {} beats {} in every game.", player.title(), opponent.title());
    Some(Finding { claim, outcome, why })
}

/// The game that the paper's players lose: UCT on lanes is the stronger opponent.
fn othello(matches: &Matches<'_>, player: Player) -> Option<Finding> {
    let score = matches.score(player, Opponent::Uct, Regime::Lanes, OTHELLO)?;
    let outcome = match judge(Trend::Wins, score) {
        Outcome::Reproduced => Outcome::Surpassed,
        other => other,
    };
    let claim =
        format!("(Ours to reach) {} beats UCT in Othello, where GUCT loses in the paper, with UCT on lanes.", player.title());
    Some(Finding { claim, outcome, why: format!("{} of {} matches.", score.text(), score.matches) })
}

#[cfg(test)]
mod tests {
    use super::{findings, greater, judge};
    use crate::commands::experiment::Outcome;
    use crate::commands::experiment::waledzik::players::{Opponent, Player, Regime};
    use crate::commands::experiment::waledzik::published::{CHECKERS, Trend};
    use crate::commands::experiment::waledzik::{Cell, Score};

    fn cell(player: Player, opponent: Opponent, size: f64, wins: u64, losses: u64) -> Cell {
        Cell {
            opponent,
            regime: Regime::OneByOne,
            player,
            game: CHECKERS,
            budget: format!("{size} CPU s"),
            size,
            matches: wins + losses,
            wins,
            draws: 0,
            losses,
            points: wins as f64,
            plies: 50.0,
            steps: [100.0, 200.0],
            cpu: 1.0,
            faults: [0; 2],
            starved: 0,
        }
    }

    fn score(wins: u64, losses: u64) -> Score {
        Score::of([cell(Player::Guct, Opponent::Uct, 1.0, wins, losses)].iter()).expect("matches")
    }

    #[test]
    fn intervals_decide() {
        let cases = [
            (Trend::Wins, (9, 1), Outcome::Reproduced),
            (Trend::Wins, (6, 4), Outcome::NotDecided),
            (Trend::Wins, (1, 9), Outcome::NotReproduced),
            (Trend::Loses, (1, 9), Outcome::Reproduced),
            (Trend::Even, (5, 5), Outcome::NotDecided),
            (Trend::Even, (100, 100), Outcome::Reproduced),
            (Trend::Even, (90, 10), Outcome::NotReproduced),
            (Trend::DoesNotWin, (2, 8), Outcome::Reproduced),
            (Trend::DoesNotWin, (90, 10), Outcome::NotReproduced),
        ];
        for (trend, (wins, losses), outcome) in cases {
            assert_eq!(judge(trend, score(wins, losses)), outcome, "{trend:?} {wins} {losses}");
        }
        assert_eq!(greater(score(9, 1), score(1, 9)), Outcome::Reproduced);
        assert_eq!(greater(score(1, 9), score(9, 1)), Outcome::NotReproduced);
        assert_eq!(greater(score(6, 4), score(5, 5)), Outcome::NotDecided);
    }

    #[test]
    fn budgets_are_taken_together_unless_time_matters() {
        let cells = [cell(Player::Guct, Opponent::Uct, 0.01, 20, 0), cell(Player::Guct, Opponent::Uct, 0.04, 8, 12)];
        let found = findings(&cells);
        let of = |part: &str| found.iter().find(|finding| finding.claim.contains(part)).map(|finding| finding.outcome);
        assert_eq!(of("Figure 4: GUCT against UCT, Checkers: GUCT wins"), Some(Outcome::Reproduced));
        assert_eq!(of("diminishes with time"), Some(Outcome::Reproduced));
        assert_eq!(of("Chess"), None, "nothing was played");
        // More than every number of the table.
        let found = findings(&[cell(Player::Guct, Opponent::Null, 0.01, 2000, 0)]);
        assert_eq!(found[0].outcome, Outcome::Surpassed);
    }
}
