//! What must be true of a network, looked at node by node.

use crate::net::{Net, Node, NodeId, Signal};

/// Says what is wrong unless a condition holds.
fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

impl Net {
    /// Whether the network is well formed; if not, what is wrong with it.
    ///
    /// Node 0 and no other is [`Node::True`]. A conjunction reads at least two signals, ascending, each once, none together with its opposite,
    /// never node 0, and only of nodes before it. Loops come in order and do not overlap; each latch is of one loop, lies within it, and
    /// is denied by nothing in it. Every fluent and every move has at most one node. All numbers are in range.
    pub fn check(&self) -> Result<(), String> {
        ensure(self.nodes.first() == Some(&Node::True), || "node 0 is not True".to_owned())?;
        self.check_nodes()?;
        self.check_loops()?;
        for signal in self.outputs() {
            ensure(self.has(signal), || format!("an output reads signal {}, which is out of range", signal.0))?;
        }
        let roles = self.moves.iter().map(|known| known.role).chain(self.goals.iter().map(|goal| goal.role));
        for role in roles {
            ensure((role as usize) < self.roles.len(), || format!("there is no role {role}"))?;
        }
        Ok(())
    }

    fn has(&self, signal: Signal) -> bool {
        (signal.node().0 as usize) < self.nodes.len()
    }

    fn check_nodes(&self) -> Result<(), String> {
        let mut fluents = vec![false; self.fluents.len()];
        let mut moves = vec![false; self.moves.len()];
        for (number, node) in self.nodes.iter().enumerate() {
            match *node {
                Node::True => ensure(number == 0, || format!("node {number} is True, too"))?,
                Node::Fluent(fluent) => {
                    let known = fluents.get_mut(fluent as usize).ok_or_else(|| format!("there is no fluent {fluent}"))?;
                    ensure(!std::mem::replace(known, true), || format!("fluent {fluent} has two nodes"))?;
                }
                Node::Does(index) => {
                    let known = moves.get_mut(index as usize).ok_or_else(|| format!("there is no move {index}"))?;
                    ensure(!std::mem::replace(known, true), || format!("move {index} has two nodes"))?;
                }
                Node::Latch(_) => {}
                Node::And { start, len } => self.check_gate(number, start as usize, len as usize)?,
            }
        }
        Ok(())
    }

    fn check_gate(&self, number: usize, start: usize, len: usize) -> Result<(), String> {
        ensure(len >= 2, || format!("gate {number} reads {len} signals"))?;
        ensure(start + len <= self.signals.len(), || format!("the list of gate {number} is out of range"))?;
        let list = &self.signals[start..start + len];
        ensure(list[0].node().0 > 0, || format!("gate {number} reads a constant"))?;
        for pair in list.windows(2) {
            // Ascending nodes: neither a repetition nor a signal with its opposite.
            ensure(pair[0].node() < pair[1].node(), || format!("the list of gate {number} is not ascending: {list:?}"))?;
        }
        ensure((list[len - 1].node().0 as usize) < number, || format!("gate {number} reads what comes after it: {list:?}"))
    }

    fn check_loops(&self) -> Result<(), String> {
        let mut owned = vec![false; self.nodes.len()];
        let mut at = 0;
        for (index, body) in self.loops.iter().enumerate() {
            ensure(at <= body.start && body.start < body.end, || format!("loop {index} overlaps the one before it or is empty"))?;
            at = body.end;
            ensure(at as usize <= self.nodes.len(), || format!("loop {index} is out of range"))?;
            ensure(!body.latches.is_empty(), || format!("loop {index} has no latch"))?;
            for &(latch, value) in &body.latches {
                let number = latch.0;
                ensure((body.start..body.end).contains(&number), || format!("latch {number} lies outside loop {index}"))?;
                let is_latch = matches!(self.nodes[number as usize], Node::Latch(_));
                ensure(is_latch, || format!("node {number} of loop {index} is no latch"))?;
                let again = std::mem::replace(&mut owned[number as usize], true);
                ensure(!again, || format!("latch {number} is named twice"))?;
                let known = self.has(value) && value.node().0 < body.end;
                ensure(known, || format!("latch {number} becomes what comes after its loop"))?;
            }
            self.check_monotone(index)?;
        }
        let stray = (0..self.nodes.len()).find(|&node| matches!(self.nodes[node], Node::Latch(_)) && !owned[node]);
        ensure(stray.is_none(), || format!("latch {stray:?} is of no loop"))
    }

