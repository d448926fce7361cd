"""``python -m idealrank.trec_eval``: what trec_eval is called with, behind it."""

from __future__ import annotations

import sys

from idealrank.trec_eval import run

if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], "python -m idealrank.trec_eval"))
