"""What the core reads of pyarrow, polars and DuckDB."""
