"""What is said of a measure as JSON."""

from typing import Annotated, TypedDict

from idealrank.display.columns import MeasureFingerprint
from idealrank.display.schema import Also, OneOf
from idealrank.measures.definition import DIRECTION, Cutoff, Properties

_PROMISES = {
    name.replace("_", " "): Annotated[str, f"The promise '{name.replace('_', ' ')}'."] for name in Properties._fields
}
_PROMISES["direction"] = Annotated[str, OneOf(DIRECTION), "Whether more is better."]


class MeasurePromises(TypedDict):
    """What it promises, as text."""


MeasureFacts = TypedDict(
    "MeasureFacts",
    {
        "name": Annotated[str, "Name of the measure."],
        "title": Annotated[str, "What it is, in one line."],
        "cutoff": Annotated[Cutoff, "Whether it takes a cutoff."],
        "parameters": Annotated[
            dict[str, Annotated[float | str | None, "The default; null if one must be given."]],
            "The default of each parameter.",
        ],
        "reads": Annotated[list[str], "The decisions it reads."],
        "also called": Annotated[list[str], "Other names that are understood."],
        "properties": Annotated[MeasurePromises, Also(_PROMISES)],
    },
)


class MeasureJson(MeasureFacts):
    """A measure."""

    fingerprint: MeasureFingerprint
