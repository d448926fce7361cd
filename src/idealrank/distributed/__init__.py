"""Tables larger than memory, or elsewhere, go in; the scores of all their queries come out, as of one evaluation.

A *bucket* is every row of some queries: of the judgments, and of the results of all systems. What is computed query by
query is computed bucket by bucket, by the same code for which tables in memory are the only bucket
(`evaluation.buckets`). A *part* of a table is its rows in one bucket, possibly none. An evaluation *in parts* has
many buckets.

A part does not show what is true of the whole table, although that decides how the part is read: the highest grade,
the names of the systems, whether any row has a rank or a score, whether ranks begin at 0. The *survey* does: it is
made from all parts before any of them is evaluated, and read as `Judgments.whole` and `Results.whole`.

The result of a bucket is a *portion*: its values, and what was counted in it. `merge_portions` puts these together, and
makes the checks that need all queries. Whatever needs lists later reads the buckets again.
"""
