"""Files divided by query into buckets on disk."""
