//! Which search fits a game: what the game is like narrows the candidates, and short matches between them decide.

mod contest;
mod practice;
mod race;
mod ratings;
#[cfg(test)]
mod testing;

pub use contest::Contest;
pub(crate) use practice::practice_helps;

use crate::spec::{PRACTISING, Ready, Spec, Start};
use crate::{Budget, Settings};
use contest::Ring;
use ludens_machine::Random;
use ludens_score::{Invented, Matches, Method, reliability};
use race::{PAIRS, Race, Time};
use ratings::Expected;
use std::sync::Arc;
use std::time::Duration;

/// Of all time, the share in which a function is learned.
const LEARNING: f64 = 0.4;

/// Where less than the first share of all time has gone by then, a function whose weights change as a match goes on is learned, too, in the second.
const EARLY: f64 = 0.3;
const LEARNING_MORE: f64 = 0.2;

/// And when it is to be judged.
const JUDGED: f64 = 0.5;

/// Random matches by which functions are judged, and the correlation with their ends from which on one says anything.
const JUDGED_BY: usize = 256;
const RELIABLE: f64 = 0.05;

/// The time for matches where there is no limit.
const ENOUGH: Duration = Duration::from_secs(5);

/// Random matches that tell how long matches are.
const MEASURED_BY: usize = 32;

/// Matches so many times longer than random ones are drawn.
const LONG: u64 = 3;

/// Memory of a search in a contest, at most.
const MEMORY: usize = 64 << 20;

/// Who plays, and why.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The player.
    pub player: Ready,
    /// In a sentence.
    pub reason: String,
    /// The contests that were held, in the order in which they began.
    pub contests: Vec<Contest>,
    /// The function that was invented for it, whether it is used or not.
    pub invented: Option<Arc<Invented>>,
    /// How well the function predicts how random matches end, for every role: the correlation. Empty where there is none or it could not be found out.
    pub reliability: Vec<f64>,
}

impl Choice {
    fn plainly(player: Ready, reason: String) -> Choice {
        Choice { player, reason, contests: Vec::new(), invented: None, reliability: Vec::new() }
    }
}

/// Chooses a player for a game within the time of its start. `eval` is the method by which a function is invented.
pub(crate) fn choose(start: &mut Start<'_>, eval: &'static str) -> Choice {
    let plain = |name: &str| Ready::from(Spec::parse(name).expect("a player of the table"));
    if start.machine.roles().len() == 1 {
        let puzzle = plain("puzzle");
        return match puzzle.build(start.machine, start.settings) {
            Ok(_) => Choice::plainly(puzzle, "there is one role: a puzzle".to_owned()),
            Err(error) => Choice::plainly(plain("uct"), error.to_string()),
        };
    }
    let span = start.span();
    let method = Method::named(eval, start.settings.max_plies).expect("a method of the table");
    let invented = match start.invent_within(&method, LEARNING) {
        Ok(invented) => invented,
        Err(refusal) => return Choice::plainly(plain("uct"), format!("{eval} finds no function: {refusal}")),
    };
    let judged = judge(start, &invented, &|| span.used(start) >= JUDGED);
    if let Some(reason) = mistrust(eval, &judged) {
        let plainly = Choice::plainly(plain("uct"), reason);
        return Choice { invented: Some(invented), reliability: judged, ..plainly };
    }
    let mut functions = vec![(eval, invented, judged)];
    functions.extend(another(start, eval, span.used(start)));
    let plies = plies_of_a_match(start, &|| span.used(start) >= JUDGED);
    let practises = start.practise_within(PRACTISING);
    let left = (1.0 - span.used(start)).max(0.0);
    let (players, expected): (Vec<Ready>, Vec<Expected>) = candidates(eval, functions.len() > 1)
        .into_iter()
        .map(|(text, expected)| (start.prepare(&Spec::parse(&text).expect("a player of the table")), expected))
        .unzip();
    let ring = Ring {
        machine: start.machine,
        settings: Settings { threads: 1, memory: start.settings.memory.min(MEMORY), ..start.settings },
        at_once: start.settings.threads > 1,
        watch: start.watch,
        plies: (plies * LONG).min(start.settings.max_plies),
    };
    let Budget { wall, cpu, .. } = start.budget;
    let wall = wall.map(|wall| wall.mul_f64(left));
    let cpu = cpu.map_or_else(|| wall.is_none().then_some(ENOUGH), |cpu| Some(cpu.mul_f64(left)));
    let time = Time { cpu, began: start.watch.clock.wall(), wall };
    let each = [wall, cpu].into_iter().flatten().min().map(|all| all.div_f64(f64::from(2 * PAIRS) * plies as f64));
    let mut race = Race::new(&ring, &players, expected, time, Budget { cpu: each, ..Budget::default() });
    race.run();
    let (player, mut reason, contests) = (players[race.best()].clone(), race.reason(), race.contests());
    if practises {
        reason += "; random matches prefer moves that did well in practice, which helps";
    }
    // The function that is used, else the first.
    let method = player.invented().map(|invented| invented.invention.method());
    let used = functions.iter().position(|(eval, ..)| Some(*eval) == method).unwrap_or(0);
    let (_, invented, judged) = functions.swap_remove(used);
    Choice { player, reason, contests, invented: Some(invented), reliability: judged }
}

