//! Arrow arrays as columns, without copying what can be shared; and `capsules`, by which Python gives and gets them:
//! a module of its own, since it alone is unsafe.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, GenericStringArray, OffsetSizeTrait, PrimitiveArray,
};
use arrow_array::{BooleanArray, StringViewArray, UInt64Array};
use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder, Buffer, NullBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field};
use rayon::prelude::*;

use crate::columns::cells;
use crate::columns::column::{Column, Values};
use crate::columns::dictionary::{Coded, CodedBuilder, NONE};
use crate::columns::numbers::{EXACT_HALF, EXACT_SINGLE, Floats};
use crate::columns::scan::PIECE;
use crate::columns::text::{self, Texts};
use crate::columns::workers::shared;
use crate::errors::Bad;

/// Values at the start of a text column that tell whether it repeats.
const SEEN: usize = 1024;

/// The column that `chunks` of this type make together.
pub fn column(chunks: &[ArrayRef], kind: &DataType) -> Result<Column, Bad> {
    let nulls = nulls(chunks);
    let values = match kind {
        DataType::Utf8View => {
            Values::Text(joined(chunks.iter().map(|chunk| views_of(chunk.as_string_view()))))
        }
        DataType::Utf8 => texts::<i32>(chunks)?,
        DataType::LargeUtf8 => texts::<i64>(chunks)?,
        DataType::Dictionary(_, inner) if is_text(inner) => {
            Values::Coded(Arc::new(dictionary(chunks)?))
        }
        DataType::Dictionary(_, inner) => return cast(chunks, inner, cells::looked_up),
        DataType::RunEndEncoded(_, inner) => {
            return cast(chunks, inner.data_type(), cells::looked_up);
        }
        DataType::Boolean => Values::Bool(booleans(chunks)),
        DataType::Int64 => Values::Int(primitive::<Int64Type>(chunks)),
        DataType::UInt64 if chunks.iter().any(is_wide) => {
            Values::Text(cells::printed_texts(chunks)?)
        }
        DataType::Float32 => {
            let floats = Floats::Single(primitive::<Float32Type>(chunks));
            return Ok(Column::new(Values::Float(floats), nulls).exact_below(EXACT_SINGLE));
        }
        DataType::Float64 => Values::Float(Floats::Double(primitive::<Float64Type>(chunks))),
        DataType::Float16 => {
            let column = cast(chunks, &DataType::Float32, cells::singles)?;
            return Ok(column.exact_below(EXACT_HALF));
        }
        DataType::Binary => return cast(chunks, &DataType::Utf8, cells::text),
        DataType::LargeBinary => return cast(chunks, &DataType::LargeUtf8, cells::text),
        DataType::BinaryView => return cast(chunks, &DataType::Utf8View, cells::text),
        kind if kind.is_integer() => return cast(chunks, &DataType::Int64, cells::integers),
        kind if kind.is_decimal() && scale(kind) <= 0 => return whole(chunks),
        kind if kind.is_decimal() => return cast(chunks, &DataType::Float64, cells::doubles),
        kind if kind.is_nested() => Values::Text(cells::json_texts(chunks)?),
        _ => Values::Text(cells::printed_texts(chunks)?),
    };
    Ok(Column::new(values, nulls))
}

/// Are the values of a field said to be UUIDs?
pub fn is_uuid(field: &Field) -> bool {
    field.extension_type_name() == Some("arrow.uuid")
}

/// The arrays of a field: UUIDs, which Arrow stores as 16 bytes, as their text.
pub fn spelled(field: &Field, uuids: bool, arrays: Vec<ArrayRef>) -> (Vec<ArrayRef>, DataType) {
    if !uuids || *field.data_type() != DataType::FixedSizeBinary(16) {
        return (arrays, field.data_type().clone());
    }
    let text = |bytes: &[u8]| {
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
    };
    let texts = |array: &ArrayRef| -> ArrayRef {
        let ids = array.as_fixed_size_binary().iter().map(|id| id.map(text));
        Arc::new(ids.collect::<StringViewArray>())
    };
    (arrays.iter().map(texts).collect(), DataType::Utf8View)
}

fn scale(kind: &DataType) -> i8 {
    match kind {
        DataType::Decimal32(_, scale)
        | DataType::Decimal64(_, scale)
        | DataType::Decimal128(_, scale)
        | DataType::Decimal256(_, scale) => *scale,
        _ => 0,
    }
}

/// Decimals without a fraction: integers, or their digits where 64 bits are too few.
fn whole(chunks: &[ArrayRef]) -> Result<Column, Bad> {
    match cast(chunks, &DataType::Int64, cells::wholes) {
        Ok(column) => Ok(column),
        Err(_) => {
            Ok(Column::new(Values::Text(cells::printed_texts(chunks)?), nulls(chunks)).wide())
        }
    }
}

