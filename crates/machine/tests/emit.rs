//! Emitted code compiles and plays as the reference engine does, whatever a sheet says and whatever its names are.
//!
//! C is left out, with a note, where there is no compiler `cc`: nobody should have to install one to test Ludens.

use ludens_gdl::{Rules, read};
use ludens_machine::emit::{self, File, Language};
use ludens_machine::{Limits, Machine, MoveId, Random, relational};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Roles that move together, a function term that grows, a goal given twice and one that is no number.
const GROWING: &str = "
(role a) (role b) (init (heap nil)) (init (left 4))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal ?r (put ?n)) (role ?r) (true (left ?m)) (succ ?n ?m))
(<= (legal ?r wait) (role ?r))
(<= (next (heap (cons ?x (cons ?y ?h)))) (does a ?x) (does b ?y) (true (heap ?h)))
(<= (next (left ?n)) (true (left ?m)) (succ ?n ?m))
(<= terminal (true (left 0)))
(<= (starts ?x ?h) (true (heap (cons ?x ?h))))
(<= (goal a 100) (starts wait ?h)) (<= (goal a 30) (starts ?x ?h) (distinct ?x nil))
(<= (goal b much) (true (left 0))) (<= (goal b 70) (true (left 0)) (not (starts wait nil)))";

/// Relations that ask themselves, under negation too, and reach each other.
const RECURSIVE: &str = "
(role walker) (init (at a)) (init (open b c)) (init (step 0))
(edge a b) (edge b a) (edge c d) (edge d e) (edge e c) (node a) (node b) (node c) (node d) (node e)
(next_step 0 1) (next_step 1 2) (next_step 2 3) (next_step 3 4)
(<= (way ?x ?y) (edge ?x ?y)) (<= (way ?x ?y) (true (open ?x ?y)))
(<= (reach ?x ?y) (way ?x ?y)) (<= (reach ?x ?z) (reach ?x ?y) (way ?y ?z))
(<= (even ?x ?x) (node ?x)) (<= (odd ?x ?z) (even ?x ?y) (way ?y ?z)) (<= (even ?x ?z) (odd ?x ?y) (way ?y ?z))
(<= (cut ?x) (node ?x) (true (at ?y)) (not (reach ?y ?x)))
(<= (legal walker (go ?y)) (true (at ?x)) (way ?x ?y))
(<= (legal walker (shut ?x ?y)) (true (open ?x ?y)) (true (at ?z)) (odd ?z ?y))
(<= (next (at ?y)) (does walker (go ?y))) (<= (next (at ?x)) (true (at ?x)) (does walker (shut ?a ?b)))
(<= (next (open ?x ?y)) (true (open ?x ?y)) (not (does walker (shut ?x ?y))))
(<= (next (step ?n)) (true (step ?m)) (next_step ?m ?n))
(<= terminal (true (step 4)))
(<= (goal walker 100) (cut c)) (<= (goal walker 50) (not (cut c)))";

fn rules_of(sheet: &str) -> Rules {
    let reading = read(sheet, &ludens_gdl::Limits::default());
    reading.rules.unwrap_or_else(|| panic!("the sheet is valid: {:?}", reading.diagnostics))
}

fn machine_of(rules: &Rules) -> Machine {
    Machine::relational(rules, &relational::Options::default(), &Limits::default()).expect("a machine")
}

fn plans_of(rules: &Rules, language: Language) -> Vec<File> {
    emit::plans(machine_of(rules).as_relational().expect("plans"), language).expect("it can be emitted")
}

fn net_of(rules: &Rules, language: Language) -> Vec<File> {
    let net = ludens_ground::ground(rules, &ludens_ground::Limits::default()).expect("a network");
    emit::net(&net, rules.case_sensitive, language)
}

