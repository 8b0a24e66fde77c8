//! Whether practice helps in random matches: whoever searches with it meets whoever searches without, with few simulations for a move.

use super::MEMORY;
use super::contest::{Allowance, Ring};
use crate::spec::{Ready, Spec, Start};
use crate::{Budget, Settings};
use std::time::Duration;

/// Simulations for a move. Few will do to see a difference that is worth it, and short matches leave time for more of them.
const SIMULATIONS: u64 = 100;

/// Pairs of matches at most, and the CPU time of all of them.
const PAIRS: usize = 16;
const MOST: Duration = Duration::from_secs(1);

/// Where there is less than this, it is not even begun: practice itself takes time.
const LEAST: Duration = Duration::from_millis(100);

/// Who practises scores at least this, or it does not help: what is better with few simulations need not be as good with many.
const BETTER: f64 = 0.75;

/// The logarithm of how many times as likely one of the two has to be before it is taken for true.
const SURE: f64 = 3.0;

/// Whether it helps, found out in a share of the time of a start. Where it takes longer to know, it does not.
pub(crate) fn practice_helps(start: &Start<'_>, share: f64) -> bool {
    let span = start.span();
    let (machine, clock) = (start.machine, start.watch.clock);
    let within = |all: Option<Duration>| all.map_or(MOST, |all| all.mul_f64(share).min(MOST));
    let (cpu, wall) = (within(start.budget.cpu), within(start.budget.wall));
    if start.is_stopped() || cpu.min(wall) < LEAST || machine.roles().len() < 2 || !machine.practises(true) {
        return false;
    }
    let [with, without] =
        ["uct:practice=on", "uct:practice=off"].map(|text| Ready::from(Spec::parse(text).expect("a player of the table")));
    let ring = Ring {
        machine,
        settings: Settings { threads: 1, memory: start.settings.memory.min(MEMORY), ..start.settings },
        at_once: false,
        watch: start.watch,
        plies: start.settings.max_plies,
    };
    let until = start.budget.wall.map(|_| clock.wall() + wall);
    let (mut evidence, mut used) = (0.0, Duration::ZERO);
    for number in 0..PAIRS {
        if span.used(start) >= share {
            break;
        }
        let each = Budget { simulations: Some(SIMULATIONS), ..Budget::default() };
        let allowance = Allowance { each, cpu: Some(cpu.saturating_sub(used)), until };
        let Ok(pair) = ring.pair([&with, &without], number, &allowance) else { return false };
        used += pair.cpu;
        let Some(score) = pair.score else { break };
        evidence += weight_of_evidence(score);
        if evidence.abs() >= SURE {
            return evidence > 0.0;
        }
    }
    false
}

/// What the score of a pair says for its being better rather than no better.
fn weight_of_evidence(score: f64) -> f64 {
    score * (BETTER / 0.5).ln() + (2.0 - score) * ((1.0 - BETTER) / 0.5).ln()
}

#[cfg(test)]
mod tests {
    use super::{SURE, practice_helps, weight_of_evidence};
    use crate::choose::testing::{Still, game};
    use crate::spec::Start;
    use crate::{Budget, Settings, Watch};
    use std::sync::atomic::AtomicBool;

    fn helps(name: &str, stop: bool) -> bool {
        let (rules, machine) = game(name);
        let stop = AtomicBool::new(stop);
        let watch = Watch { clock: &Still, stop: &stop };
        let start = Start::new(&machine, &rules, Settings::default(), Budget::default(), watch);
        practice_helps(&start, 1.0)
    }

    #[test]
    fn matches_tell_whether_it_helps() {
        // Corners.
        assert!(helps("othello", false));
        assert!(!helps("othello", true), "there is no time");
        assert!(!helps("connect_four", false));
        assert!(!helps("eight_puzzle", false), "nobody else is there");
    }

    #[test]
    fn it_takes_many_wins_and_fewer_losses() {
        let pairs = |score: f64| (SURE / weight_of_evidence(score).abs()).ceil() as u32;
        assert_eq!([2.0, 1.75].map(pairs), [4, 6]);
        assert!(weight_of_evidence(1.0) < 0.0 && weight_of_evidence(1.25) < 0.0 && weight_of_evidence(1.3) > 0.0);
    }
}
