//! Rule instances become gates.

use crate::Error;
use crate::builder::Builder;
use crate::factor;
use crate::fixpoint::Grounder;
use crate::instances::{AtomId, Instances};
use crate::net::{Fluent, Goal, Loop, Move, Net, Node, NodeId, Signal};
use crate::probes;
use crate::program::{Keywords, Rel, Role};
use crate::terms::TermId;
use ludens_gdl::Graph;

/// An atom whose gate is not made yet.
const UNKNOWN: Signal = Signal(u32::MAX);

struct Build<'a> {
    grounder: &'a Grounder<'a>,
    instances: &'a Instances,
    names: &'a [String],
    builder: Builder,
    /// The signal of every atom.
    signals: Vec<Signal>,
    loops: Vec<Loop>,
    /// Instances by head: where those of an atom begin in `order`.
    starts: Vec<u32>,
    order: Vec<u32>,
}

/// Makes the net. `names` are the names of all symbols.
pub(crate) fn net(grounder: &Grounder<'_>, instances: &Instances, names: &[String]) -> Result<Net, Error> {
    let (starts, order) = by_head(instances);
    let mut build = Build {
        grounder,
        instances,
        names,
        builder: Builder::new(),
        signals: vec![UNKNOWN; instances.atoms.len()],
        loops: Vec::new(),
        starts,
        order,
    };
    build.inputs();
    let mut edges = Vec::with_capacity(instances.conditions.len());
    for (instance, &head) in instances.heads.iter().enumerate() {
        edges.extend(build.conditions(instance as u32).iter().map(|&condition| (head, condition >> 1)));
    }
    let graph = Graph::new(instances.atoms.len(), &edges);
    drop(edges);
    for component in graph.components() {
        match component[..] {
            [only] if !graph.targets(only).contains(&only) => build.gate(only),
            _ => build.circle(&component)?,
        }
    }
    Ok(build.finish())
}

/// The instances of every atom.
fn by_head(instances: &Instances) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0_u32; instances.atoms.len() + 1];
    instances.heads.iter().for_each(|&head| starts[head as usize + 1] += 1);
    for at in 0..instances.atoms.len() {
        starts[at + 1] += starts[at];
    }
    let mut fill = starts.clone();
    let mut order = vec![0; instances.heads.len()];
    for (instance, &head) in instances.heads.iter().enumerate() {
        order[fill[head as usize] as usize] = instance as u32;
        fill[head as usize] += 1;
    }
    (starts, order)
}

