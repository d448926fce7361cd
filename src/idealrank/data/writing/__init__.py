"""Judgments or results go in, files that other tools read come out: one format a file, listed in a tuple below.

The first format whose ending a file has writes it, unless another is named.
"""

from idealrank.data.writing import tables, tools
from idealrank.data.writing.writer import Writer

WRITERS: tuple[Writer, ...] = (
    tables.TREC, tables.CSV, tables.TSV, tables.JSONL, tables.PARQUET, tools.BEIR, tools.BASIC, tools.BOOK, tools.RRE,
    tools.OPENSEARCH, tools.RANK_EVAL, tools.PYTREC_EVAL, tools.SVMLIGHT,
)  # fmt: skip
