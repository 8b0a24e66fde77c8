//! The gates of a network as straight-line code over words of 64 states, in functions that compilers can cope with.

use super::dialect::Language;
use ludens_ground::{Net, Node, NodeId, Signal};
use std::collections::HashMap;
use std::fmt::Write as _;

/// Gates in one function, and inputs in one statement.
const GATES: usize = 256;
const INPUTS: usize = 16;

/// Three programs: `legal` for the end and the legal moves; `goals` and `next` for what these need beyond it.
pub(super) fn all(net: &Net, language: Language) -> String {
    let legal = cone(net, net.moves.iter().map(|known| known.legal).chain(net.terminal));
    let goals = cone(net, net.goals.iter().map(|goal| goal.holds));
    let next = cone(net, net.fluents.iter().map(|fluent| fluent.next));
    let beyond = |cone: &[bool]| -> Vec<bool> { cone.iter().zip(&legal).map(|(&own, &known)| own && !known).collect() };
    let mut text = String::new();
    for (name, nodes) in [("legal", legal.clone()), ("goals", beyond(&goals)), ("next", beyond(&next))] {
        text.push_str(&Writer { net, language, name, nodes, functions: String::new(), calls: String::new(), count: 0 }.program());
    }
    text
}

/// The nodes that some signals depend on. A latch brings its whole loop.
fn cone(net: &Net, outputs: impl Iterator<Item = Signal>) -> Vec<bool> {
    let mut loop_of: HashMap<NodeId, usize> = HashMap::new();
    for (number, body) in net.loops.iter().enumerate() {
        loop_of.extend(body.latches.iter().map(|&(latch, _)| (latch, number)));
    }
    let mut reached = vec![false; net.nodes.len()];
    let mut open: Vec<NodeId> = outputs.map(Signal::node).collect();
    while let Some(node) = open.pop() {
        if std::mem::replace(&mut reached[node.0 as usize], true) {
            continue;
        }
        open.extend(net.inputs(node).iter().map(|signal| signal.node()));
        if let Some(&number) = loop_of.get(&node) {
            open.extend(net.loops[number].latches.iter().flat_map(|&(latch, signal)| [latch, signal.node()]));
        }
    }
    reached
}

/// Writes one program.
struct Writer<'n> {
    net: &'n Net,
    language: Language,
    name: &'static str,
    nodes: Vec<bool>,
    functions: String,
    calls: String,
    count: usize,
}

impl Writer<'_> {
    fn program(mut self) -> String {
        let mut from = 0;
        for number in 0..self.net.loops.len() {
            let (start, end) = (self.net.loops[number].start, self.net.loops[number].end);
            self.gates(from, start);
            if self.net.loops[number].latches.iter().any(|(latch, _)| self.nodes[latch.0 as usize]) {
                self.circle(number);
            } else {
                self.gates(start, end);
            }
            from = end;
        }
        self.gates(from, self.net.nodes.len() as u32);
        let head = self.head(&format!("eval_{}", self.name));
        let (functions, calls) = (&self.functions, &self.calls);
        format!("{functions}{head} {{\n{}{calls}}}\n\n", if self.language == Language::C { "    (void)v;\n" } else { "" })
    }

    fn head(&self, name: &str) -> String {
        match self.language {
            Language::Rust => format!("pub(crate) fn {name}(v: &mut [u64; NODES])"),
            Language::C => format!("static void {name}(u64 *v)"),
        }
    }

    fn signal(&self, signal: Signal) -> String {
        let not = if self.language == Language::C { '~' } else { '!' };
        if signal.is_not() { format!("{not}v[{}]", signal.node().0) } else { format!("v[{}]", signal.node().0) }
    }

    /// Functions for the gates of a range, and calls of them.
    fn gates(&mut self, start: u32, end: u32) {
        let all = (start..end).filter(|&node| self.nodes[node as usize] && is_gate(self.net, node));
        let gates: Vec<u32> = all.collect();
        for chunk in gates.chunks(GATES) {
            let name = format!("{}_{}", self.name, self.count);
            self.count += 1;
            let mut body = String::new();
            for &gate in chunk {
                let inputs: Vec<String> = self.net.inputs(NodeId(gate)).iter().map(|&input| self.signal(input)).collect();
                for (part, inputs) in inputs.chunks(INPUTS).enumerate() {
                    let _ = writeln!(body, "    v[{gate}] {} {};", if part == 0 { "=" } else { "&=" }, inputs.join(" & "));
                }
                if inputs.is_empty() {
                    let _ = writeln!(body, "    v[{gate}] = v[0];");
                }
            }
            let _ = writeln!(self.functions, "{} {{\n{body}}}\n", self.head(&name));
            let _ = writeln!(self.calls, "    {name}(v);");
        }
    }

    /// A loop: its latches are false at first; its gates are evaluated until no latch changes.
    fn circle(&mut self, number: usize) {
        let body = &self.net.loops[number];
        let outer = std::mem::take(&mut self.calls);
        self.gates(body.start, body.end);
        let inner = std::mem::replace(&mut self.calls, outer);
        let name = format!("{}_loop_{number}", self.name);
        let mut text = String::new();
        for (latch, _) in &body.latches {
            let _ = writeln!(text, "    v[{}] = 0;", latch.0);
        }
        let (declare, forever) =
            if self.language == Language::C { ("u64 changed", "for (;;)") } else { ("let mut changed: u64", "loop") };
        let _ = writeln!(text, "    {forever} {{\n    {declare} = 0;\n{inner}");
        for &(latch, signal) in &body.latches {
            let signal = self.signal(signal);
            let _ = writeln!(text, "    changed |= v[{0}] ^ {signal}; v[{0}] = {signal};", latch.0);
        }
        let _ = writeln!(text, "    if (changed == 0) {{ break; }}\n    }}");
        let _ = writeln!(self.functions, "{} {{\n{text}}}\n", self.head(&name));
        let _ = writeln!(self.calls, "    {name}(v);");
    }
}

fn is_gate(net: &Net, node: u32) -> bool {
    matches!(net.nodes[node as usize], Node::And { .. })
}
