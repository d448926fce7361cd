"""The process: what the command ``idealrank`` and ``python -m idealrank`` run."""

import gc
import os
import sys
from typing import NoReturn


def program() -> NoReturn:
    """Run the command line, then end at once, since nothing that is left needs taking apart."""
    gc.disable()  # a short-lived process that makes no cycles worth collecting
    # Nothing here multiplies matrices: the threads NumPy starts for that would only take time from the readers.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from idealrank.cli import main

    try:
        main()
    except SystemExit as end:
        sys.stderr.flush()
        os._exit(end.code if isinstance(end.code, int) else 2)


if __name__ == "__main__":
    program()
