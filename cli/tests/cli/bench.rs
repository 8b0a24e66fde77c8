//! `ludens bench`: threads, folders, processes.

use crate::support::{COUNTER, Folder, ludens};

#[test]
fn threads_are_compared_with_one_alone() {
    for engine in ["lanes", "relational"] {
        let args = ["bench", "tic_tac_toe", "--engine", engine, "--threads", "2", "--seconds", "0.2", "--json"];
        let report = ludens(&args).expect(0).json();
        let result = &report["results"][0];
        assert_eq!((&result["engine"], &result["threads"]), (&engine.into(), &2.into()));
        let rates: Vec<f64> =
            result["thread_rates"].as_array().expect("a list").iter().filter_map(serde_json::Value::as_f64).collect();
        assert_eq!(rates.len(), 2);
        let mean = result["playouts_per_cpu_second"].as_f64().expect("a rate");
        assert!(
            rates.iter().all(|&rate| rate > 0.0) && rates[0].min(rates[1]) <= mean && mean <= rates[0].max(rates[1]),
            "{result}"
        );
        for key in ["speed_up", "playouts_per_second", "states_per_cpu_second"] {
            assert!(result[key].as_f64().is_some_and(|value| value > 0.0), "{key}: {result}");
        }
        let plies = result["mean_plies"].as_f64().expect("a number");
        assert!((7.0..8.3).contains(&plies), "random tic-tac-toe takes 7.63 plies on average, not {plies}");
        let alone = ludens(&["bench", "tic_tac_toe", "--engine", engine, "--seconds", "0.01", "--json"]).expect(0).json();
        assert_eq!(alone["results"][0]["signature"], result["signature"], "the signature does not depend on the threads");
        assert_eq!(alone["results"][0].get("speed_up"), None);
    }
    let text = ludens(&["bench", "tic_tac_toe", "--threads", "2", "--seconds", "0.01"]).expect(0).stdout;
    assert!(text.lines().next().is_some_and(|header| header.contains("playouts/s  speed-up")), "{text}");
    ludens(&["bench", "tic_tac_toe", "--threads", "0"]).expect(2).complains("0 is not in 1..=256");
}

#[test]
fn a_folder_is_measured_to_its_end() {
    let folder = Folder::new();
    folder.write("b.kif", COUNTER);
    folder.write("a.kif", "(role r)");
    folder.write("own/rules.kif", COUNTER);
    folder.write("none/readme.txt", "no game");
    folder.write("readme.md", "no game either");
    for separate in [&[][..], &["--separate"][..]] {
        let path = folder.path("");
        let args = [&["bench", "--games", &path, "--seconds", "0.01", "--engine", "lanes", "--json"], separate].concat();
        let run = ludens(&args).expect(2).complains("error: 1 of 3 games could not be measured");
        let report = run.json();
        assert!(report["results"][0]["error"].as_str().is_some_and(|error| error.contains("not a valid rule sheet")), "{report}");
        for (index, name) in [(1, "b"), (2, "own")] {
            let result = &report["results"][index];
            assert_eq!((&result["game"], &result["engine"], &result["mean_plies"]), (&name.into(), &"lanes".into(), &3.0.into()));
            assert!(result["setup_cpu_seconds"].as_f64().is_some() && result.get("setup_peak_bytes").is_some(), "{result}");
        }
    }
    ludens(&["bench", "--games", &folder.path("none")]).expect(2).complains("there is no game in the folder");
    ludens(&["bench", "--games", &folder.path("nowhere")]).expect(2).complains("cannot read the folder");
}

#[test]
fn a_process_of_its_own_measures_the_same() {
    let bench = |args: &[&str]| {
        let fixed = ["bench", "tic_tac_toe", "--seconds", "0.02", "--seed", "5", "--memo", "off", "--json"];
        ludens(&[&fixed, args].concat()).expect(0).json()["results"][0]["signature"].clone()
    };
    assert_eq!(bench(&[]), bench(&["--separate"]));
    assert!(bench(&["--separate"]).is_string());
    // A name that begins like an option is still a name.
    ludens(&["bench", "--separate", "--", "--help", "tic_tac_toe"]).expect(2).complains("1 of 2 games could not be measured");
}

