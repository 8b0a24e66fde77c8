//! Moves that cannot matter are left out, only moves do not count as depth, and shallow searches spare deep ones.

use crate::support::{RealClock, fastest, rules, sheet, simulations, think};
use ludens_machine::{Machine, Random, State};
use ludens_score::{Evaluator, Goal, Method, Null};
use ludens_search::depth::alphabeta::Options;
use ludens_search::depth::{AlphaBeta, Foresight, Mtdf};
use ludens_search::{Budget, Search, Settings, Spec, Start, Watch};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

fn to_depth(depth: u32) -> Budget {
    Budget { depth: Some(depth), ..Budget::default() }
}

fn searches<'m>(machine: &'m Machine, evaluator: &Arc<dyn Evaluator>, options: Options) -> [Box<dyn Search + 'm>; 2] {
    [
        Box::new(AlphaBeta::new(machine, evaluator.clone(), options, Settings::default())),
        Box::new(Mtdf::new(machine, evaluator.clone(), options, Settings::default())),
    ]
}

/// A position of random play where the match goes on, after so many joint moves.
fn position(machine: &Machine, plies: usize, random: &mut Random) -> Option<State> {
    let mut lanes = machine.lanes(1);
    lanes.load(0, machine.initial());
    lanes.evaluate().unwrap();
    for _ in 0..plies {
        let joint: Vec<_> =
            machine.roles().map(|role| lanes.legal(0, role)).map(|legal| legal[random.below(legal.len())]).collect();
        lanes.play(0, &joint);
        lanes.advance().unwrap();
        lanes.evaluate().unwrap();
        if lanes.terminal(0) {
            return None;
        }
    }
    Some(lanes.state(0))
}

#[test]
fn threats_are_followed_beyond_the_depth() {
    let machine = fastest(&sheet("connect_four"));
    let null: Arc<dyn Evaluator> = Arc::new(Null::default());
    let mut random = Random::new(11);
    let mut sooner = 0;
    for number in 0..200 {
        let Some(position) = position(&machine, 12 + number % 12, &mut random) else { continue };
        let role = random.below(2) as u32;
        let bounds = |narrow: bool, depth: u32| {
            searches(&machine, &null, Options { narrow, sweep: number % 2 == 0, ..Options::default() })
                .map(|mut search| think(&mut *search, &position, role, &to_depth(depth)).unwrap().bounds)
        };
        let far = bounds(false, 11)[0];
        for (narrowly, plainly) in bounds(true, 5).into_iter().zip(bounds(false, 5)) {
            assert!(narrowly.low >= plainly.low && narrowly.high <= plainly.high, "{narrowly:?} {plainly:?}");
            assert!(narrowly.low <= far.high && narrowly.high >= far.low, "{narrowly:?} {far:?}");
            sooner += usize::from(narrowly != plainly);
        }
    }
    assert!(sooner > 5, "{sooner}");
}

#[test]
fn what_is_certain_is_the_same() {
    let machine = fastest(&sheet("tic_tac_toe"));
    let goal: Arc<dyn Evaluator> = Arc::new(Goal);
    let mut random = Random::new(5);
    for _ in 0..60 {
        let plies = random.below(6);
        let Some(position) = position(&machine, plies, &mut random) else { continue };
        for role in 0..2 {
            let bounds = |narrow: bool| {
                searches(&machine, &goal, Options { narrow, ..Options::default() })
                    .map(|mut search| think(&mut *search, &position, role, &to_depth(10)).unwrap().bounds)
            };
            assert_eq!(bounds(true), bounds(false));
            assert_eq!(bounds(true)[0], bounds(true)[1]);
        }
    }
}

/// How many points each role is certain to get, by both searches: the same with all moves and with those that matter.
fn certain_at_the_start(text: &str) -> [u8; 2] {
    let machine = fastest(text);
    assert!(machine.narrows());
    let goal: Arc<dyn Evaluator> = Arc::new(Goal);
    [0, 1].map(|role| {
        let bounds = |narrow: bool| {
            searches(&machine, &goal, Options { narrow, ..Options::default() })
                .map(|mut search| think(&mut *search, machine.initial(), role, &to_depth(8)).unwrap().bounds)
        };
        let all = [bounds(true), bounds(false)].concat();
        assert!(all.iter().all(|bounds| *bounds == all[0]), "{role}: {all:?}");
        all[0].low
    })
}

