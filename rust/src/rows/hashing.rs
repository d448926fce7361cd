//! The hashes of queries, and their names in the order they are first seen.

use std::collections::HashSet;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use crate::columns::ids;

/// The hash of an id: 12, "12" and 12.0 share one, in every run and on every machine.
pub fn hash_of(id: &[u8]) -> u64 {
    FixedState::with_seed(0).hash_one(ids::plain_text(id))
}

/// Names, each once.
#[derive(Default)]
pub struct Names {
    names: Vec<String>,
    known: HashSet<String>,
}

impl Names {
    /// Adds a name, unless it is known; `guess` is where it was in the record before.
    pub fn add(&mut self, name: &str, guess: usize) {
        let there = self.names.get(guess).is_some_and(|other| other == name);
        if !there && self.known.insert(name.to_owned()) {
            self.names.push(name.to_owned());
        }
    }

    /// Adds a text, unless there are two.
    pub fn add_second(&mut self, text: &[u8]) {
        if self.names.len() < 2 && self.names.first().is_none_or(|name| name.as_bytes() != text) {
            self.add(&String::from_utf8_lossy(text), 0);
        }
    }

    /// Adds the names of a part behind these, and empties the part.
    pub fn append(&mut self, part: &mut Names) {
        for (guess, name) in part.names.drain(..).enumerate() {
            self.add(&name, guess);
        }
        part.known.clear();
    }

    pub fn into_vec(self) -> Vec<String> {
        self.names
    }
}
