//! Weights that are the same, or opposites, because the game looks the same from elsewhere.
//!
//! What a symmetry makes of the rows that a tie counts is often what another tie counts. In theory both then weigh the same, and if players change their places what is
//! good for one is bad for the other. In play that need not be: who moves first may want other things than who moves second, as in Connect Four. So weights are made equal
//! only where the models foresee about as well with it.

use super::extras::Extras;
use super::fit::{Half, Model};
use crate::feature::Feature;
use crate::lines::Lines;
use crate::pattern::Pattern;
use crate::patterns::Patterns;
use crate::symmetry::Symmetry;
use crate::vocabulary::{FluentId, Vocabulary};
use ludens_machine::RoleId;
use std::collections::BTreeMap;

/// Which weights go together. They are numbered model after model, those of ties before those of extras.
#[derive(Clone, Debug)]
pub(super) struct Orbits {
    /// Per weight: the first of its orbit, and whether it is the opposite of that one.
    places: Vec<(u32, bool)>,
    /// Per tie: the last that counts the same, by which it is told.
    canon: Vec<u32>,
    /// Per weight that is the first of its orbit: whether it would have to be its own opposite.
    void: Vec<bool>,
    /// Weights of a model.
    each: usize,
    /// Whether no weights go together.
    is_trivial: bool,
}

/// What a tie or an extra becomes.
struct Images<'a> {
    vocabulary: &'a Vocabulary,
    extras: &'a [Feature],
    /// Per tie: what it means, ascending.
    meant: Vec<Vec<u32>>,
    /// Ties and extras by what they count.
    ties: BTreeMap<Vec<u32>, u32>,
    numbers: BTreeMap<Feature, u32>,
}

impl<'a> Images<'a> {
    fn new(vocabulary: &'a Vocabulary, ties: &Patterns, extras: &'a Extras) -> Images<'a> {
        let mut meant = vec![Vec::new(); ties.len()];
        for fluent in 0..ties.fluents() {
            ties.of_fluent(fluent).iter().for_each(|&tie| meant[tie as usize].push(fluent as u32));
        }
        let mut known = BTreeMap::new();
        // Of those that count the same the last says most.
        for (tie, fluents) in (0..).zip(&meant) {
            known.insert(fluents.clone(), tie);
        }
        let extras = extras.features();
        let numbers = extras.iter().cloned().map(in_order).zip(0..).collect();
        Images { vocabulary, extras, meant, ties: known, numbers }
    }

    /// Per tie: the last that counts the same, by which it is told.
    fn canon(&self) -> Vec<u32> {
        self.meant.iter().map(|fluents| self.ties[fluents]).collect()
    }

    /// What every tie becomes, and then every extra, if it becomes one.
    fn of(&self, symmetry: &Symmetry) -> Vec<Option<u32>> {
        let of_tie = |fluents: &Vec<u32>| {
            let mut image: Vec<u32> = fluents.iter().map(|&fluent| symmetry.fluent(FluentId(fluent)).0).collect();
            image.sort_unstable();
            self.ties.get(&image).copied()
        };
        let of_extra = |feature: &Feature| {
            let image = match feature {
                Feature::Moves(role) => Feature::Moves(symmetry.role(*role)),
                Feature::Lines(lines) => in_order(Feature::Lines(symmetry.lines(self.vocabulary, lines)?)),
                _ => return None,
            };
            self.numbers.get(&image).map(|number| self.meant.len() as u32 + number)
        };
        self.meant.iter().map(of_tie).chain(self.extras.iter().map(of_extra)).collect()
    }
}

/// The same, with what blocks lines in one order.
fn in_order(feature: Feature) -> Feature {
    let Feature::Lines(lines) = feature else { return feature };
    let mut blockers = lines.blockers.to_vec();
    blockers.sort_unstable();
    Feature::Lines(Lines { blockers: blockers.into(), ..lines })
}

