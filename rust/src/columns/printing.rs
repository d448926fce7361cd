//! Values of Arrow types that a column has no place for, as text: dates, times, bytes.

use arrow_array::cast::AsArray;
use arrow_array::timezone::Tz;
use arrow_array::types::{
    ArrowTemporalType, DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType,
    DurationSecondType, Float16Type, IntervalDayTimeType, IntervalMonthDayNanoType,
    IntervalYearMonthType,
};
use arrow_array::{Array, ArrayRef, PrimitiveArray};
use arrow_array::{downcast_integer_array, downcast_temporal_array};
use arrow_schema::{DataType, IntervalUnit, TimeUnit};

use crate::columns::casting;
use crate::columns::text::Texts;
use crate::columns::text_builder::TextBuilder;
use crate::errors::Bad;

/// The text of each value, the empty text where there is none.
pub fn texts(chunks: &[ArrayRef]) -> Result<Texts, Bad> {
    let mut texts = TextBuilder::default();
    for chunk in chunks {
        let nulls = chunk.logical_nulls();
        for row in 0..chunk.len() {
            let missing = nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
            let text = if missing { String::new() } else { printed(chunk.as_ref(), row)? };
            texts.push(text.as_bytes());
        }
    }
    Ok(texts.finish())
}

/// The text of a value that is not missing.
pub fn printed(array: &dyn Array, row: usize) -> Result<String, Bad> {
    Ok(match array.data_type() {
        DataType::Null => String::new(),
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::Float16 => array.as_primitive::<Float16Type>().value(row).to_string(),
        DataType::Binary => hex(array.as_binary::<i32>().value(row)),
        DataType::LargeBinary => hex(array.as_binary::<i64>().value(row)),
        DataType::BinaryView => hex(array.as_binary_view().value(row)),
        DataType::FixedSizeBinary(_) => hex(array.as_fixed_size_binary().value(row)),
        DataType::Duration(unit) => duration(array, unit, row)?,
        DataType::Interval(unit) => interval(array, unit, row),
        kind if kind.is_integer() => integer(array, row)?,
        kind if kind.is_decimal() => casting::digits(array, row),
        _ => {
            downcast_temporal_array!(array => moment(array, row)?, kind => return Err(casting::unknown(kind)))
        }
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn integer(array: &dyn Array, row: usize) -> Result<String, Bad> {
    downcast_integer_array!(
        array => Ok(array.value(row).to_string()),
        kind => Err(casting::unknown(kind))
    )
}

/// A date or a time as ISO 8601 writes it, with the offset of its time zone if it has one.
fn moment<T: ArrowTemporalType>(array: &PrimitiveArray<T>, row: usize) -> Result<String, Bad>
where
    i64: From<T::Native>,
{
    let text = match array.data_type() {
        DataType::Date32 => array.value_as_date(row).map(|date| format!("{date:?}")),
        DataType::Time32(_) | DataType::Time64(_) => {
            array.value_as_time(row).map(|time| format!("{time:?}"))
        }
        DataType::Timestamp(_, Some(zone)) => {
            let zone: Tz = zone.parse().map_err(Bad::corrupt)?;
            let local = array.value_as_datetime_with_tz(row, zone);
            local.map(|time| time.format("%Y-%m-%dT%H:%M:%S%.f%:z").to_string())
        }
        _ => array.value_as_datetime(row).map(|time| format!("{time:?}")),
    };
    let text = text.ok_or_else(|| beyond(array.data_type()))?;
    Ok(text.strip_suffix("+00:00").map_or(text.clone(), |utc| format!("{utc}Z")))
}

/// A span of time as ISO 8601 writes it, in days and seconds.
fn duration(array: &dyn Array, unit: &TimeUnit, row: usize) -> Result<String, Bad> {
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
    span.map(|span| span.to_string()).ok_or_else(|| beyond(array.data_type()))
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
