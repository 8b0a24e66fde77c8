//! Strongly connected components, the one graph algorithm this crate needs.

/// A directed graph over `0..len`, edges stored by source.
#[derive(Clone, Debug)]
pub struct Graph {
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Graph {
    /// The graph with these edges `(from, to)` over the nodes `0..len`.
    ///
    /// # Panics
    /// Where an edge names a node outside that range.
    pub fn new(len: usize, edges: &[(u32, u32)]) -> Self {
        let mut starts = vec![0u32; len + 1];
        for &(from, _) in edges {
            starts[from as usize + 1] += 1;
        }
        for index in 0..len {
            starts[index + 1] += starts[index];
        }
        let mut fill = starts.clone();
        let mut targets = vec![0u32; edges.len()];
        for &(from, to) in edges {
            assert!((to as usize) < len, "edge to {to} in a graph of {len} nodes");
            targets[fill[from as usize] as usize] = to;
            fill[from as usize] += 1;
        }
        Self { starts, targets }
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// True where there is no node.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where the edges of a node lead.
    pub fn targets(&self, node: u32) -> &[u32] {
        &self.targets[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// The place of every node's component in the list.
    pub fn numbers(&self, components: &[Vec<u32>]) -> Vec<u32> {
        let mut numbers = vec![0; self.len()];
        for (number, component) in components.iter().enumerate() {
            for &node in component {
                numbers[node as usize] = number as u32;
            }
        }
        numbers
    }

    /// The strongly connected components, each after all that its nodes lead to; nodes of a component in ascending order.
    ///
    /// Tarjan's algorithm with an explicit stack: sheets are written by strangers, and a chain of a million rules is short.
    pub fn components(&self) -> Vec<Vec<u32>> {
        const NEW: u32 = u32::MAX;
        let mut walk =
            Walk { index: vec![NEW; self.len()], low: vec![0; self.len()], done: vec![false; self.len()], ..Walk::default() };
        for root in 0..self.len() as u32 {
            if walk.index[root as usize] != NEW {
                continue;
            }
            walk.enter(root);
            while let Some(&mut (node, ref mut edge)) = walk.path.last_mut() {
                let Some(&target) = self.targets(node).get(*edge) else {
                    walk.leave(node);
                    continue;
                };
                *edge += 1;
                if walk.index[target as usize] == NEW {
                    walk.enter(target);
                } else if !walk.done[target as usize] {
                    walk.low[node as usize] = walk.low[node as usize].min(walk.index[target as usize]);
                }
            }
        }
        walk.components
    }
}

#[derive(Default)]
struct Walk {
    /// When a node was first met.
    index: Vec<u32>,
    /// The earliest node of its component that a node is known to reach.
    low: Vec<u32>,
    /// Set where a node's component is complete.
    done: Vec<bool>,
    /// Nodes whose component is not complete.
    stack: Vec<u32>,
    /// The path from the root, with the next edge to look at.
    path: Vec<(u32, usize)>,
    met: u32,
    components: Vec<Vec<u32>>,
}

impl Walk {
    fn enter(&mut self, node: u32) {
        self.index[node as usize] = self.met;
        self.low[node as usize] = self.met;
        self.met += 1;
        self.stack.push(node);
        self.path.push((node, 0));
    }

    fn leave(&mut self, node: u32) {
        self.path.pop();
        if let Some(&(parent, _)) = self.path.last() {
            self.low[parent as usize] = self.low[parent as usize].min(self.low[node as usize]);
        }
        if self.low[node as usize] == self.index[node as usize] {
            let from = self.stack.iter().rposition(|&other| other == node).expect("the node is on the stack");
            let mut component = self.stack.split_off(from);
            component.sort_unstable();
            for &member in &component {
                self.done[member as usize] = true;
            }
            self.components.push(component);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Graph;

    /// The peers' dependency graph case: strata of a graph with a cycle of five.
    #[test]
    fn components_come_in_dependency_order() {
        let edges = [(2, 1), (3, 2), (4, 2), (5, 3), (5, 4), (3, 4), (4, 3), (4, 6), (6, 7), (7, 8), (8, 3)];
        let components = Graph::new(9, &edges).components();
        assert_eq!(components, [vec![0], vec![1], vec![2], vec![3, 4, 6, 7, 8], vec![5]]);
    }

    #[test]
    fn a_long_chain_costs_no_stack() {
        let edges: Vec<(u32, u32)> = (0..1_000_000).map(|node| (node, node + 1)).collect();
        let components = Graph::new(1_000_001, &edges).components();
        assert_eq!(components.len(), 1_000_001);
        assert_eq!(components[0], [1_000_000]);
    }
}
