"""The formats of files, each in a file of its own: to add one is to add its file, and its name to a tuple below.

The first that a file looks like reads it; the last of `TEXT` takes or refuses whatever text is left.
"""

from idealrank.data.formats import arrow, delimited, jsonl, parquet, trec
from idealrank.data.formats.head import Format

COLUMNAR: tuple[Format, ...] = (parquet, arrow)
TEXT: tuple[Format, ...] = (trec, jsonl, delimited)
