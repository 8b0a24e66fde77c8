//! One tiny sheet for every case, with its match.

use crate::script::{Stage, end, on};

/// Sheets with rules that bind too little.
pub(crate) const REFUSED: &[(&str, &str)] = &[
    (
        "3b: variables in distinct alone",
        "(role solo) (legal solo rest) (goal solo 100) (here 7) (<= terminal (here 7)) (<= (apart ?u ?v) (distinct ?u ?v))",
    ),
    (
        "3e: a head with a variable nothing binds",
        "(role solo) (here 7) (<= (legal ?who ?who) (here 7)) (<= (goal ?who 100) (here 7)) (<= terminal (here 7))",
    ),
    (
        "3f: a variable under not alone",
        "(role solo) (role duo) (here 7) (listed duo) (legal solo rest) (legal duo rest)
         (<= (goal ?who 100) (listed ?who)) (<= (goal ?who 0) (not (listed ?who))) (<= terminal (here 7))",
    ),
];

const ROW_OF_THREE: &str = "
(role left) (role right)
(init (turn left)) (<= (init (spot ?n empty)) (place ?n))
(place 1) (place 2) (place 3) (next_to 1 2) (next_to 2 3)
(other left right) (other right left)
(<= (legal ?who (take ?n)) (true (turn ?who)) (true (spot ?n empty)))
(<= (legal ?who wait) (role ?who) (not (true (turn ?who))))
(<= (next (turn ?b)) (true (turn ?a)) (other ?a ?b))
(<= (next (spot ?n ?who)) (does ?who (take ?n)))
(<= (next (spot ?n ?what)) (true (spot ?n ?what)) (not (taken ?n)))
(<= (taken ?n) (does ?who (take ?n)))
(<= (pair ?who) (role ?who) (true (spot ?m ?who)) (true (spot ?n ?who)) (next_to ?m ?n))
(<= full (not open)) (<= open (true (spot ?n empty)))
(<= terminal (pair ?who)) (<= terminal full)
(<= (goal ?who 100) (pair ?who))
(<= (goal ?who 0) (other ?who ?them) (pair ?them))
(<= (goal ?who 50) (role ?who) (not (pair left)) (not (pair right)))";

const RING: &str = "
(role worm)
(ring a b) (ring b c) (ring c d) (ring d e) (ring e a)
(init (ground a free)) (init (ground b free)) (init (ground c rock)) (init (ground d free)) (init (ground e free))
(init (head a)) (init (clock 0))
(tick 0 1) (tick 1 2) (tick 2 3)
(<= (beside ?x forward ?y) (ring ?x ?y)) (<= (beside ?x backward ?y) (ring ?y ?x))
(<= (legal worm ?way) (true (head ?x)) (beside ?x ?way ?y) (free ?y))
(<= (free ?y) (true (ground ?y free)))
(<= (next (head ?y)) (does worm ?way) (true (head ?x)) (beside ?x ?way ?y))
(<= (next (ground ?x ?way)) (does worm ?way) (true (head ?x)))
(<= (next (ground ?x ?what)) (true (ground ?x ?what)) (not (true (head ?x))))
(<= (next odd) (not (true odd)))
(<= (next (clock ?n)) (true (clock ?m)) (tick ?m ?n))
(<= can_move (legal worm ?way))
(<= terminal (not can_move)) (<= terminal (true (clock 3)))
(<= (goal worm 100) (true (clock 3))) (<= (goal worm 0) (not (true (clock 3))))";

/// A body that follows its head: every second step the tail is freed.
const TAIL: &str = "
(role worm)
(ring a b) (ring b c) (ring c a) (lane main)
(init (ground a main free)) (init (ground b main free)) (init (ground c main free))
(init (head a main)) (init (tail a main))
(<= (beside ?x ?l forward ?y ?l) (ring ?x ?y) (lane ?l))
(<= (legal worm ?way) (true (head ?x ?l)) (beside ?x ?l ?way ?y ?l) (true (ground ?y ?l free)))
(<= (next (head ?y ?k)) (does worm ?way) (true (head ?x ?l)) (beside ?x ?l ?way ?y ?k))
(<= (next (ground ?x ?l ?way)) (does worm ?way) (true (head ?x ?l)))
(<= (next odd) (not (true odd)))
(<= (next (tail ?x ?l)) (not (true odd)) (true (tail ?x ?l)))
(<= (next (tail ?y ?k)) (true odd) (true (tail ?x ?l)) (true (ground ?x ?l ?way)) (beside ?x ?l ?way ?y ?k))
(<= (next (ground ?x ?l free)) (true odd) (true (tail ?x ?l)))
(<= (next (ground ?x ?l ?what)) (true (ground ?x ?l ?what)) (not (true (head ?x ?l))) (not (true odd)))
(<= (next (ground ?x ?l ?what)) (true (ground ?x ?l ?what)) (not (true (head ?x ?l))) (not (true (tail ?x ?l))))
(<= can_move (legal worm ?way)) (<= terminal (not can_move)) (goal worm 100)";

