//! Cells of the many Arrow types as the few that columns are made of: cast to them; lists and objects as JSON text; and
//! what a column has no place for as printed text, such as dates, times and bytes.

use std::fmt::{self, Display, Write};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::timezone::Tz;
use arrow_array::types::{
    ArrowTemporalType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType,
    DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType, DurationSecondType,
    Float16Type, Float32Type, Float64Type, Int64Type, IntervalDayTimeType,
    IntervalMonthDayNanoType, IntervalYearMonthType,
};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, PrimitiveArray, StructArray, make_array};
use arrow_array::{LargeStringArray, StringArray};
use arrow_array::{downcast_integer_array, downcast_run_array, downcast_temporal_array};
use arrow_buffer::ArrowNativeType;
use arrow_data::transform::MutableArrayData;
use arrow_schema::{ArrowError, DataType, IntervalUnit, TimeUnit};

use crate::columns::numbers::EXACT;
use crate::columns::text::{TextBuilder, Texts};
use crate::errors::Bad;

/// The offset that a time has as it is stored.
const UTC: &str = "+00:00";

/// Powers of ten up to this one are exact in float64.
const EXACT_POWER: i8 = 22;

/// The same for decimals of every width.
macro_rules! decimals {
    ($array:expr, $call:ident $(, $more:expr)*) => {
        match $array.data_type() {
            DataType::Decimal32(_, _) => $call($array.as_primitive::<Decimal32Type>() $(, $more)*),
            DataType::Decimal64(_, _) => $call($array.as_primitive::<Decimal64Type>() $(, $more)*),
            DataType::Decimal128(_, _) => $call($array.as_primitive::<Decimal128Type>() $(, $more)*),
            _ => $call($array.as_primitive::<Decimal256Type>() $(, $more)*),
        }
    };
}

/// The values that a dictionary or runs stand for, one per row.
pub fn looked_up(array: &dyn Array) -> Result<ArrayRef, Bad> {
    // One row after the other: `take` of arrow-select would make every build a tenth longer.
    let values = values_of(array).to_data();
    let mut rows = MutableArrayData::new(vec![&values], true, array.len());
    for row in 0..array.len() {
        if array.is_null(row) {
            rows.try_extend_nulls(1).map_err(Bad::corrupt)?;
        } else {
            let place = place_of(array, row).1;
            rows.try_extend(0, place, place + 1).map_err(Bad::corrupt)?;
        }
    }
    Ok(make_array(rows.freeze()))
}

fn values_of(array: &dyn Array) -> &ArrayRef {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        return dictionary.values();
    }
    downcast_run_array!(
        array => array.values(),
        kind => unreachable!("{kind} has no runs")
    )
}

/// The values of a dictionary or of runs, and which of them is the value of `row`.
pub fn place_of(array: &dyn Array, row: usize) -> (&ArrayRef, usize) {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        return (dictionary.values(), key_of(dictionary.keys(), row));
    }
    downcast_run_array!(
        array => (array.values(), array.get_physical_index(row)),
        kind => unreachable!("{kind} has no runs")
    )
}

fn key_of(keys: &dyn Array, row: usize) -> usize {
    downcast_integer_array!(
        keys => keys.value(row).as_usize(),
        kind => unreachable!("{kind} is no key")
    )
}

/// Integers of any width as int64, zero for one beyond it.
pub fn integers(array: &dyn Array) -> Result<ArrayRef, Bad> {
    downcast_integer_array!(
        array => Ok(Arc::new(array.unary::<_, Int64Type>(|value| value.to_i64().unwrap_or(0)))),
        kind => Err(unknown(kind))
    )
}

/// Half floats as float32.
pub fn singles(array: &dyn Array) -> Result<ArrayRef, Bad> {
    let halves = array.as_primitive::<Float16Type>();
    Ok(Arc::new(halves.unary::<_, Float32Type>(|value| value.to_f32())))
}