impl Orbits {
    /// What these symmetries put together. There is a model for every role, or one for the first of two that share the points.
    pub(super) fn new(
        vocabulary: &Vocabulary,
        symmetries: &[&Symmetry],
        (ties, extras): (&Patterns, &Extras),
        models: usize,
    ) -> Orbits {
        let images = Images::new(vocabulary, ties, extras);
        let each = ties.len() + extras.features().len();
        let mut places: Vec<(u32, bool)> = (0..(models * each) as u32).map(|weight| (weight, false)).collect();
        let mut opposed = Vec::new();
        for symmetry in symmetries {
            let images = images.of(symmetry);
            for model in 0..models {
                let role = symmetry.role(RoleId(model as u32)).0 as usize;
                // Of two roles that share the points the first has a model.
                let (becomes, turned) = if role < models { (role, false) } else { (0, true) };
                for (from, to) in images.iter().enumerate() {
                    if let Some(to) = to {
                        let pair = (model * each + from, becomes * each + *to as usize);
                        if !join(&mut places, pair, turned) {
                            opposed.push(pair.0);
                        }
                    }
                }
            }
        }
        Orbits { is_trivial: symmetries.is_empty(), ..Orbits::of_places(&places, images.canon(), &opposed, each) }
    }

    /// Told are the weights that were found to be their own opposites.
    fn of_places(places: &[(u32, bool)], canon: Vec<u32>, opposed: &[usize], each: usize) -> Orbits {
        let found = (0..places.len()).map(|weight| find(places, weight)).map(|(first, turned)| (first as u32, turned));
        let places: Vec<(u32, bool)> = found.collect();
        let mut void = vec![false; places.len()];
        for &weight in opposed {
            void[places[weight].0 as usize] = true;
        }
        Orbits { places, canon, void, each, is_trivial: false }
    }

    /// Makes weights equal that go together: all become the mean. Those that would have to be opposites of themselves are none.
    pub(super) fn even_out(&self, models: &mut [Model], ties: &Patterns) {
        if self.is_trivial {
            return;
        }
        for half in 0..models.first().map_or(0, |model| model.halves().count()) {
            let mut weights: Vec<f64> = Vec::with_capacity(self.places.len());
            for model in models.iter() {
                let mut own: Vec<f64> = model.halves().nth(half).into_iter().flat_map(Half::weights).map(f64::from).collect();
                self.gather(&mut own);
                weights.extend(own);
            }
            self.even(&mut weights);
            for (model, weights) in models.iter_mut().zip(weights.chunks_exact(self.each.max(1))) {
                if let Some(half) = model.halves_mut().nth(half) {
                    half.renew(weights, ties);
                }
            }
        }
    }

    /// Puts the means of orbits in the place of weights. What counts the same as something after it weighs nothing.
    fn even(&self, weights: &mut [f64]) {
        let is_counted =
            |weight: usize| self.canon.get(weight % self.each).is_none_or(|&canon| canon as usize == weight % self.each);
        let mut sums = vec![(0.0, 0.0); weights.len()];
        for (weight, &(first, turned)) in self.places.iter().enumerate().filter(|(weight, _)| is_counted(*weight)) {
            let (sum, count) = &mut sums[first as usize];
            *sum += if turned { -weights[weight] } else { weights[weight] };
            *count += 1.0;
        }
        for (weight, &(first, turned)) in self.places.iter().enumerate().filter(|(weight, _)| is_counted(*weight)) {
            let (sum, count) = if self.void[first as usize] { (0.0, 1.0) } else { sums[first as usize] };
            weights[weight] = if turned { -sum / count } else { sum / count };
        }
    }

    /// Adds up what ties weigh that count the same.
    pub(super) fn gather(&self, weights: &mut [f64]) {
        for tie in 0..self.canon.len() {
            let canon = self.canon[tie] as usize;
            if canon != tie {
                weights[canon] += std::mem::take(&mut weights[tie]);
            }
        }
    }

    /// The tie that tells what one counts.
    pub(super) fn canon(&self, tie: usize) -> usize {
        self.canon[tie] as usize
    }

    /// The first of the orbit of each of some ties of a model, ascending.
    pub(super) fn firsts(&self, model: usize, ties: impl Iterator<Item = usize>) -> Vec<u32> {
        let mut firsts: Vec<u32> = ties.map(|tie| self.places[model * self.each + tie].0).collect();
        firsts.sort_unstable();
        firsts
    }

