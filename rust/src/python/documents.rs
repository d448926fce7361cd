//! Nested Python objects, read by the plan that JSON is read by.

use std::vec::IntoIter;

use pyo3::exceptions::{PyRuntimeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::iter::{BoundDictIterator, BoundListIterator, BoundTupleIterator};
use pyo3::types::{
    PyBool, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PyMapping, PySet, PyString, PyTuple,
};

use crate::columns::builder::{Cell, spelled};
use crate::columns::frame::Frame;
use crate::errors::Bad;
use crate::python::objects::cell;
use crate::read::json::documents::{format_of, walk};
use crate::read::json::plan::{Plan, Wanted};
use crate::read::json::table::owned;
use crate::read::json::tokens::Tokens;

/// Items until a look whether Ctrl-C was pressed.
const PAUSE: u32 = 1 << 16;

/// Modules whose objects are single values: numbers, dates, ids, and missing values.
const VALUES: [&str; 8] =
    ["numpy", "pandas", "polars", "pyarrow", "decimal", "datetime", "uuid", "fractions"];

/// What is left of a list or an object that is open.
enum Open<'py> {
    Dict(Bound<'py, PyDict>, BoundDictIterator<'py>, usize),
    Pairs(IntoIter<(Bound<'py, PyAny>, Bound<'py, PyAny>)>),
    List(BoundListIterator<'py>),
    Tuple(BoundTupleIterator<'py>),
    Items(IntoIter<Bound<'py, PyAny>>),
}

struct ObjectTokens<'py> {
    documents: BoundListIterator<'py>,
    document: u64,
    open: Vec<Open<'py>>,
    /// The value that comes next, and its sign.
    next: Option<(Bound<'py, PyAny>, u8)>,
    /// The key before it, and its text where it is none.
    key: Option<Bound<'py, PyAny>>,
    key_text: String,
    /// The text that came last, which is alive as long as it is looked at.
    text: Option<Bound<'py, PyAny>>,
    /// The type of the cell that came last, if it only has a printed form.
    foreign: Option<String>,
    /// Writes a list or an object.
    spell: Bound<'py, PyAny>,
    items: u32,
}

impl<'py> ObjectTokens<'py> {
    fn new(documents: &Bound<'py, PyList>, spell: Bound<'py, PyAny>) -> ObjectTokens<'py> {
        ObjectTokens {
            documents: documents.iter(),
            document: 0,
            open: Vec::new(),
            next: None,
            key: None,
            key_text: String::new(),
            text: None,
            foreign: None,
            spell,
            items: 0,
        }
    }

    fn come(&mut self, value: Bound<'py, PyAny>) -> Result<(), Bad> {
        self.items += 1;
        if self.items == PAUSE {
            self.items = 0;
            value.py().check_signals()?;
        }
        let sign = sign_of(&value)?;
        self.next = Some((value, sign));
        Ok(())
    }

    fn take(&mut self) -> Bound<'py, PyAny> {
        self.next.take().expect("a value comes where one is asked for").0
    }

    fn cell(&mut self, object: &Bound<'py, PyAny>) -> Result<Cell<'static>, Bad> {
        self.foreign = foreign(object)?;
        Ok(owned(cell(object)?))
    }
}

/// The first sign of a value, were it JSON.
fn sign_of(value: &Bound<'_, PyAny>) -> PyResult<u8> {
    if value.is_none() {
        return Ok(b'n');
    }
    if value.is_instance_of::<PyString>() {
        return Ok(b'"');
    }
    if value.is_instance_of::<PyDict>() {
        return Ok(b'{');
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        return Ok(b'[');
    }
    if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>() {
        return Ok(b'0');
    }
    if value.is_instance_of::<PySet>() || value.is_instance_of::<PyFrozenSet>() {
        return Ok(b'[');
    }
    Ok(if value.cast::<PyMapping>().is_ok() { b'{' } else { b'0' })
}

/// The type of a value that is no number, text, date or the like.
fn foreign(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let plain = value.is_none()
        || value.is_instance_of::<PyString>()
        || value.is_instance_of::<PyFloat>()
        || value.is_instance_of::<PyInt>()
        || value.is_instance_of::<PyBool>();
    if plain {
        return Ok(None);
    }
    let kind = value.get_type();
    let module =
        kind.module().and_then(|module| Ok(module.to_str()?.to_owned())).unwrap_or_default();
    if VALUES.contains(&module.split('.').next().unwrap_or_default()) {
        return Ok(None);
    }
    Ok(Some(kind.name()?.to_str()?.to_owned()))
}

/// The elements of a set, in the order of their texts.
fn sorted<'py>(set: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let items = set.try_iter()?.collect::<PyResult<Vec<_>>>()?;
    let texts = items.iter().map(|item| Ok(item.str()?.to_string_lossy().into_owned()));
    let texts = texts.collect::<PyResult<Vec<_>>>()?;
    let mut order: Vec<usize> = (0..items.len()).collect();
    order.sort_by(|&a, &b| texts[a].cmp(&texts[b]));
    Ok(order.into_iter().map(|place| items[place].clone()).collect())
}

fn opened<'py>(value: Bound<'py, PyAny>) -> PyResult<Open<'py>> {
    Ok(if let Ok(dict) = value.cast::<PyDict>() {
        Open::Dict(dict.clone(), dict.iter(), dict.len())
    } else if let Ok(list) = value.cast::<PyList>() {
        Open::List(list.iter())
    } else if let Ok(tuple) = value.cast::<PyTuple>() {
        Open::Tuple(tuple.iter())
    } else if let Ok(mapping) = value.cast::<PyMapping>() {
        let pairs = mapping.items()?.iter().map(|pair| pair.extract());
        Open::Pairs(pairs.collect::<PyResult<Vec<_>>>()?.into_iter())
    } else {
        Open::Items(sorted(&value)?.into_iter())
    })
}

