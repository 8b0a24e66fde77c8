//! Answers of goals: how they are stored, kept and forgotten.

use super::key_map::{KeyMap, hash_words};
use super::plan::{Goal, Lifetime};
use super::registry::NONE;
use hashbrown::HashTable;

/// How many answers are compared one by one before a goal gets a hash set of them.
const FEW: u32 = 8;

/// A list of answers in an arena: each is the offset of the next one, then the values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answers {
    pub(super) head: u32,
    tail: u32,
    pub(super) count: u32,
    /// The set that knows them all, or [`NONE`].
    set: u32,
}

impl Answers {
    pub(super) const EMPTY: Answers = Answers { head: NONE, tail: NONE, count: 0, set: NONE };
    /// A goal without unknowns that holds.
    pub(super) const YES: Answers = Answers { count: 1, ..Answers::EMPTY };
}

/// How far a kept goal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Complete,
    /// Being computed by the frame with this index.
    Active(u32),
    /// Computed in this round, from answers of the frame with this index that may not be all.
    Waiting {
        round: u32,
        on: u32,
    },
}

/// One kept goal: a plan and the values of its known arguments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// The generation in which it was computed.
    pub(super) generation: u32,
    pub(super) status: Status,
    pub(super) answers: Answers,
}

/// The kept goals of one plan.
#[derive(Clone, Debug)]
struct Table {
    keys: KeyMap,
    slots: Vec<Slot>,
}

/// All tables and arenas of a scratch.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    /// By goal.
    kept: Vec<Table>,
    arenas: [Vec<u32>; 4],
    generations: [u32; 3],
    sets: Vec<HashTable<u32>>,
    free_sets: Vec<u32>,
    /// Bytes of the kept goals in all tables, current or not, about.
    slot_bytes: usize,
}

impl Tables {
    pub(super) fn new(goals: &[Goal]) -> Tables {
        let table = |goal: &Goal| Table { keys: KeyMap::new(goal.known), slots: Vec::new() };
        Tables {
            kept: goals.iter().map(table).collect(),
            arenas: Default::default(),
            generations: [1; 3],
            sets: Vec::new(),
            free_sets: Vec::new(),
            slot_bytes: 0,
        }
    }

    /// Forgets everything that lives no longer than `lifetime`.
    pub(super) fn forget(&mut self, lifetime: Lifetime) {
        for ended in lifetime as usize..4 {
            self.arenas[ended].clear();
            if let Some(generation) = self.generations.get_mut(ended) {
                *generation = generation.wrapping_add(1);
                if *generation == 0 {
                    *generation = 1;
                    self.kept.iter_mut().flat_map(|table| &mut table.slots).for_each(|slot| slot.generation = 0);
                }
            }
        }
    }

    /// After an error: nothing half done survives.
    pub(super) fn abandon(&mut self) {
        self.forget(Lifetime::Machine);
        self.sets.clear();
        self.free_sets.clear();
    }

    /// Gives back the memory of all that was ever kept.
    pub(super) fn reset(&mut self, goals: &[Goal]) {
        *self = Tables::new(goals);
    }

    /// Bytes in use by arenas, and an estimate for the keys.
    pub(super) fn bytes(&self) -> usize {
        4 * self.arenas.iter().map(Vec::len).sum::<usize>() + self.slot_bytes
    }

    /// The slot of a goal with these arguments, its number, and the generation it must have to be of use.
    #[inline(always)]
    pub(super) fn slot(&mut self, goal: u32, lifetime: Lifetime, key: impl Fn(usize) -> u32) -> (u32, &mut Slot, u32) {
        let table = &mut self.kept[goal as usize];
        let number = table.keys.insert(key);
        if table.slots.len() <= number as usize {
            self.slot_bytes += 80 + 8 * table.keys.arity();
            table.slots.push(Slot { generation: 0, status: Status::Complete, answers: Answers::EMPTY });
        }
        (number, &mut table.slots[number as usize], self.generations[lifetime as usize])
    }

    #[inline]
    pub(super) fn get(&mut self, goal: u32, slot: u32) -> &mut Slot {
        &mut self.kept[goal as usize].slots[slot as usize]
    }

    /// Adds an answer; false if `repeats` and it was there already.
    #[inline]
    pub(super) fn add(
        &mut self,
        list: &mut Answers,
        arena: Lifetime,
        values: impl ExactSizeIterator<Item = u32>,
        repeats: bool,
    ) -> bool {
        let width = values.len();
        let rows = &mut self.arenas[arena as usize];
        let row = rows.len() as u32;
        rows.push(NONE);
        rows.extend(values);
        if repeats && self.known(list, arena, row, width) {
            self.arenas[arena as usize].truncate(row as usize);
            return false;
        }
        if list.head == NONE {
            list.head = row;
        } else {
            self.arenas[arena as usize][list.tail as usize] = row;
        }
        list.tail = row;
        list.count += 1;
        true
    }

    /// Whether the values of `row` are among the answers; if not, they are noted as such.
    fn known(&mut self, list: &mut Answers, arena: Lifetime, row: u32, width: usize) -> bool {
        let rows = &self.arenas[arena as usize];
        let values = |row: u32| &rows[row as usize + 1..row as usize + 1 + width];
        if list.count < FEW {
            let mut other = list.head;
            while other != NONE {
                if values(other) == values(row) {
                    return true;
                }
                other = rows[other as usize];
            }
            return false;
        }
        let hash_of = |&row: &u32| hash_words(values(row).iter().copied());
        if list.set == NONE {
            list.set = self.free_sets.pop().unwrap_or_else(|| {
                self.sets.push(HashTable::new());
                self.sets.len() as u32 - 1
            });
            let set = &mut self.sets[list.set as usize];
            set.clear();
            let mut other = list.head;
            while other != NONE {
                set.insert_unique(hash_of(&other), other, hash_of);
                other = rows[other as usize];
            }
        }
        let set = &mut self.sets[list.set as usize];
        let hash = hash_of(&row);
        if set.find(hash, |&other| values(other) == values(row)).is_some() {
            return true;
        }
        set.insert_unique(hash, row, hash_of);
        false
    }

    /// No more answers will be added: gives the set back.
    #[inline]
    pub(super) fn close(&mut self, list: &mut Answers) {
        if list.set != NONE {
            self.free_sets.push(list.set);
            list.set = NONE;
        }
    }

    /// The answer after this one, or [`NONE`].
    #[inline]
    pub(super) fn next(&self, arena: Lifetime, row: u32) -> u32 {
        self.arenas[arena as usize][row as usize]
    }

    /// The values of an answer.
    #[inline]
    pub(super) fn values(&self, arena: Lifetime, row: u32, width: usize) -> &[u32] {
        &self.arenas[arena as usize][row as usize + 1..row as usize + 1 + width]
    }
}
