//! A network as text.

use ludens_ground::{Net, Node, NodeId, Signal, phases};
use std::fmt::Write as _;

/// Networks with more gates are not printed gate by gate.
const SMALL: usize = 2_000;

/// Sizes, phases and, where it is small, every gate and every output.
pub(crate) fn text(net: &Net) -> String {
    let (gates, fan_in) = net.size();
    let mut text = format!(
        "{} fluents, {} moves, {gates} gates that read {fan_in} signals, {} loops\n",
        net.fluents.len(),
        net.moves.len(),
        net.loops.len()
    );
    let phases = phases(net);
    for (index, phase) in phases.iter().enumerate() {
        let known = phase.known.iter().filter(|known| known.is_some()).count();
        let (gates, fan_in) = phase.net.size();
        let number = index + 1;
        let _ =
            writeln!(text, "phase {number} of {}: {known} fluents known, {gates} gates that read {fan_in} signals", phases.len());
    }
    if gates > SMALL {
        return text;
    }
    text.push('\n');
    let signal = |signal: Signal| name(net, signal);
    for (node, kind) in net.nodes.iter().enumerate() {
        if let Node::And { .. } = kind {
            let inputs: Vec<String> = net.inputs(NodeId(node as u32)).iter().map(|&input| signal(input)).collect();
            let _ = writeln!(text, "g{node} = {}", inputs.join(" & "));
        }
    }
    for (latch, value) in net.loops.iter().flat_map(|body| &body.latches) {
        let _ = writeln!(text, "g{} becomes {}", latch.0, signal(*value));
    }
    for known in &net.moves {
        let _ = writeln!(text, "legal {} {} = {}", net.roles[known.role as usize], known.text, signal(known.legal));
    }
    for fluent in &net.fluents {
        let _ = writeln!(text, "next {} = {}", fluent.text, signal(fluent.next));
    }
    for goal in &net.goals {
        let _ = writeln!(text, "goal {} {} = {}", net.roles[goal.role as usize], goal.text, signal(goal.holds));
    }
    let _ = writeln!(text, "terminal = {}", signal(net.terminal.unwrap_or(Signal::FALSE)));
    text
}

fn name(net: &Net, signal: Signal) -> String {
    let not = if signal.is_not() { "~" } else { "" };
    match net.nodes[signal.node().0 as usize] {
        Node::True => if signal.is_not() { "false" } else { "true" }.to_owned(),
        Node::Fluent(fluent) => format!("{not}{}", net.fluents[fluent as usize].text),
        Node::Does(number) => {
            let known = &net.moves[number as usize];
            format!("{not}does:{}:{}", net.roles[known.role as usize], known.text)
        }
        Node::Latch(_) | Node::And { .. } => format!("{not}g{}", signal.node().0),
    }
}