impl Tokens for ObjectTokens<'_> {
    fn line(&self) -> u64 {
        self.document
    }

    fn peek(&mut self) -> Result<Option<u8>, Bad> {
        if self.next.is_none() {
            let Some(document) = self.documents.next() else {
                return Ok(None);
            };
            self.document += 1;
            self.come(document)?;
        }
        Ok(self.next.as_ref().map(|next| next.1))
    }

    fn must(&mut self) -> Result<u8, Bad> {
        Ok(self.next.as_ref().expect("a value comes where one is asked for").1)
    }

    fn pass(&mut self, sign: u8) -> Result<(), Bad> {
        if b"{[".contains(&sign) {
            let open = opened(self.take())?;
            self.open.push(open);
        }
        Ok(())
    }

    fn another(&mut self, _close: u8, _first: bool) -> Result<bool, Bad> {
        let pair = |(key, value)| (Some(key), value);
        let item = |value| (None, value);
        let next = match self.open.last_mut().expect("something is open") {
            Open::Dict(dict, _, size) if dict.len() != *size => {
                return Err(Bad::Py(PyRuntimeError::new_err("a dict changed while it was read")));
            }
            Open::Dict(_, items, _) => items.next().map(pair),
            Open::Pairs(items) => items.next().map(pair),
            Open::List(items) => items.next().map(item),
            Open::Tuple(items) => items.next().map(item),
            Open::Items(items) => items.next().map(item),
        };
        let Some((key, value)) = next else {
            self.open.pop();
            return Ok(false);
        };
        self.key = key;
        self.come(value)?;
        Ok(true)
    }

    fn key(&mut self) -> Result<&str, Bad> {
        let key = self.key.as_ref().expect("a key comes before a value");
        self.key_text = match key.cast::<PyString>() {
            Ok(text) => match text.to_str() {
                Ok(text) => return Ok(text),
                // Half a character, of which the cell says that it is none.
                Err(_) => text.to_string_lossy().into_owned(),
            },
            Err(_) => spelled(&cell(key)?),
        };
        Ok(&self.key_text)
    }

    fn key_cell<'k>(&'k mut self, _text: &'k str) -> Result<Cell<'k>, Bad> {
        let key = self.key.clone().expect("a key comes before a value");
        self.cell(&key)
    }

    fn text(&mut self) -> Result<&str, Bad> {
        let text = self.take();
        self.foreign = None;
        Ok(self.text.insert(text).cast::<PyString>().map_err(PyErr::from)?.to_str()?)
    }

    fn plain(&mut self) -> Result<Cell<'static>, Bad> {
        let value = self.take();
        self.cell(&value)
    }

    fn foreign(&self) -> Option<&str> {
        self.foreign.as_deref()
    }

    fn skip(&mut self, copy: Option<&mut Vec<u8>>) -> Result<(), Bad> {
        let value = self.take();
        if let Some(copy) = copy {
            let text = self.spell.call1((value,))?;
            copy.extend_from_slice(text.extract::<&str>()?.as_bytes());
        }
        Ok(())
    }

    /// Half a character, which no column can store: the error says in which cell it is.
    fn of_cell(&self, bad: Bad, column: &str, row: usize) -> Bad {
        if let Bad::Py(error) = &bad {
            let py = self.spell.py();
            if error.is_instance_of::<PyUnicodeEncodeError>(py) {
                // The error is told without it where it takes no attributes.
                _ = error.value(py).setattr("cell", (row, column));
            }
        }
        bad
    }
}

/// A table, its name, and for its columns of objects of Python the first: name of the column, row and type.
type Objects = (String, Frame, Vec<(String, usize, String)>);

/// Reads the tables of a plan, as `read_json` does, out of Python objects.
///
/// `spell` writes a list or a dict that is a cell; the line of a row is the number of its document, if `lined`.
#[pyfunction]
pub fn read_objects<'py>(
    plan: Vec<Wanted>,
    documents: &Bound<'py, PyList>,
    spell: Bound<'py, PyAny>,
    lined: bool,
) -> PyResult<Vec<Objects>> {
    let plan = Plan::new(plan).map_err(|path| Bad::unknown("path", &path))?;
    let tables = walk(&plan, ObjectTokens::new(documents, spell))?;
    let frames = tables.into_iter().map(|(name, table)| {
        let column = |(place, (row, kind)): (usize, (usize, String))| {
            (table.columns[place].0.clone(), row, kind)
        };
        let foreign = table.foreign.clone().into_iter().map(column).collect();
        let format = format_of(&name, "object");
        let frame = Frame::new(format, table.columns).with_nested(table.nested);
        (name, if lined { frame.at_lines(table.lines, 0) } else { frame }, foreign)
    });
    Ok(frames.collect())
}