/// Random matches of the reference engine, as an emitted player replays them.
fn record(machine: &Machine, matches: u32, seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut lanes = machine.lanes(1);
    let mut text = String::new();
    for _ in 0..matches {
        lanes.load(0, machine.initial());
        let _ = writeln!(text, "start");
        for _ in 0..100 {
            lanes.evaluate_fully().expect("an answer");
            let fluents = machine.fluents(&lanes.state(0));
            let _ = writeln!(text, "state\t{}\nterminal\t{}", fluents.join("\t"), u8::from(lanes.terminal(0)));
            let mut joint: Vec<MoveId> = Vec::new();
            for role in machine.roles() {
                let legal = lanes.legal(0, role).to_vec();
                let mut names: Vec<String> = legal.iter().map(|&id| machine.move_text(id)).collect();
                names.sort_unstable();
                let names: Vec<String> = std::iter::once(role.0.to_string()).chain(names).collect();
                let points = lanes.points(0, role).expect("points");
                let _ = writeln!(text, "legal\t{}\ngoal\t{}\t{points}", names.join("\t"), role.0);
                joint.extend(legal.get(random.below(legal.len().max(1))));
            }
            if lanes.terminal(0) || joint.len() < machine.roles().len() {
                break;
            }
            let names: Vec<String> = joint.iter().map(|&id| machine.move_text(id)).collect();
            let _ = writeln!(text, "play\t{}", names.join("\t"));
            lanes.play(0, &joint);
            lanes.advance().expect("a successor");
        }
    }
    text
}

/// A program that plays 64 matches in a batch and one by one, and stops where they differ.
const BATCH_RUST: &str = r"
use game::{Batch, Game};
fn main() {
    let mut g = Game::new().unwrap();
    let mut batch = Batch::default();
    let mut states: Vec<_> = (0..64).map(|_| g.initial().unwrap()).collect();
    states.iter().zip(0..).for_each(|(state, lane)| batch.load(lane, state));
    for ply in 0..5 {
        let over = batch.terminal();
        for (lane, state) in states.iter_mut().enumerate() {
            assert_eq!(g.terminal(state).unwrap(), over >> lane & 1 == 1);
            let mut joint = Vec::new();
            for role in 0..g.roles() {
                assert_eq!(g.goal(state, role).unwrap(), batch.goal(lane as u32, role));
                let mut moves = Vec::new();
                g.legal(state, role, &mut moves).unwrap();
                assert!(moves.iter().all(|&id| batch.legal(id) >> lane & 1 == 1));
                joint.push(moves[(lane * 7 + ply) % moves.len()]);
            }
            joint.iter().for_each(|&id| batch.play(id, 1 << lane));
            g.advance(state, &joint).unwrap();
        }
        batch.advance();
    }
}
";

/// The same in C; what it returns says what differs.
const BATCH_C: &str = r#"
#include "batch.h"
int main(void) {
    game *g = game_new();
    game_batch *b = game_batch_new();
    game_state *states[64];
    for (int lane = 0; lane < 64; lane++) {
        states[lane] = game_state_new(g);
        game_initial(g, states[lane]);
        game_batch_load(b, lane, states[lane]);
    }
    for (int ply = 0; ply < 5; ply++) {
        uint64_t over = game_batch_terminal(b);
        for (int lane = 0; lane < 64; lane++) {
            game_move moves[64], joint[8];
            if (game_terminal(g, states[lane]) != (int)(over >> lane & 1)) return 1;
            for (int role = 0; role < game_roles(); role++) {
                int n = game_legal(g, states[lane], role, moves, 64);
                if (game_goal(g, states[lane], role) != game_batch_goal(b, lane, role)) return 2;
                for (int i = 0; i < n; i++)
                    if (!(game_batch_legal(b, moves[i]) >> lane & 1)) return 3;
                joint[role] = moves[(lane * 7 + ply) % n];
            }
            for (int role = 0; role < game_roles(); role++) game_batch_play(b, joint[role], (uint64_t)1 << lane);
            game_next(g, states[lane], joint, states[lane]);
        }
        game_batch_next(b);
    }
    return 0;
}
"#;

