"""What `compare` says on a terminal beside its numbers."""

import os

import pytest

from tests.cli.terminal import SHOP, on_terminal, plain

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a terminal of its own")

BOTH = ("judgments.csv", "bm25.csv", "hybrid.csv")


def test_means_over_common_queries_are_called_so() -> None:
    """Where a query of one system is left out, the table says that its means are over the queries of both."""
    asked = ("compare", *BOTH, "-m", "nDCG@10")
    said = "Means over the queries that both systems have a value for"
    assert said in plain(on_terminal(*asked, "--no-results", "skip", cwd=SHOP).out)
    assert said not in plain(on_terminal(*asked, cwd=SHOP).out)
