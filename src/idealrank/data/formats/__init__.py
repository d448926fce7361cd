"""The file formats: to add one, add the function that recognizes it to a tuple below.

The first format that a file looks like reads it; the last of `TEXT` takes or refuses any remaining text. What reads a
format is imported when the beginning of a file may be of it.
"""

from idealrank.data.formats.head import DetectedFormat, Detector, Head


def detect_parquet(head: Head) -> DetectedFormat | None:
    """Recognize Parquet by its first bytes."""
    if not head.start.startswith(b"PAR1"):
        return None
    from idealrank.data.formats.columnar import read_parquet_file

    return DetectedFormat("parquet", read_parquet_file)


def detect_arrow(head: Head) -> DetectedFormat | None:
    """Recognize an Arrow IPC file or stream by its first bytes."""
    if not head.start.startswith((b"ARROW1", b"\xff\xff\xff\xff")):
        return None
    from idealrank.data.formats.columnar import read_arrow_file

    return DetectedFormat("arrow", read_arrow_file)


def detect_yaml(head: Head) -> DetectedFormat | None:
    """Recognize YAML: by the ending of the file, or by a first line that is a key, or ``---``."""
    first = head.lines[0].text
    if ".y" not in head.name.lower() and ":" not in first and not first.startswith("---"):
        return None
    from idealrank.data.formats.yaml_text import detect_yaml

    return detect_yaml(head)


def detect_json(head: Head) -> DetectedFormat | None:
    """Recognize JSON by its first character, and its shape by its first documents."""
    if head.lines[0].text.lstrip()[:1] not in ("{", "["):
        return None
    from idealrank.data.formats.json_text import detect_json

    return detect_json(head)


def detect_learning_to_rank(head: Head) -> DetectedFormat | None:
    """Recognize lines with ``qid:`` or features, and predictions: one number per line."""
    if ":" not in head.lines[0].text and all(len(line.fields) > 1 for line in head.lines[:2]):
        return None
    from idealrank.data.formats.svmlight import detect_learning_to_rank

    return detect_learning_to_rank(head)


def detect_trec(head: Head) -> DetectedFormat | None:
    """Recognize TREC text: judgments and results, with fields separated by whitespace."""
    from idealrank.data.formats.trec import detect_trec

    return detect_trec(head)


def detect_headerless(head: Head) -> DetectedFormat | None:
    """Recognize tables of two or three columns without a line of their names."""
    from idealrank.data.formats.headerless import detect_headerless

    return detect_headerless(head)


def detect_delimited(head: Head) -> DetectedFormat | None:
    """Take text whose first line names the columns, and refuse any other."""
    from idealrank.data.formats.delimited import detect_delimited

    return detect_delimited(head)


COLUMNAR: tuple[Detector, ...] = (detect_parquet, detect_arrow)

TEXT: tuple[Detector, ...] = (
    detect_yaml,
    detect_json,
    detect_learning_to_rank,
    detect_trec,
    detect_headerless,
    detect_delimited,
)
