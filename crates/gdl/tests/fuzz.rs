//! A deterministic mutational fuzzer: known sheets, changed at random, must never make the front end panic, and whatever
//! rules come out must survive printing. `LUDENS_FUZZ_SEED` and `LUDENS_FUZZ_SECONDS` choose the run.

#[path = "all/common.rs"]
#[allow(dead_code)] // the fuzzer does not care what a sheet is called
mod common;
#[path = "fuzz/mutate.rs"]
mod mutate;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use common::{own_sheets, public_sheets};
use ludens_gdl::{Diagnostic, Limits, decode, lower, parse, parse_ground_list, plain_text, read};
use mutate::{Random, mutate};

/// Small, so that the mutations run into every one of them.
const LIMITS: Limits =
    Limits { bytes: 1 << 16, depth: 60, rules: 2_000, expansions: 200, roles: 6, arguments: 12, diagnostics: 50 };

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |value| value.parse().unwrap_or_else(|_| panic!("{name} is not a number")))
}

#[test]
fn mutated_sheets() {
    let seed = setting("LUDENS_FUZZ_SEED", 1);
    let time = Duration::from_secs(setting("LUDENS_FUZZ_SECONDS", 2));
    let mut corpus: Vec<Vec<u8>> = Vec::new();
    for sheets in [own_sheets("ok"), own_sheets("bad"), public_sheets("conformance"), public_sheets(".")] {
        corpus.extend(sheets.into_iter().filter(|sheet| sheet.text.len() < 20_000).map(|sheet| sheet.text.into_bytes()));
    }
    let mut random = Random::new(seed);
    let (started, mut runs, mut accepted) = (Instant::now(), 0_u64, 0_u64);
    while started.elapsed() < time {
        let input = mutate(&corpus, &mut random);
        let Ok(valid) = catch_unwind(AssertUnwindSafe(|| check(&input))) else {
            panic!("seed {seed}, run {runs}: the input was\n{}\n(bytes {input:?})", decode(&input).0);
        };
        accepted += u64::from(valid);
        runs += 1;
    }
    println!("{runs} inputs, {accepted} of them valid");
    assert!(accepted > 0, "no valid sheet came up, so nothing was printed");
}

/// Runs everything over one input; true where it is a valid sheet.
fn check(input: &[u8]) -> bool {
    let (text, _) = decode(input);
    let (syntax, syntax_findings) = parse(&text, &LIMITS);
    let (rules, rule_findings) = lower(&syntax, &LIMITS);
    let reading = read(&text, &LIMITS);
    assert_eq!(reading.rules, rules, "two ways to the rules");
    let findings: Vec<Diagnostic> = syntax_findings.into_iter().chain(rule_findings).collect();
    assert_eq!(rules.is_none(), findings.iter().any(Diagnostic::is_error), "rules just where there is no error");
    for finding in findings.iter().chain(&reading.diagnostics) {
        let (start, end) = (finding.span.start as usize, finding.span.end as usize);
        assert!(text.get(start..end).is_some(), "{finding:?} is inside the text");
    }
    assert!(reading.diagnostics.len() <= LIMITS.diagnostics + 1);
    assert!(!plain_text(&text, &reading.diagnostics).contains("\n\n"));
    let printed = syntax.to_string();
    assert_eq!(parse(&printed, &LIMITS).0.to_string(), printed, "syntax survives printing");
    let _ = parse_ground_list(&text);
    let Some(rules) = rules else { return false };
    let printed = rules.to_string();
    let again = read(&printed, &Limits::default());
    let Some(again_rules) = again.rules else {
        panic!("not accepted again:\n{printed}\n{}", plain_text(&printed, &again.diagnostics));
    };
    assert_eq!(again_rules.without_spans(), rules.without_spans(), "rules survive printing:\n{printed}");
    assert_eq!(again_rules.to_string(), printed);
    assert!(!rules.strata_text().is_empty());
    true
}
