//! A network as a graph in the DOT language of Graphviz.

use ludens_ground::{Net, Node, NodeId, Signal};
use std::fmt::Write as _;

/// Networks side by side, each in a box of its own where there are several.
///
/// Boxes are inputs, circles conjunctions, double circles latches, plain texts outputs. An arrow that begins with a dot reads the opposite; a dashed
/// arrow says what a latch becomes.
pub(crate) fn text(nets: &[(String, &Net)]) -> String {
    let mut text = String::from("digraph net {\n  rankdir=LR;\n  node [shape=circle, label=\"&\"];\n");
    for (index, (label, net)) in nets.iter().enumerate() {
        if nets.len() > 1 {
            let _ = writeln!(text, "  subgraph cluster{index} {{\n  label={};", quoted(label));
        }
        draw(net, &format!("n{index}_"), &mut text);
        if nets.len() > 1 {
            text.push_str("  }\n");
        }
    }
    text.push_str("}\n");
    text
}

/// Writes a network whose nodes have names that begin with a prefix.
fn draw(net: &Net, prefix: &str, text: &mut String) {
    let role = |role: u32| &net.roles[role as usize];
    for (node, kind) in net.nodes.iter().enumerate() {
        let attributes = match *kind {
            Node::True => "shape=box, label=\"true\"".to_owned(),
            Node::Fluent(fluent) => format!("shape=box, label={}", quoted(&net.fluents[fluent as usize].text)),
            Node::Does(number) => {
                let known = &net.moves[number as usize];
                format!("shape=box, style=rounded, label={}", quoted(&format!("does {} {}", role(known.role), known.text)))
            }
            Node::Latch(_) => "shape=doublecircle, label=\"\"".to_owned(),
            Node::And { .. } => String::new(),
        };
        let _ = if attributes.is_empty() {
            writeln!(text, "  {prefix}{node};")
        } else {
            writeln!(text, "  {prefix}{node} [{attributes}];")
        };
    }
    let edge = |text: &mut String, from: Signal, to: &str, style: &str| {
        let from_text = format!("{prefix}{}", from.node().0);
        let attributes: Vec<&str> = [if from.is_not() { "dir=both, arrowtail=dot" } else { "" }, style]
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect();
        let _ = match attributes[..] {
            [] => writeln!(text, "  {from_text} -> {to};"),
            _ => writeln!(text, "  {from_text} -> {to} [{}];", attributes.join(", ")),
        };
    };
    for node in 0..net.nodes.len() as u32 {
        for &input in net.inputs(NodeId(node)) {
            edge(text, input, &format!("{prefix}{node}"), "");
        }
    }
    for (latch, value) in net.loops.iter().flat_map(|body| &body.latches) {
        edge(text, *value, &format!("{prefix}{}", latch.0), "style=dashed");
    }
    let legal = net.moves.iter().map(|known| (format!("legal {} {}", role(known.role), known.text), known.legal));
    let next = net.fluents.iter().map(|fluent| (format!("next {}", fluent.text), fluent.next));
    let goals = net.goals.iter().map(|goal| (format!("goal {} {}", role(goal.role), goal.text), goal.holds));
    let terminal = net.terminal.map(|signal| ("terminal".to_owned(), signal));
    // What can never be is not drawn.
    let outputs = legal.chain(next).chain(goals).chain(terminal).filter(|(_, signal)| *signal != Signal::FALSE);
    for (number, (label, signal)) in outputs.enumerate() {
        let name = format!("{prefix}out{number}");
        let _ = writeln!(text, "  {name} [shape=plaintext, label={}];", quoted(&label));
        edge(text, signal, &name, "");
    }
}

/// A text as DOT quotes it. Sheets may call things what they like, also `"]; x -> y`.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            _ if character.is_control() => quoted.extend(character.escape_unicode().filter(|&part| part != '\\')),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn names_stay_inside_their_quotes() {
        assert_eq!(quoted("(cell 1 1)"), "\"(cell 1 1)\"");
        assert_eq!(quoted("a\"]; x -> y"), "\"a\\\"]; x -> y\"");
        assert_eq!(quoted("a\\"), "\"a\\\\\"");
        assert_eq!(quoted("a\n\u{1b}"), "\"au{a}u{1b}\"");
    }
}
