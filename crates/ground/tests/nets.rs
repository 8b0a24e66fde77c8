//! What networks say, asked of a slow evaluator.

mod common;

use common::{Match, Random, library, net, root, rules};
use ludens_gdl::Literal;
use ludens_ground::{Error, Limits, ground, phases};

/// What every sheet here begins with.
const FRAME: &str = "(role solo) (goal solo 100) (<= terminal (true end)) ";

/// What holds after the only role has played each of these, in order.
fn after(sheet: &str, moves: &[&str]) -> Vec<String> {
    let net = net(&format!("{FRAME}{sheet}"));
    let mut game = Match::new(&net);
    for text in moves {
        game.play_texts(&[text]);
    }
    game.fluents().into_iter().map(str::to_owned).collect()
}

#[test]
fn positive_cycles_are_the_least_that_holds() {
    let sheet = "(init (edge a b)) (init (edge b c)) (init (edge c b)) (init (edge d e)) (init (edge e d))
        (legal solo wait) (<= (legal solo (cut ?x ?y)) (true (edge ?x ?y)))
        (reached a) (<= (reached ?y) (reached ?x) (true (edge ?x ?y)))
        (<= (next (edge ?x ?y)) (true (edge ?x ?y)) (not (does solo (cut ?x ?y))))
        (<= (next (seen ?x)) (reached ?x)) (<= (next lost) (node ?x) (not (reached ?x)))
        (node a) (node b) (node c)";
    let seen =
        |moves: &[&str]| -> Vec<String> { after(sheet, moves).into_iter().filter(|text| !text.contains("edge")).collect() };
    assert_eq!(seen(&["wait"]), ["(seen a)", "(seen b)", "(seen c)"]);
    assert_eq!(seen(&["(cut a b)", "wait"]), ["(seen a)", "lost"]);
    assert_eq!(seen(&["(cut b c)", "wait"]), ["(seen a)", "(seen b)", "lost"]);
    assert!(!net(&format!("{FRAME}{sheet}")).loops.is_empty());
}

#[test]
fn negations_are_of_atoms_that_can_hold_or_cannot() {
    let sheet = "(init (on 1)) (init (on 2)) (legal solo (flip 1)) (legal solo (flip 3))
        (<= (next (on ?x)) (true (on ?x)) (not (does solo (flip ?x))))
        (<= (next none) (not some)) (<= some (true (on ?x)) (small ?x)) (small 1) (small 3)
        (<= (next never) (not (true (unheard of))) (not (does solo nothing)))";
    assert_eq!(after(sheet, &["(flip 3)"]), ["(on 1)", "(on 2)", "never"]);
    assert_eq!(after(sheet, &["(flip 1)", "(flip 3)"]), ["(on 2)", "never", "none"]);
}

#[test]
fn static_relations_are_listed_exactly() {
    let sheet = "(init (at 0)) (legal solo go)
        (succ 0 1) (succ 1 2) (succ 2 3) (number 0) (<= (number ?y) (number ?x) (succ ?x ?y))
        (<= (last ?x) (number ?x) (not (more ?x))) (<= (more ?x) (succ ?x ?y))
        (<= (even 0)) (<= (even ?y) (odd ?x) (succ ?x ?y)) (<= (odd ?y) (even ?x) (succ ?x ?y))
        (<= (next (last ?x)) (last ?x)) (<= (next (even ?x)) (even ?x)) (<= (next (odd ?x)) (odd ?x))";
    let network = net(&format!("{FRAME}{sheet}"));
    assert_eq!(network.size(), (0, 0), "nothing here depends on the state");
    assert_eq!(after(sheet, &["go"]), ["(even 0)", "(even 2)", "(last 3)", "(odd 1)", "(odd 3)"]);
}

#[test]
fn equations_are_solved() {
    let sheet = "(init (at (pair 1 2))) (legal solo go) (one 1)
        (<= (next (left ?x)) (true (at ?p)) (not (distinct ?p (pair ?x ?y))))
        (<= (next (same ?x ?y)) (true (at (pair ?x ?y))) (not (distinct ?x ?y)))
        (<= (next (unit ?x)) (true (at (pair ?x ?y))) (one ?o) (not (distinct ?x ?o)))
        (<= (next never) (true (at ?p)) (not (distinct (f ?p) (g ?p))))
        (<= (next endless) (true (at ?p)) (not (distinct ?p (f ?p))))
        (<= (next (other ?y)) (true (at (pair ?x ?y))) (distinct ?x ?y))";
    assert_eq!(after(sheet, &["go"]), ["(left 1)", "(other 2)", "(unit 1)"]);
}

