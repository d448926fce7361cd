"""What the columns and keys that several outputs have contain: said once here, imported where a table is made."""

from typing import Annotated

from idealrank.display.schema import Within

QueryId = Annotated[str, "Id of the query."]
QueryText = Annotated[str | None, "Text of the query; null if it has none."]
SystemName = Annotated[str, "Name of the system."]
MeasureName = Annotated[str, "Name of the measure."]
QueryCount = Annotated[int, "Number of queries that count."]
Mean = Annotated[float | None, "Mean of the measure over the queries; null if none counts."]
Low = Annotated[float | None, "Lower end of the interval; null if there is none, or it has no bound."]
High = Annotated[float | None, "Upper end of the interval; null if there is none, or it has no bound."]
Lowest = Annotated[float | None, "Lowest possible mean or value, over all that is not known; null if it is not known."]
Highest = Annotated[
    float | None, "Highest possible mean or value, over all that is not known; null if it is not known."
]
Frequency = Annotated[float | None, Within(0), "How often the query is asked, or its weight; null if not known."]
Lost = Annotated[float | None, "Frequency times what is lost of the measure; null if the frequency is not known."]
Value = Annotated[float | None, "Value of the measure that the key names; null if there is none."]
Fingerprint = Annotated[
    str | None,
    "What the numbers of the row mean: the measure with its answer to every decision it reads. Where it is the "
    "same for all rows, the first row has it and the others have null; it is empty for rows without a measure.",
]
MeasureFingerprint = Annotated[str, "The measure with its answer to every decision it reads."]
ConventionText = Annotated[str, "The convention, with the answers that differ from it."]
Fingerprints = Annotated[
    dict[str, Annotated[str, "A fingerprint."]],
    "The fingerprint of each measure, by its name: the measure with its answer to every decision it reads.",
]

STATED = {"fingerprint": Fingerprint}
"""The last column of a table that is printed alone, where `Table.stated` has one fingerprint a row or one of all."""