fn has_c_compiler() -> bool {
    Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Writes the files and builds the player; nothing where there is no compiler for it.
fn build(name: &str, files: &[File], language: Language) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("emit").join(name);
    let _ = fs::remove_dir_all(&folder);
    for file in files {
        let path = folder.join(file.name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, &file.text).expect("written");
    }
    let compile = |program: &str, args: &[&str]| {
        let output = Command::new(program).args(args).current_dir(&folder).output().expect("the compiler");
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && complaint.is_empty(), "{name}: {complaint}");
    };
    match language {
        Language::C if !has_c_compiler() => {
            println!("note: no C compiler `cc`: {name} was not built");
            return None;
        }
        Language::C => {
            compile("cc", &["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O0", "-o", "mc", "mc.c", "game.c"]);
        }
        Language::Rust => {
            let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
            let lib = ["--edition", "2021", "--crate-type", "rlib", "--crate-name", "game", "-o", "libgame.rlib", "src/lib.rs"];
            compile(&rustc, &lib);
            compile(&rustc, &["--edition", "2021", "--extern", "game=libgame.rlib", "-o", "mc", "src/bin/mc.rs"]);
        }
    }
    Some(folder)
}

fn mc(folder: &Path, args: &[&str]) -> Output {
    Command::new(folder.join("mc")).args(args).current_dir(folder).output().expect("the player runs")
}

/// The emitted game replays random matches of the reference engine without a difference, and plays one.
fn agrees(name: &str, rules: &Rules, files: &[File], language: Language) {
    let Some(folder) = build(name, files, language) else { return };
    fs::write(folder.join("trace.txt"), record(&machine_of(rules), 6, 7)).expect("written");
    let output = mc(&folder, &["check", "trace.txt"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{name}: {text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.ends_with(" 0 differences\n") && !text.starts_with("0 "), "{name}: {text}");
    let output = mc(&folder, &["random", "2"]);
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("goals: "), "{name} plays");
}

#[test]
fn small_sheets_agree_in_c() {
    for (name, sheet) in [("growing", GROWING), ("recursive", RECURSIVE)] {
        let rules = rules_of(sheet);
        agrees(&format!("{name}_c"), &rules, &plans_of(&rules, Language::C), Language::C);
    }
    let rules = rules_of(RECURSIVE);
    agrees("recursive_net_c", &rules, &net_of(&rules, Language::C), Language::C);
}

#[test]
fn small_sheets_agree_in_rust() {
    for (name, sheet) in [("growing", GROWING), ("recursive", RECURSIVE)] {
        let rules = rules_of(sheet);
        agrees(&format!("{name}_rust"), &rules, &plans_of(&rules, Language::Rust), Language::Rust);
    }
    let rules = rules_of(RECURSIVE);
    agrees("recursive_net_rust", &rules, &net_of(&rules, Language::Rust), Language::Rust);
}

#[test]
fn games_of_the_library_agree() {
    for (game, language) in [("tic_tac_toe", Language::Rust), ("tic_tac_toe", Language::C), ("connect_four", Language::C)] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(game).join("rules.kif");
        let rules = rules_of(&fs::read_to_string(path).expect("a sheet"));
        agrees(&format!("{game}_{language:?}"), &rules, &plans_of(&rules, language), language);
        agrees(&format!("{game}_net_{language:?}"), &rules, &net_of(&rules, language), language);
    }
}

/// 64 states at once are what they are one by one.
#[test]
fn batches_agree() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/tic_tac_toe/rules.kif");
    let rules = rules_of(&fs::read_to_string(path).expect("a sheet"));
    for (language, player, text) in [(Language::C, "mc.c", BATCH_C), (Language::Rust, "src/bin/mc.rs", BATCH_RUST)] {
        let mut files = net_of(&rules, language);
        files.iter_mut().filter(|file| file.name == player).for_each(|file| text.clone_into(&mut file.text));
        let Some(folder) = build(&format!("batch_{language:?}"), &files, language) else { continue };
        let output = mc(&folder, &[]);
        assert!(output.status.success(), "{language:?}: {:?} {}", output.status, String::from_utf8_lossy(&output.stderr));
    }
}

/// Words that mean something to a compiler, a formatter or a shell, and pieces to make more of them.
const HOSTILE: &[&str] = &[
    "\"", "\\", "*/", "/*", "//", "??/", "??<", "%s%n", "{}", "}}", "'", "`", "$(x)", "\\u{0}", "\\x", "é", "☃", "𝄞", "\u{202e}",
    "#", "int", "fn", "main", "r0", "NONE", "0", "77", "-", "?-", "\u{7f}", "\u{1}", "EOF", "R\"(", "b'", "\\\n",
];

