//! Lists and objects of Arrow arrays as JSON text.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::DataType;

use crate::columns::text::Texts;
use crate::columns::text_builder::TextBuilder;
use crate::errors::Bad;

/// The JSON text of each value, the empty text where there is none.
pub fn texts(chunks: &[ArrayRef]) -> Result<Texts, Bad> {
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
        DataType::List(_) => items(&array.as_list::<i32>().value(row), out)?,
        DataType::LargeList(_) => items(&array.as_list::<i64>().value(row), out)?,
        DataType::FixedSizeList(_, _) => items(&array.as_fixed_size_list().value(row), out)?,
        DataType::Struct(_) => fields(array, row, out)?,
        DataType::Utf8 => quoted(array.as_string::<i32>().value(row), out),
        DataType::LargeUtf8 => quoted(array.as_string::<i64>().value(row), out),
        DataType::Utf8View => quoted(array.as_string_view().value(row), out),
        DataType::Boolean => out.push_str(&array.as_boolean().value(row).to_string()),
        DataType::Int64 => {
            out.push_str(&array.as_primitive::<Int64Type>().value(row).to_string());
        }
        DataType::Int32 => {
            out.push_str(&array.as_primitive::<Int32Type>().value(row).to_string());
        }
        DataType::Float64 => {
            out.push_str(
                &serde_json::json!(array.as_primitive::<Float64Type>().value(row)).to_string(),
            );
        }
        DataType::Float32 => {
            out.push_str(
                &serde_json::json!(array.as_primitive::<Float32Type>().value(row)).to_string(),
            );
        }
        kind => printed(array, row, kind.is_numeric(), out)?,
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

fn quoted(text: &str, out: &mut String) {
    out.push_str(&serde_json::Value::from(text).to_string());
}

/// Any other value as it is printed, in quotes unless it is a number.
fn printed(array: &dyn Array, row: usize, number: bool, out: &mut String) -> Result<(), Bad> {
    let options = FormatOptions::default();
    let formatter = ArrayFormatter::try_new(array, &options).map_err(Bad::corrupt)?;
    let text = formatter.value(row).try_to_string().map_err(Bad::corrupt)?;
    if number {
        out.push_str(&text)
    } else {
        quoted(&text, out)
    }
    Ok(())
}
