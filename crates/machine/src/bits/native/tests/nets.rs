//! Random networks, with loops in all sorts of places.

use crate::Random;
use ludens_ground::{Fluent, Goal, Loop, Move, Net, Node, NodeId, Signal};

/// A network under way.
struct Maker<'r> {
    net: Net,
    random: &'r mut Random,
    /// Nodes that may be read.
    nodes: Vec<u32>,
}

pub(super) fn random(random: &mut Random) -> Net {
    let (fluents, roles) = (1 + random.below(10), 1 + random.below(3));
    let mut net = Net { nodes: vec![Node::True], ..Net::default() };
    net.roles = (0..roles).map(|role| format!("role{role}")).collect();
    net.nodes.extend((0..fluents as u32).map(Node::Fluent));
    let mut maker = Maker { net, random, nodes: (1..=fluents as u32).collect() };
    maker.part();
    maker.outputs_of_the_state(roles);
    for number in 0..maker.net.moves.len() as u32 {
        maker.nodes.push(maker.net.nodes.len() as u32);
        maker.net.nodes.push(Node::Does(number));
    }
    maker.part();
    for number in 0..fluents {
        let next = maker.output();
        let initial = maker.random.below(2) == 0;
        maker.net.fluents.push(Fluent { text: format!("fluent{number}"), initial, next });
    }
    maker.net
}

impl Maker<'_> {
    fn signal(&mut self, nodes: &[u32]) -> Signal {
        Signal(nodes[self.random.below(nodes.len())] << 1 | self.random.below(2) as u32)
    }

    fn output(&mut self) -> Signal {
        let nodes = self.nodes.clone();
        if self.random.below(10) == 0 { Signal(self.random.below(2) as u32) } else { self.signal(&nodes) }
    }

    fn outputs_of_the_state(&mut self, roles: usize) {
        for role in 0..roles as u32 {
            for number in 0..[1, 2, 3, 9, 40, 70][self.random.below(6)] {
                let legal = if self.random.below(3) == 0 { Signal::TRUE } else { self.output() };
                self.net.moves.push(Move { role, text: format!("move{role}x{number}"), legal });
            }
            for value in 0..self.random.below(8) {
                let holds = self.output();
                self.net.goals.push(Goal { role, text: (9 * value).to_string(), holds });
            }
        }
        let late: Vec<u32> = self.nodes.iter().rev().take(4).copied().collect();
        self.net.terminal = (self.random.below(8) > 0).then(|| self.signal(&late));
    }

    /// Gates and loops.
    fn part(&mut self) {
        for _ in 0..=self.random.below(6) {
            if self.random.below(3) == 0 {
                self.add_loop();
            } else {
                for _ in 0..self.random.below(12) {
                    let outside = self.nodes.clone();
                    let made = self.gate(&outside, &[], true);
                    self.nodes.extend(made);
                }
            }
        }
    }

    /// A gate over signals from outside and, so that none is denied, over those of a loop: as they are, or all their opposites.
    fn gate(&mut self, outside: &[u32], inside: &[(u32, bool)], plain: bool) -> Option<u32> {
        let most = if self.random.below(4) == 0 { 7 } else { 3 };
        let mut list: Vec<Signal> = Vec::new();
        for at in 0..2 + self.random.below(most) {
            if !inside.is_empty() && (at == 0 || self.random.below(2) == 0) {
                let (node, grows) = inside[self.random.below(inside.len())];
                list.push(Signal(node << 1 | u32::from(grows != plain)));
            } else {
                let near = &outside[outside.len().saturating_sub(20)..];
                list.push(self.signal(near));
            }
        }
        list.sort_unstable();
        list.dedup_by_key(|signal| signal.node());
        if list.len() < 2 {
            return None;
        }
        let start = self.net.signals.len() as u32;
        self.net.nodes.push(Node::And { start, len: list.len() as u32 });
        self.net.signals.extend(list);
        Some(self.net.nodes.len() as u32 - 1)
    }

    fn add_loop(&mut self) {
        let start = self.net.nodes.len() as u32;
        let latches: Vec<u32> = (start..).take(1 + self.random.below(4)).collect();
        self.net.nodes.extend((0..latches.len() as u32).map(Node::Latch));
        // Whether they become true as latches do, or false.
        let mut inside: Vec<(u32, bool)> = latches.iter().map(|&latch| (latch, true)).collect();
        let mut outside = self.nodes.clone();
        for _ in 0..self.random.below(10) {
            if self.random.below(3) == 0 {
                let made = self.gate(&outside, &[], true);
                outside.extend(made);
            } else {
                let plain = self.random.below(2) == 0;
                let made = self.gate(&outside, &inside, plain);
                inside.extend(made.map(|node| (node, plain)));
            }
        }
        let mut becomes = Vec::new();
        for latch in latches {
            let value = match self.random.below(10) {
                0 => Signal(self.random.below(2) as u32),
                1..4 => self.signal(&outside),
                _ => {
                    let (node, grows) = inside[self.random.below(inside.len())];
                    Signal(node << 1 | u32::from(!grows))
                }
            };
            becomes.push((NodeId(latch), value));
        }
        self.net.loops.push(Loop { start, end: self.net.nodes.len() as u32, latches: becomes });
        self.nodes = outside;
        self.nodes.extend(inside.iter().map(|(node, _)| *node));
        self.nodes.sort_unstable();
    }
}