    /// Whether a loop's latches can only ever become true: each is reached through an even number of opposites.
    fn check_monotone(&self, index: usize) -> Result<(), String> {
        let body = &self.loops[index];
        // Per node of the body: whether it rises with a latch, and whether it falls.
        let mut ways = vec![(false, false); (body.end - body.start) as usize];
        let of = |signal: Signal, ways: &[(bool, bool)]| {
            let node = signal.node().0;
            let (rises, falls) = if node < body.start { (false, false) } else { ways[(node - body.start) as usize] };
            if signal.is_not() { (falls, rises) } else { (rises, falls) }
        };
        for node in body.start..body.end {
            ways[(node - body.start) as usize] = match self.nodes[node as usize] {
                Node::Latch(_) => (true, false),
                _ => self.inputs(NodeId(node)).iter().fold((false, false), |(rises, falls), &signal| {
                    let (up, down) = of(signal, &ways);
                    (rises || up, falls || down)
                }),
            };
        }
        for &(latch, value) in &body.latches {
            ensure(!of(value, &ways).1, || format!("latch {} depends on the opposite of a latch", latch.0))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{Fluent, Loop, Move};

    /// `f0` next is a gate of both inputs, `f1` next a latch that the gate or itself makes true.
    fn sound() -> Net {
        let fluent = |text: &str, next| Fluent { text: text.to_owned(), initial: true, next };
        Net {
            nodes: vec![
                Node::True,
                Node::Fluent(0),
                Node::Fluent(1),
                Node::And { start: 0, len: 2 },
                Node::Latch(0),
                Node::And { start: 2, len: 2 },
                Node::And { start: 4, len: 2 },
            ],
            signals: vec![Signal(2), Signal(5), Signal(7), Signal(9), Signal(2), Signal(8)],
            loops: vec![Loop { start: 4, end: 6, latches: vec![(NodeId(4), Signal(11))] }],
            roles: vec!["white".to_owned()],
            fluents: vec![fluent("f0", Signal(6)), fluent("f1", Signal(12))],
            moves: vec![Move { role: 0, text: "go".to_owned(), legal: Signal::TRUE }],
            goals: Vec::new(),
            terminal: None,
            ..Net::default()
        }
    }

    #[test]
    fn a_sound_network_passes() {
        assert_eq!(sound().check(), Ok(()));
    }

    type Damage = fn(&mut Net);

    #[test]
    fn whatever_is_broken_is_named() {
        let damages: [(&str, Damage); 16] = [
            ("node 0", |net| net.nodes.clear()),
            ("True, too", |net| net.nodes[2] = Node::True),
            ("two nodes", |net| net.nodes[2] = Node::Fluent(0)),
            ("no fluent 7", |net| net.nodes[2] = Node::Fluent(7)),
            ("no move 1", |net| net.nodes[2] = Node::Does(1)),
            ("reads 1 signals", |net| net.nodes[3] = Node::And { start: 0, len: 1 }),
            ("out of range", |net| net.nodes[3] = Node::And { start: 5, len: 2 }),
            ("a constant", |net| net.signals[0] = Signal::TRUE),
            ("not ascending", |net| net.signals.swap(0, 1)),
            ("not ascending", |net| net.signals[1] = Signal(3)),
            ("comes after it", |net| net.signals[1] = Signal(6)),
            ("outside loop", |net| net.loops[0].latches[0].0 = NodeId(3)),
            ("named twice", |net| net.loops[0].latches.push((NodeId(4), Signal(11)))),
            ("the opposite of a latch", |net| net.loops[0].latches[0].1 = Signal(10)),
            ("of no loop", |net| net.loops.clear()),
            ("no role 3", |net| net.moves[0].role = 3),
        ];
        for (what, damage) in damages {
            let mut net = sound();
            damage(&mut net);
            let error = net.check().expect_err(what);
            assert!(error.contains(what), "{error} is not about {what}");
        }
    }

    #[test]
    fn loops_stay_apart() {
        let mut net = sound();
        net.loops.push(Loop { start: 5, end: 7, latches: vec![(NodeId(5), Signal(2))] });
        assert!(net.check().is_err_and(|error| error.contains("overlaps")));
        net.loops.truncate(1);
        net.loops[0].end = 8;
        assert!(net.check().is_err_and(|error| error.contains("out of range")));
    }
}