/// A random word of the language: no blanks, parentheses, semicolons or a question mark in front.
fn hostile(random: &mut Random) -> String {
    let mut word = String::new();
    for _ in 0..=random.below(6) {
        word.push_str(HOSTILE[random.below(HOSTILE.len())]);
    }
    word.retain(|c| !matches!(c, ' ' | '\t'..='\r' | '(' | ')' | ';' | '|'));
    let word = word.trim_start_matches('?').to_owned();
    if word.is_empty() || random.below(8) == 0 { format!("{}{word}", "long".repeat(300)) } else { word }
}

/// Names come back as they were, and nothing in them reaches the compiler.
#[test]
fn hostile_names_stay_names() {
    let mut random = Random::new(11);
    for round in 0..2 {
        let words: Vec<String> = (0..12).map(|n| format!("{}{n}", hostile(&mut random))).collect();
        let [role, pair, single, one, two, put, ..] = &words[..] else { panic!("twelve words") };
        let mut sheet = format!("(role {role}) (init ({pair} {one} ({single} {two}))) (goal {role} 50)\n");
        let _ = writeln!(sheet, "(<= terminal (true ({pair} {two} {two})))");
        for word in &words {
            let _ = writeln!(sheet, "(init ({single} {word})) (legal {role} ({put} {word} {one}))");
        }
        let _ = writeln!(sheet, "(<= (next ({single} ?x)) (does {role} ({put} ?x ?y)))");
        let rules = rules_of(&sheet);
        let machine = machine_of(&rules);
        let mut expected = vec![format!("role {role}")];
        expected.extend(machine.fluents(machine.initial()).iter().map(|fluent| format!("fluent {fluent}")));
        let mut lanes = machine.lanes(1);
        lanes.load(0, machine.initial());
        lanes.evaluate().expect("an answer");
        expected.extend(
            machine.roles().flat_map(|role| lanes.legal(0, role).to_vec()).map(|id| format!("move {}", machine.move_text(id))),
        );
        expected.sort_unstable();
        for language in [Language::C, Language::Rust] {
            for (kind, files) in [("plans", plans_of(&rules, language)), ("net", net_of(&rules, language))] {
                assert!(files.iter().all(|file| file.text.is_ascii()), "only ASCII is emitted");
                let Some(folder) = build(&format!("hostile_{round}_{kind}_{language:?}"), &files, language) else { continue };
                let output = mc(&folder, &["names"]);
                let text = String::from_utf8(output.stdout).expect("UTF-8");
                let mut names: Vec<&str> = text.lines().collect();
                names.sort_unstable();
                assert_eq!(names, expected, "{language:?}, {kind}");
            }
        }
    }
}

/// Recursion beyond the stack is an error that says so, not a crash.
#[test]
fn deep_recursion_is_an_error() {
    let mut sheet = String::from("(role r) (init (at 0)) (legal r wait) (goal r 0) (<= (next (at ?x)) (true (at ?x)))\n");
    sheet += "(<= (down ?x) (after ?x ?y) (down ?y)) (<= (down ?x) (true (last ?x))) (<= terminal (true (at ?x)) (down ?x))\n";
    for n in 0..20_000 {
        let _ = writeln!(sheet, "(after {n} {})", n + 1);
    }
    let rules = rules_of(&sheet);
    // A profile would have the rule asked from its end, which needs no stack.
    let options = relational::Options { profile: false, ..relational::Options::default() };
    let machine = Machine::relational(&rules, &options, &Limits::default()).expect("a machine");
    let files = emit::plans(machine.as_relational().expect("plans"), Language::C).expect("it can be emitted");
    let Some(folder) = build("deep_c", &files, Language::C) else { return };
    let output = mc(&folder, &["random", "1"]);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stderr).contains("stack of recursive rules"));
}

#[test]
fn the_same_rules_give_the_same_files() {
    let rules = rules_of(RECURSIVE);
    for language in [Language::C, Language::Rust] {
        assert_eq!(plans_of(&rules, language), plans_of(&rules, language));
        assert_eq!(net_of(&rules, language), net_of(&rules, language));
    }
}