#[test]
fn searches_are_measured_beside_the_engine() {
    let bench = |args: &[&str]| {
        let fixed = ["bench", "tic_tac_toe", "connect_four", "--search", "--seconds", "0.2", "--json"];
        ludens(&[&fixed, args].concat()).expect(0).json()["results"].clone()
    };
    let is_positive = |result: &serde_json::Value, keys: &[&str]| {
        for key in keys {
            assert!(result[key].as_f64().is_some_and(|value| value > 0.0), "{key}: {result}");
        }
    };
    let results = bench(&["--threads", "2"]);
    for (index, game) in ["tic_tac_toe", "connect_four"].iter().enumerate() {
        let result = &results[index];
        assert_eq!((&result["game"], &result["player"], &result["engine"]), (&(*game).into(), &"uct".into(), &"lanes".into()));
        is_positive(result, &["simulations_per_cpu_second", "playouts_per_cpu_second", "playouts_per_simulation"]);
        is_positive(result, &["nodes_per_cpu_second", "nodes", "depth", "value", "tree_microseconds", "bytes_per_node"]);
        is_positive(result, &["raw_playouts_per_cpu_second", "raw_share", "speed_up", "simulations_per_second", "searches"]);
        assert!(result["raw_expansions_per_cpu_second"].is_null(), "{result}");
    }
    for player in ["alphabeta:depth=4", "mtdf"] {
        for result in bench(&["--player", player]).as_array().expect("a list") {
            assert_eq!(result["player"], player);
            is_positive(result, &["nodes_per_cpu_second", "raw_expansions_per_cpu_second", "raw_share", "depth", "nodes"]);
            for key in ["simulations_per_cpu_second", "raw_playouts_per_cpu_second", "tree_microseconds", "speed_up"] {
                assert!(result[key].is_null(), "{key}: {result}");
            }
        }
    }
    let text = ludens(&["bench", "tic_tac_toe", "--search", "--player", "mc", "--seconds", "0.05", "--engine", "relational"]);
    let text = text.expect(0).stdout;
    assert!(text.trim_start().starts_with("game") && text.contains("tree µs/leaf") && text.contains("tic_tac_toe"), "{text}");
}

#[test]
fn searches_that_cannot_be_measured_say_why() {
    let bench = |args: &[&str]| ludens(&[&["bench", "--search", "--seconds", "0.05"], args].concat()).expect(2);
    bench(&["tic_tac_toe", "--player", "random"]).complains("`random` does not search");
    bench(&["tic_tac_toe", "--player", "mtdf", "--threads", "2"]).complains("`mtdf` searches on one thread");
    bench(&["tic_tac_toe", "--player", "puzzle"]).complains("cannot measure tic_tac_toe");
    bench(&["tic_tac_toe", "--separate"]).complains("cannot be used with");
    let folder = Folder::new();
    folder.write("counter.kif", COUNTER);
    bench(&["tic_tac_toe", &folder.path("counter.kif")]).complains("1 of 2 games could not be measured");
    ludens(&["bench", "tic_tac_toe", "--player", "uct"]).expect(2).complains("--search");
}

#[test]
fn the_signature_of_all_searches_is_the_same_every_time() {
    let signature = |args: &[&str]| ludens(&[&["bench", "--signature"], args].concat()).expect(0).stdout;
    let once = signature(&[]);
    assert_eq!(once, signature(&[]), "from run to run");
    assert_eq!(once.lines().count(), 1, "{once}");
    assert!(once.starts_with("signature: ") && once.contains("(mc ") && once.contains(", puzzle "), "{once}");
    assert_ne!(once, signature(&["--seed", "2"]), "chance plays a part");
    let report = ludens(&["bench", "--signature", "--json"]).expect(0).json();
    assert!(once.contains(report["signature"].as_str().expect("a text")), "{report}");
    let searches = report["searches"].as_array().expect("a list");
    assert_eq!(
        searches.iter().map(|search| search["games"].as_u64().expect("a number")).collect::<Vec<_>>(),
        [6, 6, 6, 6, 6, 6, 1]
    );
    ludens(&["bench", "tic_tac_toe", "--signature"]).expect(2).complains("cannot be used with");
}
