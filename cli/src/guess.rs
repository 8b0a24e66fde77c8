//! Where the board is, in a game that nobody has described: found out from its rules and from positions of a few random matches.
//!
//! A board is a relation with two arguments whose values have an order: the columns and the rows. What else it says is the content of the
//! cell, and hardly any cell has two in one position; but one further argument may tell several boards apart. Of the relations that play changes
//! the one with the most cells wins; others that speak of the same rows and columns are drawn with it.

mod axis;
mod symbols;
#[cfg(test)]
mod tests;

use crate::board::{Board, Cell, Content, Shape};
use axis::{Axis, Chains};
use ludens_gdl::{GroundTerm, Rules, parse_ground};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// More values than this are no side of a board that a terminal has room for.
const MAX_SIDE: usize = 40;

/// One thing in so many may stand where there is another already, as a player on a coin.
const MAX_HIDDEN: usize = 6;

/// More boards than this are none.
const MAX_PLANES: usize = 12;

/// A board, as guessed.
#[derive(Debug)]
pub(crate) struct Guess {
    /// What is drawn, the first in front.
    layers: Vec<Layer>,
    /// What tells several boards apart; empty where there is one.
    planes: Vec<String>,
    board: Board,
    /// Where there are cells.
    places: BTreeSet<(String, String)>,
}

/// Which arguments of a relation are what, once functions are taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Layer {
    shape: Shaped,
    column: usize,
    row: usize,
    plane: Option<usize>,
    content: Vec<usize>,
}

/// How a relation's arguments are taken apart: those that always are the same function give their arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Shaped {
    name: String,
    /// The function and its number of arguments, where there always is one.
    arguments: Vec<Option<(String, usize)>>,
}

impl Shaped {
    /// What the relation's terms have in common; they have one name and one number of arguments.
    fn of(terms: &[&GroundTerm]) -> Shaped {
        let arguments = (0..terms[0].args.len()).map(|place| {
            let function = |term: &GroundTerm| (term.args[place].name.clone(), term.args[place].args.len());
            let first = function(terms[0]);
            (first.1 > 0 && terms.iter().all(|term| function(term) == first)).then_some(first)
        });
        Shaped { name: terms[0].name.clone(), arguments: arguments.collect() }
    }

    /// The arguments, taken apart; `None` where the term is not of this shape.
    fn leaves(&self, term: &GroundTerm) -> Option<Vec<String>> {
        if term.name != self.name || term.args.len() != self.arguments.len() {
            return None;
        }
        let mut leaves = Vec::new();
        for (argument, function) in term.args.iter().zip(&self.arguments) {
            match function {
                None => leaves.push(argument.to_string()),
                Some((name, count)) if argument.name == *name && argument.args.len() == *count => {
                    leaves.extend(argument.args.iter().map(ToString::to_string));
                }
                Some(_) => return None,
            }
        }
        Some(leaves)
    }
}

/// A relation, its rows in every position, and all that it ever says.
struct Relation {
    shape: Shaped,
    /// Position by position.
    positions: Vec<Vec<Vec<String>>>,
    /// Those of all positions, and those that are declared.
    all: BTreeSet<Vec<String>>,
    is_declared: bool,
}

impl Relation {
    /// Whether it says different things in different positions.
    fn changes(&self) -> bool {
        self.positions.windows(2).any(|two| two[0] != two[1])
    }
}

/// A way to see a relation as a board.
struct Candidate<'r> {
    relation: &'r Relation,
    layer: Layer,
    columns: Axis,
    rows: Axis,
    /// Distinct pairs of column and row.
    cells: usize,
    /// How many of them hold something at a time, on average.
    filled: f64,
}