fn is_text(kind: &DataType) -> bool {
    matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
}

/// Does an unsigned column hold a number beyond int64? Its digits are kept as text then.
fn is_wide(chunk: &ArrayRef) -> bool {
    let values: &UInt64Array = chunk.as_primitive();
    values.iter().flatten().any(|value| i64::try_from(value).is_err())
}

/// The column of what `change` makes of each chunk: arrays of the type `kind`.
fn cast(
    chunks: &[ArrayRef],
    kind: &DataType,
    change: impl Fn(&dyn Array) -> Result<ArrayRef, Bad> + Sync,
) -> Result<Column, Bad> {
    let changed: Vec<ArrayRef> = shared(|| {
        chunks.par_iter().map(|chunk| change(chunk.as_ref())).collect::<Result<_, Bad>>()
    })?;
    column(&changed, kind)
}

fn nulls(chunks: &[ArrayRef]) -> Option<NullBuffer> {
    if let [chunk] = chunks {
        return chunk.logical_nulls();
    }
    let masks: Vec<Option<NullBuffer>> = chunks.iter().map(|chunk| chunk.logical_nulls()).collect();
    masks.iter().any(Option::is_some).then(|| {
        let mut present = BooleanBufferBuilder::new(chunks.iter().map(|chunk| chunk.len()).sum());
        for (chunk, nulls) in chunks.iter().zip(&masks) {
            match nulls {
                Some(nulls) => present.append_buffer(nulls.inner()),
                None => present.append_n(chunk.len(), true),
            }
        }
        NullBuffer::new(present.finish())
    })
}

fn primitive<T: ArrowPrimitiveType>(chunks: &[ArrayRef]) -> ScalarBuffer<T::Native> {
    if let [chunk] = chunks {
        return chunk.as_primitive::<T>().values().clone();
    }
    let arrays = chunks.iter().map(|chunk| chunk.as_primitive::<T>());
    arrays.flat_map(|array: &PrimitiveArray<T>| array.values().iter().copied()).collect()
}

fn booleans(chunks: &[ArrayRef]) -> BooleanBuffer {
    let arrays: Vec<&BooleanArray> = chunks.iter().map(|chunk| chunk.as_boolean()).collect();
    let mut bits = BooleanBufferBuilder::new(arrays.iter().map(|array| array.len()).sum());
    arrays.iter().for_each(|array| bits.append_buffer(array.values()));
    bits.finish()
}

fn views_of(array: &StringViewArray) -> Texts {
    Texts { views: array.views().clone(), buffers: array.data_buffers().into() }
}

/// Texts one behind the other; a single one is passed on as it is.
fn joined(texts: impl Iterator<Item = Texts>) -> Texts {
    let texts: Vec<Texts> = texts.collect();
    if let [single] = texts.as_slice() {
        return single.clone();
    }
    let mut views = vec![0; texts.iter().map(Texts::len).sum()];
    let (mut rest, mut before, mut jobs) = (views.as_mut_slice(), 0, Vec::new());
    for part in &texts {
        let (target, after) = rest.split_at_mut(part.len());
        jobs.push((target, part, before));
        (rest, before) = (after, before + part.buffers.len());
    }
    let shift = |(target, part, before): (&mut [u128], &Texts, usize)| {
        for (to, &from) in target.iter_mut().zip(part.views.iter()) {
            *to = text::shift(from, before);
        }
    };
    shared(|| jobs.into_par_iter().for_each(shift));
    let buffers = texts.iter().flat_map(|part| part.buffers.iter().cloned()).collect();
    Texts { views: views.into(), buffers }
}

/// Text as codes if it begins with values that repeat, as queries do, else as views.
fn texts<O: OffsetSizeTrait>(chunks: &[ArrayRef]) -> Result<Values, Bad> {
    let repeats = chunks.first().is_some_and(|chunk| {
        let array = chunk.as_string::<O>();
        let seen = array.len().min(SEEN);
        let same = (1..seen).filter(|&row| array.value(row) == array.value(row - 1)).count();
        2 * same > seen
    });
    if repeats {
        Ok(Values::Coded(Arc::new(runs::<O>(chunks))))
    } else {
        offsets::<O>(chunks).map(Values::Text)
    }
}

fn runs<O: OffsetSizeTrait>(chunks: &[ArrayRef]) -> Coded {
    let mut pieces = Vec::new();
    for chunk in chunks {
        let array = chunk.as_string::<O>();
        let size = |start| PIECE.min(array.len() - start);
        pieces.extend((0..array.len()).step_by(PIECE).map(|start| array.slice(start, size(start))));
    }
    let mut parts: Vec<CodedBuilder> = shared(|| pieces.par_iter().map(runs_of).collect());
    let (mut whole, mut row) = (CodedBuilder::default(), 0);
    for (part, piece) in parts.iter_mut().zip(&pieces) {
        whole.append(row, part);
        row += piece.len();
    }
    whole.finish(row)
}