/// Decimals without a fraction as int64; an error if one is beyond it.
pub fn wholes(array: &dyn Array) -> Result<ArrayRef, Bad> {
    decimals!(array, wholes_of)
}

fn wholes_of<T: DecimalType>(array: &PrimitiveArray<T>) -> Result<ArrayRef, Bad>
where
    T::Native: ArrowNativeType,
{
    let beyond = || Bad::corrupt("beyond int64");
    let factor = 10_i64.checked_pow(array.scale().unsigned_abs().into()).ok_or_else(beyond)?;
    let whole = |value: T::Native| value.to_i64()?.checked_mul(factor);
    converted::<T, Int64Type>(array, |value| whole(value).ok_or_else(beyond))
}

/// Decimals as the nearest float64.
pub fn doubles(array: &dyn Array) -> Result<ArrayRef, Bad> {
    decimals!(array, doubles_of)
}

fn doubles_of<T: DecimalType>(array: &PrimitiveArray<T>) -> Result<ArrayRef, Bad> {
    let scale = array.scale();
    let power: f64 = format!("1e{scale}").parse().map_err(Bad::corrupt)?;
    let spelled = |value| T::format_decimal(value, array.precision(), scale);
    converted::<T, Float64Type>(array, |value| match value.to_i64() {
        // Both are exact, so their quotient is rounded right.
        Some(whole) if scale <= EXACT_POWER && whole.unsigned_abs() <= EXACT => {
            Ok(whole as f64 / power)
        }
        _ => spelled(value).parse().map_err(Bad::corrupt),
    })
}

fn converted<T: ArrowPrimitiveType, O: ArrowPrimitiveType>(
    array: &PrimitiveArray<T>,
    convert: impl Fn(T::Native) -> Result<O::Native, Bad>,
) -> Result<ArrayRef, Bad> {
    Ok(Arc::new(array.try_unary::<_, O, Bad>(convert)?))
}

/// The digits of a decimal.
pub fn digits(array: &dyn Array, row: usize) -> String {
    decimals!(array, digits_of, row)
}

fn digits_of<T: DecimalType>(array: &PrimitiveArray<T>, row: usize) -> String {
    array.value_as_string(row)
}

/// Bytes as the text that they must be.
pub fn text(array: &dyn Array) -> Result<ArrayRef, Bad> {
    let text: Result<ArrayRef, ArrowError> = match array.data_type() {
        DataType::Binary => shared(StringArray::try_from_binary(array.as_binary().clone())),
        DataType::LargeBinary => {
            shared(LargeStringArray::try_from_binary(array.as_binary().clone()))
        }
        _ => shared(array.as_binary_view().clone().to_string_view()),
    };
    text.map_err(Bad::corrupt)
}

fn shared<A: Array + 'static>(array: Result<A, ArrowError>) -> Result<ArrayRef, ArrowError> {
    array.map(|array| Arc::new(array) as ArrayRef)
}

/// The error of a type that nothing here reads.
pub fn unknown(kind: &DataType) -> Bad {
    Bad::corrupt(format!("values of the type {kind} cannot be read"))
}

/// The JSON text of each value, the empty text where there is none.
pub fn json_texts(chunks: &[ArrayRef]) -> Result<Texts, Bad> {
    let (mut texts, mut text) = (TextBuilder::default(), String::new());
    for chunk in chunks {
        for row in 0..chunk.len() {
            text.clear();
            if chunk.is_valid(row) {
                write(chunk.as_ref(), row, &mut text)?;
            }
            texts.push(text.as_bytes());
        }
    }
    Ok(texts.finish())
}

