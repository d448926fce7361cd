//! Arrow data from and to Python, by the Arrow PyCapsule interface.
//!
//! A capsule owns a struct of the Arrow C data interface. Its name says which, and whoever takes
//! the data moves the struct out and leaves a released one, which the capsule then frees. These are
//! the promises of the specification that the unsafe blocks below rely on; a capsule of another
//! name is refused. https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html

#![expect(unsafe_code, reason = "the C data interface passes pointers")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// What a callback answers if it cannot do what it is asked for.
const EINVAL: c_int = 22;

/// The batches of anything with `__arrow_c_array__` or `__arrow_c_stream__`.
pub fn batches(object: &Bound<'_, PyAny>) -> PyResult<(SchemaRef, Vec<RecordBatch>)> {
    if object.hasattr("__arrow_c_array__")? {
        let (schema, array) = object.call_method0("__arrow_c_array__")?.extract()?;
        return one_batch(&schema, &array);
    }
    if !object.hasattr("__arrow_c_stream__")? {
        return Err(PyValueError::new_err(
            "it has neither __arrow_c_array__ nor __arrow_c_stream__",
        ));
    }
    let capsule = object.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
    let place = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: the capsule's name says that this is a stream; a released one is left in its place.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(place.as_ptr()) };
    let reader = ArrowArrayStreamReader::try_new(stream).map_err(refused)?;
    let schema = reader.schema();
    Ok((schema, object.py().detach(|| reader.collect::<Result<_, _>>()).map_err(refused)?))
}

/// The batch of an array of objects.
fn one_batch(
    schema: &Bound<'_, PyCapsule>,
    array: &Bound<'_, PyCapsule>,
) -> PyResult<(SchemaRef, Vec<RecordBatch>)> {
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let place = array.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: the capsules' names say what they are; both live until this function ends, the
    // schema is only read, and a released array is left in the place of the one that is moved out.
    let (fields, data) = unsafe {
        let array = FFI_ArrowArray::from_raw(place.as_ptr());
        (Schema::try_from(schema.as_ref()), from_ffi(array, schema.as_ref()))
    };
    let (fields, rows) = (fields.map_err(refused)?, StructArray::from(data.map_err(refused)?));
    if rows.null_count() > 0 {
        return Err(PyValueError::new_err("rows that are missing as a whole are no table"));
    }
    let batch = RecordBatch::from(rows).with_schema(Arc::new(fields)).map_err(refused)?;
    Ok((batch.schema(), vec![batch]))
}

fn refused(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// An array as `__arrow_c_array__` hands it out.
pub fn array<'py>(py: Python<'py>, array: &ArrayRef) -> PyResult<Bound<'py, PyTuple>> {
    let schema = FFI_ArrowSchema::try_from(field(array, true)).map_err(refused)?;
    let data = FFI_ArrowArray::new(&array.to_data());
    let schema = PyCapsule::new_with_value(py, schema, SCHEMA)?;
    PyTuple::new(py, [schema, PyCapsule::new_with_value(py, data, ARRAY)?])
}

/// A stream of one array, as `__arrow_c_stream__` hands it out.
pub fn stream<'py>(
    py: Python<'py>,
    array: ArrayRef,
    nullable: bool,
) -> PyResult<Bound<'py, PyCapsule>> {
    let single = Box::new(Single { field: field(&array, nullable), array: Some(array) });
    let stream = FFI_ArrowArrayStream {
        get_schema: Some(schema_of),
        get_next: Some(next_of),
        get_last_error: Some(error_of),
        release: Some(release),
        private_data: Box::into_raw(single).cast(),
    };
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// The nameless field of an array that stands alone.
fn field(array: &ArrayRef, nullable: bool) -> Field {
    Field::new("", array.data_type().clone(), nullable)
}

/// What a stream points to: its only array, until that is taken.
struct Single {
    field: Field,
    array: Option<ArrayRef>,
}

/// The array behind the pointer of a stream.
///
/// # Safety
/// The stream was made by `stream` and is not released.
unsafe fn single<'a>(stream: *mut FFI_ArrowArrayStream) -> &'a mut Single {
    // SAFETY: `stream` put a `Single` there, and only `release` takes it away. The consumer calls
    // one callback at a time.
    unsafe { &mut *(*stream).private_data.cast::<Single>() }
}

unsafe extern "C" fn schema_of(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowSchema,
) -> c_int {
    // SAFETY: the consumer passes the stream it got.
    let Ok(schema) = FFI_ArrowSchema::try_from(&unsafe { single(stream) }.field) else {
        return EINVAL;
    };
    // SAFETY: the consumer passes a place for a schema.
    unsafe { out.write(schema) };
    0
}

unsafe extern "C" fn next_of(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowArray) -> c_int {
    // SAFETY: the consumer passes the stream it got, and a place for an array.
    let next = unsafe { single(stream) }.array.take();
    let next =
        next.map_or_else(FFI_ArrowArray::empty, |array| FFI_ArrowArray::new(&array.to_data()));
    // SAFETY: as above.
    unsafe { out.write(next) };
    0
}

unsafe extern "C" fn error_of(_stream: *mut FFI_ArrowArrayStream) -> *const c_char {
    std::ptr::null()
}

unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: called once, by the last owner; a stream without `release` counts as released.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Single>()));
        (*stream).private_data = std::ptr::null_mut::<c_void>();
        (*stream).release = None;
    }
}
