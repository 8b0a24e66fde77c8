//! Any text is a player or an error, and a player's own text means the player.

use ludens_search::{PLAYERS, Spec, split_specs};
use proptest::prelude::*;

/// Texts that are nearly players: names, options and values of the table with the signs between them.
fn nearly() -> impl Strategy<Value = String> {
    let mut words = vec![":", ",", "=", " ", "", "off", "on", "0.5", "1", "512", "-0", "1e-3", "inf", "x", "é"];
    for player in PLAYERS {
        words.push(player.name);
        words.extend(player.options.iter().map(|option| option.name));
    }
    prop::collection::vec(prop::sample::select(words), 0..12).prop_map(|words| words.concat())
}

/// A player with some of its options set.
fn player() -> impl Strategy<Value = String> {
    (0..PLAYERS.len(), prop::collection::vec(any::<(bool, u32)>(), 16)).prop_map(|(index, draws)| {
        let player = &PLAYERS[index];
        let mut text = player.name.to_owned();
        let mut before = ":";
        for (option, (given, draw)) in player.options.iter().zip(draws) {
            let values: Vec<String> = [
                "on",
                "off",
                "visits",
                "value",
                "goal",
                "null",
                "playouts",
                "learned",
                "0",
                "1",
                "7",
                "0.25",
                "1e-3",
                "-0",
                "123",
                "none",
                "init+order",
            ]
            .map(str::to_owned)
            .into_iter()
            .filter(|text| option.kind.value(text).is_some())
            .collect();
            if given {
                text.extend([before, option.name, "=", &values[draw as usize % values.len()]]);
                before = ",";
            }
        }
        text
    })
}

fn check(text: &str) -> Result<(), TestCaseError> {
    match Spec::parse(text) {
        Ok(spec) => {
            let canonical = spec.to_string();
            let again = Spec::parse(&canonical);
            prop_assert_eq!(again.as_ref().map(ToString::to_string), Ok(canonical));
            prop_assert_eq!(again, Ok(spec));
        }
        Err(error) => prop_assert!(!error.to_string().is_empty()),
    }
    // Nothing gets lost between the players of a list.
    prop_assert_eq!(split_specs(text).join(","), text);
    Ok(())
}

proptest! {
    #[test]
    fn any_text_is_a_player_or_an_error(text in any::<String>()) {
        check(&text)?;
    }

    #[test]
    fn what_is_nearly_a_player_too(text in nearly()) {
        check(&text)?;
    }

    #[test]
    fn players_are_read_and_written(text in player()) {
        prop_assert!(Spec::parse(&text).is_ok(), "{}", text);
        check(&text)?;
    }

    #[test]
    fn lists_are_read_as_they_were_made(texts in prop::collection::vec(player(), 1..5)) {
        let specs = Spec::parse_list(&texts.join(",")).unwrap();
        prop_assert_eq!(specs.len(), texts.len());
        for (spec, text) in specs.iter().zip(&texts) {
            prop_assert_eq!(Ok(spec.clone()), Spec::parse(text));
        }
    }
}
