"""Small worlds: one for each finding, in which it fires."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

QRELS = """\
q1 0 a 2
q1 0 b 0
q1 0 c 1
q2 0 d 1
q2 0 e 0
q3 0 f 3
q3 0 g 0
"""
RUN = """\
q1 Q0 c 1 3 s
q1 Q0 x 2 2 s
q1 Q0 a 3 1 s
q2 Q0 e 1 3 s
q2 Q0 d 2 2 s
q2 Q0 y 3 1 s
q3 Q0 f 1 3 s
q3 Q0 z 2 2 s
q3 Q0 h 3 1 s
"""
"""Nothing is wrong with these: every list has judged, unjudged and missed documents."""

FIELDS = [line.split() for line in RUN.splitlines()]


def table(**columns: int) -> str:
    """Write the run as CSV, with these of its fields."""
    rows = [list(columns), *([fields[place] for place in columns.values()] for fields in FIELDS)]
    return "".join(",".join(row) + "\n" for row in rows)


SCORED = table(query_id=0, doc_id=2, score=4)
RANKED = table(query_id=0, doc_id=2, rank=3)
BOTH = table(query_id=0, doc_id=2, rank=3, score=4)


class Case(NamedTuple):
    """Files in which a finding fires so many times, and at which line first."""

    finding: str
    judgments: str
    results: str
    count: int
    line: str
    options: Mapping[str, object] = MappingProxyType({})


def many(queries: int, lines: str) -> str:
    """Repeat lines for queries, with {q} in the place of the number from 1, and {r} of one that differs by query."""
    return "".join(lines.format(q=q, r=q * 7) for q in range(1, queries + 1))


CORPUS_QRELS = many(6, "q{q} 0 j{q}a 1\nq{q} 0 j{q}b 0\n")
CORPUS_RUN = many(6, "q{q} Q0 n{q}a 1 2 s\nq{q} Q0 n{q}b 2 1 s\n") + "q1 Q0 j1a 3 0.5 s\n"

CASES = (
    Case("odd characters in ids", QRELS.replace(" f ", " café "), RUN.replace(" f ", " cafÃ© "), 1, "results line 7"),
    Case("odd characters in ids", QRELS, SCORED.replace(",a,", ",\ufeffa,"), 1, "results line 4"),
    Case("odd characters in ids", QRELS, SCORED.replace(",f,", ',"f\r",'), 1, "results line 8"),
    Case(
        "text used as id",
        "query_id,query,doc_id,grade\nq1,red shoes,a,1\nq1,red shoes,b,0\nq2,blue hat,d,1\nq2,blue hat,e,1\n",
        "query_id,doc_id,rank\nq1,a,1\nq1,b,2\nblue hat,x,1\nblue hat,d,2\n",
        2,
        "results line 4",
    ),
    Case("ids spelled differently", QRELS, RUN.replace(" a ", " A "), 1, "results line 3"),
    Case("ids spelled differently", QRELS, SCORED.replace(",a,", ", a,"), 1, "results line 4"),
    Case("ids spelled differently", QRELS.replace(" a ", " a/1 "), RUN.replace(" a ", " a%2F1 "), 1, "results line 3"),
    Case(
        "ids spelled differently",
        QRELS.replace(" a ", " \u00e9 "),
        RUN.replace(" a ", " e\u0301 "),
        1,
        "results line 3",
    ),
    Case("ids spelled differently", QRELS.replace(" a ", " 7 "), RUN.replace(" a ", " 007 "), 1, "results line 3"),
    Case("ids spelled differently", QRELS, RUN.replace("q3", "Q3"), 3, "results line 7"),
    Case("ids spelled differently", QRELS, RUN + "q1 Q0 A 4 0.5 s\n", 1, "results line 10"),
    Case("ids spelled differently", QRELS, RUN + "q3 Q0 a 4 0.5 s\nq3 Q0 A 5 0.4 s\n", 1, "results line 11"),
    Case("ids with a prefix", QRELS, RUN.replace("Q0 ", "Q0 doc:"), 5, "results line 1"),
    Case("ids with a prefix", QRELS.replace(" 0 ", " 0 doc:", 7), RUN, 5, "results line 1"),
    Case("judgments of another corpus", CORPUS_QRELS, CORPUS_RUN, 12, "results line 1"),
    Case("duplicates", QRELS + "q3 0 f 1\n", RUN, 1, "judgments line 8"),
    Case("duplicates", QRELS, RUN + "q2 Q0 d 4 0.5 s\n", 1, "results line 10"),
    Case("excluded documents", QRELS, RUN, 1, "results line 2", {"exclude": {"q1": {"x": 1}, "q2": {"x": 1}}}),
    Case(
        "a query's own document",
        many(4, "{q} 0 d{q} 1\n{q} 0 e{q} 1\n"),
        many(4, "{q} Q0 {q} 1 2 s\n{q} Q0 d{q} 2 1 s\n"),
        4,
        "results line 1",
    ),
    Case("grades from 0 to 1", QRELS.replace(" 2\n", " 0.5\n").replace(" 3\n", " 1\n"), RUN, 1, "judgments line 1"),
    Case(
        "lowest grade above 0",
        QRELS.replace(" 3\n", " 4\n").replace(" 2\n", " 3\n").replace(" 1\n", " 2\n").replace(" 0\n", " 1\n"),
        RUN,
        7,
        "judgments line 1",
    ),
    Case("a grade far above the others", QRELS.replace(" 3\n", " 30\n"), RUN, 1, "judgments line 6"),
    Case(
        "grades too high for their gain", QRELS.replace(" 3\n", " 10\n"), RUN, 1, "judgments line 6", {"gain": "exp2"}
    ),
    Case(
        "scales mixed by rater",
        "query_id,doc_id,rater,grade\n" + "".join(f"q1,d{i},ann,{i % 4}\nq1,d{i},bob,{i % 4 * 25}\n" for i in range(8)),
        "query_id,doc_id,score\nq1,d1,2\nq1,x,1\n",
        1,
        "judgments line 9",
    ),
    Case(
        "scales mixed by rater",
        "query_id,doc_id,rating_1,rating_2\n" + "".join(f"q1,d{i},{i % 4},{i % 4 * 25}\n" for i in range(8)),
        "query_id,doc_id,score\nq1,d1,2\nq1,x,1\n",
        1,
        "judgments line 5",
    ),
    Case(
        "scales mixed by query",
        many(3, "q{q} 0 a 3\nq{q} 0 b 2\n") + "q4 0 a 100\nq4 0 b 60\nq5 0 a 90\nq5 0 b 50\n",
        many(5, "q{q} Q0 b 1 2 s\nq{q} Q0 x 2 1 s\n"),
        2,
        "judgments line 7",
    ),
    Case("judged queries without results", QRELS, RUN.replace("q2 Q0", "q9 Q0"), 1, "judgments line 4"),
    Case("queries without relevant documents", QRELS.replace(" d 1", " d 0"), RUN, 1, "judgments line 4"),
    Case(
        "ranks from 0",
        QRELS,
        many(2, "q{q},x,0\n").join(["query_id,doc_id,rank\n", "q1,a,1\nq2,d,1\n"]),
        4,
        "results line 2",
    ),
    Case("gaps in the ranks", QRELS, RANKED.replace("q1,a,3", "q1,a,5"), 1, "results line 2"),
    Case("ranks against scores", QRELS, RUN.replace("q1 Q0 a 3 1", "q1 Q0 a 3 9"), 1, "results line 1"),
    Case("ranks against scores", QRELS, BOTH.replace("q1,a,3,1", "q1,a,3,9"), 1, "results line 2"),
    Case(
        "distances read as scores", QRELS, SCORED.replace(",3\n", ",0.1\n").replace(",1\n", ",9\n"), 9, "results line 2"
    ),
    Case(
        "constant scores",
        QRELS,
        RUN.replace(" 3 s", " 0 s").replace(" 2 s", " 0 s").replace(" 1 s", " 0 s"),
        3,
        "results line 1",
    ),
    Case("tied results", QRELS, RUN.replace("q1 Q0 a 3 1", "q1 Q0 a 3 3"), 2, "results line 1"),
    Case(
        "perfect scores",
        many(2, "q{q} 0 a 2\nq{q} 0 b 1\n"),
        many(2, "q{q} Q0 a 1 3 s\nq{q} Q0 b 2 2 s\nq{q} Q0 x 3 1 s\n"),
        2,
        "results line 1",
        {"measures": ["nDCG@10", "AP"]},
    ),
    Case(
        "only the judged documents",
        QRELS,
        many(1, "q1 Q0 a 1 3 s\nq1 Q0 b 2 2 s\nq1 Q0 c 3 1 s\nq2 Q0 e 1 2 s\nq2 Q0 d 2 1 s\n"),
        2,
        "results line 1",
    ),
    Case("odd judgments or results", QRELS, RANKED.replace(",1\n", ",1.5\n").replace(",2\n", ",2.5\n"), 3, ""),
    Case("warning of the ledger", QRELS, "query_id,doc_id\nq1,c\nq1,x\nq2,y\nq2,d\n", 1, ""),
)
