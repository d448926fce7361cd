"""``python -m idealrank.integrations.trec_eval``, followed by trec_eval's arguments."""

import os
import sys

from idealrank.display.terminal import say
from idealrank.integrations.trec_eval import run


def main() -> int:
    """Run; a closed pipe or an interruption gives no traceback."""
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