fn write(array: &dyn Array, row: usize, out: &mut String) -> Result<(), Bad> {
    if array.is_null(row) {
        out.push_str("null");
        return Ok(());
    }
    match array.data_type() {
        DataType::Null => out.push_str("null"),
        DataType::List(_) => items(&array.as_list::<i32>().value(row), out)?,
        DataType::LargeList(_) => items(&array.as_list::<i64>().value(row), out)?,
        DataType::ListView(_) => items(&array.as_list_view::<i32>().value(row), out)?,
        DataType::LargeListView(_) => items(&array.as_list_view::<i64>().value(row), out)?,
        DataType::FixedSizeList(_, _) => items(&array.as_fixed_size_list().value(row), out)?,
        DataType::Struct(_) => fields(array, row, out)?,
        DataType::Map(_, _) => entries(&array.as_map().value(row), out)?,
        DataType::Union(_, _) => write(array.as_union().value(row).as_ref(), 0, out)?,
        DataType::Dictionary(_, _) | DataType::RunEndEncoded(_, _) => {
            let (values, place) = place_of(array, row);
            write(values.as_ref(), place, out)?;
        }
        DataType::Utf8 => quoted(array.as_string::<i32>().value(row), out),
        DataType::LargeUtf8 => quoted(array.as_string::<i64>().value(row), out),
        DataType::Utf8View => quoted(array.as_string_view().value(row), out),
        DataType::Float64 => float(array.as_primitive::<Float64Type>().value(row), out),
        DataType::Float32 => float(array.as_primitive::<Float32Type>().value(row), out),
        kind if kind.is_numeric() || *kind == DataType::Boolean => {
            print(array, row, out)?;
        }
        _ => {
            let mut text = String::new();
            print(array, row, &mut text)?;
            quoted(&text, out);
        }
    }
    Ok(())
}

fn items(list: &ArrayRef, out: &mut String) -> Result<(), Bad> {
    out.push('[');
    for item in 0..list.len() {
        if item > 0 {
            out.push(',');
        }
        write(list.as_ref(), item, out)?;
    }
    out.push(']');
    Ok(())
}

fn fields(array: &dyn Array, row: usize, out: &mut String) -> Result<(), Bad> {
    let object = array.as_struct();
    out.push('{');
    for (place, (name, values)) in object.column_names().iter().zip(object.columns()).enumerate() {
        if place > 0 {
            out.push(',');
        }
        quoted(name, out);
        out.push(':');
        write(values.as_ref(), row, out)?;
    }
    out.push('}');
    Ok(())
}

/// The object that a map is; its keys become text.
fn entries(map: &StructArray, out: &mut String) -> Result<(), Bad> {
    out.push('{');
    for row in 0..map.len() {
        if row > 0 {
            out.push(',');
        }
        let mut key = String::new();
        write(map.column(0).as_ref(), row, &mut key)?;
        if key.starts_with('"') {
            out.push_str(&key)
        } else {
            quoted(&key, out)
        }
        out.push(':');
        write(map.column(1).as_ref(), row, out)?;
    }
    out.push('}');
    Ok(())
}

fn float(value: impl Into<f64>, out: &mut String) {
    out.push_str(&serde_json::json!(value.into()).to_string());
}

fn quoted(text: &str, out: &mut String) {
    out.push_str(&serde_json::Value::from(text).to_string());
}

/// The text of each value, the empty text where there is none.
pub fn printed_texts(chunks: &[ArrayRef]) -> Result<Texts, Bad> {
    let (mut texts, mut text) = (TextBuilder::default(), String::new());
    for chunk in chunks {
        let nulls = chunk.logical_nulls();
        for row in 0..chunk.len() {
            text.clear();
            if nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row)) {
                print(chunk.as_ref(), row, &mut text)?;
            }
            texts.push(text.as_bytes());
        }
    }
    Ok(texts.finish())
}

