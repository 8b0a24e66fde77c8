//! Phases with moves that win, and that do not lose at once, asked of a slow evaluator.

mod common;

use common::{Match, Random, library, net};
use ludens_ground::{Net, Phase, decisive, phases};

/// The role that has a choice, if it is one alone, with its moves, and the only moves of the others.
fn choice(game: &Match<'_>) -> Option<(u32, Vec<usize>, Vec<usize>)> {
    let legal: Vec<Vec<usize>> = (0..game.net.roles.len() as u32).map(|role| game.legal(role)).collect();
    let mut choosing = (0..).zip(&legal).filter(|(_, moves)| moves.len() > 1);
    let (role, moves) = choosing.next()?;
    let others = (0..).zip(&legal).filter(|(other, _)| *other != role).map(|(_, moves)| moves.first().copied());
    (choosing.next().is_none()).then_some((role, moves.clone(), others.collect::<Option<_>>()?))
}

fn after<'a>(game: &Match<'a>, number: usize, others: &[usize]) -> Match<'a> {
    let mut next = game.clone();
    next.play(&[&[number], others].concat());
    next
}

/// Whether a move wins at once.
fn wins(game: &Match<'_>, role: u32, number: usize, others: &[usize]) -> bool {
    let next = after(game, number, others);
    next.terminal() && next.goals(role).contains(&"100")
}

/// Whether the other of two wins at once after a move.
fn loses(game: &Match<'_>, role: u32, number: usize, others: &[usize]) -> bool {
    let next = after(game, number, others);
    let (replies, waiting) = (next.legal(1 - role), next.legal(role));
    !next.terminal() && replies.iter().any(|&reply| wins(&next, 1 - role, reply, &waiting))
}

/// Plays at random, and tells of every state the whole network and that of its phase.
fn walk(whole: &Net, narrowed: &[Phase], states: usize, tell: &mut dyn FnMut(&Match<'_>, &Match<'_>)) {
    let mut random = Random(11);
    let (mut game, mut step) = (Match::new(whole), 0);
    for _ in 0..states {
        let moves: Vec<Vec<usize>> = (0..whole.roles.len() as u32).map(|role| game.legal(role)).collect();
        if game.terminal() || moves.iter().any(Vec::is_empty) {
            (game, step) = (Match::new(whole), 0);
            continue;
        }
        tell(&game, &Match { net: &narrowed[step % narrowed.len()].net, state: game.state.clone() });
        let joint: Vec<usize> = moves.iter().map(|moves| moves[random.below(moves.len())]).collect();
        game.play(&joint);
        step += 1;
    }
}

/// In every game of the library: who has a legal move keeps one, none is added, and if one that wins is left, no other is.
#[test]
fn moves_are_left_out_and_none_is_added() {
    let mut narrower = Vec::new();
    for (name, text) in library() {
        let whole = net(&text);
        let Some(narrowed) = decisive(&whole, &phases(&whole)) else { continue };
        for phase in &narrowed {
            assert_eq!(phase.net.check(), Ok(()), "{name}");
        }
        let mut fewer = 0;
        walk(&whole, &narrowed, 120, &mut |game, other| {
            for role in 0..whole.roles.len() as u32 {
                let (all, left) = (game.legal(role), other.legal(role));
                assert!(!left.is_empty() && left.iter().all(|number| all.contains(number)), "{name}: {left:?} of {all:?}");
                fewer += usize::from(left.len() < all.len());
            }
            let Some((role, _, others)) = choice(game) else { return };
            let left = other.legal(role);
            let winning = left.iter().filter(|&&number| wins(game, role, number, &others)).count();
            assert!(winning == 0 || winning == left.len(), "{name}: {winning} of {}", left.len());
            // Nobody avoids a position in which it is its own turn to win.
            assert!(whole.roles.len() > 1 || winning > 0 || left.len() == game.legal(role).len(), "{name}: {left:?}");
            // What comes next has not changed.
            let number = left[0];
            let mut next = other.clone();
            next.play(&[&[number], &others[..]].concat());
            assert_eq!(next.state, after(game, number, &others).state, "{name}");
        });
        if fewer > 0 {
            narrower.push(name);
        }
    }
    for name in ["breakthrough", "connect_five", "connect_four", "connect_four_3", "nim", "tic_tac_toe"] {
        assert!(narrower.iter().any(|narrower| narrower == name), "{name} is not among {narrower:?}");
    }
}

