"""The file formats: to add one, add a row with the function that recognizes it to a table below.

The first format that a file looks like reads it; the last of `TEXT` takes or refuses any remaining text. What reads a
format is imported when the beginning of a file may be of it.
"""

from collections.abc import Callable
from importlib import import_module

from idealrank.data.formats.head import DetectedFormat, Detector, Head


def _detector(function: str, may_be: Callable[[Head], bool] = lambda head: True) -> Detector:
    """Return a function that recognizes a format by ``module.function``, imported where the file may be of it."""
    module, _, name = function.partition(".")

    def detect(head: Head) -> DetectedFormat | None:
        if not may_be(head):
            return None
        found: DetectedFormat | None = getattr(import_module(f"{__name__}.{module}"), name)(head)
        return found

    return detect


def _may_be_yaml(head: Head) -> bool:
    first = head.lines[0].text
    return ".y" in head.name.lower() or ":" in first or first.startswith("---")


def _may_be_learning_to_rank(head: Head) -> bool:
    return ":" in head.lines[0].text or any(len(line.fields) <= 1 for line in head.lines[:2])


COLUMNAR = (
    _detector("columnar.detect_parquet", lambda head: head.start.startswith(b"PAR1")),
    _detector("columnar.detect_arrow", lambda head: head.start.startswith((b"ARROW1", b"\xff\xff\xff\xff"))),
)

TEXT = (
    _detector("yaml_text.detect_yaml", _may_be_yaml),
    _detector("json_text.detect_json", lambda head: head.lines[0].text.lstrip()[:1] in ("{", "[")),
    _detector("svmlight.detect_learning_to_rank", _may_be_learning_to_rank),
    _detector("trec.detect_trec"),
    _detector("headerless.detect_headerless"),
    _detector("delimited.detect_delimited"),
)
