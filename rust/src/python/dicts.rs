//! Dicts of dicts, pytrec_eval's form.

#![expect(unsafe_code, reason = "PyDict_Next takes pointers, and a dict of millions is walked")]

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyMapping, PyString, PyType};

use crate::columns::builder::{Cell, float, spelled};
use crate::columns::column::Column;
use crate::columns::dictionary::{CodedBuilder, NONE};
use crate::columns::frame::{Frame, check_rows};
use crate::columns::ids::{plain_text, whole_id};
use crate::columns::numbers::{FloatBuilder, FloatPart};
use crate::columns::scan::PIECE;
use crate::columns::text::TextBuilder;
use crate::errors::Bad;
use crate::python::objects::cell;

#[derive(Default)]
struct Dicts {
    query: CodedBuilder,
    doc: TextBuilder,
    value: FloatPart,
    values: FloatBuilder,
    /// Is some document missing?
    holes: bool,
    /// Could two keys of one dict read as the same id, as 1, "1" and "1.0" do?
    doubtful: bool,
}

impl Dicts {
    fn query(&mut self, key: &Bound<'_, PyAny>, inner: &Bound<'_, PyAny>) -> Result<(), Bad> {
        let row = self.doc.len();
        let code = match id(key, row, "query")? {
            text if text.is_empty() => NONE,
            text => {
                self.doubtful |= plain_text(text.as_bytes()).len() < text.len();
                self.query.code(text.as_bytes())
            }
        };
        self.query.push_code(row, code);
        self.doubtful |= !key.is_exact_instance_of::<PyString>();
        self.rows(inner)?;
        if self.doc.len() == row {
            self.holes = true;
            self.doc.push(b"");
            self.value.push(f64::NAN);
        }
        if self.value.len() >= PIECE {
            self.values.append(&mut self.value);
        }
        check_rows(self.doc.len())
    }

    fn rows(&mut self, inner: &Bound<'_, PyAny>) -> Result<(), Bad> {
        let Ok(dict) = inner.cast_exact::<PyDict>() else {
            return each(inner, |doc, value| self.row(doc, value));
        };
        each_borrowed(dict, |entry| match entry {
            Entry::Plain(doc, value) => {
                self.holes |= doc.is_empty();
                self.doc.push(doc);
                self.value.push(value);
                Ok(())
            }
            Entry::Any(doc, value) => self.row(&doc, &value),
        })
    }

    fn row(&mut self, doc: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> Result<(), Bad> {
        let row = self.doc.len();
        (self.holes, self.doubtful) = (true, true);
        match doc.cast::<PyString>() {
            Ok(text) => self.doc.push(text.to_str()?.as_bytes()),
            Err(_) => self.doc.push(id(doc, row, "doc")?.as_bytes()),
        }
        self.value.push(match value.cast::<PyFloat>() {
            Ok(float) => float.value(),
            Err(_) => number(value, row)?,
        });
        Ok(())
    }
}

/// A key as an id: text as it is, whole numbers as decimal text; anything else is refused with its type.
fn id(key: &Bound<'_, PyAny>, row: usize, column: &str) -> Result<String, Bad> {
    if key.is_none() {
        return Err(Bad::row("missing_id", row, column, b""));
    }
    if !identifies(key) {
        let kind = key.get_type().name()?.to_string();
        return Err(Bad::row("foreign_id", row, column, kind.as_bytes()));
    }
    match cell(key)? {
        Cell::Float(value) => whole_id(value, row, column),
        cell => Ok(spelled(&cell)),
    }
}

/// Is it text, a number, a NumPy value, or a UUID?
fn identifies(key: &Bound<'_, PyAny>) -> bool {
    let number = key.is_instance_of::<PyFloat>()
        || (key.is_instance_of::<PyInt>() && !key.is_instance_of::<PyBool>());
    number
        || key.is_instance_of::<PyString>()
        || key.hasattr("dtype").unwrap_or(false)
        || key.get_type().name().is_ok_and(|name| name == "UUID")
}

fn number(value: &Bound<'_, PyAny>, row: usize) -> Result<f64, Bad> {
    match cell(value)? {
        Cell::Text(text) => Err(Bad::row("not_a_number", row, "value", text.as_bytes())),
        cell => Ok(float(&cell)),
    }
}

fn each<'py>(
    mapping: &Bound<'py, PyAny>,
    mut item: impl FnMut(&Bound<'py, PyAny>, &Bound<'py, PyAny>) -> Result<(), Bad>,
) -> Result<(), Bad> {
    if let Ok(dict) = mapping.cast::<PyDict>() {
        return dict.iter().try_for_each(|(key, value)| item(&key, &value));
    }
    let items = mapping.cast::<PyMapping>().map_err(PyErr::from)?.items()?;
    items.iter().try_for_each(|pair| {
        let (key, value): (Bound<'py, PyAny>, Bound<'py, PyAny>) = pair.extract()?;
        item(&key, &value)
    })
}

