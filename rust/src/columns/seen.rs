//! Where a value was seen before.

/// An open-addressing table of the places of values: tag in the high half, place + 1 in the low.
#[derive(Default)]
pub struct Seen {
    slots: Vec<u64>,
    mask: usize,
}

impl Seen {
    /// Empties the table and makes room for `count` values.
    pub fn reset(&mut self, count: usize) {
        let size = (4 * count).next_power_of_two().max(16);
        if self.slots.len() < size {
            self.slots.resize(size, 0);
        }
        self.slots[..size].fill(0);
        self.mask = size - 1;
    }

    /// The place of the value with this hash, or `None` after `place` has been put down for it.
    pub fn insert(
        &mut self,
        hash: u64,
        place: usize,
        same: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        let (slot, earlier) = self.probe(hash, same);
        if earlier.is_none() {
            self.slots[slot] = hash >> 32 << 32 | (place as u64 + 1);
        }
        earlier
    }

    /// The place of the value with this hash.
    pub fn find(&self, hash: u64, same: impl Fn(usize) -> bool) -> Option<usize> {
        self.probe(hash, same).1
    }

    fn probe(&self, hash: u64, same: impl Fn(usize) -> bool) -> (usize, Option<usize>) {
        let mut slot = hash as usize & self.mask;
        loop {
            match self.slots[slot] {
                0 => return (slot, None),
                taken if taken >> 32 == hash >> 32 => {
                    let place = taken as u32 as usize - 1;
                    if same(place) {
                        return (slot, Some(place));
                    }
                }
                _ => (),
            }
            slot = (slot + 1) & self.mask;
        }
    }
}
