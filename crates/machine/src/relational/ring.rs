//! A ring of words in which records are found by their hash: new records overwrite the oldest ones, so memory is fixed from the start and nothing is ever
//! tidied up.

/// Where a record begins in the ring, and in the bits above 32 the lap in which it was written, by which one sees whether it is still there.
pub(super) type Place = u64;

/// The place of what is not in the ring.
pub(super) const NOWHERE: Place = u64::MAX;

/// Records that have the same place in the index. With one alone, records that are asked for often would push each other out.
const WAYS: usize = 4;

/// A record may take this part of the ring at most.
const PART: usize = 4;

/// A record's mark, lap and offset.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    mark: u32,
    lap: u32,
    offset: u32,
}

impl Slot {
    fn place(self) -> Place {
        u64::from(self.lap) << 32 | u64::from(self.offset)
    }
}

/// The ring and its index.
#[derive(Clone, Debug)]
pub(super) struct Ring {
    pub(super) words: Vec<u32>,
    /// Where the next record goes.
    head: usize,
    lap: u32,
    /// By hash, the newest records with it.
    index: Vec<[Slot; WAYS]>,
}

impl Ring {
    /// A ring of so many bytes, a little less if that divides better.
    pub(super) fn new(bytes: usize) -> Ring {
        // An eighth of the memory at most for the index.
        let set = size_of::<[Slot; WAYS]>();
        let sets = 1 << (bytes / (8 * set)).max(1).ilog2();
        let words = (bytes.saturating_sub(set * sets) / 4).min(u32::MAX as usize);
        // No place of an empty index has the second lap or the one before.
        Ring { words: vec![0; words], head: 0, lap: 2, index: vec![[Slot::default(); WAYS]; sets] }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.index[..]) + size_of_val(&self.words[..])
    }

    pub(super) fn is_there(&self, place: Place) -> bool {
        let (lap, offset) = ((place >> 32) as u32, place as u32 as usize);
        lap == self.lap || (lap == self.lap - 1 && offset >= self.head)
    }

    /// Where a record that is still there begins.
    pub(super) fn at(&self, place: Place) -> Option<usize> {
        self.is_there(place).then_some(place as u32 as usize)
    }

    /// The words of a record, with those behind it.
    pub(super) fn record(&self, place: Place) -> &[u32] {
        &self.words[place as u32 as usize..]
    }

    /// A new record of so many words, unless it is too large.
    pub(super) fn add(&mut self, len: usize) -> Option<(Place, &mut [u32])> {
        if len > self.words.len() / PART {
            return None;
        }
        if self.head + len > self.words.len() {
            self.head = 0;
            self.lap += 1;
        }
        let (place, from) = (u64::from(self.lap) << 32 | self.head as u64, self.head);
        self.head += len;
        Some((place, &mut self.words[from..from + len]))
    }

    /// The record with this hash that is what is looked for. Only such records are shown as bear the mark that goes with the hash and the kind.
    #[inline]
    pub(super) fn find(&self, hash: u64, kind: Kind, mut is_it: impl FnMut(&[u32]) -> bool) -> Option<Place> {
        let set = &self.index[hash as usize & (self.index.len() - 1)];
        let is_it = |slot: &&Slot| {
            let place = slot.place();
            slot.mark == kind.mark(hash) && self.is_there(place) && is_it(self.record(place))
        };
        set.iter().find(is_it).map(|slot| slot.place())
    }

    /// Makes a new record known by its hash, instead of the oldest one.
    pub(super) fn enter(&mut self, hash: u64, kind: Kind, place: Place) {
        let set = hash as usize & (self.index.len() - 1);
        if let Some(oldest) = self.index[set].iter_mut().min_by_key(|slot| slot.place()) {
            *oldest = Slot { mark: kind.mark(hash), lap: (place >> 32) as u32, offset: place as u32 };
        }
    }
}

/// What a record is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    State,
    Successor,
}

impl Kind {
    /// Part of the hash; marks of different kinds differ.
    fn mark(self, hash: u64) -> u32 {
        (hash >> 32) as u32 & !1 | u32::from(self == Kind::Successor)
    }
}