#[test]
fn function_terms_nest() {
    let sheet = "(init (stack (cons a (cons b nil)))) (legal solo pop) (legal solo (peek ?x))
        (<= (legal solo (peek ?x)) (true (stack (cons ?x ?rest))))
        (<= (next (stack ?rest)) (does solo pop) (true (stack (cons ?x ?rest))))
        (<= (next (top (wrapped (very ?x)))) (does solo (peek ?x)))
        (<= (next (stack ?s)) (does solo (peek ?x)) (true (stack ?s)))";
    let sheet = sheet.replace("(legal solo (peek ?x))\n", "\n");
    assert_eq!(after(&sheet, &["pop"]), ["(stack (cons b nil))"]);
    assert_eq!(after(&sheet, &["pop", "(peek b)"]), ["(stack (cons b nil))", "(top (wrapped (very b)))"]);
    assert_eq!(after(&sheet, &["pop", "pop"]), ["(stack nil)"]);
}

#[test]
fn variables_hold_whole_fluents_and_moves() {
    let sheet = "(init (a 1)) (init b) (legal solo (take (a 1))) (legal solo (take b)) (legal solo wait)
        (<= (next ?fluent) (true ?fluent) (not (taken ?fluent))) (<= (taken ?fluent) (does solo (take ?fluent)))
        (<= (next (played ?move)) (does ?role ?move))";
    let sheet =
        sheet.replace("(next (played ?move)) (does ?role ?move)", "(next (played ?move)) (does ?role ?move) (known ?move)");
    let sheet = format!("{sheet} (known wait) (known (take b))");
    assert_eq!(after(&sheet, &["wait"]), ["(a 1)", "(played wait)", "b"]);
    assert_eq!(after(&sheet, &["(take (a 1))"]), ["b"]);
    assert_eq!(after(&sheet, &["(take b)", "wait"]), ["(a 1)", "(played (take b))", "(played wait)"]);
}

#[test]
fn relations_stratified_by_their_arguments_only() {
    let text = std::fs::read_to_string(root().join("sheets/ok/by-arguments.kif")).expect("a sheet");
    let network = net(&text);
    let mut game = Match::new(&network);
    game.play_texts(&["go"]);
    assert_eq!(game.fluents(), ["over"]);
    // Also where the start depends on one.
    let sheet = "(d 1) (d 3) (legal solo go) (<= (p 1 2) (d 1) (not (p 3 3))) (<= (p 3 3) (p ?a ?a) (d ?a))
        (<= (q ?a) (d ?a) (not (p ?a ?a))) (<= (init (p ?a ?b)) (p ?a ?b)) (<= (init (q ?a)) (q ?a)) (<= (next ?f) (true ?f))";
    assert_eq!(after(sheet, &[]), ["(p 1 2)", "(q 1)", "(q 3)"]);
    assert_eq!(after(sheet, &["go"]), ["(p 1 2)", "(q 1)", "(q 3)"]);
}

#[test]
fn atoms_that_deny_themselves_are_an_error() {
    // The reader refuses such rules, so one of a circle is turned round behind its back.
    let sheet =
        "(init on) (legal solo go) (d 1) (d 2) (<= (p ?x) (true on) (q ?x)) (<= (q ?x) (d ?x) (p ?x)) (<= (next (at ?x)) (q ?x))";
    let mut rules = rules(&format!("{FRAME}{sheet}"));
    assert!(ground(&rules, &Limits::default()).is_ok());
    let rule = rules.rules.iter_mut().find(|rule| {
        rule.body.len() == 2 && matches!(&rule.body[0], Literal::Is(atom) if atom.args.len() == 1 && rule.head.args == atom.args)
    });
    let condition = &mut rule.expect("the rule of q").body[1];
    let Literal::Is(atom) = condition.clone() else { panic!("{condition:?}") };
    *condition = Literal::Not(atom);
    match ground(&rules, &Limits::default()) {
        Err(Error::Unstratified { atom }) => assert!(["(p 1)", "(q 1)", "(p 2)", "(q 2)"].contains(&atom.as_str()), "{atom}"),
        other => panic!("{:?}", other.map(|net| net.size())),
    }
}