    /// Patterns by number: where several count the same, by that of the last.
    pub(super) fn numbers<'t>(&self, ties: &'t Patterns) -> BTreeMap<&'t Pattern, usize> {
        ties.all().iter().zip(self.canon.iter().map(|&canon| canon as usize)).collect()
    }

    /// The orbits of a model's ties, each with those that are opposites of its first told apart.
    pub(super) fn groups(&self, model: usize) -> Vec<Vec<(usize, bool)>> {
        let mut groups: BTreeMap<u32, Vec<(usize, bool)>> = BTreeMap::new();
        for tie in (0..self.canon.len()).filter(|&tie| self.canon[tie] as usize == tie) {
            let (first, turned) = self.places[model * self.each + tie];
            groups.entry(first).or_default().push((tie, turned));
        }
        groups.into_values().collect()
    }
}

/// The first of a weight's orbit, and whether the weight is its opposite.
fn find(places: &[(u32, bool)], weight: usize) -> (usize, bool) {
    let (mut at, mut turned) = (weight, false);
    while places[at].0 as usize != at {
        turned ^= places[at].1;
        at = places[at].0 as usize;
    }
    (at, turned)
}

/// Puts two weights into one orbit; told is whether one is the opposite of the other. Answers whether that agrees with what is known.
fn join(places: &mut [(u32, bool)], (one, two): (usize, usize), turned: bool) -> bool {
    let ((first, turns), (second, also)) = (find(places, one), find(places, two));
    let turned = turned ^ turns ^ also;
    // Shorter ways for all that come later.
    (places[one], places[two]) = ((first as u32, turns), (second as u32, also));
    if first < second {
        places[second] = (first as u32, turned);
    } else if second < first {
        places[first] = (second as u32, turned);
    }
    first != second || !turned
}

#[cfg(test)]
mod tests {
    use super::{Orbits, join};

    /// What becomes of weights, if these pairs go together.
    fn even(mut weights: Vec<f64>, canon: &[u32], pairs: &[(usize, usize, bool)]) -> Vec<f64> {
        let mut places: Vec<(u32, bool)> = (0..weights.len() as u32).map(|weight| (weight, false)).collect();
        let mut opposed = Vec::new();
        for &(one, two, turned) in pairs {
            if !join(&mut places, (one, two), turned) {
                opposed.push(one);
            }
        }
        let orbits = Orbits::of_places(&places, canon.to_vec(), &opposed, weights.len());
        orbits.even(&mut weights);
        weights
    }

    #[test]
    fn weights_that_go_together_become_their_mean() {
        let own = &[0, 1, 2, 3];
        assert_eq!(even(vec![1.0, 2.0, 6.0, 5.0], own, &[(0, 1, false), (2, 1, false)]), [3.0, 3.0, 3.0, 5.0]);
        assert_eq!(even(vec![1.0, -3.0, 6.0, 5.0], own, &[(1, 0, true)]), [2.0, -2.0, 6.0, 5.0]);
        // The opposite of an opposite.
        assert_eq!(even(vec![3.0, -3.0, 6.0, 0.0], own, &[(0, 1, true), (1, 2, true)]), [4.0, -4.0, 4.0, 0.0]);
        assert_eq!(even(vec![3.0, -3.0, 6.0, 5.0], own, &[(3, 3, true)]), [3.0, -3.0, 6.0, 0.0]);
        assert_eq!(even(vec![3.0, 5.0, 6.0, 5.0], own, &[(0, 1, false), (1, 2, true), (2, 0, false)]), [0.0, 0.0, 0.0, 5.0]);
    }

    #[test]
    fn what_counts_the_same_counts_once() {
        // The last counts what the first does, whose weight is that of both.
        assert_eq!(even(vec![1.0, 3.0, 6.0, 0.0], &[0, 1, 2, 0], &[(0, 1, false)]), [2.0, 2.0, 6.0, 0.0]);
    }
}
