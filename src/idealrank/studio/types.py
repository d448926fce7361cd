"""What the studio says as JSON."""

from typing import Annotated

from idealrank.display.schema import RowType

RESCORED_ROW = RowType(
    {
        "at": Annotated[str, "When it was looked at, in UTC."],
        "baseline": Annotated[str, "Name of the first system."],
        "system": Annotated[str, "Name of the second system."],
        "measure": Annotated[str, "The measure that decides."],
        "answers": Annotated[str, "Answers to decisions that were chosen, as NAME=ANSWER."],
        "outcome then": Annotated[str, "SHIP, DON'T, ABOUT THE SAME or CAN'T TELL, when it was looked at."],
        "outcome now": Annotated[str, "The same by the labels and tables of today; else why it cannot be told."],
        "difference then": Annotated[float | None, "The difference of the means then."],
        "difference now": Annotated[float | None, "The difference of the means now; null if it cannot be told."],
        "flipped": Annotated[str, "flipped, if the verdict is another now; else empty."],
    }
)
