"""Tables larger than memory, or elsewhere, go in; the scores of all their queries come out, as of one evaluation.

A *bucket* is every row of some queries: of the judgments, and of the results of all systems. What is computed query by
query is computed bucket by bucket, by the code that takes tables in memory as the only bucket (`evaluation.buckets`).
A *part* of a table is what one bucket has of its rows; it may be none. An evaluation *in parts* has many buckets.

A part does not show what is true of the whole table, although that decides how the part is read: the highest grade,
the names of the systems, whether any row has a rank or a score, whether ranks begin at 0. The *survey* says it: it is
made of all parts before one of them is evaluated, and read as `Judgments.whole` and `Results.whole`.

A bucket gives a *portion*: its values, and what was counted in it. `merge_portions` puts these together, and refuses
what only all queries can show. What needs lists later is one more pass over the buckets.
"""
