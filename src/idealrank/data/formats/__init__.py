"""The file formats: to add one, add the function that recognizes it to a tuple below.

The first format that a file looks like reads it; the last of `TEXT` takes or refuses any remaining text.
"""

from idealrank.data.formats import columnar, delimited, headerless, json_text, svmlight, trec, yaml_text
from idealrank.data.formats.head import Format

COLUMNAR: tuple[Format, ...] = (columnar.looks_like_parquet, columnar.looks_like_arrow)

TEXT: tuple[Format, ...] = (
    yaml_text.looks_like,
    json_text.looks_like,
    svmlight.looks_like,
    trec.looks_like,
    headerless.looks_like,
    delimited.looks_like,
)
