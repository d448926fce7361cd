"""The arithmetic behind one value: one query, its judged lists and steps go in, a table of the steps comes out."""
