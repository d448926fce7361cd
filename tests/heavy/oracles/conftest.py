"""The comparison of the first ring's oracles, for these."""

from __future__ import annotations

import os

from tests.oracles.conftest import compare

__all__ = ["compare"]

os.environ.setdefault("NUMBA_OPT", "0")  # ranx is compiled when it is called: what it computes here is soon computed