/// Gates of every game of the library, with a tenth to spare: a network that grows is noticed.
const GATES: &[(&str, usize)] = &[
    ("amazons", 6_200),
    ("bomberman", 790),
    ("breakthrough", 860),
    ("checkers", 1_900),
    ("chess", 22_000),
    ("chinese_checkers_2", 670),
    ("chinese_checkers_3", 940),
    ("chinese_checkers_4", 1_200),
    ("chinese_checkers_6", 1_700),
    ("connect_five", 870),
    ("connect_four", 600),
    ("connect_four_3", 1_100),
    ("cylinder_checkers", 2_300),
    ("dots_and_boxes", 530),
    ("eight_puzzle", 570),
    ("farmers", 3_900),
    ("gomoku", 4_400),
    ("goofspiel", 1_500),
    ("hex", 770),
    ("iterated_prisoners_dilemma", 1_100),
    ("kalah", 11_200),
    ("knights_tour", 110),
    ("lights_out", 1_300),
    ("lines_of_action", 10_300),
    ("mosaic", 7_500),
    ("nim", 130),
    ("nine_mens_morris", 3_000),
    ("othello", 6_900),
    ("pacman", 870),
    ("peg_solitaire", 320),
    ("racetrack_corridor", 280),
    ("rock_paper_scissors", 200),
    ("sheep_and_wolf", 570),
    ("sudoku", 180),
    ("tic_tac_toe", 90),
    ("tron", 2_400),
    ("wallmaze", 730),
];

#[test]
fn networks_stay_small() {
    let games = library();
    let names: Vec<&str> = games.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, GATES.iter().map(|&(name, _)| name).collect::<Vec<_>>());
    for ((name, text), &(_, bound)) in games.iter().zip(GATES) {
        let (gates, _) = net(text).size();
        assert!(gates <= bound, "{name} has {gates} gates, not at most {bound}");
        assert!(gates * 4 > bound, "{name} has {gates} gates: the bound of {bound} can be lowered");
    }
}

#[test]
fn long_rules_are_projected() {
    // Ten variables of ten values each, joined in a chain.
    let chain: Vec<String> = (0..9).map(|at| format!("(true (link ?x{at} ?x{}))", at + 1)).collect();
    let links: Vec<String> = (0..9).map(|at| format!("(init (link {at} {})) (init (link {} {at}))", at + 1, at + 1)).collect();
    let (chain, links) = (chain.join(" "), links.join(" "));
    let sheet = format!("{FRAME} {links} (legal solo go) (<= (next end) {chain}) (<= (next ?link) (true ?link))");
    let (gates, fan_in) = net(&sheet).size();
    assert!(gates < 400 && fan_in < 1_500, "{gates} gates with {fan_in} inputs");
}

/// Random matches: in every state, what is known of its phase holds, and the phase's network says what the whole one says.
#[test]
fn phases_agree_with_the_whole() {
    for (name, text) in library() {
        let whole = net(&text);
        let phases = phases(&whole);
        for phase in &phases {
            assert_eq!(phase.net.check(), Ok(()), "{name}");
        }
        let states = if whole.size().0 > 3_000 { 60 } else { 200 };
        let mut random = Random(7);
        let (mut game, mut step) = (Match::new(&whole), 0);
        for _ in 0..states {
            let phase = &phases[step % phases.len()];
            for ((fluent, known), &holds) in whole.fluents.iter().zip(&phase.known).zip(&game.state) {
                assert!(known.is_none_or(|known| known == holds), "{name}: {} in step {step}", fluent.text);
            }
            let mut other = Match { net: &phase.net, state: game.state.clone() };
            assert_eq!(game.terminal(), other.terminal(), "{name}, step {step}");
            let mut moves = Vec::new();
            for role in 0..whole.roles.len() as u32 {
                assert_eq!(game.goals(role), other.goals(role), "{name}, step {step}");
                let legal = game.legal(role);
                assert_eq!(legal, other.legal(role), "{name}, step {step}");
                if !legal.is_empty() {
                    moves.push(legal[random.below(legal.len())]);
                }
            }
            if game.terminal() || moves.len() < whole.roles.len() {
                (game, step) = (Match::new(&whole), 0);
                continue;
            }
            other.play(&moves);
            game.play(&moves);
            assert_eq!(game.state, other.state, "{name}, step {step}");
            step += 1;
        }
    }
}

/// The same sheet gives the same network, node for node.
#[test]
fn grounding_is_deterministic() {
    for (name, text) in library().iter().filter(|(name, _)| ["hex", "mosaic", "othello"].contains(&name.as_str())) {
        let rules = rules(text);
        let ground = || ground(&rules, &Limits::default()).expect("a net");
        let (one, two) = (ground(), ground());
        assert_eq!((&one.nodes, &one.signals, &one.loops), (&two.nodes, &two.signals, &two.loops), "{name}");
    }
}