/// Name, sheet, match.
pub(crate) const CASES: &[(&str, &str, &[Stage])] = &[
    (
        "two roles take turns until one has two spots side by side",
        ROW_OF_THREE,
        &[
            on("(turn left) (spot 1 empty) (spot 2 empty) (spot 3 empty)", &["(take 1) (take 2) (take 3)", "wait"], &["50", "50"], &["(take 2)", "wait"]),
            on("(turn right) (spot 1 empty) (spot 2 left) (spot 3 empty)", &["wait", "(take 1) (take 3)"], &["50", "50"], &["wait", "(take 1)"]),
            on("(turn left) (spot 1 right) (spot 2 left) (spot 3 empty)", &["(take 3)", "wait"], &["50", "50"], &["(take 3)", "wait"]),
            end("(turn right) (spot 1 right) (spot 2 left) (spot 3 left)", &["wait", ""], &["100", "0"]),
        ],
    ),
    (
        "1a: a goal by a rule with an empty body",
        "(role solo) (init (room 1)) (<= (legal solo walk) (true (room 1))) (<= (next (room 2)) (does solo walk))
         (<= terminal (true (room 2))) (<= (goal solo 100))",
        &[on("(room 1)", &["walk"], &["100"], &["walk"]), end("(room 2)", &[""], &["100"])],
    ),
    (
        "1b: legal in a body",
        "(role solo) (init (room 1)) (<= (legal solo up) (true (room 1))) (<= (legal solo down) (true (room 1)))
         (<= (next (room 2)) (does solo up)) (<= (next (room 0)) (does solo down))
         (<= free (legal solo ?any)) (<= terminal (true (room 2))) (<= terminal (not free))
         (<= (goal solo 100) (true (room 2))) (<= (goal solo 0) (not free) (not (true (room 2))))",
        &[on("(room 1)", &["up down"], &[""], &["down"]), end("(room 0)", &[""], &["0"])],
    ),
    (
        "2a: a derived successor, a move with arguments",
        "(role solo) (init (room 1)) (door 1 2) (door 2 3) (known 1) (known 2)
         (<= (passage ?a ?b east) (known ?a) (door ?a ?b))
         (<= (legal solo (walk ?way ?a ?b)) (true (room ?a)) (passage ?a ?b ?way))
         (<= (next (room ?b)) (does solo (walk ?way ?a ?b))) (<= terminal (true (room 3))) (goal solo 100)",
        &[
            on("(room 1)", &["(walk east 1 2)"], &["100"], &["(walk east 1 2)"]),
            on("(room 2)", &["(walk east 2 3)"], &["100"], &["(walk east 2 3)"]),
            end("(room 3)", &[""], &["100"]),
        ],
    ),
    (
        "2b: a variable as the move, a proposition that comes and goes",
        RING,
        &[
            on("(ground a free) (ground b free) (ground c rock) (ground d free) (ground e free) (head a) (clock 0)", &["forward backward"], &["0"], &["backward"]),
            on("(ground a backward) (ground b free) (ground c rock) (ground d free) (ground e free) (head e) (clock 1) odd", &["backward"], &["0"], &["backward"]),
            end("(ground a backward) (ground b free) (ground c rock) (ground d free) (ground e backward) (head d) (clock 2)", &[""], &["0"]),
        ],
    ),
    (
        "2c: the tail follows every second step",
        TAIL,
        &[
            on("(ground a main free) (ground b main free) (ground c main free) (head a main) (tail a main)", &["forward"], &["100"], &["forward"]),
            on("(ground a main forward) (ground b main free) (ground c main free) (head b main) (tail a main) odd", &["forward"], &["100"], &["forward"]),
            on("(ground a main free) (ground b main forward) (ground c main free) (head c main) (tail b main)", &["forward"], &["100"], &["forward"]),
            end("(ground a main free) (ground b main forward) (ground c main forward) (head a main) (tail b main) odd", &[""], &["100"]),
        ],
    ),
    (
        "3a: (lit) and lit are one atom",
        "(role solo) (init (lamp on)) (<= (lit) (true (lamp on))) (<= (legal solo see) lit) (<= (legal solo miss) (not lit))
         (<= (next ?what) (does solo ?what)) (<= terminal (not (true (lamp on))))
         (<= (goal solo 100) (true see)) (<= (goal solo 75) (true miss))",
        &[on("(lamp on)", &["see"], &[""], &["see"]), end("see", &["miss"], &["100"])],
    ),
    (
        "3c: what is defined nowhere is false; no init",
        "(role solo) (<= (legal solo dig) treasure) (<= (legal solo leave) (not treasure)) (<= (next gone) (does solo leave))
         (<= (next rich) (does solo dig)) (<= terminal (or (true gone) (true rich))) (<= (goal solo 100) (true gone))",
        &[on("", &["leave"], &[""], &["leave"]), end("gone", &["leave"], &["100"])],
    ),
    (
        "3d: next says nothing about the first state",
        "(role solo) (init (room 1)) (<= (next (room 2)) (not (true (room 1)))) (<= (legal solo stay) (true (room 2)))
         (<= (legal solo leave) (not (true (room 2)))) (<= (next out) (does solo leave)) (<= terminal (true out))
         (<= (goal solo 100) (true out))",
        &[on("(room 1)", &["leave"], &[""], &["leave"]), end("out", &["leave"], &["100"])],
    ),
    (
        "4a: base, input, propositions, blanks inside parentheses",
        "( role  solo ) ( base day ) ( base night ) ( input solo sleep ) ( init day ) ( legal solo sleep )
         ( <= ( next night ) ( true day ) ) ( <= terminal ( true night ) ) ( goal solo 100 )",
        &[on("day", &["sleep"], &["100"], &["sleep"]), end("night", &["sleep"], &["100"])],
    ),
    (
        "5a: a recursion that builds terms and is stopped by a guard",
        "(role solo) (init (room 1)) (chain z z) (seed z) (<= (chain ?new (s ?new)) (chain ?old ?new) (seed ?old))
         (<= (legal solo walk) (true (room 1)) (chain (s z) (s (s z)))) (<= (next (room 2)) (does solo walk))
         (<= (legal solo fly) (chain (s (s z)) (s (s (s z))))) (<= terminal (true (room 2))) (goal solo 100)",
        &[on("(room 1)", &["walk"], &["100"], &["walk"]), end("(room 2)", &[""], &["100"])],
    ),
    (
        "5b: repeated variables in a head must agree with what is done",
        "(role solo) (goal solo 100) (next over) (<= terminal (true over)) (legal solo (paint 3 3 3 4))
         (<= (next (stroke ?a ?b ?c ?d)) (does ?who (paint ?a ?b ?c ?d)))
         (<= (flat ?a ?b ?c ?b) (does ?who (paint ?a ?b ?c ?b))) (<= (next (level ?a ?b)) (flat ?a ?b ?c ?b))",
        &[on("", &["(paint 3 3 3 4)"], &["100"], &["(paint 3 3 3 4)"]), end("(stroke 3 3 3 4) over", &["(paint 3 3 3 4)"], &["100"])],
    ),
    (
        "5c: what supports only itself is false",
        "(role solo) (init (room 1)) (real 1) (seen 1) (seen 2) (<= (real ?x) (real ?x) (seen ?x))
         (<= (myth a) (myth b)) (<= (myth b) (myth c)) (<= (myth c) (myth a))
         (<= (legal solo walk) (true (room 1)) (real 1) (not (real 2)) (not (myth a)))
         (<= (next (room 2)) (does solo walk)) (<= terminal (true (room 2))) (goal solo 100)",
        &[on("(room 1)", &["walk"], &["100"], &["walk"]), end("(room 2)", &[""], &["100"])],
    ),
    (
        "5d: two relations that define each other, crosswise, and init by rules",
        "(role solo) (<= (likes ?a ?b) (liked ?a ?b)) (<= (liked ?a ?b) (likes ?b ?a)) (likes ann bob)
         (<= (init (one ?a ?b)) (likes ?a ?b)) (<= (init (two ?a ?b)) (liked ?a ?b))
         (<= (legal solo walk) (true (two ann bob))) (<= (next out) (does solo walk)) (<= terminal (true out)) (<= (goal solo 100))",
        &[on("(one ann bob) (one bob ann) (two ann bob) (two bob ann)", &["walk"], &["100"], &["walk"]), end("out", &[""], &["100"])],
    ),
    (
        "5e: left recursion",
        "(role solo) (jar red 1) (jar tan 3) (jar dry 0) (up 0 1) (up 1 2) (up 2 3)
         (<= (below ?a ?c) (below ?b ?c) (up ?a ?b)) (<= (below ?a ?b) (up ?a ?b))
         (<= (legal solo (pour ?jar ?rest)) (jar ?jar ?level) (below ?rest ?level))
         (next done) (<= terminal (true done)) (goal solo 100)",
        &[on("", &["(pour red 0) (pour tan 0) (pour tan 1) (pour tan 2)"], &["100"], &["(pour tan 1)"]), {
            end("done", &["(pour red 0) (pour tan 0) (pour tan 1) (pour tan 2)"], &["100"])
        }],
    ),
    (
        "distinct before its variables are bound",
        "(role solo) (cup red) (cup tan) (lid red) (lid tan) (<= (odd ?c ?l) (distinct ?c ?l) (cup ?c) (lid ?l))
         (<= (legal solo (mix ?c ?l)) (odd ?c ?l)) (next done) (<= terminal (true done)) (goal solo 100)",
        &[on("", &["(mix red tan) (mix tan red)"], &["100"], &["(mix red tan)"]), {
            end("done", &["(mix red tan) (mix tan red)"], &["100"])
        }],
    ),
    (
        "not distinct is equality",
        "(role solo) (size s) (size m) (mine m)
         (<= same (not (distinct k k))) (<= differ (not (distinct k j)))
         (<= (fits ?x) (mine ?y) (size ?x) (not (distinct ?x ?y)))
         (<= (left ?y) (mine ?y) (not (distinct m ?y))) (<= (right ?y) (mine ?y) (not (distinct ?y m)))
         (<= (never ?y) (mine ?y) (not (distinct ?y s)))
         (<= good same (not differ) (fits m) (not (fits s)) (left m) (right m) (not (never m)))
         (<= (goal solo 100) good) (<= (goal solo 0) (not good))
         (legal solo go) (<= (next done) (does solo go)) (<= terminal (true done))",
        &[on("", &["go"], &["100"], &["go"]), end("done", &["go"], &["100"])],
    ),
    (
        "fluents that exclude each other, and a negated helper",
        "(role solo) (init here) (init even) (<= (legal solo jump) (true here) sane) (<= (legal solo wait) (true here) sane)
         (<= (next there) (does solo jump) (true here) sane) (<= (next here) (does solo wait) (true here) sane)
         (<= (next odd) (true even)) (<= (next even) (true odd)) (<= (next was) (true here)) (<= (next was_not) (not (true here)))
         (<= mad (true odd) (true even)) (<= mad (true was) (true was_not)) (<= sane (not mad))
         (<= (goal solo 100) (true there)) (<= (goal solo 0) (not (true there))) (<= terminal (true there) sane)",
        &[on("here even", &["jump wait"], &["0"], &["jump"]), end("there odd was", &[""], &["100"])],
    ),
    (
        "a function with one and with two arguments",
        "(role solo) (init day) (legal solo (put 1)) (legal solo (put 1 2)) (<= (next (did ?x)) (does solo (put ?x)))
         (<= (next night) (true day)) (<= terminal (true night)) (goal solo 100)",
        &[on("day", &["(put 1) (put 1 2)"], &["100"], &["(put 1 2)"]), end("night", &["(put 1) (put 1 2)"], &["100"])],
    ),
    (
        "a relation with one and with two arguments",
        "(role solo) (init day) (size 1) (size 1 2) (<= (legal solo (one ?x)) (size ?x)) (<= (legal solo (two ?x)) (size 1 ?x))
         (<= (next night) (true day)) (<= terminal (true night)) (goal solo 100)",
        &[on("day", &["(one 1) (two 2)"], &["100"], &["(one 1)"]), end("night", &["(one 1) (two 2)"], &["100"])],
    ),
    (
        "goals by exclusion",
        "(role ann) (role bob) (init (has ann coin)) (legal ann give) (legal bob wait)
         (<= (next (has bob coin)) (does ann give)) (<= terminal (true (has bob coin)))
         (<= (goal ?p 100) (true (has ?p coin))) (<= (goal ?p 0) (role ?p) (not (goal ?p 100)))",
        &[on("(has ann coin)", &["give", "wait"], &["100", "0"], &["give", "wait"]), end("(has bob coin)", &["give", "wait"], &["0", "100"])],
    ),
];
