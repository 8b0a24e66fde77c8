//! What may be said in words: who is better, by how much, how sure.

use super::text::{clean, escape, finite, finite_interval, number, signed};
use super::{budget, names};
use crate::plot::Row;
use crate::{Duel, GameReport, RatingLine, Report, mean};
use std::cmp::Ordering;
use std::fmt::Write as _;

/// So sure must a claim be about one game.
pub(super) const LEVEL: f64 = 0.05;

/// What is said of a score together with how sure it is.
pub(super) struct Verdict {
    /// A half, and half of how far the first player is ahead.
    pub(super) share: Option<f64>,
    /// Where it may lie.
    pub(super) interval: Option<[f64; 2]>,
}

impl Verdict {
    /// All games of a duel, each counting the same.
    pub(super) fn of(duel: &Duel) -> Verdict {
        let leads: Vec<f64> = duel.games.iter().filter_map(|game| finite(game.lead)).collect();
        let share = mean(&leads).map(|lead| f64::midpoint(1.0, lead));
        let error = finite(duel.overall.error);
        let interval = share.zip(error).map(|(share, error)| [(share - error).max(0.0), (share + error).min(1.0)]);
        Verdict { share, interval }
    }

    /// One game: by pairs, or by matches where there are too few pairs.
    pub(super) fn of_game(game: &GameReport) -> Verdict {
        let share = finite(game.lead).map(|lead| f64::midpoint(1.0, lead));
        match finite_interval(game.pair_interval) {
            Some(interval) if share.is_some() => Verdict { share, interval: Some(interval) },
            _ => Verdict { share: finite(game.score[0]), interval: finite_interval(game.interval) },
        }
    }

    /// Whether the first player is better (`Greater`) or worse; `Equal` where that is not decided.
    pub(super) fn decided(&self) -> Ordering {
        match self.interval {
            Some([low, _]) if low > 0.5 => Ordering::Greater,
            Some([_, high]) if high < 0.5 => Ordering::Less,
            _ => Ordering::Equal,
        }
    }

    pub(super) fn row(&self, label: &str) -> Row {
        Row { label: clean(label), value: self.share.unwrap_or(f64::NAN), interval: self.interval, published: None }
    }

    /// In a few words. Names are escaped.
    pub(super) fn words(&self, [first, second]: &[String; 2]) -> String {
        match (self.share, self.decided()) {
            (None, _) => "not played".to_owned(),
            (_, Ordering::Greater) => format!("<span class=\"sure\">{first} is better</span>"),
            (_, Ordering::Less) => format!("<span class=\"sure\">{second} is better</span>"),
            _ => "not decided".to_owned(),
        }
    }
}

/// The main finding in words.
pub(super) fn finding(report: &Report) -> String {
    if report.matches() == 0 {
        return "<p><strong>No match has been played.</strong></p>".to_owned();
    }
    if report.players.len() > 2 {
        return best_of_many(report);
    }
    match &report.duels[..] {
        [] => String::new(),
        [duel] => format!("<p>{}</p>", duel_in_words(report, duel)),
        duels => {
            let better = |wanted: Ordering| duels.iter().filter(|duel| Verdict::of(duel).decided() == wanted).count();
            let [first, second] = names(report, duels[0].players);
            let mut text = format!(
                "<p>Of {} budgets, <strong>{first} is better</strong> under {}, <strong>{second} is better</strong> under {}, \
                 and it is <strong>not decided</strong> under {}:</p><ul>",
                duels.len(),
                better(Ordering::Greater),
                better(Ordering::Less),
                better(Ordering::Equal)
            );
            for duel in duels {
                let _ = write!(text, "<li>{}: {}</li>", budget(report, duel.budget), duel_in_words(report, duel));
            }
            text + "</ul>"
        }
    }
}