/// A key and a value of a dict: text and a number, or anything.
enum Entry<'a, 'py> {
    Plain(&'a [u8], f64),
    Any(Bound<'py, PyAny>, Bound<'py, PyAny>),
}

/// Walks a dict without counting references to what lies in it, which is most of the time of a walk.
fn each_borrowed<'py>(
    dict: &Bound<'py, PyDict>,
    mut item: impl FnMut(Entry<'_, 'py>) -> Result<(), Bad>,
) -> Result<(), Bad> {
    let (py, size, mut at) = (dict.py(), dict.len(), 0);
    let (mut key, mut value) = (std::ptr::null_mut(), std::ptr::null_mut());
    // SAFETY: the interpreter is attached, `dict` is alive, and the places written to are ours.
    while unsafe { ffi::PyDict_Next(dict.as_ptr(), &mut at, &mut key, &mut value) } != 0 {
        // SAFETY: the dict holds both objects; nothing else runs before they were read.
        if let Some((text, number)) = unsafe { read_plain(key, value) } {
            item(Entry::Plain(text, number))?;
            continue;
        }
        // SAFETY: as above; from here on they are held, since reading them may run other code.
        let (key, value) =
            unsafe { (Bound::from_borrowed_ptr(py, key), Bound::from_borrowed_ptr(py, value)) };
        item(Entry::Any(key, value))?;
        if dict.len() != size {
            return Err(Bad::Py(PyRuntimeError::new_err("a dict changed while it was read")));
        }
    }
    Ok(())
}

/// The bytes of a str and the value of a number; `None` if they are anything else.
///
/// # Safety
///
/// Both must be live objects, and the bytes may be used only while `key` is one.
unsafe fn read_plain<'a>(
    key: *mut ffi::PyObject,
    value: *mut ffi::PyObject,
) -> Option<(&'a [u8], f64)> {
    // SAFETY: live objects may be asked for their types, and read as what they are.
    unsafe {
        if ffi::PyUnicode_CheckExact(key) == 0 {
            return None;
        }
        let number = read_number(value)?;
        let mut size = 0;
        let text = ffi::PyUnicode_AsUTF8AndSize(key, &mut size);
        if text.is_null() {
            // A lone surrogate: reading it again as an object says so.
            ffi::PyErr_Clear();
            return None;
        }
        let text = std::slice::from_raw_parts(text.cast(), size as usize);
        Some((text, number))
    }
}

/// The value of a float or a whole number that a float can say; `None` of anything else, such as a bool.
///
/// # Safety
///
/// It must be a live object.
unsafe fn read_number(value: *mut ffi::PyObject) -> Option<f64> {
    // SAFETY: as above.
    unsafe {
        if ffi::PyFloat_CheckExact(value) != 0 {
            return Some(ffi::PyFloat_AsDouble(value));
        }
        if ffi::PyLong_CheckExact(value) == 0 {
            return None;
        }
        let mut overflow = 0;
        let whole = ffi::PyLong_AsLongLongAndOverflow(value, &mut overflow);
        (overflow == 0 && whole.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS).then_some(whole as f64)
    }
}

/// A frame with columns query, doc, value from `{query: {doc: number}}`.
#[pyfunction]
pub fn from_dicts(mapping: &Bound<'_, PyAny>) -> PyResult<Frame> {
    let mut dicts =
        Dicts { doubtful: !mapping.is_exact_instance_of::<PyDict>(), ..Dicts::default() };
    each(mapping, |query, inner| dicts.query(query, inner))?;
    let rows = dicts.doc.len();
    dicts.values.append(&mut dicts.value);
    let docs = dicts.doc.finish();
    let mut docs = if dicts.holes { Column::text_or_missing(docs) } else { Column::text(docs) };
    docs.once = !dicts.doubtful;
    let columns = vec![
        ("query", Column::coded(dicts.query.finish(rows))),
        ("doc", docs),
        ("value", Column::numeric(dicts.values.finish())),
    ];
    Ok(Frame::new("dicts", columns))
}

/// Is it `{query: {document: number}}` in plain dicts, with a document in one of them? Numbers are of
/// one of these types, exactly.
#[pyfunction]
pub fn is_numbers_by_document(data: &Bound<'_, PyAny>, numbers: Vec<Bound<'_, PyType>>) -> bool {
    let Ok(queries) = data.cast_exact::<PyDict>() else {
        return false;
    };
    let known: Vec<*mut ffi::PyTypeObject> =
        numbers.iter().map(|kind| kind.as_type_ptr()).collect();
    let mut documents = 0;
    for (_, of_query) in queries.iter() {
        let Ok(of_query) = of_query.cast_exact::<PyDict>() else {
            return false;
        };
        let (mut at, mut value) = (0, std::ptr::null_mut());
        let no_key = std::ptr::null_mut();
        // SAFETY: the interpreter is attached, the dict is alive, and nothing else runs meanwhile.
        while unsafe { ffi::PyDict_Next(of_query.as_ptr(), &mut at, no_key, &mut value) } != 0 {
            // SAFETY: the dict holds the value.
            if !known.contains(&unsafe { ffi::Py_TYPE(value) }) {
                return false;
            }
        }
        documents += of_query.len();
    }
    documents > 0
}