/// Where nothing is too large to be looked at, all wins are seen, and all moves that lose at once.
#[test]
fn all_wins_are_seen_where_they_are_lines() {
    for (name, text) in library().iter().filter(|(name, _)| ["connect_four", "tic_tac_toe", "nim"].contains(&name.as_str())) {
        let whole = net(text);
        let narrowed = decisive(&whole, &phases(&whole)).expect("moves that win");
        let mut seen = [0; 3];
        walk(&whole, &narrowed, 300, &mut |game, other| {
            let Some((role, all, others)) = choice(game) else { return };
            let winning: Vec<usize> = all.iter().copied().filter(|&number| wins(game, role, number, &others)).collect();
            let safe: Vec<usize> = all.iter().copied().filter(|&number| !loses(game, role, number, &others)).collect();
            let (kind, expected) = match (&winning[..], &safe[..]) {
                ([_, ..], _) => (0, winning),
                (_, [_, ..]) => (if safe.len() < all.len() { 1 } else { 2 }, safe),
                _ => (2, all),
            };
            assert_eq!(other.legal(role), expected, "{name}: {:?}", game.fluents());
            seen[kind] += 1;
        });
        assert!(seen[0] > 10 && seen[1] > 10, "{name}: {seen:?}");
    }
}

/// Games in which several choose at once, or whose wins are too much to look at, stay as they are.
#[test]
fn other_games_stay_as_they_are() {
    for (name, text) in
        library().iter().filter(|(name, _)| ["checkers", "goofspiel", "hex", "othello", "tron"].contains(&name.as_str()))
    {
        let whole = net(text);
        assert!(decisive(&whole, &phases(&whole)).is_none(), "{name}");
    }
}

/// What is left to the first role at the start.
fn left_at_the_start(sheet: &str) -> Vec<String> {
    let whole = net(sheet);
    let narrowed = decisive(&whole, &phases(&whole)).expect("moves that win");
    let game = Match::new(&narrowed[0].net);
    game.legal_texts(0).into_iter().map(str::to_owned).collect()
}

/// Two who take turns, each with these moves and nothing else when it is the other's.
const TURNS: &str =
    "(role a) (role b) (init (control a)) (<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
    (<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a))) ";

#[test]
fn an_end_is_not_avoided_because_of_what_might_come_after_it() {
    let sheet = "(init threat) (<= (legal a ?m) (true (control a)) (act ?m)) (act stop) (act block) (act go)
        (<= (legal a luck) (true (control a)) (not (true threat))) (<= (legal b wait) (true (control b)))
        (<= (legal b win) (true (control b)) (true threat))
        (<= (next threat) (true threat) (not (does a block))) (<= (next over) (does a stop)) (<= (next won) (does b win))
        (<= (next lucky) (does a luck)) (<= terminal (true over)) (<= terminal (true won)) (<= terminal (true lucky))
        (<= (goal a 100) (true lucky)) (<= (goal a 75) (true over)) (<= (goal a 0) (true won))
        (<= (goal b 100) (true won)) (<= (goal b 25) (true over)) (<= (goal b 0) (true lucky))";
    assert_eq!(left_at_the_start(&format!("{TURNS}{sheet}")), ["block", "stop"]);
}