/// Who is better in a duel, by how much, how sure.
pub(super) fn duel_in_words(report: &Report, duel: &Duel) -> String {
    let [first, second] = &names(report, duel.players);
    let verdict = Verdict::of(duel);
    let Some(share) = verdict.share else { return format!("No match of {first} against {second} has been played.") };
    let Some([low, high]) = verdict.interval else {
        return format!(
            "<strong>Not decided</strong> between {first} and {second}: the score of {first} is {share:.3}, too few pairs are complete to say how sure that is."
        );
    };
    let is_better = |better: &str, worse: &str, sign: f64| {
        // Seen from the better one.
        let turned = |value: f64| if sign > 0.0 { value } else { 1.0 - value };
        let (share, ends) = (turned(share), [turned(low), turned(high)]);
        let elo = finite(duel.overall.elo).map(|elo| format!(", {} points of Elo", signed(Some(sign * elo), 0)));
        let sure = finite_interval(duel.overall.elo_interval).map(|ends| ends.map(|end| sign * end));
        let sure =
            sure.map(|ends| format!(" ({} to {})", signed(Some(ends[0].min(ends[1])), 0), signed(Some(ends[0].max(ends[1])), 0)));
        format!(
            "<strong>{better} is better than {worse}</strong>: score {share:.3}, 95% interval {:.3} to {:.3}{}{}.",
            ends[0].min(ends[1]),
            ends[0].max(ends[1]),
            elo.unwrap_or_default(),
            sure.unwrap_or_default()
        )
    };
    match verdict.decided() {
        Ordering::Greater => is_better(first, second, 1.0),
        Ordering::Less => is_better(second, first, -1.0),
        Ordering::Equal => format!(
            "<strong>Not decided</strong> between {first} and {second}: the score of {first} is {share:.3}, and its 95% interval, {low:.3} to {high:.3}, has one half in it."
        ),
    }
}

/// Best first; players without a rating last.
pub(super) fn ranking(report: &Report) -> Vec<&RatingLine> {
    let mut ranking: Vec<&RatingLine> = report.ratings.iter().collect();
    let key = |line: &RatingLine| finite(Some(line.elo)).unwrap_or(f64::NEG_INFINITY);
    ranking.sort_by(|one, two| key(two).total_cmp(&key(one)));
    ranking
}

pub(super) fn rating_interval(line: &RatingLine) -> Option<[f64; 2]> {
    finite_interval(Some([line.elo - line.error, line.elo + line.error]))
}

/// Who leads, and whose interval reaches into that of the leader.
pub(super) fn best_of_many(report: &Report) -> String {
    let ranking = ranking(report);
    let Some((best, others)) = ranking.split_first() else {
        return "<p><strong>Not decided</strong>: there are no ratings.</p>".to_owned();
    };
    let low = rating_interval(best).map(|ends| ends[0]);
    let is_near = |other: &&&RatingLine| low.zip(rating_interval(other)).is_none_or(|(low, ends)| ends[1] >= low);
    let near: Vec<String> = others.iter().filter(is_near).map(|line| escape(&line.player)).collect();
    let name = escape(&best.player);
    let rating = format!("{} ± {} points of Elo", signed(finite(Some(best.elo)), 0), number(finite(Some(best.error)), 0));
    if near.is_empty() {
        return format!(
            "<p><strong>{name} is better than all others</strong>: {rating}, and no other 95% interval reaches into its own.</p>"
        );
    }
    let listed = near.iter().take(5).cloned().collect::<Vec<_>>().join(", ");
    let more = if near.len() > 5 { format!(" and {} more", near.len() - 5) } else { String::new() };
    format!(
        "<p><strong>{name} leads</strong> with {rating}, but whether it is the best is <strong>not decided</strong>: its 95% interval has points in common with that of {listed}{more}. That is a cautious test; what they scored against each other is below.</p>"
    )
}

/// What may be claimed about single games.
pub(super) fn claims(duel: &Duel, [first, second]: &[String; 2]) -> String {
    let with = |is_ahead: bool| {
        let of = |game: &&GameReport| {
            finite(game.p_holm).is_some_and(|p| p < LEVEL)
                && finite(game.lead).is_some_and(|lead| lead != 0.0 && (lead > 0.0) == is_ahead)
        };
        duel.games.iter().filter(of).map(|game| escape(&game.name)).collect::<Vec<_>>().join(", ")
    };
    let said = |player: &str, games: String| (!games.is_empty()).then(|| format!("{player} is better at {games}"));
    let claims: Vec<String> = [said(first, with(true)), said(second, with(false))].into_iter().flatten().collect();
    match claims.join("; ") {
        _ if duel.games.iter().all(|game| game.p_holm.is_none()) => String::new(),
        none if none.is_empty() => format!("No claim about a single game can be made (p by Holm under {LEVEL})."),
        claims => format!("Claims about single games (p by Holm under {LEVEL}): {claims}."),
    }
}
