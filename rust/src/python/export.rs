//! What Python can do with a column.

use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::arrays;
use crate::columns::arrow::capsules;
use crate::columns::column::{Column, Value, Values};
use crate::columns::dictionary::Coded;
use crate::columns::ids;
use crate::columns::spelling::{self, Known};
use crate::errors::Bad;

impl<'py> IntoPyObject<'py> for Value {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Value::Missing => py.None().into_bound_py_any(py),
            Value::Text(value) => value.into_bound_py_any(py),
            Value::Int(value) => value.into_bound_py_any(py),
            Value::Float(value) => value.into_bound_py_any(py),
            Value::Bool(value) => value.into_bound_py_any(py),
        }
    }
}

/// Places in two columns.
type Pairs<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

#[pymethods]
impl Column {
    /// "text", "int", "float" or "bool".
    #[getter(kind)]
    fn kind_name(&self) -> &'static str {
        self.kind()
    }

    /// Number of missing values: nulls, None, NaN; in delimited text empty fields.
    #[getter(missing)]
    fn missing_count(&self, py: Python<'_>) -> usize {
        py.detach(|| self.missing())
    }

    fn __len__(&self) -> usize {
        self.len()
    }

    /// The values at `rows` (default: all), None where missing.
    #[pyo3(signature = (rows = None))]
    fn to_list(&self, rows: Option<PyReadonlyArray1<'_, i64>>) -> PyResult<Vec<Value>> {
        match rows {
            None => Ok((0..self.len()).map(|row| self.value(row)).collect()),
            Some(rows) => {
                let rows = arrays::indices(&rows, self.len())?;
                Ok(rows.iter().map(|&row| self.value(row as usize)).collect())
            }
        }
    }

    /// The column as floats; text is parsed, BadRow("not_a_number") if that fails.
    #[pyo3(signature = (name, missing_words = false))]
    fn number(&self, py: Python<'_>, name: &str, missing_words: bool) -> PyResult<Column> {
        Ok(py.detach(|| self.as_number(name, missing_words))?)
    }

    /// The column with every text that spells a whole float as that number: "12" for "12.0".
    fn plain_ids(&self, py: Python<'_>) -> PyResult<Column> {
        Ok(py.detach(|| ids::plain(self))?)
    }

    /// Raises BadRow for the first value that is true or false, or a float that is no id for certain.
    fn refuse_no_ids(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        Ok(py.detach(|| self.check_ids(name))?)
    }

    /// The ids that texts spell in several ways, as "1" and "1.0": how many, and the first two spellings of one.
    fn respelled(&self, py: Python<'_>) -> Option<(usize, String, String)> {
        py.detach(|| ids::respelled(self))
    }

    /// The numbers of a numeric column, NaN where missing.
    fn floats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let values = py.detach(|| self.numbers().map(|numbers| numbers.to_vec()))?;
        Ok(PyArray1::from_vec(py, values))
    }

    /// The distinct values in the order they first occur, at most `limit`.
    fn distinct(&self, py: Python<'_>, limit: usize) -> Vec<Value> {
        py.detach(|| self.first_distinct(limit))
    }

    /// A number for each row's value, the same for the same, -1 where missing; and the distinct values.
    fn codes<'py>(&self, py: Python<'py>) -> (Bound<'py, PyArray1<i64>>, Column) {
        let (codes, values) = py.detach(|| ids::value_codes(self));
        (PyArray1::from_vec(py, codes), values)
    }

    /// Each id up to the last `separator`, whole where it has none; and how many have one.
    fn before(&self, py: Python<'_>, separator: &str) -> PyResult<(Column, usize)> {
        Ok(py.detach(|| ids::before(self, separator.as_bytes()))?)
    }

    /// The value of each id's key; else the id itself, if `keep`, or nothing; and how many are keys.
    fn looked_up(
        &self,
        py: Python<'_>,
        keys: Column,
        values: Column,
        keep: bool,
    ) -> PyResult<(Column, usize)> {
        Ok(py.detach(|| ids::looked_up(self, &keys, &values, keep))?)
    }

    /// The places of the ids that are among others, and where each is there.
    fn among<'py>(&self, py: Python<'py>, others: Column) -> PyResult<Pairs<'py>> {
        let (here, there) = py.detach(|| {
            let (texts, others) = (ids::ids(self, "id")?, ids::ids(&others, "id")?);
            Ok::<_, Bad>(spelling::among(&texts, &Known::new(&others)))
        })?;
        Ok((PyArray1::from_vec(py, here), PyArray1::from_vec(py, there)))
    }

    /// The first and the last in order of the ids that are neither among others nor empty, if there are any.
    fn ends(&self, py: Python<'_>, others: Column) -> PyResult<Option<(String, String)>> {
        Ok(py.detach(|| {
            let (texts, others) = (ids::ids(self, "id")?, ids::ids(&others, "id")?);
            Ok::<_, Bad>(spelling::ends(&texts, &Known::new(&others)))
        })?)
    }

    /// The places of the ids that are not of printable ASCII.
    fn odd<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let found = py.detach(|| Ok::<_, Bad>(spelling::odd(&ids::ids(self, "id")?)));
        Ok(PyArray1::from_vec(py, found?))
    }

    /// The places of the ids that have one of these spellings, and of those that may have one after more of a look.
    fn spelled_as<'py>(
        &self,
        py: Python<'py>,
        spellings: Column,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let found = py.detach(|| {
            let (texts, spellings) = (ids::ids(self, "id")?, ids::ids(&spellings, "id")?);
            Ok::<_, Bad>(spelling::spelled_as(&texts, &spellings))
        });
        Ok(PyArray1::from_vec(py, found?))
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let _ = requested_schema; // a wish that may be left to the caller
        let array = py.detach(|| self.to_arrow())?;
        capsules::array(py, &array)
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // a wish that may be left to the caller
        let array = py.detach(|| self.to_arrow())?;
        capsules::stream(py, array, true)
    }
}

impl Column {
    fn first_distinct(&self, limit: usize) -> Vec<Value> {
        let mut seen = std::collections::HashSet::new();
        let mut distinct = Vec::new();
        let mut rows: Box<dyn Iterator<Item = usize>> = match &self.values {
            Values::Coded(coded) => Box::new(first_rows(coded)),
            _ => Box::new(0..self.len()),
        };
        while let Some(row) = rows.next().filter(|_| distinct.len() < limit) {
            let value = self.value(row);
            if value != Value::Missing && seen.insert(key(&value)) {
                distinct.push(value);
            }
        }
        distinct
    }
}

fn first_rows(coded: &Coded) -> impl Iterator<Item = usize> + '_ {
    coded.starts.iter().map(|&start| start as usize)
}

/// What makes two values the same.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Text(String),
    Bits(u64),
}

fn key(value: &Value) -> Key {
    match value {
        Value::Text(text) => Key::Text(text.clone()),
        Value::Int(value) => Key::Bits(*value as u64),
        Value::Float(value) => Key::Bits((value + 0.0).to_bits()),
        Value::Bool(value) => Key::Bits(u64::from(*value)),
        Value::Missing => Key::Bits(0),
    }
}
