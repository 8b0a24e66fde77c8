//! Sums of products with what their products share taken out.

use crate::builder::Builder;
use crate::net::Signal;
use rustc_hash::FxHashMap;
use std::collections::BinaryHeap;

/// Above this many products, products that contain others are not looked for.
const ABSORB: usize = 64;

/// Any of these products; each is a list without repetitions.
pub(crate) fn any(builder: &mut Builder, mut products: Vec<Vec<Signal>>) -> Signal {
    for product in &mut products {
        product.sort_unstable();
        product.dedup();
    }
    products.sort_unstable();
    products.dedup();
    if products.len() <= ABSORB {
        absorb(&mut products);
    }
    sum(builder, products, 0)
}

/// Drops every product that asks for all that another asks for, and more.
fn absorb(products: &mut Vec<Vec<Signal>>) {
    let contains = |large: &[Signal], small: &[Signal]| small.iter().all(|signal| large.binary_search(signal).is_ok());
    let kept: Vec<bool> = (0..products.len())
        .map(|at| {
            let this = &products[at];
            !products.iter().enumerate().any(|(other, that)| other != at && that.len() < this.len() && contains(this, that))
        })
        .collect();
    let mut at = 0;
    products.retain(|_| {
        at += 1;
        kept[at - 1]
    });
}

/// Signals are taken out of products so many at a time, each within what is left by the one before: the recursion is no deeper.
const DEPTH: usize = 200;

fn sum(builder: &mut Builder, products: Vec<Vec<Signal>>, depth: usize) -> Signal {
    let mut terms: Vec<Signal> = Vec::new();
    let mut products: Vec<Option<Vec<Signal>>> = products.into_iter().map(Some).collect();
    if products.len() > 1 && depth < DEPTH {
        // What most products share is taken out first.
        let mut having: FxHashMap<Signal, Vec<u32>> = FxHashMap::default();
        for (number, product) in products.iter().enumerate() {
            let list = product.iter().flatten().filter(|_| product.as_ref().is_some_and(|product| product.len() > 1));
            list.for_each(|&signal| having.entry(signal).or_default().push(number as u32));
        }
        having.retain(|_, numbers| numbers.len() > 1);
        let mut counts: FxHashMap<Signal, u32> = having.iter().map(|(&signal, numbers)| (signal, numbers.len() as u32)).collect();
        let mut most: BinaryHeap<(u32, Signal)> = counts.iter().map(|(&signal, &count)| (count, signal)).collect();
        while let Some((count, shared)) = most.pop() {
            let now = counts[&shared];
            if now < 2 {
                continue;
            }
            if now < count {
                most.push((now, shared));
                continue;
            }
            let mut with = Vec::with_capacity(count as usize);
            for &number in &having[&shared] {
                let Some(mut product) = products[number as usize].take() else { continue };
                for signal in &product {
                    if let Some(count) = counts.get_mut(signal) {
                        *count -= 1;
                    }
                }
                product.retain(|&signal| signal != shared);
                with.push(product);
            }
            let inner = sum(builder, with, depth + 1);
            terms.push(builder.and(&mut vec![shared, inner]));
        }
    }
    terms.extend(products.into_iter().flatten().map(|mut product| builder.and(&mut product)));
    builder.or(&mut terms)
}
