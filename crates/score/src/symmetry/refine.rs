//! Colours of vertices, refined until neighbours tell no more: vertices of different colours have different parts in the game.

use super::graph::Graph;
use super::mixed;
use std::collections::BTreeMap;
use std::ops::Range;

/// A colour per vertex. Colours are numbers that depend on nothing but what the vertices are and what is beside them, so those of two colourings can be compared.
#[derive(Clone, Debug)]
pub(super) struct Colouring {
    pub(super) colours: Vec<u64>,
    /// Vertices whose neighbours do not know yet.
    changed: Vec<u32>,
}

/// Vertices of one colour.
pub(super) struct Cell {
    pub(super) colour: u64,
    pub(super) members: Vec<u32>,
}

impl Colouring {
    /// By what vertices are.
    pub(super) fn of(graph: &Graph) -> Colouring {
        let colours = graph.kinds.iter().map(|&kind| mixed(kind)).collect();
        Colouring { colours, changed: (0..graph.len() as u32).collect() }
    }

    /// The same with one vertex told from all others, those included that were chosen for other numbers.
    pub(super) fn with(&self, vertex: u32, number: usize) -> Colouring {
        let mut colours = self.colours.clone();
        let colour = &mut colours[vertex as usize];
        *colour = mixed(*colour ^ mixed(number as u64 ^ 0x5bd1_e995));
        Colouring { colours, changed: vec![vertex] }
    }

    /// Tells vertices apart by the colours of their neighbours, as long as that makes a difference; false if it was given up. So many edges may be looked at.
    pub(super) fn refine(&mut self, graph: &Graph, work: &mut usize, stop: &dyn Fn() -> bool) -> bool {
        let mut sizes: BTreeMap<u64, usize> = BTreeMap::new();
        for colour in &self.colours {
            *sizes.entry(*colour).or_default() += 1;
        }
        let mut news = vec![0_u64; graph.len()];
        while !self.changed.is_empty() {
            let edges: usize = self.changed.iter().map(|&vertex| graph.beside(vertex as usize).len()).sum();
            if stop() || *work < edges {
                return false;
            }
            *work -= edges;
            // Vertices of one colour had the same beside them: what makes a difference is what has changed.
            let mut touched: Vec<u32> = Vec::new();
            for &vertex in &self.changed {
                let colour = self.colours[vertex as usize];
                for &(other, label) in graph.beside(vertex as usize) {
                    let news = &mut news[other as usize];
                    if *news == 0 {
                        touched.push(other);
                    }
                    *news = news.wrapping_add(mixed(colour ^ u64::from(label) << 56));
                }
            }
            let of = |vertex: u32| (self.colours[vertex as usize], std::mem::take(&mut news[vertex as usize]), vertex);
            let mut told: Vec<(u64, u64, u32)> = touched.into_iter().map(of).collect();
            told.sort_unstable();
            told.dedup_by_key(|(.., vertex)| *vertex);
            self.changed.clear();
            for class in told.chunk_by(|one, two| one.0 == two.0) {
                self.split(class, &mut sizes);
            }
        }
        true
    }

    /// Gives those of a colour new ones that have got different news. One part keeps the colour: that without news, or else the largest.
    fn split(&mut self, class: &[(u64, u64, u32)], sizes: &mut BTreeMap<u64, usize>) {
        let Some(&(colour, ..)) = class.first() else { return };
        let parts: Vec<&[(u64, u64, u32)]> = class.chunk_by(|one, two| one.1 == two.1).collect();
        let without = sizes.get(&colour).is_some_and(|&size| size > class.len());
        let largest = parts.iter().map(|part| part.len()).max().unwrap_or(0);
        let keeper = if without { None } else { parts.iter().position(|part| part.len() == largest) };
        for (_, part) in parts.iter().enumerate().filter(|(at, _)| Some(*at) != keeper) {
            let new = mixed(colour ^ mixed(part[0].1));
            for &(_, _, vertex) in *part {
                self.colours[vertex as usize] = new;
                self.changed.push(vertex);
            }
            *sizes.entry(new).or_default() += part.len();
            sizes.entry(colour).and_modify(|size| *size -= part.len());
        }
    }

    /// Vertices of a colour.
    pub(super) fn members(&self, colour: u64) -> Vec<u32> {
        (0..).zip(&self.colours).filter(|(_, other)| **other == colour).map(|(vertex, _)| vertex).collect()
    }

    /// A number that two colourings have in common if they have as many vertices of each colour.
    pub(super) fn summary(&self) -> u64 {
        self.colours.iter().map(|&colour| mixed(colour)).fold(0, u64::wrapping_add)
    }

    /// Per vertex of a range: the first that has its colour.
    pub(super) fn parts(&self, vertices: Range<usize>) -> Vec<usize> {
        let mut first = BTreeMap::new();
        vertices.map(|vertex| *first.entry(self.colours[vertex]).or_insert(vertex)).collect()
    }

    /// Vertices by colour, of those colours that several have.
    pub(super) fn cells(&self, vertices: Range<usize>) -> Vec<Cell> {
        let mut sorted: Vec<(u64, u32)> = vertices.map(|vertex| (self.colours[vertex], vertex as u32)).collect();
        sorted.sort_unstable();
        let groups = sorted.chunk_by(|(one, _), (two, _)| one == two).filter(|group| group.len() > 1);
        groups.map(|group| Cell { colour: group[0].0, members: group.iter().map(|(_, vertex)| *vertex).collect() }).collect()
    }
}
