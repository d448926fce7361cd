//! Arrow arrays of the many types as the few that columns are made of.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType, Float16Type,
    Float32Type, Float64Type, Int64Type,
};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, PrimitiveArray, UInt64Array};
use arrow_array::{LargeStringArray, StringArray};
use arrow_array::{downcast_integer_array, downcast_run_array};
use arrow_buffer::ArrowNativeType;
use arrow_schema::{ArrowError, DataType};
use arrow_select::take::take;

use crate::columns::decimal::EXACT;
use crate::errors::Bad;

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
    let taken = match array.as_any_dictionary_opt() {
        Some(dictionary) => take(dictionary.values(), dictionary.keys(), None),
        None => take(values_of(array), &places(array), None),
    };
    taken.map_err(Bad::corrupt)
}

fn values_of(array: &dyn Array) -> &ArrayRef {
    downcast_run_array!(
        array => array.values(),
        kind => unreachable!("{kind} has no runs")
    )
}

fn places(array: &dyn Array) -> UInt64Array {
    (0..array.len()).map(|row| Some(place_of(array, row).1 as u64)).collect()
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

#[cfg(test)]
mod tests {
    use arrow_array::{Decimal128Array, DictionaryArray, Int8Array, StringArray};

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
}
