"""Means of one system are over its own queries, those of a difference over the queries of both."""

import idealrank as ir


def test_means_of_other_queries_say_which() -> None:
    """Of two systems that miss a query each, the text says that means are per system and differences over both."""
    judged = {query: {"d": 1, "x": 0} for query in ("q1", "q2", "q3", "q4")}
    good, bad = {"d": 2.0, "x": 1.0}, {"x": 2.0, "d": 1.0}
    runs = {"a": dict.fromkeys(("q1", "q2", "q3"), good), "b": dict.fromkeys(("q2", "q3", "q4"), bad)}
    said = "Means over all queries of each system; the differences below are over the queries that both systems have"
    found = ir.compare(judged, runs, ["RR"], no_results="skip", correction="none")
    assert found.means["queries"] == [3, 3]
    assert found["RR"].queries == 2
    assert said in " ".join(repr(found).split())
    assert said not in repr(ir.compare(judged, runs, ["RR"], no_results="0", correction="none"))
