use super::html;
use super::text::{clean, escape, short, signed};
use crate::{ForfeitKind, Limits, Pairing, Played, Report, Seating, Slot, Subject, meetings, slots};

/// A contest in which players with lower numbers win, but for every fourth pair.
fn contest(players: &[&str], budgets: usize, pairs: u32) -> Report {
    let pairing = if players.len() == 2 { Pairing::HeadToHead } else { Pairing::RoundRobin };
    let subject = Subject {
        title: String::new(),
        games: vec!["a".to_owned(), "b".to_owned()],
        players: players.iter().map(|&player| player.to_owned()).collect(),
        budgets: (0..budgets).map(|power| Limits { nodes: Some(10_u64.pow(power as u32)), ..Limits::default() }).collect(),
        meetings: meetings(pairing, players.len()),
        seed: 7,
    };
    let played = |slot: Slot| {
        let seats = slot.seats(2, Seating::One, 1);
        let wins = slot.pair % 4 != 3;
        let points = seats.iter().map(|&seat| if (seat == 0) == wins { 100 } else { 0 }).collect();
        (slot, Played { pair: slot.pair, second: slot.second, seats, points, plies: 9, ..Played::default() })
    };
    let results: Vec<(Slot, Played)> = slots(pairs, budgets, 2, subject.meetings.len()).map(played).collect();
    Report::new(&subject, &results)
}

/// Every tag is closed, in order; every attribute has its quotes.
fn check_tags(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        assert!(!rest[..start].contains('>') || open.last() == Some(&"style"), "a loose > in {:?}", &rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        assert!(!tag.contains('<') && tag.matches('"').count().is_multiple_of(2), "{tag}");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        match tag {
            _ if tag.starts_with('!') || name == "meta" || tag.ends_with('/') => {}
            _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(name), "closed by </{name}>"),
            _ => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?} are not closed");
}

/// What must be true of every page.
fn check(page: &str) {
    check_tags(page);
    let words = || page.split(|character: char| !character.is_alphanumeric());
    assert!(!words().any(|word| ["NaN", "inf", "infT", "Infinity"].contains(&word)));
    let without_namespace = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for foreign in ["http:", "https:", "<script", "<link", "<img", "@import", "url(", "javascript:"] {
        assert!(!without_namespace.contains(foreign), "{foreign}");
    }
    // Whatever is linked to is there, once.
    for link in page.split("href=\"#").skip(1) {
        let id = format!("id=\"{}\"", link.split('"').next().unwrap_or_default());
        assert_eq!(page.matches(&id).count(), 1, "{id}");
    }
}

#[test]
fn two_players_have_a_verdict_a_plot_and_a_table() {
    let report = contest(&["alpha", "beta"], 1, 40);
    let page = html(&report, "ludens arena --seed 7");
    check(&page);
    assert!(page.contains("<strong>alpha is better than beta</strong>: score 0.750, 95% interval 0.6"));
    for expected in
        ["ludens arena --seed 7", "<dd>160</dd>", "Pairs 95%", "60 / 0 / 20", "ludens replay STORE --match ID", "None: no crash"]
    {
        assert!(page.contains(expected), "{expected}");
    }
    assert_eq!(page.matches("<svg").count(), 1);
    assert!(!page.contains("<h2 id=\"ratings\"") && !page.contains("<h2 id=\"cross\"") && !page.contains("<details"));
    assert_eq!(page, html(&report, "ludens arena --seed 7"), "the same report, the same page");
}

#[test]
fn the_second_player_may_be_the_better_one() {
    let mut report = contest(&["alpha", "beta"], 1, 40);
    let duel = &mut report.duels[0];
    duel.games.iter_mut().for_each(|game| game.lead = Some(-0.5));
    (duel.overall.elo, duel.overall.elo_interval) = (Some(-190.0), Some([-250.0, -140.0]));
    let page = html(&report, "");
    check(&page);
    assert!(page.contains("<strong>beta is better than alpha</strong>: score 0.750, 95% interval 0.6"));
    assert!(page.contains("+190 points of Elo (+140 to +250)"));
}

#[test]
fn what_the_matches_do_not_say_is_not_said() {
    let page = html(&contest(&["alpha", "beta"], 1, 4), "");
    check(&page);
    assert!(page.contains("<strong>Not decided</strong> between alpha and beta") && !page.contains("alpha is better"));
    let mut one_pair = contest(&["alpha", "beta"], 1, 1);
    one_pair.duels[0].games[0].pair_interval = None;
    let page = html(&one_pair, "");
    check(&page);
    assert!(page.contains("too few pairs are complete") && page.contains("a (Wilson)") && !page.contains("b (Wilson)"));
    let mut empty = contest(&["alpha", "beta"], 1, 0);
    let page = html(&empty, "");
    check(&page);
    assert!(page.contains("No match has been played."));
    empty.players.clear();
    empty.budgets.clear();
    check(&html(&empty, ""));
    empty.games.clear();
    empty.duels.clear();
    check(&html(&empty, ""));
}