impl Guess {
    /// Looks for a board in what the sheet declares and in some positions, the initial one first.
    pub(crate) fn of(rules: &Rules, declared: &[String], positions: &[Vec<String>]) -> Option<Guess> {
        let chains = Chains::of(rules);
        let relations = relations(declared, positions);
        let best: Vec<Candidate<'_>> = relations.iter().filter_map(|relation| best_of(relation, &chains)).collect();
        let rank =
            |candidate: &&Candidate<'_>| (candidate.relation.changes(), candidate.cells, !candidate.layer.content.is_empty());
        // The first of equals, so that the choice does not depend on how they are listed.
        let main = best.iter().rev().max_by_key(rank)?;
        let inside = |candidate: &Candidate<'_>| {
            candidate.layer.plane == main.layer.plane
                && main.columns.has_all_of(&candidate.columns)
                && main.rows.has_all_of(&candidate.rows)
        };
        // What says something about a cell stands before what just marks it.
        let mut shown: Vec<&Candidate<'_>> = best.iter().filter(|candidate| inside(candidate)).collect();
        shown.sort_by_key(|candidate| candidate.layer.content.is_empty());
        let is_full = main.is_full();
        // Walls that never move are better told than drawn over what does.
        shown.retain(|candidate| candidate.layer == main.layer || !is_full && candidate.relation.changes());
        let plane_of = |rows: &BTreeSet<Vec<String>>| -> BTreeSet<String> {
            main.layer.plane.map(|plane| rows.iter().map(|row| row[plane].clone()).collect()).unwrap_or_default()
        };
        Some(Guess {
            planes: plane_of(&main.relation.all).into_iter().collect(),
            places: main.places(),
            board: board_of(main, &shown),
            layers: shown.iter().map(|candidate| candidate.layer.clone()).collect(),
        })
    }

    /// Which of the boards a fluent speaks of, and the cell there; `None` where it is about something else.
    pub(crate) fn cell(&self, fluent: &str) -> Option<(Option<usize>, Cell)> {
        let term = parse_ground(fluent).ok()?;
        self.layers.iter().find_map(|layer| {
            let leaves = layer.shape.leaves(&term)?;
            let plane = match layer.plane {
                Some(plane) => Some(self.planes.iter().position(|known| *known == leaves[plane])?),
                None => None,
            };
            let (row, column) = (leaves[layer.row].clone(), leaves[layer.column].clone());
            let known = |given: &Option<Vec<String>>, label: &String| given.as_ref().is_some_and(|labels| labels.contains(label));
            let cell = Cell { content: layer.content_of(&leaves), row, column };
            (known(&self.board.rows, &cell.row) && known(&self.board.columns, &cell.column)).then_some((plane, cell))
        })
    }

    /// A position, board after board.
    pub(crate) fn draw(&self, fluents: &[String]) -> String {
        let cells: Vec<(Option<usize>, Cell)> = fluents.iter().filter_map(|fluent| self.cell(fluent)).collect();
        let of = |plane: Option<usize>| {
            cells.iter().filter(|(own, _)| *own == plane).map(|(_, cell)| cell.clone()).collect::<Vec<_>>()
        };
        if self.planes.is_empty() {
            return self.board.draw_cells(&of(None), &self.places);
        }
        let mut text = String::new();
        for (index, name) in self.planes.iter().enumerate() {
            text.extend([name.as_str(), ":\n", &self.board.draw_cells(&of(Some(index)), &self.places)]);
        }
        text
    }
}

impl Layer {
    /// What the cell holds; the relation's name where it says no more.
    fn content_of(&self, leaves: &[String]) -> String {
        if self.content.is_empty() {
            return self.shape.name.clone();
        }
        self.content.iter().map(|&place| leaves[place].as_str()).collect::<Vec<_>>().join(" ")
    }
}

impl Candidate<'_> {
    /// Whether every cell always holds something.
    fn is_full(&self) -> bool {
        self.filled + 0.5 > self.cells as f64
    }

    /// Where there are cells: as declared, or else everywhere.
    fn places(&self) -> BTreeSet<(String, String)> {
        if self.relation.is_declared {
            return self
                .relation
                .all
                .iter()
                .map(|leaves| (leaves[self.layer.row].clone(), leaves[self.layer.column].clone()))
                .collect();
        }
        let rows = self.rows.labels.iter();
        rows.flat_map(|row| self.columns.labels.iter().map(|column| (row.clone(), column.clone()))).collect()
    }

    /// How often each content occurs in the initial position.
    fn contents_at_first(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for leaves in self.relation.positions.first().into_iter().flatten() {
            *counts.entry(self.layer.content_of(leaves)).or_insert(0) += 1;
        }
        counts
    }
}

/// How to draw what was found.
fn board_of(main: &Candidate<'_>, shown: &[&Candidate<'_>]) -> Board {
    // Where every cell holds something, what most of them hold at first is nothing.
    let counts = main.contents_at_first();
    let total: usize = counts.values().sum();
    let common = counts.iter().max_by_key(|(_, count)| **count).filter(|(_, count)| **count * 5 >= total * 2 && main.is_full());
    let empty = common
        .filter(|(_, most)| counts.values().filter(|count| count == most).count() == 1 && total > 1)
        .map(|(name, _)| name.clone());
    let contents: BTreeSet<String> = shown
        .iter()
        .flat_map(|candidate| candidate.relation.all.iter().map(|leaves| candidate.layer.content_of(leaves)))
        .filter(|content| empty.as_ref() != Some(content))
        .collect();
    let marks: Vec<String> =
        shown.iter().filter(|other| other.layer.content.is_empty()).map(|other| other.layer.shape.name.clone()).collect();
    let front =
        if marks.is_empty() { Vec::new() } else { contents.iter().filter(|content| !marks.contains(content)).cloned().collect() };
    Board {
        relation: main.layer.shape.name.clone(),
        row: main.layer.row + 1,
        column: main.layer.column + 1,
        content: Content::Several(main.layer.content.iter().map(|place| place + 1).collect()),
        empty,
        // As on paper: rows are counted from the bottom.
        rows: Some(main.rows.labels.iter().rev().cloned().collect()),
        columns: Some(main.columns.labels.clone()),
        front,
        shape: Shape::Square,
        symbols: symbols::choose(&contents),
    }
}

