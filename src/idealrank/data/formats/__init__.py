"""The file formats, one file per format: to add one, add its file, and its name to a tuple below.

The first format that a file looks like reads it; the last of `TEXT` takes or refuses any remaining text.
"""

from idealrank.data.formats import arrow, delimited, headerless, json_text, learning, parquet, trec, yaml_text
from idealrank.data.formats.head import Format

COLUMNAR: tuple[Format, ...] = (parquet, arrow)
TEXT: tuple[Format, ...] = (yaml_text, json_text, learning, trec, headerless, delimited)
