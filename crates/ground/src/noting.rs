//! Networks that take note of the moves played: what becomes of a match can then be asked of every move in it.

use crate::builder::Builder;
use crate::net::{Fluent, Move, Net, Node, Signal};
use crate::phases::Phase;

/// The same phases with further fluents, which tell whether a move has been played so far: one for each of `moves`, in their order, then another for each.
///
/// The latter are of shadows: every role has one, for which the same moves are legal at any time, and whose moves change nothing. Shadows that choose as their roles do tell
/// what comes of a match in which a role *could* have played a move, and chose by chance. Roles, moves and fluents keep their numbers; the shadows' roles and moves follow those of the game.
pub fn noted(phases: &[Phase], moves: &[u32]) -> Vec<Phase> {
    let note = |phase: &Phase| {
        let known = phase.known.iter().copied().chain(std::iter::repeat_n(None, 2 * moves.len())).collect();
        Phase { known, net: noting(&phase.net, moves) }
    };
    phases.iter().map(note).collect()
}

fn noting(net: &Net, moves: &[u32]) -> Net {
    let mut builder = Builder::of(net);
    let mut made = net.clone();
    made.roles.extend(net.roles.iter().map(|role| format!("shadow of {role}")));
    let roles = net.roles.len() as u32;
    made.moves.extend(net.moves.iter().map(|known| Move { role: known.role + roles, ..known.clone() }));
    let mut does: Vec<Option<Signal>> = vec![None; made.moves.len()];
    for (number, node) in net.nodes.iter().enumerate() {
        if let Node::Does(index) = node {
            does[*index as usize] = Some(Signal((number as u32) << 1));
        }
    }
    for shadow in [0, net.moves.len()] {
        for &index in moves {
            let index = index as usize + shadow;
            let so_far = builder.input(Node::Fluent(made.fluents.len() as u32));
            let now = match made.moves[index].legal {
                Signal::FALSE => Signal::FALSE,
                _ => *does[index].get_or_insert_with(|| builder.input(Node::Does(index as u32))),
            };
            let next = builder.or(&mut vec![so_far, now]);
            made.fluents.push(Fluent { text: format!("played {}", made.moves[index].text), initial: false, next });
        }
    }
    (made.nodes, made.signals) = (builder.nodes, builder.signals);
    debug_assert_eq!(made.check(), Ok(()), "with notes");
    made
}