/// Two who take turns, the second one first, and win by a stroke.
const STROKES: &str = "(role a) (role b) (init (control b)) (<= (next (control b)) (true (control a)))
    (<= (next (control a)) (true (control b))) (<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
    (<= (legal a strike) (true (control a)) (true lucky)) (<= (legal b strike) (true (control b)) (true armed))
    (<= (next (struck ?r)) (does ?r strike)) (<= terminal (true (struck ?r))) (<= struck (true (struck ?r)))
    (<= (goal a 100) (true (struck a))) (<= (goal b 0) (true (struck a)))
    (<= (goal b 100) (true (struck b))) (<= (goal a 0) (true (struck b)))";

/// After `arm`, the last lamp ends the match, though the other could strike then.
#[test]
fn an_end_that_costs_much_to_tell_is_no_loss() {
    let lamps = |text: &dyn Fn(u32) -> String| (1..=40).map(text).collect::<String>();
    let all = lamps(&|lamp| format!("(true (lit {lamp}))"));
    let (names, start) = (lamps(&|lamp| format!("(lamp {lamp})")), lamps(&|lamp| format!("(init (lit {}))", lamp.min(39))));
    let sheet = format!(
        "{STROKES} {names} {start} (init shield) (<= (legal a wait) (true (control a))) (<= (legal b wait) (true (control b)))
        (<= (legal a (light ?n)) (true (control a)) (true shield) (lamp ?n) (not (true (lit ?n))))
        (<= (legal a disarm) (true (control a)) (true shield)) (<= (legal b arm) (true (control b)))
        (init dusk) (<= (legal b (dim ?n)) (true (control b)) (true dusk) (lamp ?n)) (<= (next (lit ?n)) (does a (light ?n)))
        (<= (next (lit ?n)) (true (lit ?n)) (not (does b (dim ?n)))) (<= (next lucky) (does b wait))
        (<= (next armed) (does b arm)) (<= (next armed) (true armed) (not (does a disarm)))
        (<= (next shield) (true shield) (not (does a disarm))) (<= all {all}) (<= terminal all)
        (<= (goal ?r 50) (role ?r) all (not struck))"
    );
    assert_eq!(certain_at_the_start(&sheet), [50, 50]);
}

/// After `arm`, who strikes strikes both.
#[test]
fn a_win_that_gives_less_as_well_is_none() {
    let sheet = format!(
        "{STROKES} (<= (legal b arm) (true (control b))) (<= (legal b wait) (true (control b)))
        (<= (legal a halt) (true (control a))) (<= (legal a wait) (true (control a))) (<= (next lucky) (does b ?m) (distinct ?m noop))
        (<= (next armed) (does b arm)) (<= (next armed) (true armed)) (<= (next (struck b)) (does a strike) (true armed))
        (<= (next halted) (does a halt)) (<= terminal (true halted)) (<= (goal ?r 50) (role ?r) (true halted))"
    );
    assert_eq!(certain_at_the_start(&sheet), [50, 0]);
}

#[test]
fn foresight_spares_nodes_and_is_the_same_for_the_same_seed() {
    let (machine, rules) = (fastest(&sheet("checkers")), rules(&sheet("checkers")));
    let method = Method::named("guided", 1000).unwrap();
    let evaluator = method.invent(&machine, &rules, &mut Random::new(1), &|| 0.0).unwrap().evaluator;
    let (clock, stop) = (RealClock::new(), AtomicBool::new(false));
    let watch = Watch { clock: &clock, stop: &stop };
    let (options, settings) = (Options::default(), Settings::default());
    let measure = |over: bool| Foresight::measure(&machine, &evaluator, options, settings, &watch, &|| over).unwrap();
    let foresight = Arc::new(measure(false));
    assert_eq!(*foresight, measure(false));
    assert_ne!(*foresight, Foresight::default(), "something is foreseen");
    assert_eq!(measure(true), Foresight::default(), "there is no time");
    let nodes = |foresight: Option<Arc<Foresight>>, cut: f32| {
        let options = Options { cut, ..options };
        let mut search = AlphaBeta::new(&machine, evaluator.clone(), options, settings).foreseeing(foresight);
        think(&mut search, machine.initial(), 0, &to_depth(9)).unwrap().nodes
    };
    let all = nodes(None, 0.3);
    assert_eq!(nodes(Some(foresight.clone()), 0.0), all, "it is off");
    let cut = nodes(Some(foresight), 0.3);
    assert!(cut < all, "{cut} of {all} nodes");
}

#[test]
fn who_foresees_nothing_says_so() {
    let (machine, rules) = (fastest(&sheet("tic_tac_toe")), rules(&sheet("tic_tac_toe")));
    let (clock, stop) = (RealClock::new(), AtomicBool::new(false));
    let watch = Watch { clock: &clock, stop: &stop };
    let mut start = Start::new(&machine, &rules, Settings::default(), simulations(100), watch);
    let mut remark = |player: &str| start.prepare(&Spec::parse(player).unwrap()).remark().map(str::to_owned);
    let because =
        |why: &str| Some(format!("`cut=1` does nothing with `{why}`: scores of a function that was found foresee others"));
    assert_eq!(remark("alphabeta:cut=1"), because("eval=goal"));
    assert_eq!(remark("mtdf:eval=guided,scores=off,cut=1"), because("scores=off"));
    assert_eq!(remark("mtdf:eval=guided,cut=1"), None);
    assert_eq!(remark("alphabeta"), None);
}
