"""``python -m idealrank.integrations.trec_eval``: what trec_eval is called with, behind it."""

import os
import sys

from idealrank.display.terminal import say
from idealrank.integrations.trec_eval import run


def main() -> int:
    """Run; a reader that goes away, or an interruption, is no traceback."""
    try:
        code = run(sys.argv[1:], "python -m idealrank.integrations.trec_eval")
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        say(f"python -m idealrank.integrations.trec_eval: output cannot be written: {error.strerror}.")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    return code


if __name__ == "__main__":
    sys.exit(main())