#[test]
fn several_players_and_budgets_are_told_apart() {
    let page = html(&contest(&["p", "q", "r", "s"], 3, 40), "");
    check(&page);
    assert_eq!(page.matches("<details>").count(), 6, "every meeting is folded");
    assert_eq!(page.matches("by budget</title>").count(), 6);
    assert_eq!(page.matches("<svg").count(), 1 + 6 + 18);
    assert_eq!(page.matches("href=\"#duel-").count(), 18);
    assert!(page.contains("<strong>p is better than all others</strong>"));
    assert!(page.contains("budget of a move, nodes"));
    // The cells of the cross table alone have a colour.
    assert_eq!([")\">0.750</td>", ")\">0.250</td>"].map(|cell| page.matches(cell).count()), [6, 6]);
    let few = html(&contest(&["p", "q", "r"], 1, 2), "");
    check(&few);
    assert!(few.contains("<strong>p leads</strong>") && few.contains("<strong>not decided</strong>"));
    let budgets = html(&contest(&["p", "q"], 2, 40), "");
    check(&budgets);
    assert!(budgets.contains("Of 2 budgets, <strong>p is better</strong> under 2"));
}

#[test]
fn texts_of_strangers_stay_texts() {
    let evil = "<script>alert('1')</script>";
    let mut report = contest(&[evil, "\"><img src=x onerror=y>", "a&b\u{202e}c\0"], 2, 3);
    report.title = "</title><script>".to_owned();
    report.games[0].name = "</td><b>".to_owned();
    report.budgets[0] = "1 </code><i>".to_owned();
    report.duels.iter_mut().for_each(|duel| duel.games[0].name = "<u>'\"".to_owned());
    let (game, player, id) = ("<s>".to_owned(), evil.to_owned(), "<q>".to_owned());
    let line = crate::ForfeitLine {
        game,
        player,
        id,
        kind: ForfeitKind::Crash,
        ply: 3,
        text: format!("<iframe>{}", "x".repeat(100_000)),
    };
    report.forfeits = vec![line; 1000];
    let page = html(&report, "ludens <blink> && \"x\"");
    check(&page);
    for tag in ["<b>", "<i>", "<u>", "<s>", "<q>", "<iframe", "<blink", "\u{202e}", "\0"] {
        assert!(!page.contains(tag), "{tag:?}");
    }
    assert!(page.contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;") && page.contains("a&amp;b\u{fffd}c\u{fffd}"));
    assert!(page.contains("800 more are not listed") && page.contains("ludens replay STORE --match &lt;q&gt;"));
    assert!(page.len() < 600_000, "{}", page.len());
    assert_eq!(escape("<&>\"'\n"), "&lt;&amp;&gt;&quot;&#39; ");
    assert_eq!(clean(&"x".repeat(1000)).chars().count(), 401);
}

#[test]
fn numbers_that_are_none_are_dashes() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut report = contest(&["p", "q", "r"], 2, 3);
        report.sizes[1] = bad;
        report.ratings.iter_mut().skip(1).for_each(|line| (line.elo, line.error, line.score) = (bad, bad, Some(bad)));
        report.ratings[0].error = bad;
        for duel in report.duels.iter_mut().skip(1) {
            let overall = &mut duel.overall;
            (overall.score, overall.error, overall.elo) = (Some([bad; 2]), Some(bad), Some(bad));
            overall.elo_interval = Some([bad; 2]);
            let game = &mut duel.games[0];
            (game.score, game.lead, game.lead_error, game.mean_plies) = ([Some(bad); 2], Some(bad), Some(bad), bad);
            (game.interval, game.pair_interval, game.p, game.p_holm) = (Some([bad; 2]), Some([bad, 1.0]), Some(bad), Some(bad));
            game.simulations_per_cpu_second = [bad; 2];
            (game.nodes_per_cpu_second, game.cpu_seconds_per_move) = ([bad; 2], [bad; 2]);
        }
        report.duels[0].overall.elo_interval = Some([bad; 2]);
        check(&html(&report, ""));
    }
    assert_eq!(
        [0.0, f64::NAN, 0.1234, 9.996, 1234.0, 999_960.0, 3e9].map(short),
        ["–", "–", "0.123", "10.0", "1.23k", "1.00M", "3.00G"]
    );
    assert_eq!([-0.04, 0.06, -12.0].map(|value| signed(Some(value), 1)), ["0.0", "+0.1", "−12.0"]);
}