impl Build<'_> {
    fn conditions(&self, instance: u32) -> &[u32] {
        let starts = &self.instances.starts;
        &self.instances.conditions[starts[instance as usize] as usize..starts[instance as usize + 1] as usize]
    }

    /// Fluents and moves are inputs.
    fn inputs(&mut self) {
        let keywords = self.grounder.program.keywords;
        for (rel, make) in [(keywords.fluent, Node::Fluent as fn(u32) -> Node), (keywords.does, Node::Does)] {
            let first = self.instances.first[rel as usize];
            for row in 0..self.grounder.tables[rel as usize].len() as u32 {
                self.signals[(first + row) as usize] = self.builder.input(make(row));
            }
        }
    }

    /// The gate of an atom whose conditions all have theirs.
    fn gate(&mut self, atom: AtomId) {
        if self.signals[atom as usize] == UNKNOWN {
            self.signals[atom as usize] = self.definition(atom);
        }
    }

    fn definition(&mut self, atom: AtomId) -> Signal {
        let range = self.starts[atom as usize] as usize..self.starts[atom as usize + 1] as usize;
        let mut products = Vec::with_capacity(range.len());
        for at in range {
            let mut product = Vec::new();
            let mut possible = true;
            for &condition in self.conditions(self.order[at]) {
                let signal = self.signals[(condition >> 1) as usize];
                let signal = if condition & 1 == 1 { !signal } else { signal };
                possible &= signal != Signal::FALSE;
                if signal != Signal::TRUE {
                    product.push(signal);
                }
            }
            if possible {
                products.push(product);
            }
        }
        factor::any(&mut self.builder, products)
    }

    /// Atoms that support each other: the least that their rules force is found by going round.
    fn circle(&mut self, atoms: &[AtomId]) -> Result<(), Error> {
        let start = self.builder.nodes.len() as u32;
        for (at, &atom) in atoms.iter().enumerate() {
            self.signals[atom as usize] = self.builder.input(Node::Latch(at as u32));
        }
        for &atom in atoms {
            let range = self.starts[atom as usize] as usize..self.starts[atom as usize + 1] as usize;
            let instances = range.map(|at| self.order[at]);
            let denied = |&condition: &u32| condition & 1 == 1 && atoms.binary_search(&(condition >> 1)).is_ok();
            if instances.flat_map(|instance| self.conditions(instance)).any(denied) {
                return Err(Error::Unstratified { atom: self.atom_text(atom) });
            }
        }
        let latches: Vec<(NodeId, Signal)> =
            atoms.iter().map(|&atom| (self.signals[atom as usize].node(), self.definition(atom))).collect();
        self.loops.push(Loop { start, end: self.builder.nodes.len() as u32, latches });
        Ok(())
    }

    fn row(&self, rel: Rel, row: u32) -> &[TermId] {
        self.grounder.tables[rel as usize].row(row)
    }

    fn atom_text(&self, atom: AtomId) -> String {
        let (rel, row) = self.instances.atoms[atom as usize];
        let args: Vec<String> = self.row(rel, row).iter().map(|&term| self.short_text(term)).collect();
        let name = &self.grounder.program.relations[rel as usize].name;
        if args.is_empty() { name.clone() } else { format!("({name} {})", args.join(" ")) }
    }

    /// For a message.
    fn short_text(&self, term: TermId) -> String {
        crate::text::cut(&self.grounder.program.terms, self.names, term, 200)
    }

    fn text(&self, term: TermId) -> String {
        crate::text::term(&self.grounder.program.terms, self.names, term)
    }

    /// The signal of an atom of a relation, if it could ever hold.
    fn find(&self, rel: Rel, row: &[TermId]) -> Option<Signal> {
        debug_assert!(self.grounder.program.role(rel) == Role::Derived, "only derived atoms are outputs");
        let row = self.grounder.tables[rel as usize].find(row)?;
        Some(self.signals[(self.instances.first[rel as usize] + row) as usize])
    }

    /// Which fluents hold at the start. Where that hangs on relations that are stratified by their arguments only, gates know it; they read no
    /// input.
    fn start(&self) -> Vec<bool> {
        let Keywords { init, fluent, .. } = self.grounder.program.keywords;
        let values = if self.grounder.program.is_static(init) { None } else { Some(self.values()) };
        let holds = |row: &[TermId]| match &values {
            None => self.grounder.tables[init as usize].find(row).is_some(),
            Some(values) => self.find(init, row).is_some_and(|signal| values[signal.node().0 as usize] != signal.is_not()),
        };
        (0..self.grounder.tables[fluent as usize].len() as u32).map(|row| holds(self.row(fluent, row))).collect()
    }

    /// The value of every node with all inputs false.
    fn values(&self) -> Vec<bool> {
        let nodes = &self.builder.nodes;
        let mut values = vec![false; nodes.len()];
        values[0] = true;
        let holds = |values: &[bool], signal: Signal| values[signal.node().0 as usize] != signal.is_not();
        let range = |values: &mut [bool], from: u32, to: u32| {
            for node in (from..to).filter(|&node| matches!(nodes[node as usize], Node::And { .. })) {
                values[node as usize] = self.builder.list(node).iter().all(|&signal| holds(values, signal));
            }
        };
        let mut at = 0;
        for body in &self.loops {
            range(&mut values, at, body.start);
            let mut changed = true;
            while std::mem::take(&mut changed) {
                range(&mut values, body.start, body.end);
                for &(latch, becomes) in &body.latches {
                    changed |= holds(&values, becomes) && !values[latch.0 as usize];
                    values[latch.0 as usize] |= holds(&values, becomes);
                }
            }
            at = body.end;
        }
        range(&mut values, at, nodes.len() as u32);
        values
    }

    fn finish(self) -> Net {
        let keywords = self.grounder.program.keywords;
        let roles = &self.grounder.program.roles;
        let start = self.start();
        let fluents = (0..self.grounder.tables[keywords.fluent as usize].len() as u32).map(|number| {
            let row = self.row(keywords.fluent, number);
            Fluent {
                text: self.text(row[0]),
                initial: start[number as usize],
                next: self.find(keywords.next, row).unwrap_or(Signal::FALSE),
            }
        });
        let role_of = |term: TermId| roles.iter().position(|&role| role == term).map(|role| role as u32);
        // In the order of the rows, which is the numbering of the `Does` nodes.
        let moves = (0..self.grounder.tables[keywords.does as usize].len() as u32).map(|row| {
            let row = self.row(keywords.does, row);
            Move {
                role: role_of(row[0]).unwrap_or(u32::MAX),
                text: self.text(row[1]),
                legal: self.find(keywords.legal, row).unwrap_or(Signal::FALSE),
            }
        });
        let goals = (0..self.grounder.tables[keywords.goal as usize].len() as u32).filter_map(|row| {
            let row = self.row(keywords.goal, row);
            Some(Goal { role: role_of(row[0])?, text: self.text(row[1]), holds: self.find(keywords.goal, row)? })
        });
        let mut net = Net {
            fluents: fluents.collect(),
            moves: moves.collect(),
            goals: goals.collect(),
            roles: roles.iter().map(|&role| self.text(role)).collect(),
            terminal: self.find(keywords.terminal, &[]),
            nodes: self.builder.nodes,
            signals: self.builder.signals,
            loops: self.loops,
            ..Net::default()
        };
        net.probes = probes::find(self.grounder, self.instances, self.names, &net, &self.signals);
        net
    }
}