fn runs_of<O: OffsetSizeTrait>(piece: &GenericStringArray<O>) -> CodedBuilder {
    let (mut part, mut last) = (CodedBuilder::default(), None);
    for row in 0..piece.len() {
        if piece.is_null(row) {
            part.push_code(row, NONE);
            last = None;
        } else if last != Some(piece.value(row)) {
            last = Some(piece.value(row));
            part.push(row, piece.value(row).as_bytes());
        }
    }
    part
}

fn offsets<O: OffsetSizeTrait>(chunks: &[ArrayRef]) -> Result<Texts, Bad> {
    let mut pieces = Vec::new();
    for chunk in chunks {
        let array = chunk.as_string::<O>();
        for start in (0..array.len()).step_by(PIECE) {
            cut(array.slice(start, PIECE.min(array.len() - start)), &mut pieces)?;
        }
    }
    let mut views = vec![0; pieces.iter().map(|piece| piece.len()).sum()];
    let (mut rest, mut jobs) = (views.as_mut_slice(), Vec::with_capacity(pieces.len()));
    for (buffer, piece) in pieces.iter().enumerate() {
        let (target, after) = rest.split_at_mut(piece.len());
        jobs.push((buffer, piece, target));
        rest = after;
    }
    shared(|| jobs.into_par_iter().for_each(|(buffer, piece, target)| fill(buffer, piece, target)));
    let buffers = pieces.iter().map(text_of).collect();
    Ok(Texts { views: views.into(), buffers })
}

/// Halves a piece until the places in its text fit a view.
fn cut<O: OffsetSizeTrait>(
    piece: GenericStringArray<O>,
    pieces: &mut Vec<GenericStringArray<O>>,
) -> Result<(), Bad> {
    if text_of(&piece).len() <= i32::MAX as usize {
        pieces.push(piece);
        return Ok(());
    }
    if piece.len() == 1 {
        return Err(Bad::corrupt("a text is longer than 2 GiB"));
    }
    let half = piece.len() / 2;
    cut(piece.slice(0, half), pieces)?;
    cut(piece.slice(half, piece.len() - half), pieces)
}

/// The text that a piece shares with its array.
fn text_of<O: OffsetSizeTrait>(piece: &GenericStringArray<O>) -> Buffer {
    let offsets = piece.value_offsets();
    let (first, last) = (offsets[0].as_usize(), offsets[piece.len()].as_usize());
    piece.values().slice_with_length(first, last - first)
}

/// The views of a piece, whose text is the buffer of this number.
fn fill<O: OffsetSizeTrait>(buffer: usize, piece: &GenericStringArray<O>, views: &mut [u128]) {
    let (text, offsets) = (text_of(piece), piece.value_offsets());
    let first = offsets[0].as_usize();
    for (view, pair) in views.iter_mut().zip(offsets.windows(2)) {
        let (start, end) = (pair[0].as_usize() - first, pair[1].as_usize() - first);
        *view = text::shift(text::view_at(&text, start, end), buffer);
    }
}

fn dictionary(chunks: &[ArrayRef]) -> Result<Coded, Bad> {
    let (mut builder, mut row) = (CodedBuilder::default(), 0);
    for chunk in chunks {
        let array = chunk.as_any_dictionary();
        let values = column(&[array.values().clone()], array.values().data_type())?;
        let codes = codes_of(&mut builder, &values);
        let keys = array.normalized_keys();
        for (at, key) in keys.into_iter().enumerate() {
            let code = if array.is_null(at) { NONE } else { codes[key] };
            builder.push_code(row + at, code);
        }
        row += chunk.len();
    }
    Ok(builder.finish(row))
}

fn codes_of(builder: &mut CodedBuilder, values: &Column) -> Vec<u32> {
    let Values::Text(texts) = &values.values else {
        return Vec::new();
    };
    let code = |row: usize| match values.is_null(row) {
        true => NONE,
        false => builder.code(texts.bytes(row, &mut [0; 16])),
    };
    (0..values.len()).map(code).collect()
}

pub mod capsules {
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

    /// The batches of a reader, as `__arrow_c_stream__` hands them out.
    pub fn reader(
        py: Python<'_>,
        batches: Box<dyn RecordBatchReader + Send>,
    ) -> PyResult<Bound<'_, PyCapsule>> {
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(batches), STREAM)
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

    unsafe extern "C" fn next_of(
        stream: *mut FFI_ArrowArrayStream,
        out: *mut FFI_ArrowArray,
    ) -> c_int {
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
}
