"""Files go in; buckets on disk come out: parts that fit in memory, each with every row of its queries."""
