//! Values of Arrow types that a column has no place for, as text: dates, times, bytes.

use std::fmt::{self, Display, Write};

use arrow_array::cast::AsArray;
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
        kind if kind.is_decimal() => write!(out, "{}", casting::digits(array, row)),
        kind if kind.is_temporal() => return moment_of(array, row, out),
        kind => return Err(casting::unknown(kind)),
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
        kind => Err(casting::unknown(kind))
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
            let zone = zone.parse().map_err(Bad::corrupt)?;
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
    use arrow_array::{Date32Array, FixedSizeBinaryArray, TimestampSecondArray};

    use super::*;

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
        assert_eq!(printed(&leap_day.with_timezone("Europe/Berlin")), "2024-02-29T13:34:56+01:00");
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
