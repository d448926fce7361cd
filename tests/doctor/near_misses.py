"""Near misses: worlds close to those in which a finding fires, and in which it does not."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from tests.doctor.worlds import BOTH, CORPUS_QRELS, CORPUS_RUN, FIELDS, QRELS, RANKED, RUN, SCORED, many


class Near(NamedTuple):
    """Files in which a finding does not fire, although they are close to those in which it does."""

    finding: str
    why: str
    judgments: str
    results: str
    options: Mapping[str, object] = MappingProxyType({})


NEAR = (
    Near("odd characters in ids", "accents are no fault", QRELS.replace(" f ", " café "), RUN.replace(" f ", " café ")),
    Near("odd characters in ids", "the reader takes the byte order mark of a file away", QRELS, "\ufeff" + SCORED),
    Near(
        "text used as id",
        "results that have texts alone are joined when they are read",
        "query_id,query,doc_id,grade\nq1,red shoes,a,1\nq1,red shoes,b,0\nq2,blue hat,d,1\nq2,blue hat,e,1\n",
        "query,doc_id,rank\nred shoes,a,1\nred shoes,b,2\nblue hat,x,1\nblue hat,d,2\n",
    ),
    Near("text used as id", "both sides use the text", QRELS.replace("q1", "red"), RUN.replace("q1", "red")),
    Near("ids spelled differently", "another document", QRELS, RUN.replace(" a ", " aa ")),
    Near("ids spelled differently", "both are returned, and neither is judged", QRELS, RUN + "q1 Q0 X 4 0.5 s\n"),
    Near("ids spelled differently", "both are judged", QRELS + "q1 0 A 0\n", RUN),
    Near("ids spelled differently", "judged, but not for the query", QRELS, RUN.replace(" y ", " A ")),
    Near(
        "ids spelled differently",
        "123 and 123.0 are read as the same id",
        QRELS.replace(" a ", " 123 "),
        SCORED.replace(",a,", ",123.0,"),
    ),
    Near(
        "ids with a prefix",
        "digits are no prefix of a number",
        many(4, "q{q} 0 {q} 1\nq{q} 0 k 0\n"),
        many(4, "q{q} Q0 9{q} 1 2 s\nq{q} Q0 k 2 1 s\n"),
    ),
    Near(
        "judgments of another corpus",
        "every judged document came back",
        CORPUS_QRELS,
        CORPUS_RUN + many(6, "q{q} Q0 j{q}b 4 0.1 s\n"),
    ),
    Near(
        "judgments of another corpus",
        "chunks of the judged documents are returned",
        CORPUS_QRELS,
        "query_id,doc_id,score\n" + many(6, "q{q},j{q}a#1,2\nq{q},j{q}b#2,1\n"),
        {"unit": "before(#)"},
    ),
    Near(
        "duplicates",
        "two chunks of a document, which have no ids of their own",
        QRELS,
        "query_id,source,score\nq1,a,4\nq1,a,3\nq1,x,2\nq2,d,2\nq3,f,1\n",
        {"unit": "source"},
    ),
    Near("duplicates", "the same document of another query", QRELS + "q3 0 a 0\n", RUN + "q3 Q0 a 4 0.5 s\n"),
    Near(
        "duplicates",
        "a judgment per rater",
        "query_id,doc_id,rater,grade\nq1,a,x,1\nq1,a,y,1\nq2,d,x,1\nq2,e,x,1\n",
        RUN,
    ),
    Near("excluded documents", "of another query", QRELS, RUN, {"exclude": {"q2": {"x": 1}}}),
    Near("a query's own document", "one query by chance", QRELS, RUN.replace(" z ", " q3 ")),
    Near("grades from 0 to 1", "halves of a scale to 3", QRELS.replace(" 2\n", " 0.5\n"), RUN),
    Near(
        "grades from 0 to 1",
        "any grade above 0 is relevant",
        QRELS.replace(" 2\n", " 0.5\n").replace(" 3\n", " 1\n"),
        RUN,
        {"relevant_from": "positive"},
    ),
    Near("lowest grade above 0", "relevant documents alone", QRELS.replace(" 0\n", " 2\n"), RUN),
    Near(
        "a grade far above the others",
        "a scale of 1, 10, 100",
        QRELS.replace(" 3\n", " 100\n").replace(" 2\n", " 10\n"),
        RUN,
    ),
    Near("grades too high for their gain", "linear gain", QRELS.replace(" 3\n", " 10\n"), RUN),
    Near("grades too high for their gain", "a small scale", QRELS, RUN, {"gain": "exp2"}),
    Near(
        "scales mixed by rater",
        "a rater who found nothing very good",
        "query_id,doc_id,rater,grade\n" + "".join(f"q1,d{i},ann,{i % 4}\nq1,d{i},bob,{i % 2}\n" for i in range(8)),
        "query_id,doc_id,score\nq1,d1,2\nq1,x,1\n",
    ),
    Near(
        "scales mixed by query",
        "one scale of 0, 1, 10, 100",
        many(3, "q{q} 0 a 1\nq{q} 0 b 0\n") + many(3, "p{q} 0 a 100\np{q} 0 b 1\np{q} 0 c 10\n"),
        many(3, "q{q} Q0 b 1 2 s\np{q} Q0 x 2 1 s\n"),
    ),
    Near(
        "judged queries without results",
        "a row says that nothing was found",
        QRELS,
        SCORED.replace("q2,e,3\n", "q2,,\n").replace("q2,d,2\nq2,y,1\n", ""),
    ),
    Near(
        "judged queries without results",
        "the search failed",
        QRELS,
        "query_id,doc_id,score,error\nq1,a,1,\nq1,x,2,\nq2,,,timeout\nq3,f,1,\n",
    ),
    Near("queries without relevant documents", "relevant, but not found", QRELS, RUN.replace(" d ", " w ")),
    Near("ranks from 0", "a TREC run, whose ranks are not read", QRELS, RUN.replace(" 1 3 s", " 0 3 s")),
    Near("ranks from 0", "ranks from 1", QRELS, RANKED),
    Near("gaps in the ranks", "the rows of a query are apart", QRELS, RANKED.replace("q1,a,3\n", "") + "q1,a,3\n"),
    Near(
        "ranks against scores",
        "the rank of a TREC run is the score",
        QRELS,
        "".join(f"{q} Q0 {d} {n} {n} s\n" for q, _, d, _, n, _ in FIELDS),
    ),
    Near(
        "distances read as scores",
        "sorted by document",
        QRELS,
        "query_id,doc_id,score\nq1,a,1\nq1,c,3\nq1,x,2\nq2,d,2\nq2,e,3\nq2,y,1\n",
    ),
    Near(
        "distances read as scores",
        "ranks count",
        QRELS,
        BOTH.replace(",1,3\n", ",1,0\n").replace(",2,2\n", ",2,0\n").replace(",3,1\n", ",3,0\n"),
    ),
    Near(
        "constant scores",
        "one query alone",
        QRELS,
        RUN.replace("q1 Q0 x 2 2", "q1 Q0 x 2 3").replace("q1 Q0 a 3 1", "q1 Q0 a 3 3"),
    ),
    Near("tied results", "ties of unjudged results", QRELS, RUN.replace("q3 Q0 h 3 1", "q3 Q0 h 3 2")),
    Near(
        "perfect scores",
        "one query is not",
        many(2, "q{q} 0 a 2\nq{q} 0 b 1\n"),
        "q1 Q0 a 1 2 s\nq1 Q0 b 2 1 s\nq2 Q0 b 1 2 s\nq2 Q0 a 2 1 s\n",
        {"measures": ["nDCG@10"]},
    ),
    Near(
        "only the judged documents",
        "a judged one was missed",
        QRELS,
        "q1 Q0 a 1 3 s\nq1 Q0 b 2 2 s\nq2 Q0 e 1 2 s\nq2 Q0 d 2 1 s\n",
    ),
    Near("odd judgments or results", "ranks with fractions in one query", QRELS, RANKED.replace("q1,c,1", "q1,c,0.5")),
    Near("warning of the ledger", "nothing to warn of", QRELS, RUN),
)