/// All relations with at least two arguments, by name.
fn relations(declared: &[String], positions: &[Vec<String>]) -> Vec<Relation> {
    let mut cache: HashMap<&str, GroundTerm> = HashMap::new();
    for fluent in declared.iter().chain(positions.iter().flatten()) {
        if !cache.contains_key(fluent.as_str())
            && let Ok(term) = parse_ground(fluent)
        {
            cache.insert(fluent, term);
        }
    }
    let mut groups: BTreeMap<(&str, usize), Vec<&GroundTerm>> = BTreeMap::new();
    for term in cache.values().filter(|term| !term.args.is_empty()) {
        groups.entry((term.name.as_str(), term.args.len())).or_default().push(term);
    }
    let declared: HashSet<&str> = declared.iter().map(String::as_str).collect();
    let make = |terms: &Vec<&GroundTerm>| {
        let shape = Shaped::of(terms);
        let rows = |fluents: &mut dyn Iterator<Item = &String>| -> Vec<Vec<String>> {
            fluents.filter_map(|fluent| cache.get(fluent.as_str())).filter_map(|term| shape.leaves(term)).collect()
        };
        let positions: Vec<_> = positions.iter().map(|fluents| rows(&mut fluents.iter())).collect();
        let all: BTreeSet<Vec<String>> = terms.iter().filter_map(|term| shape.leaves(term)).collect();
        let is_declared = terms.iter().all(|term| declared.contains(term.to_string().as_str()));
        Relation { shape, positions, all, is_declared }
    };
    groups.values().map(make).filter(|relation| relation.all.iter().all(|leaves| (2..=6).contains(&leaves.len()))).collect()
}

/// The best way to see a relation as a board: without planes if possible, else told apart by an early argument; then the one in which the cells hold
/// most.
fn best_of<'r>(relation: &'r Relation, chains: &Chains<'_>) -> Option<Candidate<'r>> {
    let width = relation.all.first()?.len();
    let axes: Vec<Option<Axis>> = (0..width)
        .map(|place| {
            let values: BTreeSet<&str> = relation.all.iter().map(|leaves| leaves[place].as_str()).collect();
            (2..=MAX_SIDE).contains(&values.len()).then(|| Axis::of(&values, chains, MAX_SIDE)).flatten()
        })
        .collect();
    let mut best: Option<Candidate<'r>> = None;
    for (first, left) in axes.iter().enumerate() {
        for (second, right) in axes.iter().enumerate().skip(first + 1) {
            let (Some(left), Some(right)) = (left, right) else { continue };
            // Letters name the columns, whichever comes first.
            let turned = right.is_letters && !left.is_letters;
            let ((column, columns), (row, rows)) =
                if turned { ((second, right), (first, left)) } else { ((first, left), (second, right)) };
            let Some(candidate) = candidate(relation, (column, columns), (row, rows), width) else { continue };
            let rank = |candidate: &Candidate<'_>| (Reverse(candidate.layer.plane), candidate.filled / candidate.cells as f64);
            if best.as_ref().is_none_or(|best| rank(&candidate) > rank(best)) {
                best = Some(candidate);
            }
        }
    }
    best
}

/// The relation with these columns and rows, if hardly any cell ever holds two things: on one board or, if need be, on several.
fn candidate<'r>(
    relation: &'r Relation,
    (column, columns): (usize, &Axis),
    (row, rows): (usize, &Axis),
    width: usize,
) -> Option<Candidate<'r>> {
    let others: Vec<usize> = (0..width).filter(|&place| place != column && place != row).collect();
    let planes = std::iter::once(None).chain(others.iter().filter(|_| others.len() > 1).map(|&place| Some(place)));
    for plane in planes {
        let number = plane.map_or(1, |place| relation.all.iter().map(|leaves| &leaves[place]).collect::<HashSet<_>>().len());
        let key = |leaves: &'r Vec<String>| (plane.map(|place| &leaves[place]), &leaves[column], &leaves[row]);
        let distinct = |position: &'r Vec<Vec<String>>| position.iter().map(key).collect::<HashSet<_>>().len();
        let held: usize = relation.positions.iter().map(Vec::len).sum();
        let hidden = held - relation.positions.iter().map(distinct).sum::<usize>();
        if number > MAX_PLANES || hidden * MAX_HIDDEN > held {
            continue;
        }
        let content: Vec<usize> = others.iter().copied().filter(|&place| Some(place) != plane).collect();
        if content.is_empty() && is_a_function(relation, column, row) {
            return None;
        }
        let pairs: HashSet<_> = relation.all.iter().map(|leaves| (&leaves[column], &leaves[row])).collect();
        let layer = Layer { shape: relation.shape.clone(), column, row, plane, content };
        let filled = held as f64 / relation.positions.len().max(1) as f64 / number as f64;
        return (pairs.len() >= 4).then(|| Candidate {
            relation,
            layer,
            columns: columns.clone(),
            rows: rows.clone(),
            cells: pairs.len(),
            filled,
        });
    }
    None
}

/// Whether one of the two always tells the other, as a height is told by its column: that is a list of numbers, not a board.
fn is_a_function(relation: &Relation, column: usize, row: usize) -> bool {
    [column, row].into_iter().any(|place| {
        relation
            .positions
            .iter()
            .all(|position| position.iter().map(|leaves| &leaves[place]).collect::<HashSet<_>>().len() == position.len())
    })
}
