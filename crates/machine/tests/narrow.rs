//! Moves that matter: what is left out of the legal moves is never better than what is listed.

mod common;

use ludens_machine::{GroundLimits, Machine, MoveId, Random, RoleId, State};

fn machine(game: &str) -> Machine {
    let text = std::fs::read_to_string(common::root().join("games").join(game).join("rules.kif")).expect("a game of the library");
    Machine::grounded(&common::rules(&text), &GroundLimits::default()).expect("a machine")
}

/// All legal moves of both roles, or nothing where the match is over.
fn legal(machine: &Machine, state: &State) -> Option<Vec<Vec<MoveId>>> {
    let mut lanes = machine.lanes(1);
    lanes.load(0, state);
    lanes.evaluate().expect("an evaluation");
    (!lanes.terminal(0)).then(|| machine.roles().map(|role| lanes.legal(0, role).to_vec()).collect())
}

fn after(machine: &Machine, state: &State, joint: &[MoveId]) -> State {
    let mut lanes = machine.lanes(1);
    lanes.load(0, state);
    lanes.evaluate().expect("an evaluation");
    lanes.play(0, joint);
    lanes.advance().expect("a successor");
    lanes.state(0)
}

fn has_won(machine: &Machine, state: &State, role: usize) -> bool {
    let mut lanes = machine.lanes(1);
    lanes.load(0, state);
    lanes.evaluate().expect("an evaluation");
    lanes.terminal(0) && lanes.points(0, RoleId(role as u32)).expect("points") == 100
}

/// The joint move in which the one role that has a choice plays a move.
fn joint(legal: &[Vec<MoveId>], role: usize, chosen: MoveId) -> Vec<MoveId> {
    legal.iter().enumerate().map(|(other, moves)| if other == role { chosen } else { moves[0] }).collect()
}

/// Whether some move of a role wins at once.
fn can_win(machine: &Machine, state: &State, role: usize) -> bool {
    legal(machine, state).is_some_and(|legal| {
        legal[role].iter().any(|&id| has_won(machine, &after(machine, state, &joint(&legal, role, id)), role))
    })
}

/// Compares lists, in lanes of a width, of random positions; how often a move was left out. `exact`: whether all moves that win are known to be seen.
fn compare(game: &str, width: usize, positions: usize, exact: bool) -> usize {
    let machine = machine(game);
    assert!(machine.narrows(), "{game}");
    let mut random = Random::new(3);
    let (mut seen, mut left_out) = (0, 0);
    while seen < positions {
        let mut state = machine.initial().clone();
        while let Some(legal) = legal(&machine, &state) {
            let mut lanes = machine.lanes(width);
            lanes.load_copies(state.words(), width.min(3));
            lanes.evaluate_narrowly().expect("an evaluation");
            seen += 1;
            assert!(!lanes.terminal(0));
            let role = usize::from(legal[1].len() > legal[0].len());
            let listed = lanes.legal(0, RoleId(role as u32)).to_vec();
            assert!(!listed.is_empty() && listed.iter().all(|id| legal[role].contains(id)), "{game}: a part of the legal moves");
            assert_eq!(lanes.legal(0, RoleId(1 - role as u32)), &legal[1 - role][..], "{game}: who has no choice");
            let wins = |id: MoveId| has_won(&machine, &after(&machine, &state, &joint(&legal, role, id)), role);
            let is_safe = |id: MoveId| !can_win(&machine, &after(&machine, &state, &joint(&legal, role, id)), 1 - role);
            let others: Vec<MoveId> = legal[role].iter().copied().filter(|id| !listed.contains(id)).collect();
            left_out += usize::from(!others.is_empty());
            let all_win = listed.iter().all(|&id| wins(id));
            assert!(all_win || others.iter().all(|&id| !wins(id) && !is_safe(id)), "{game}: {others:?} are left out");
            if exact {
                let any_wins = legal[role].iter().any(|&id| wins(id));
                assert_eq!(any_wins, all_win, "{game}: a win is passed over");
                let any_safe = legal[role].iter().any(|&id| is_safe(id));
                assert!(any_wins || !any_safe || listed.iter().all(|&id| is_safe(id)), "{game}: a loss is listed");
            }
            let chosen = legal[role][random.below(legal[role].len())];
            state = after(&machine, &state, &joint(&legal, role, chosen));
        }
    }
    left_out
}

#[test]
fn what_is_left_out_is_no_better() {
    for (game, width, positions, exact) in [
        ("tic_tac_toe", 1, 200, true),
        ("tic_tac_toe", 256, 200, true),
        ("connect_four", 64, 300, true),
        ("connect_four", 256, 300, true),
        ("connect_five", 256, 100, false),
        ("breakthrough", 512, 100, false),
    ] {
        let left_out = compare(game, width, positions, exact);
        assert!(left_out > 5, "{game}, {width} lanes: {left_out}");
    }
}

#[test]
fn where_it_cannot_be_told_all_are_listed() {
    for game in ["othello", "connect_four_3", "lights_out"] {
        assert!(!machine(game).narrows(), "{game}");
    }
    let machine = machine("othello");
    let mut lanes = machine.lanes(1);
    lanes.load(0, machine.initial());
    lanes.evaluate_narrowly().expect("an evaluation");
    assert_eq!(lanes.legal(0, RoleId(0)).len() + lanes.legal(0, RoleId(1)).len(), 5);
}
