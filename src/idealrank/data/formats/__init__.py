"""The file formats: to add one, add the function that recognizes it to a tuple below.

The first format that a file looks like reads it; the last of `TEXT` takes or refuses any remaining text.
"""

from idealrank.data.formats import arrow, delimited, headerless, json_text, learning, parquet, trec, yaml_text
from idealrank.data.formats.head import Format

COLUMNAR: tuple[Format, ...] = (parquet.looks_like, arrow.looks_like)
TEXT: tuple[Format, ...] = (
    yaml_text.looks_like,
    json_text.looks_like,
    learning.looks_like,
    trec.looks_like,
    headerless.looks_like,
    delimited.looks_like,
)
