//! The state in hand: which fluents hold, with an index per binding pattern that the plans use.
//!
//! Every fluent ever met keeps its place in every index of its functor, so that putting it into a state is one store per index
//! and emptying the state is one increment: what carries an old stamp does not hold.

use super::key_map::KeyMap;
use super::registry::{NONE, Registry};
use rustc_hash::FxHashMap;

/// A pattern of fluents that some plan scans: a functor with the argument positions known when it is asked.
#[derive(Clone, Debug)]
pub(crate) struct IndexSpec {
    pub(crate) functor: u32,
    pub(crate) known: Vec<usize>,
    /// Which of its functor's indexes it is: the place of its links among a fluent's.
    link: u32,
}

/// What the plans need to know about fluents: their functors (symbol and arity) and the indexes over each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schema {
    pub(crate) functors: Vec<(u32, usize)>,
    pub(crate) indexes: Vec<IndexSpec>,
    /// Keys written out in the rules, with their indexes; the first buckets are theirs.
    pub(crate) buckets: Vec<(u32, Vec<u32>)>,
    /// How many indexes each functor has.
    links: Vec<u32>,
    functor_numbers: FxHashMap<(u32, usize), u32>,
    index_numbers: FxHashMap<(u32, Vec<usize>), u32>,
    bucket_numbers: FxHashMap<(u32, Vec<u32>), u32>,
}

impl Schema {
    pub(super) fn functor(&mut self, symbol: u32, arity: usize) -> u32 {
        let Schema { functors, links, functor_numbers, .. } = self;
        *functor_numbers.entry((symbol, arity)).or_insert_with(|| {
            functors.push((symbol, arity));
            links.push(0);
            functors.len() as u32 - 1
        })
    }

    pub(super) fn index(&mut self, functor: u32, known: &[usize]) -> u32 {
        let Schema { indexes, links, index_numbers, .. } = self;
        *index_numbers.entry((functor, known.to_vec())).or_insert_with(|| {
            let link = &mut links[functor as usize];
            indexes.push(IndexSpec { functor, known: known.to_vec(), link: *link });
            *link += 1;
            indexes.len() as u32 - 1
        })
    }

    /// The bucket of a key that is known when the plan is made.
    pub(super) fn bucket(&mut self, index: u32, key: &[u32]) -> u32 {
        let Schema { buckets, bucket_numbers, .. } = self;
        *bucket_numbers.entry((index, key.to_vec())).or_insert_with(|| {
            buckets.push((index, key.to_vec()));
            buckets.len() as u32 - 1
        })
    }

    /// The place of an index's links among a fluent's.
    pub(super) fn link(&self, index: u32) -> u32 {
        self.indexes[index as usize].link
    }
}

/// The fluents of one functor, found by their arguments.
#[derive(Clone, Debug)]
struct Family {
    members: KeyMap,
    /// Number in `members` -> fluent.
    fluents: Vec<u32>,
    /// The indexes over this functor.
    indexes: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Index {
    known: Vec<usize>,
    map: KeyMap,
    /// Number in `map` -> bucket.
    buckets: Vec<u32>,
}

/// A fluent's place in one index: its bucket, and the fluent after it there.
#[derive(Clone, Copy, Debug)]
struct Link {
    bucket: u32,
    next: u32,
}

/// A fluent: the stamp of the last state it held in, and where its links and arguments begin.
#[derive(Clone, Copy, Debug)]
struct Record {
    stamp: u32,
    links: u32,
    args: u32,
}

/// The state in hand.
#[derive(Clone, Debug)]
pub(super) struct Store {
    functors: FxHashMap<(u32, usize), u32>,
    families: Vec<Family>,
    indexes: Vec<Index>,
    /// One per fluent and a last one that only ends its predecessor.
    records: Vec<Record>,
    links: Vec<Link>,
    args: Vec<u32>,
    /// Bucket -> (stamp, first link's fluent).
    heads: Vec<(u32, u32)>,
    /// A fluent with several indexes has its links side by side; a scan finds its link at this offset.
    offsets: Vec<u32>,
    stamp: u32,
    /// The fluents that hold.
    pub(super) current: Vec<u32>,
}

impl Store {
    pub(super) fn new(schema: &Schema) -> Store {
        let family =
            |&(_, arity): &(u32, usize)| Family { members: KeyMap::new(arity), fluents: Vec::new(), indexes: Vec::new() };
        let index =
            |spec: &IndexSpec| Index { known: spec.known.clone(), map: KeyMap::new(spec.known.len()), buckets: Vec::new() };
        let mut families: Vec<Family> = schema.functors.iter().map(family).collect();
        for (number, spec) in schema.indexes.iter().enumerate() {
            families[spec.functor as usize].indexes.push(number as u32);
        }
        let mut indexes: Vec<Index> = schema.indexes.iter().map(index).collect();
        for (bucket, (index, key)) in schema.buckets.iter().enumerate() {
            let index = &mut indexes[*index as usize];
            index.map.insert(|i| key[i]);
            index.buckets.push(bucket as u32);
        }
        Store {
            functors: schema.functor_numbers.clone(),
            families,
            indexes,
            records: vec![Record { stamp: 0, links: 0, args: 0 }],
            links: Vec::new(),
            args: Vec::new(),
            heads: vec![(0, NONE); schema.buckets.len()],
            offsets: (0..schema.indexes.len() as u32).map(|index| schema.link(index)).collect(),
            stamp: 0,
            current: Vec::new(),
        }
    }