/// Writes a value that is not missing.
pub fn print(array: &dyn Array, row: usize, out: &mut String) -> Result<(), Bad> {
    let written = match array.data_type() {
        DataType::Null => Ok(()),
        DataType::Boolean => write!(out, "{}", array.as_boolean().value(row)),
        DataType::Float16 => write!(out, "{}", array.as_primitive::<Float16Type>().value(row)),
        DataType::Binary => hex(array.as_binary::<i32>().value(row), out),
        DataType::LargeBinary => hex(array.as_binary::<i64>().value(row), out),
        DataType::BinaryView => hex(array.as_binary_view().value(row), out),
        DataType::FixedSizeBinary(_) => hex(array.as_fixed_size_binary().value(row), out),
        DataType::Duration(unit) => write!(out, "{}", duration(array, unit, row)?),
        DataType::Interval(unit) => write!(out, "{}", interval(array, unit, row)),
        kind if kind.is_integer() => integer(array, row, out),
        kind if kind.is_decimal() => write!(out, "{}", digits(array, row)),
        kind if kind.is_temporal() => return moment_of(array, row, out),
        kind => return Err(unknown(kind)),
    };
    written.map_err(Bad::corrupt)
}

fn hex(bytes: &[u8], out: &mut String) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
}

fn integer(array: &dyn Array, row: usize, out: &mut String) -> fmt::Result {
    downcast_integer_array!(
        array => write!(out, "{}", array.value(row)),
        kind => unreachable!("{kind} is no integer")
    )
}

/// A date or a time as ISO 8601 writes it, with the offset of its time zone if it has one.
fn moment_of(array: &dyn Array, row: usize, out: &mut String) -> Result<(), Bad> {
    downcast_temporal_array!(
        array => moment(array, row, out),
        kind => Err(unknown(kind))
    )
}

fn moment<T: ArrowTemporalType>(
    array: &PrimitiveArray<T>,
    row: usize,
    out: &mut String,
) -> Result<(), Bad>
where
    i64: From<T::Native>,
{
    let written = match array.data_type() {
        DataType::Date32 => array.value_as_date(row).map(|date| write!(out, "{date:?}")),
        DataType::Time32(_) | DataType::Time64(_) => {
            array.value_as_time(row).map(|time| write!(out, "{time:?}"))
        }
        DataType::Timestamp(_, Some(zone)) => {
            // A zone that is named is not looked up, for the database of zones would be compiled in: UTC is the same moment.
            let zone = zone.parse().or_else(|_| UTC.parse::<Tz>()).map_err(Bad::corrupt)?;
            let local = array.value_as_datetime_with_tz(row, zone);
            local.map(|time| zoned(&time.format("%Y-%m-%dT%H:%M:%S%.f%:z").to_string(), out))
        }
        _ => array.value_as_datetime(row).map(|time| write!(out, "{time:?}")),
    };
    written.ok_or_else(|| beyond(array.data_type()))?.map_err(Bad::corrupt)
}

/// A time with its offset; Z says that there is none.
fn zoned(time: &str, out: &mut String) -> fmt::Result {
    match time.strip_suffix("+00:00") {
        Some(utc) => write!(out, "{utc}Z"),
        None => out.write_str(time),
    }
}

/// A span of time as ISO 8601 writes it, in seconds.
fn duration(array: &dyn Array, unit: &TimeUnit, row: usize) -> Result<impl Display, Bad> {
    let span = match unit {
        TimeUnit::Second => array.as_primitive::<DurationSecondType>().value_as_duration(row),
        TimeUnit::Millisecond => {
            array.as_primitive::<DurationMillisecondType>().value_as_duration(row)
        }
        TimeUnit::Microsecond => {
            array.as_primitive::<DurationMicrosecondType>().value_as_duration(row)
        }
        TimeUnit::Nanosecond => {
            array.as_primitive::<DurationNanosecondType>().value_as_duration(row)
        }
    };
    span.ok_or_else(|| beyond(array.data_type()))
}

