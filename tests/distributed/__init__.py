"""What does not fit in one table: files in buckets on disk."""
