"""What goes in as tables of polars, pyarrow and DuckDB, and what needs a process of its own."""
