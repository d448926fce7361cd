"""The file formats: to add one, add the function that recognizes it to a tuple below.

The first format that a file looks like reads it; the last of `TEXT` takes or refuses any remaining text.
"""

from idealrank.data.formats import columnar, delimited, headerless, json_text, svmlight, trec, yaml_text
from idealrank.data.formats.head import Detector

COLUMNAR: tuple[Detector, ...] = (columnar.detect_parquet, columnar.detect_arrow)

TEXT: tuple[Detector, ...] = (
    yaml_text.detect_yaml,
    json_text.detect_json,
    svmlight.detect_learning_to_rank,
    trec.detect_trec,
    headerless.detect_headerless,
    delimited.detect_delimited,
)
