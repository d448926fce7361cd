//! The units of ids: what stands before a separator, or what a table says.

use std::sync::Arc;

use memchr::memmem;
use rayon::prelude::*;

use crate::columns::column::Column;
use crate::columns::dictionary::KEYED;
use crate::columns::ids;
use crate::columns::seen::Seen;
use crate::columns::text::{self, INLINE, Texts};
use crate::errors::Bad;

/// Each id up to the last separator; an id that has none, or nothing before it, stays whole. And how
/// many ids have one.
pub fn before(column: &Column, separator: &[u8]) -> Result<(Column, usize), Bad> {
    let texts = ids::ids(column, "doc")?;
    let finder = memmem::FinderRev::new(separator);
    let stem = |view: u128| {
        let mut scratch = [0; 16];
        let id = text::bytes(view, &texts.buffers, &mut scratch);
        match finder.rfind(id).filter(|&size| size > 0) {
            None => (view, false),
            Some(size) if size > INLINE => (view >> 32 << 32 | size as u128, true),
            Some(size) => (text::inline(&id[..size]), true),
        }
    };
    let stems: Vec<(u128, bool)> = texts.views.par_iter().map(|&view| stem(view)).collect();
    let found = stems.iter().filter(|stem| stem.1).count();
    let views: Vec<u128> = stems.into_iter().map(|stem| stem.0).collect();
    let cut = Texts { views: views.into(), buffers: texts.buffers };
    Ok((Column::text_or_missing(cut), found))
}

/// The value of each id's key; where it is no key the id itself, if `keep`, or nothing. And how many are.
pub fn looked_up(
    column: &Column,
    keys: &Column,
    values: &Column,
    keep: bool,
) -> Result<(Column, usize), Bad> {
    let (texts, keys, values) =
        (ids::ids(column, "doc")?, ids::ids(keys, "doc")?, ids::ids(values, "unit")?);
    let mut seen = Seen::default();
    seen.reset(keys.len());
    for (place, &view) in keys.views.iter().enumerate() {
        seen.insert(KEYED.text(&keys, view), place, |other| keys.same(keys.views[other], &keys, view));
    }
    let own = values.buffers.len();
    let unit = |view: u128| {
        let same = |place: usize| texts.same(view, &keys, keys.views[place]);
        match seen.find(KEYED.text(&texts, view), same) {
            Some(place) => (values.views[place], true),
            None if keep => (text::shift(view, own), false),
            None => (0, false),
        }
    };
    let units: Vec<(u128, bool)> = texts.views.par_iter().map(|&view| unit(view)).collect();
    let found = units.iter().filter(|unit| unit.1).count();
    let views: Vec<u128> = units.into_iter().map(|unit| unit.0).collect();
    let buffers: Arc<[_]> = values.buffers.iter().chain(texts.buffers.iter()).cloned().collect();
    Ok((Column::text_or_missing(Texts { views: views.into(), buffers }), found))
}