    /// Gives every fluent of the registry that is new here its place in the indexes.
    #[cold]
    pub(super) fn catch_up(&mut self, registry: &Registry) {
        for fluent in self.records.len() - 1..registry.fluents.len() {
            let term = registry.fluents.term(fluent as u32);
            let args = registry.terms.args(term);
            self.args.extend_from_slice(args);
            let functor = (registry.terms.symbol(term), args.len());
            if let Some(&family) = self.functors.get(&functor) {
                let family = &mut self.families[family as usize];
                family.members.insert(|i| args[i]);
                family.fluents.push(fluent as u32);
                for &index in &family.indexes {
                    let index = &mut self.indexes[index as usize];
                    let number = index.map.insert(|i| args[index.known[i]]) as usize;
                    if number == index.buckets.len() {
                        index.buckets.push(self.heads.len() as u32);
                        self.heads.push((0, NONE));
                    }
                    self.links.push(Link { bucket: index.buckets[number], next: NONE });
                }
            }
            self.records.push(Record { stamp: 0, links: self.links.len() as u32, args: self.args.len() as u32 });
        }
    }

    /// Empties the state.
    pub(super) fn clear(&mut self) {
        self.current.clear();
        self.stamp = match self.stamp.checked_add(1) {
            Some(stamp) => stamp,
            None => self.forget_stamps(),
        };
    }

    #[cold]
    fn forget_stamps(&mut self) -> u32 {
        self.records.iter_mut().for_each(|record| record.stamp = 0);
        self.heads.iter_mut().for_each(|head| *head = (0, NONE));
        1
    }

    /// Puts a fluent into the state.
    #[inline]
    pub(super) fn put(&mut self, fluent: u32, registry: &Registry) {
        let at = fluent as usize;
        if self.records.len() <= at + 1 {
            self.catch_up(registry);
        }
        let end = self.records[at + 1].links as usize;
        let record = &mut self.records[at];
        if record.stamp == self.stamp {
            return;
        }
        record.stamp = self.stamp;
        self.current.push(fluent);
        for link in &mut self.links[record.links as usize..end] {
            let (stamp, head) = &mut self.heads[link.bucket as usize];
            link.next = if *stamp == self.stamp { *head } else { NONE };
            (*stamp, *head) = (self.stamp, fluent);
        }
    }

    /// Whether a fluent holds.
    #[inline]
    pub(super) fn holds(&self, fluent: u32) -> bool {
        self.records.get(fluent as usize).is_some_and(|record| record.stamp == self.stamp)
    }

    /// The fluent of a functor with these arguments, or [`NONE`] if there never was one.
    #[inline(always)]
    pub(super) fn find(&self, functor: u32, args: impl Fn(usize) -> u32) -> u32 {
        let family = &self.families[functor as usize];
        match family.members.find(args) {
            NONE => NONE,
            number => family.fluents[number as usize],
        }
    }

    /// The bucket of a key in an index, or [`NONE`], and the place of the index's links.
    #[inline(always)]
    pub(super) fn bucket(&self, index: u32, key: impl Fn(usize) -> u32) -> (u32, u32) {
        let link = self.offsets[index as usize];
        let index = &self.indexes[index as usize];
        match index.map.find(key) {
            NONE => (NONE, link),
            number => (index.buckets[number as usize], link),
        }
    }

    /// The first fluent of the state in a bucket, or [`NONE`].
    #[inline(always)]
    pub(super) fn first(&self, bucket: u32) -> u32 {
        match self.heads[bucket as usize] {
            (stamp, head) if stamp == self.stamp => head,
            _ => NONE,
        }
    }

    /// The fluent after this one in its bucket, or [`NONE`], and this one's arguments (with those of later fluents behind them).
    #[inline(always)]
    pub(super) fn visit(&self, link: u32, fluent: u32) -> (u32, &[u32]) {
        let record = &self.records[fluent as usize];
        (self.links[(record.links + link) as usize].next, &self.args[record.args as usize..])
    }
}