/// A function whose weights change as a match goes on, where there is time for one beside the first, with how well it predicts how random matches end.
fn another(start: &mut Start<'_>, eval: &str, used: f64) -> Option<(&'static str, Arc<Invented>, Vec<f64>)> {
    if eval != "learned" || used >= EARLY {
        return None;
    }
    let span = start.span();
    let method = Method::named("phased", start.settings.max_plies)?;
    let invented = start.invent_within(&method, LEARNING_MORE).ok()?;
    let judged = judge(start, &invented, &|| span.used(start) >= LEARNING_MORE);
    mistrust("phased", &judged).is_none().then_some(("phased", invented, judged))
}

/// Who may play, `uct` first, and what is expected of each. `guct` is better in most games. What a function is worth in a game it is worth to all who use it, so most doubt is about the
/// one who does not; and about alpha-beta, which differs most from the others.
fn candidates(eval: &str, phased: bool) -> Vec<(String, Expected)> {
    let guided = |strength: f64| Expected { strength, spread: 0.7 };
    let mut all = vec![
        ("uct".to_owned(), Expected { strength: 0.0, spread: 1.2 }),
        (format!("guct:eval={eval}"), guided(0.6)),
        (format!("guct:eval={eval},use=cutoff+init,length=10,leaves=256,playouts=2"), guided(0.5)),
        (format!("alphabeta:eval={eval},calm=8"), Expected { strength: 0.5, spread: 1.0 }),
    ];
    if phased {
        all.push(("guct:eval=phased".to_owned(), guided(0.4)));
    }
    all
}

/// Why a function should not be relied on, if so.
fn mistrust(eval: &str, judged: &[f64]) -> Option<String> {
    let best = judged.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    match judged {
        [] => Some(format!("there was no time to judge the function that {eval} finds")),
        _ if best >= RELIABLE => None,
        _ => Some(format!("the function that {eval} finds does not predict how matches end: its reliability is {best:.2}")),
    }
}

/// How well a function predicts how random matches end.
fn judge(start: &Start<'_>, invented: &Invented, stop: &dyn Fn() -> bool) -> Vec<f64> {
    let mut random = Random::new(!start.settings.seed);
    let Settings { max_plies, .. } = start.settings;
    reliability(start.machine, &*invented.evaluator, JUDGED_BY, max_plies, &mut random, stop).unwrap_or_default()
}

/// How long matches are.
fn plies_of_a_match(start: &Start<'_>, stop: &dyn Fn() -> bool) -> u64 {
    let mut random = Random::new(start.settings.seed);
    let matches = Matches::play(start.machine, MEASURED_BY, start.settings.max_plies, &mut random, stop);
    let plies = matches.map_or(0, |matches| matches.courses().map(|course| course.len()).sum::<usize>() / matches.len().max(1));
    plies.max(1) as u64
}

#[cfg(test)]
mod tests {
    use super::candidates;
    use crate::spec::Spec;

    #[test]
    fn all_who_may_race_are_players_that_differ() {
        for (phased, count) in [(false, 4), (true, 5)] {
            let specs: Vec<Spec> =
                candidates("learned", phased).iter().map(|(text, _)| Spec::parse(text).expect("a player of the table")).collect();
            let texts: std::collections::BTreeSet<String> = specs.iter().map(ToString::to_string).collect();
            assert_eq!(texts.len(), count, "{texts:?}");
            assert_eq!(texts.iter().any(|text| text.contains("eval=phased")), phased);
        }
    }
}
