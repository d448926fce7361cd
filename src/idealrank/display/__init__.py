"""Columns and blocks go in; text, HTML, Markdown and JUnit come out.

It knows no value of the rooms above, and may import arrays and errors.
"""

import contextlib
import sys
from typing import Any


def notebook_bar(what: str, then: str = "", told: Any = None) -> contextlib.AbstractContextManager[Any]:
    """Give whom to tell how far long work is: `told` where a caller gave it, else a bar below the cell of a notebook.

    In a script there is None to tell, nothing is shown, and nothing more is imported: so it is here.

    Parameters
    ----------
    what, then
        What is done, and what is done when all steps are.
    told
        Called with what is done and what there is in all; None: nobody was named.
    """
    if told is not None or "ipykernel" not in sys.modules:
        return contextlib.nullcontext(told)
    from idealrank.display.terminal import cell_bar

    return cell_bar(what, then)
