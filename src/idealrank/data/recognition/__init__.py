"""Files go in; what was recognised in each, and how they would be joined, comes out."""
