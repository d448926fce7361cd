//! The units of ids: what stands before a separator, or what a table says.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use memchr::{memmem, memrchr};
use rayon::prelude::*;

use crate::columns::column::Column;
use crate::columns::dictionary::KEYED;
use crate::columns::ids;
use crate::columns::seen::Seen;
use crate::columns::text::{self, INLINE, Texts};
use crate::columns::workers::shared;
use crate::errors::Bad;

/// Each id up to the last separator; an id that has none, or nothing before it, stays whole. And how
/// many ids have one.
pub fn before(column: &Column, separator: &[u8]) -> Result<(Column, usize), Bad> {
    let texts = ids::ids(column, "doc")?;
    let finder = memmem::FinderRev::new(separator);
    let last = |id: &[u8]| match separator {
        [byte] => memrchr(*byte, id),
        _ => finder.rfind(id),
    };
    let stem = |&view: &u128| {
        if let ([byte], true) = (separator, text::is_inline(view)) {
            return text::inline_before(view, *byte);
        }
        let mut scratch = [0; 16];
        let id = text::bytes(view, &texts.buffers, &mut scratch);
        match last(id).filter(|&size| size > 0) {
            None => view,
            Some(size) if size > INLINE => view >> 32 << 32 | size as u128,
            Some(size) => text::inline(&id[..size]),
        }
    };
    let views: Vec<u128> = shared(|| texts.views.par_iter().map(stem).collect());
    let found = shared(|| texts.views.par_iter().zip(&views).filter(|(a, b)| a != b).count());
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
        seen.insert(KEYED.text(&keys, view), place, |other| {
            keys.same(keys.views[other], &keys, view)
        });
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
    let found = AtomicUsize::new(0);
    let view = |&view: &u128| {
        let (unit, is_key) = unit(view);
        found.fetch_add(usize::from(is_key), Ordering::Relaxed);
        unit
    };
    let views: Vec<u128> = shared(|| texts.views.par_iter().map(view).collect());
    let buffers: Arc<[_]> = values.buffers.iter().chain(texts.buffers.iter()).cloned().collect();
    Ok((Column::text_or_missing(Texts { views: views.into(), buffers }), found.into_inner()))
}
