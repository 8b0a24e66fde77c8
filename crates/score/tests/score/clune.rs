//! Models of Cluneplayer's kind, of games of the library.

use ludens_gdl::{Rules, read};
use ludens_machine::{GroundLimits, Limits, Machine, Random, relational};
use ludens_score::clune::{Aspects, Model, Options, find};
use ludens_score::{Account, Distance, Evaluator, Feature, Refusal, Term, Vocabulary};

struct Game {
    rules: Rules,
    machine: Machine,
    vocabulary: Vocabulary,
}

fn built(text: &str) -> Game {
    let rules = read(text, &ludens_gdl::Limits::default()).rules.expect("rules");
    let options = relational::Options::default();
    let machine = Machine::fastest(&rules, &GroundLimits::default(), &options, &Limits::default()).expect("a machine");
    let vocabulary = Vocabulary::of(&machine).expect("it was grounded");
    Game { rules, machine, vocabulary }
}

fn game(name: &str) -> Game {
    let path = format!("{}/../../games/{name}/rules.kif", env!("CARGO_MANIFEST_DIR"));
    built(&std::fs::read_to_string(path).expect("a sheet"))
}

impl Game {
    fn find(&self, samples: usize, seed: u64) -> Result<Model, Refusal> {
        let options = Options { samples, max_plies: 300, ..Options::default() };
        find(&self.machine, &self.rules, &self.vocabulary, &options, &mut Random::new(seed), &|| false)
    }

    fn text(&self, term: &Term) -> String {
        term.feature.text(&self.vocabulary, &self.machine)
    }

    /// The weight of a feature; differences count either way round.
    fn weight(&self, account: &Account, expression: &str) -> f64 {
        let turned = |feature: &Feature| match feature.clone() {
            Feature::Difference(one, two) => Some(Feature::Difference(two, one)),
            Feature::Lag(one, two) => Some(Feature::Lag(two, one)),
            Feature::Lead(one, two) => Some(Feature::Lead(two, one)),
            _ => None,
        };
        let wanted = Feature::parse(&self.vocabulary, &self.machine, expression).expect("a feature");
        let of = |term: &Term| match &term.feature {
            feature if *feature == wanted => term.weight,
            feature if turned(feature).as_ref() == Some(&wanted) => -term.weight,
            _ => 0.0,
        };
        account.terms.iter().map(of).sum()
    }

    /// The scores of the state in which matches begin, as often as there are lanes.
    fn scores(&self, model: &Model) -> Vec<f32> {
        let evaluator = model.evaluator(&self.machine, &self.vocabulary);
        assert!(!evaluator.reads_moves());
        let mut lanes = self.machine.lanes(16);
        lanes.load_copies(self.machine.initial().words(), 16);
        lanes.evaluate_ends().expect("an evaluation");
        let mut scores = vec![0.0; 16 * self.machine.roles().len()];
        evaluator.score(&mut lanes, 16, &mut Random::new(1), &mut scores).expect("scores");
        // The same, part by part.
        let words = self.machine.initial().words();
        for (aspects, score) in model.roles.iter().zip(&scores) {
            let sum = |account: &Account| f64::from(account.linear(&self.vocabulary, model.roles.len()).of_words(words));
            let value = aspects.value(sum(&aspects.payoff), sum(&aspects.control), sum(&aspects.termination));
            // Searches round the weights.
            assert!((value - f64::from(*score)).abs() < 0.05, "{value} and {score}");
        }
        scores
    }
}

#[test]
fn pieces_are_the_payoff_of_cylinder_checkers() {
    let game = game("cylinder_checkers");
    let model = game.find(200, 1).expect("a model");
    let steps = "0 1 2 3 4 5 6 7 8 9 10 11 12";
    let ahead = format!("(- (distance (pieces red ?) 2 {steps}) (distance (pieces black ?) 2 {steps}))");
    for (aspects, sign) in model.roles.iter().zip([1.0, -1.0]) {
        assert!(game.weight(&aspects.payoff, &ahead) * sign > 3.0, "{}", model.text(&game.machine, &game.vocabulary));
        assert!((aspects.payoff.constant - 50.0).abs() < 1e-9);
        assert!((aspects.payoff_stability + aspects.control_stability - 1.0).abs() < 1e-9);
        assert!(!aspects.termination.terms.is_empty());
    }
    // Nobody is ahead at the start.
    assert!(game.scores(&model).iter().all(|score| (40.0..60.0).contains(score)));
}

#[test]
fn kings_have_more_control_than_men_in_checkers() {
    let game = game("checkers");
    let model = game.find(400, 1).expect("a model");
    let control = &model.roles[0].control;
    let king = game.weight(control, "(- (cell ? ? black king) (cell ? ? white king))");
    let man = game.weight(control, "(- (cell ? ? black man) (cell ? ? white man))");
    assert!(king > man && man > 0.0, "{}", model.text(&game.machine, &game.vocabulary));
}

