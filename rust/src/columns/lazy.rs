//! Columns that are made when one asks for them.

use std::sync::{Arc, OnceLock};

use arrow_array::ArrayRef;
use arrow_schema::DataType;

use crate::columns::arrow;
use crate::columns::builder::{CellBuilder, SparseColumn};
use crate::columns::column::Column;
use crate::errors::Bad;

/// Arrow arrays that become a column when one asks for it.
#[derive(Clone)]
pub struct Chunks {
    arrays: Vec<ArrayRef>,
    kind: DataType,
    made: OnceLock<Column>,
}

/// A column, or what it can be made from.
#[derive(Clone)]
pub enum LazyColumn {
    Column(Column),
    Chunks(Box<Chunks>),
    /// Few rows have values. What is made of it is not kept, since there may be as many such columns as rows.
    Sparse(Arc<SparseColumn>),
}

impl From<Column> for LazyColumn {
    fn from(column: Column) -> LazyColumn {
        LazyColumn::Column(column)
    }
}

impl LazyColumn {
    pub fn arrays(arrays: Vec<ArrayRef>, kind: DataType) -> LazyColumn {
        LazyColumn::Chunks(Box::new(Chunks { arrays, kind, made: OnceLock::new() }))
    }

    /// The column of some cells; where few rows have values it is made when one asks for it, and not kept.
    pub fn built(cells: CellBuilder) -> LazyColumn {
        let sparse = cells.finish_sparse();
        if sparse.is_scarce() {
            return LazyColumn::Sparse(Arc::new(sparse));
        }
        sparse.column().into()
    }

    /// Puts these values behind those of `cells`.
    pub fn add_to(&self, cells: &mut CellBuilder) -> Result<(), Bad> {
        if let LazyColumn::Sparse(sparse) = self {
            cells.append_sparse(sparse);
            return Ok(());
        }
        let column = self.column()?;
        (0..column.len()).for_each(|row| cells.push(column.value(row).into()));
        Ok(())
    }

    pub fn len(&self) -> usize {
        match self {
            LazyColumn::Column(column) => column.len(),
            LazyColumn::Chunks(chunks) => chunks.arrays.iter().map(|array| array.len()).sum(),
            LazyColumn::Sparse(sparse) => sparse.len(),
        }
    }

    /// The first row of an Arrow column of lists or objects that has one.
    pub fn nested(&self) -> Option<usize> {
        let LazyColumn::Chunks(chunks) = self else {
            return None;
        };
        if !chunks.kind.is_nested() {
            return None;
        }
        let mut before = 0;
        for array in &chunks.arrays {
            if let Some(row) = (0..array.len()).find(|&row| array.is_valid(row)) {
                return Some(before + row);
            }
            before += array.len();
        }
        None
    }

    /// The arrays it is made from, and their type.
    pub fn chunks(&self) -> Result<(Vec<ArrayRef>, DataType), Bad> {
        if let LazyColumn::Chunks(chunks) = self {
            return Ok((chunks.arrays.clone(), chunks.kind.clone()));
        }
        let array = self.column()?.to_arrow()?;
        let kind = array.data_type().clone();
        Ok((vec![array], kind))
    }

    pub fn column(&self) -> Result<Column, Bad> {
        let chunks = match self {
            LazyColumn::Column(column) => return Ok(column.clone()),
            LazyColumn::Sparse(sparse) => return Ok(sparse.column()),
            LazyColumn::Chunks(chunks) => chunks,
        };
        if let Some(column) = chunks.made.get() {
            return Ok(column.clone());
        }
        let column = arrow::column(&chunks.arrays, &chunks.kind)?;
        Ok(chunks.made.get_or_init(|| column).clone())
    }
}