/// Months, days and parts of a day as Arrow prints them.
fn interval(array: &dyn Array, unit: &IntervalUnit, row: usize) -> String {
    match unit {
        IntervalUnit::YearMonth => {
            format!("{}M", array.as_primitive::<IntervalYearMonthType>().value(row))
        }
        IntervalUnit::DayTime => {
            let value = array.as_primitive::<IntervalDayTimeType>().value(row);
            format!("{}d{}ms", value.days, value.milliseconds)
        }
        IntervalUnit::MonthDayNano => {
            let value = array.as_primitive::<IntervalMonthDayNanoType>().value(row);
            format!("{}M{}d{}ns", value.months, value.days, value.nanoseconds)
        }
    }
}

fn beyond(kind: &DataType) -> Bad {
    Bad::corrupt(format!("a value of the type {kind} is beyond the calendar"))
}

#[cfg(test)]
mod tests {
    use arrow_array::{
        Date32Array, Decimal128Array, DictionaryArray, FixedSizeBinaryArray, Int8Array,
        StringArray, TimestampSecondArray,
    };

    use super::*;

    fn decimals(values: &[i128], scale: i8) -> Decimal128Array {
        let array: Decimal128Array = values.iter().map(|&value| Some(value)).collect();
        array.with_precision_and_scale(38, scale).expect("they fit")
    }

    #[test]
    fn decimals_are_rounded_once() {
        for (value, scale) in [(9_007_199_254_740_993, 2), (125, 2), (3, 23), (-29, 2), (7, 38)] {
            let made = doubles(&decimals(&[value], scale)).expect("a number");
            let spelled: f64 = format!("{value}e-{scale}").parse().expect("a number");
            assert_eq!(made.as_primitive::<Float64Type>().value(0).to_bits(), spelled.to_bits());
        }
    }

    #[test]
    fn whole_decimals_fit_int64_or_are_refused() {
        let most = i128::from(i64::MAX);
        let made = wholes(&decimals(&[most, -5], 0)).expect("they fit");
        assert_eq!(made.as_primitive::<Int64Type>().values(), &[i64::MAX, -5]);
        assert!(wholes(&decimals(&[most + 1], 0)).is_err());
        assert!(wholes(&decimals(&[most], -1)).is_err());
    }

    #[test]
    fn keys_without_a_value_stay_without_one() {
        let keys = Int8Array::from(vec![Some(1), None, Some(0)]);
        let texts = Arc::new(StringArray::from(vec!["a", "b"]));
        let made = looked_up(&DictionaryArray::new(keys, texts)).expect("texts");
        let made: Vec<Option<&str>> = made.as_string::<i32>().iter().collect();
        assert_eq!(made, [Some("b"), None, Some("a")]);
    }

    fn printed(array: &dyn Array) -> String {
        let mut text = String::new();
        print(array, 0, &mut text).expect("a value");
        text
    }

    #[test]
    fn dates_and_times_are_iso_8601() {
        let leap_day = TimestampSecondArray::from(vec![1_709_210_096]);
        assert_eq!(printed(&Date32Array::from(vec![19_782])), "2024-02-29");
        assert_eq!(printed(&leap_day), "2024-02-29T12:34:56");
        assert_eq!(printed(&leap_day.clone().with_timezone("UTC")), "2024-02-29T12:34:56Z");
        assert_eq!(printed(&leap_day.clone().with_timezone("+01:00")), "2024-02-29T13:34:56+01:00");
        assert_eq!(printed(&leap_day.with_timezone("Europe/Berlin")), "2024-02-29T12:34:56Z");
    }

    #[test]
    fn bytes_of_a_fixed_size_are_hexadecimal() {
        let bytes = FixedSizeBinaryArray::try_from_iter([[0xff_u8, 0x0a]].into_iter());
        assert_eq!(printed(&bytes.expect("bytes")), "ff0a");
    }

    #[test]
    fn a_time_beyond_the_calendar_is_refused() {
        let never = TimestampSecondArray::from(vec![1 << 62]);
        assert!(print(&never, 0, &mut String::new()).is_err());
    }
}