#[test]
fn an_end_that_costs_much_to_tell_is_not_avoided_either() {
    let lamps = |texts: &dyn Fn(u32) -> String| (1..=40).map(texts).collect::<String>();
    let all = lamps(&|lamp| format!("(true (lit {lamp}))"));
    let (names, start) = (lamps(&|lamp| format!("(lamp {lamp})")), lamps(&|lamp| format!("(init (lit {}))", lamp.min(39))));
    let sheet = format!(
        "{names} {start} (init threat) (<= (legal a block) (true (control a))) (<= (legal a idle) (true (control a)))
        (<= (legal a (light ?n)) (true (control a)) (lamp ?n) (not (true (lit ?n)))) (<= (legal b wait) (true (control b)))
        (<= (legal b win) (true (control b)) (true threat)) (<= (legal a luck) (true (control a)) (not (true threat)))
        (<= (legal b (dim ?n)) (true (control b)) (true (lit ?n))) (<= (next (lit ?n)) (true (lit ?n)) (not (does b (dim ?n))))
        (<= (next (lit ?n)) (does a (light ?n))) (<= (next lucky) (does a luck))
        (<= (next threat) (true threat) (not (does a block))) (<= (next won) (does b win)) (<= all {all})
        (<= terminal all) (<= terminal (true won)) (<= terminal (true lucky))
        (<= (goal a 100) (true lucky)) (<= (goal a 0) (true won)) (<= (goal a 50) all (not (true won)) (not (true lucky)))
        (<= (goal b 100) (true won)) (<= (goal b 0) (true lucky)) (<= (goal b 50) all (not (true won)) (not (true lucky)))"
    );
    assert_eq!(left_at_the_start(&format!("{TURNS}{sheet}")), ["(light 40)", "block"]);
}

#[test]
fn what_gives_less_as_well_is_no_win_in_a_duel() {
    let sheet = "(init armed) (<= (legal a strike) (true (control a))) (<= (legal a stop) (true (control a)))
        (<= (legal b strike) (true (control b))) (<= (legal b stop) (true (control b)))
        (<= (next (struck ?r)) (does ?r strike)) (<= (next (struck b)) (does a strike) (true armed)) (<= (next over) (does ?r stop))
        (<= terminal (true over)) (<= terminal (true (struck ?r))) (<= (goal ?r 50) (role ?r) (true over))
        (<= (goal a 100) (true (struck a))) (<= (goal b 0) (true (struck a)))
        (<= (goal b 100) (true (struck b))) (<= (goal a 0) (true (struck b)))";
    assert_eq!(left_at_the_start(&format!("{TURNS}{sheet}")), ["stop", "strike"]);
    let harmless = sheet.replace("(init armed)", "(<= (next armed) (does b stop))");
    assert_eq!(left_at_the_start(&format!("{TURNS}{harmless}")), ["strike"]);
}

#[test]
fn partners_let_each_other_win() {
    let sheet =
        "(<= (legal a help) (true (control a))) (<= (legal a idle) (true (control a))) (<= (legal b idle) (true (control b)))
        (<= (legal b finish) (true (control b)) (true helped)) (<= (next helped) (does a help)) (<= (next helped) (true helped))
        (<= (next done) (does b finish)) (<= terminal (true done)) (<= (goal ?r 100) (role ?r) (true done))
        (<= (goal ?r 0) (role ?r) (not (true done)))";
    assert_eq!(left_at_the_start(&format!("{TURNS}{sheet}")), ["help", "idle"]);
}

/// Alternatives that share parts are listed once: each of these has two of the one before it.
#[test]
fn shared_alternatives_do_not_multiply() {
    let steps: Vec<String> = (0..40).map(|step| format!("(succ {step} {})", step + 1)).collect();
    let steps = steps.join(" ");
    let sheet = format!(
        "(role a) {steps} (init base) (<= (legal a (set ?k ?n)) (succ ?m ?n) (kind ?k)) (kind x) (kind y) (legal a clear)
        (<= (next (on ?k ?n)) (does a (set ?k ?n))) (<= (next (on ?k ?n)) (true (on ?k ?n))) (<= (next base) (true base) (not (does a clear)))
        (<= (ok 0) (true base)) (<= (p ?k ?n) (succ ?m ?n) (kind ?k) (ok ?m) (true (on ?k ?n))) (<= (ok ?n) (p x ?n) (p y ?n))
        (<= (legal a (see ?k ?n)) (p ?k ?n)) (<= terminal (true (on x 40))) (<= (goal a 100) (not (ok 40))) (<= (goal a 0) (ok 40))"
    );
    let whole = net(&sheet);
    let narrowed = decisive(&whole, &phases(&whole));
    assert!(narrowed.is_none_or(|phases| phases.iter().all(|phase| phase.net.check() == Ok(()))));
}
