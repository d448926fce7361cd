"""Columns and blocks go in; text, HTML, Markdown and JUnit come out.

It knows no value of the rooms above, and may import arrays and errors.
"""

import contextlib
import sys
from typing import Any


def notebook_bar(what: str, then: str = "", progress: Any = None) -> contextlib.AbstractContextManager[Any]:
    """Give whom to tell how far long work is: `progress` where a caller gave it, else a bar below the cell.

    In a script there is None to tell, nothing is shown, and nothing more is imported: so it is here.

    Parameters
    ----------
    what, then
        What is done, and what is done when all steps are.
    progress
        Called with what is done and what there is in all; None: nobody was named.
    """
    if progress is not None or "ipykernel" not in sys.modules:
        return contextlib.nullcontext(progress)
    from idealrank.display.terminal import cell_bar

    return cell_bar(what, then)
