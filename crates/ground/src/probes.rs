//! What the rules derive from a state alone, as a network of its own: evaluation functions may count it, and play need not carry it.

use crate::fixpoint::Grounder;
use crate::instances::Instances;
use crate::net::{Fluent, Move, Net, Node, Probe, Signal};
use crate::program::{Rel, Role};
use crate::prune::prune;
use crate::text;
use ludens_gdl::Depends;
use std::sync::Arc;

/// Atoms at most; relations with many are left out first.
const MOST_ATOMS: usize = 1 << 12;

/// Arguments of the atoms of a relation at most: each is a text.
const MOST_ARGUMENTS: usize = 1 << 15;

/// Where their network would read more signals, there is none.
const MOST_SIGNALS: usize = 1 << 18;

/// Bytes of a relation's name, and of an argument's text; a relation with longer ones is left out.
const LONGEST: usize = 200;

/// The probes of a network that was just built; `signals` has those of all atoms.
pub(crate) fn find(
    grounder: &Grounder<'_>,
    instances: &Instances,
    names: &[String],
    net: &Net,
    signals: &[Signal],
) -> Vec<Probe> {
    let plain = plain(net);
    let mut relations: Vec<(Rel, usize)> =
        sheet_relations(grounder).map(|rel| (rel, grounder.tables[rel as usize].len())).filter(|(_, rows)| *rows > 0).collect();
    relations.sort_by_key(|&(rel, rows)| (rows, rel));
    let mut probes = Vec::new();
    for (rel, rows) in relations {
        if probes.len() + rows > MOST_ATOMS {
            break;
        }
        let relation = &grounder.program.relations[rel as usize];
        if rows * relation.arity > MOST_ARGUMENTS || relation.name.len() >= LONGEST {
            continue;
        }
        let first = instances.first[rel as usize];
        let own = (0..rows as u32).map(|row| {
            let holds = signals[(first + row) as usize];
            let arguments: Vec<String> = grounder.tables[rel as usize]
                .row(row)
                .iter()
                .map(|&term| text::cut(&grounder.program.terms, names, term, LONGEST))
                .collect();
            let is_told = arguments.iter().all(|argument| argument.len() < LONGEST);
            let name = &relation.name;
            let text = if arguments.is_empty() { name.clone() } else { format!("({name} {})", arguments.join(" ")) };
            (is_told && plain[holds.node().0 as usize]).then_some(Probe { text, holds })
        });
        let Some(own) = own.collect::<Option<Vec<Probe>>>() else { continue };
        // What is always the same, or says what a fluent says, is nothing new.
        let is_new = |probe: &Probe| !matches!(net.nodes[probe.holds.node().0 as usize], Node::True | Node::Fluent(_));
        if own.iter().any(is_new) {
            probes.extend(own);
        }
    }
    probes
}

/// Relations that the sheet derives from states, and that are worked out whole: where rules ask for some atoms only, the others are not known.
fn sheet_relations<'g>(grounder: &'g Grounder<'_>) -> impl Iterator<Item = Rel> + 'g {
    let mut whole = vec![true; grounder.program.relations.len()];
    for clause in &grounder.program.clauses {
        let is_asked = clause.positive.iter().any(|lit| grounder.program.role(lit.rel) == Role::Asked);
        whole[clause.head.rel as usize] &= !is_asked;
    }
    let relations = grounder.rules.relations.iter().enumerate();
    let derived = relations.filter(|(_, relation)| relation.keyword.is_none() && relation.depends == Depends::State);
    derived.map(|(rel, _)| rel as Rel).filter(move |&rel| whole[rel as usize])
}

/// Which nodes depend on neither moves nor loops.
fn plain(net: &Net) -> Vec<bool> {
    let mut plain = Vec::with_capacity(net.nodes.len());
    for node in &net.nodes {
        plain.push(match *node {
            Node::True | Node::Fluent(_) => true,
            Node::Does(_) | Node::Latch(_) => false,
            Node::And { start, len } => {
                let list = &net.signals[start as usize..(start + len) as usize];
                list.iter().all(|signal| plain[signal.node().0 as usize])
            }
        });
    }
    plain
}

/// Gives the probes of a network one of their own.
pub(crate) fn apart(mut net: Net) -> Net {
    let probes = std::mem::take(&mut net.probes);
    if probes.is_empty() {
        return net;
    }
    let beside = Net {
        nodes: std::mem::take(&mut net.nodes),
        signals: std::mem::take(&mut net.signals),
        loops: std::mem::take(&mut net.loops),
        roles: net.roles.clone(),
        // Names may be long: the network that is played on has them.
        fluents: net.fluents.iter().map(|fluent| Fluent { text: String::new(), next: Signal::FALSE, ..*fluent }).collect(),
        moves: net.moves.iter().map(|known| Move { text: String::new(), legal: Signal::FALSE, ..*known }).collect(),
        probes,
        ..Net::default()
    };
    let derived = prune(&prune(&beside));
    (net.nodes, net.signals, net.loops) = (beside.nodes, beside.signals, beside.loops);
    if derived.size().1 <= MOST_SIGNALS {
        net.derived = Some(Arc::new(derived));
    }
    net
}
