"""Measures over characters: how much of the judged spans the chunks contain, and how much else."""

from idealrank.measures.common import DEFINED, SHARE
from idealrank.measures.definition import Definition

_READS = ("relevant_from", "negative", "cutoff")

DEFINITIONS = (
    Definition(
        name="CharR",
        title="Character recall: the share of the relevant spans' characters that are in the first k chunks",
        module="spans.characters",
        function="recall",
        by_span=True,
        shared_ranks=True,
        reads=(*_READS, "no_relevant"),
        properties=SHARE._replace(average="none"),
        aliases=("char_recall", "character_recall"),
    ),
    Definition(
        name="CharP",
        title="Character precision: the share of the first k chunks' characters that are in relevant spans",
        module="spans.characters",
        function="precision",
        by_span=True,
        shared_ranks=True,
        reads=_READS,
        properties=DEFINED._replace(average="none"),
        aliases=("char_precision", "character_precision"),
    ),
    Definition(
        name="CharIoU",
        title="Character IoU: the characters that relevant spans and the first k chunks share, of all in either",
        module="spans.characters",
        function="iou",
        by_span=True,
        shared_ranks=True,
        reads=_READS,
        properties=DEFINED._replace(average="none"),
        aliases=("char_iou", "character_iou"),
    ),
)
