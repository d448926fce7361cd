//! Lists and objects of Arrow arrays as JSON text.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Float64Type};
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::DataType;

use crate::columns::casting;
use crate::columns::printing;
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
            let (values, place) = casting::place_of(array, row);
            write(values.as_ref(), place, out)?;
        }
        DataType::Utf8 => quoted(array.as_string::<i32>().value(row), out),
        DataType::LargeUtf8 => quoted(array.as_string::<i64>().value(row), out),
        DataType::Utf8View => quoted(array.as_string_view().value(row), out),
        DataType::Float64 => float(array.as_primitive::<Float64Type>().value(row), out),
        DataType::Float32 => float(array.as_primitive::<Float32Type>().value(row), out),
        kind if kind.is_numeric() || *kind == DataType::Boolean => {
            printing::print(array, row, out)?;
        }
        _ => {
            let mut text = String::new();
            printing::print(array, row, &mut text)?;
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