#[test]
fn othello_is_about_corners_and_edges() {
    let game = game("othello");
    let model = game.find(100, 1).expect("a model");
    let payoff = &model.roles[0].payoff;
    for corner in ["a 1", "a 8", "h 1", "h 8"] {
        let expression = format!("(- (cell {corner} black) (cell {corner} white))");
        assert!(game.weight(payoff, &expression) > 0.0, "{}", model.text(&game.machine, &game.vocabulary));
    }
    for all in ["(cell ? ? black)", "(cell ? ? white)", "(- (cell ? ? black) (cell ? ? white))"] {
        assert!(game.weight(payoff, all).abs() < 1e-9, "{}", model.text(&game.machine, &game.vocabulary));
    }
}

#[test]
fn racetrack_corridor_is_about_the_distance_to_the_goal() {
    let game = game("racetrack_corridor");
    let model = game.find(100, 1).expect("a model");
    let lag = "(- (distance (cell ? ? white) 2 e d c b a) (distance (cell ? ? black) 2 e d c b a))";
    let [white, black] = &model.roles[..] else { panic!("two roles") };
    assert!(game.weight(&white.payoff, lag) < -5.0, "{}", model.text(&game.machine, &game.vocabulary));
    assert!(game.weight(&black.payoff, lag) > 5.0, "{}", model.text(&game.machine, &game.vocabulary));
}

#[test]
fn six_roles_have_a_payoff_each() {
    let game = game("chinese_checkers_6");
    let model = game.find(50, 1).expect("a model");
    assert_eq!(model.roles.len(), 6);
    let way = "(distance (cell ? ? red) 2 9 8 7 6 5 4 3 2 1)";
    assert!(game.weight(&model.roles[0].payoff, way) < 0.0, "{}", model.text(&game.machine, &game.vocabulary));
    assert!(game.scores(&model).iter().all(|score| (0.0..=100.0).contains(score)));
}

#[test]
fn every_kind_of_game_has_a_model_or_a_reason() {
    for name in ["eight_puzzle", "lights_out", "tic_tac_toe", "rock_paper_scissors", "tron", "nim", "connect_four_3", "goofspiel"]
    {
        let game = game(name);
        match game.find(50, 3) {
            Ok(model) => {
                assert!(game.scores(&model).iter().all(|score| (0.0..=100.0).contains(score)), "{name}");
                check(&game, &model);
            }
            Err(refusal) => assert!(!refusal.to_string().is_empty(), "{name}"),
        }
    }
}

/// Every expression can be read again, and weights are numbers.
fn check(game: &Game, model: &Model) {
    for Aspects { payoff, control, termination, .. } in &model.roles {
        for term in [payoff, control, termination].into_iter().flat_map(|account| &account.terms) {
            assert!(term.weight.is_finite() && term.error.is_finite());
            let text = game.text(term);
            assert_eq!(Feature::parse(&game.vocabulary, &game.machine, &text).as_ref(), Some(&term.feature), "{text}");
        }
    }
}

#[test]
fn constant_goals_are_refused() {
    let game = built(
        "(role a) (init (at x)) (way x y) (way y z) (legal a go) (<= (next (at ?y)) (true (at ?x)) (way ?x ?y))
         (<= terminal (true (at z))) (goal a 70)",
    );
    assert_eq!(game.find(10, 1), Err(Refusal::Constant { role: "a".to_owned(), points: 70 }));
}

#[test]
fn no_time_is_no_model() {
    let game = game("tic_tac_toe");
    let found = find(&game.machine, &game.rules, &game.vocabulary, &Options::default(), &mut Random::new(1), &|| true);
    assert_eq!(found, Err(Refusal::NoTime));
}

#[test]
fn the_same_seed_gives_the_same_model() {
    for name in ["breakthrough", "racetrack_corridor"] {
        let game = game(name);
        assert_eq!(game.find(50, 7), game.find(50, 7), "{name}");
    }
}

#[test]
fn distances_are_written_and_read() {
    let game = game("breakthrough");
    let text = "(distance (cell ? ? white) 2 8 (7 6) () 5 4 3 2 1)";
    let feature = Feature::parse(&game.vocabulary, &game.machine, text).expect("a feature");
    let Feature::Distance(distance) = &feature else { panic!("{feature:?}") };
    let symbol = |name: &str| game.vocabulary.find_symbol(name).expect("a symbol");
    assert_eq!(["8", "6", "5", "1"].map(|name| distance.steps(symbol(name))), [Some(0), Some(1), Some(3), Some(7)]);
    assert_eq!(feature.text(&game.vocabulary, &game.machine), text);
    let nearer = "(distance (cell ? ? black) 2 1 2 3 4 5 6 7 8)";
    let lag = format!("(- {text} {nearer})");
    let read = Feature::parse(&game.vocabulary, &game.machine, &lag).expect("a feature");
    assert_eq!(read.text(&game.vocabulary, &game.machine), lag);
    let fluents = game.vocabulary.table(distance.pattern.table).rows.len();
    assert_eq!(read.shares(&game.vocabulary).len(), fluents);
    assert_eq!(Distance::parse(&game.vocabulary, "(distance (cell ? ? white) 4 1 2)"), None);
    assert_eq!(Distance::parse(&game.vocabulary, "(distance (cell ? ? white) 3 1 2)"), None);
}
