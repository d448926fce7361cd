"""Judgments or results go in, files that other tools read come out: one format a file, listed in a tuple below.

The first format whose ending a file has writes it, unless another is named.
"""

from idealrank.data.writing import (
    beir,
    csv_text,
    jsonl,
    opensearch,
    parquet,
    pytrec_eval,
    quepid,
    rank_eval,
    rre,
    svmlight,
    trec,
)
from idealrank.data.writing.writer import Writer

WRITERS: tuple[Writer, ...] = (
    trec.TREC, csv_text.CSV, csv_text.TSV, jsonl.JSONL, parquet.PARQUET, beir.BEIR, quepid.BASIC, quepid.BOOK, rre.RRE,
    opensearch.OPENSEARCH, rank_eval.RANK_EVAL, pytrec_eval.PYTREC_EVAL, svmlight.SVMLIGHT,
)  # fmt: skip
