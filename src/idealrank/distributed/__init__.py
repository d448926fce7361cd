"""Files go in; buckets come out: parts that fit in memory, each with every row of its queries, in place or copied."""
