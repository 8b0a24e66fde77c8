//! Counts of what rules derive from a state.

use crate::support::{library, machine, three_rounds, vocabulary};
use ludens_machine::{Machine, Random};
use ludens_score::learned::{Options, find};
use ludens_score::{Feature, Function, Matches, Refusal};

/// A ring of six lamps of two colours: pairs are neighbours of one colour.
fn lamps() -> crate::support::Game {
    machine(
        "(role one) (role two) (init (turn one)) (init (lit 0 red))
         (beside 0 1) (beside 1 2) (beside 2 3) (beside 3 4) (beside 4 5) (beside 5 0) (<= (lamp ?x) (beside ?x ?y))
         (colour red) (colour blue) (colour_of one red) (colour_of two blue)
         (<= (on ?x) (true (lit ?x ?c))) (<= open (lamp ?x) (not (on ?x)))
         (<= (legal ?r (light ?x)) (true (turn ?r)) (lamp ?x) (not (on ?x)))
         (<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
         (<= (next (turn one)) (true (turn two))) (<= (next (turn two)) (true (turn one)))
         (<= (next (lit ?x ?c)) (true (lit ?x ?c)))
         (<= (next (lit ?x ?c)) (does ?r (light ?x)) (colour_of ?r ?c))
         (<= (pair ?c ?x ?y) (true (lit ?x ?c)) (true (lit ?y ?c)) (beside ?x ?y))
         (<= (has ?c) (pair ?c ?x ?y))
         (<= (turn ?c) (true (lit 1 ?c)) (true (lit 4 ?c)))
         (<= terminal (not open))
         (<= (goal one 100) (has red) (not (has blue))) (<= (goal two 0) (has red) (not (has blue)))
         (<= (goal one 0) (has blue) (not (has red))) (<= (goal two 100) (has blue) (not (has red)))
         (<= (goal ?r 50) (role ?r) (has red) (has blue)) (<= (goal ?r 50) (role ?r) (not (has red)) (not (has blue)))
         (<= (next (was ?c)) (turn ?c))",
    )
}

#[test]
fn what_rules_derive_is_counted() {
    let machine = lamps();
    let vocabulary = vocabulary(&machine);
    let parse = |text: &str| Feature::parse(&vocabulary, &machine, text);
    let matches = Matches::play(&machine, 20, 100, &mut Random::new(1), &|| false).expect("matches");
    for (text, colours) in [("(pair red ? ?)", &["red"][..]), ("(pair ? ? ?)", &["red", "blue"]), ("(pair blue ? 0)", &["blue"])]
    {
        let feature = parse(text).expect("it is derived");
        let Feature::Derived(pattern) = &feature else { panic!("{feature:?}") };
        assert_eq!(feature.text(&vocabulary, &machine), text);
        assert_eq!(feature.reading(&vocabulary, &machine), format!("how many {text} hold"));
        let mut sum = ludens_score::Linear::constant(&vocabulary, 2, 0.5);
        sum.add(&vocabulary, &feature, 2.0);
        for words in matches.courses().flat_map(|course| course.positions()) {
            let fluents = machine.fluents(&ludens_machine::State::of_words(words));
            let is_lit = |lamp: usize, colour: &str| fluents.contains(&format!("(lit {lamp} {colour})"));
            let pairs = (0..6).filter(|lamp| !text.ends_with(" 0)") || *lamp == 5);
            let count: usize = pairs
                .map(|lamp| colours.iter().filter(|colour| is_lit(lamp, colour) && is_lit((lamp + 1) % 6, colour)).count())
                .sum();
            assert!((sum.of_words(words) - 0.5 - 2.0 * count as f32).abs() < 1e-6, "{pattern:?} in {fluents:?}");
        }
    }
}

#[test]
fn an_expression_has_one_meaning() {
    let machine = lamps();
    let vocabulary = vocabulary(&machine);
    // A table of the state, and a relation that says what it wants.
    assert!(matches!(Feature::parse(&vocabulary, &machine, "(turn one)"), Some(Feature::Count(_))));
    assert!(matches!(Feature::parse(&vocabulary, &machine, "(turn red)"), Some(Feature::Count(_))));
    assert_eq!(Feature::parse(&vocabulary, &machine, "(pair green ? ?)"), None);
    assert_eq!(Feature::parse(&vocabulary, &machine, "(pair ? ?)"), None);
}

fn learned(machine: &Machine, rules: &ludens_gdl::Rules) -> Result<Function, Refusal> {
    let options = Options { matches: 300, rounds: 1, positions: 2000, ..Options::derived() };
    find(machine, rules, &vocabulary(machine), &options, &mut Random::new(3), &|| 0.0)
}

#[test]
fn functions_count_it_and_can_be_read_back() {
    let mut derived = 0;
    for game in ["nine_mens_morris", "kalah", "sheep_and_wolf"] {
        let machine = library(game);
        let vocabulary = vocabulary(&machine);
        let function = learned(&machine, &machine.rules).expect("a function");
        assert_eq!(function.method, "derived");
        let terms = function.roles.iter().flat_map(|account| &account.terms);
        for term in terms {
            let text = term.feature.text(&vocabulary, &machine);
            assert_eq!(Feature::parse(&vocabulary, &machine, &text).as_ref(), Some(&term.feature), "{game}: {text}");
            derived += usize::from(matches!(term.feature, Feature::Derived(_)));
        }
        assert_eq!(learned(&machine, &machine.rules).expect("a function"), function, "{game}: the same seed");
    }
    assert!(derived > 0, "somewhere it says something");
}

#[test]
fn where_nothing_is_derived_all_is_as_without() {
    let machine = library("hex");
    assert!(vocabulary(&machine).derived().is_none(), "connections go in circles");
    assert!(learned(&machine, &machine.rules).is_ok());
}

#[test]
fn relations_of_many_columns_have_no_more_patterns_than_others() {
    let (ones, twos, open) =
        ("a ".repeat(20), "b ".repeat(20), (0..20).map(|column| format!("?v{column}")).collect::<Vec<_>>().join(" "));
    let machine = three_rounds(&format!(
        "(<= (wide {ones}) (true (took 0 good)) (true (took 1 good))) (<= (wide {twos}) (true (took 0 bad)) (true (took 1 bad)))
         (<= known (wide {open}))
         (<= (goal one 100) (wide {ones}) known) (<= (goal one 0) (not (wide {ones})))"
    ));
    let vocabulary = vocabulary(&machine);
    let relation = Feature::parse(&vocabulary, &machine, &format!("(wide {})", "? ".repeat(20).trim()));
    assert!(matches!(relation, Some(Feature::Derived(_))), "{relation:?}");
    let function = learned(&machine, &machine.rules).expect("a function");
    assert!(function.candidates < 200, "{}", function.candidates);
}

#[test]
fn words_of_ours_stay_ours() {
    // The rules have relations of the names that expressions have.
    let machine = three_rounds(
        "(<= (moves ?k) (true (took 0 ?k))) (<= (rows ?k) (true (took 1 ?k))) (<= (- ?k ?l) (moves ?k) (rows ?l))
         (<= (goal one 100) (- good good)) (<= (goal one 0) (not (- good good)))",
    );
    let vocabulary = vocabulary(&machine);
    let parse = |text: &str| Feature::parse(&vocabulary, &machine, text);
    assert!(matches!(parse("(moves one)"), Some(Feature::Moves(_))));
    assert!(matches!(parse("(rows good)"), Some(Feature::Symbol(_))));
    assert_eq!(parse("(moves good)"), None);
    let function = learned(&machine, &machine.rules).expect("a function");
    assert!(!function.roles[0].terms.iter().any(|term| matches!(term.feature, Feature::Derived(_))));
}
