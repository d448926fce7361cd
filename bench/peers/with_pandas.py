"""The way of notebooks: read_csv, merge, sort, cumcount, groupby.

Ties keep the order of the file. The ideal of nDCG@10 is made of all judged documents.
"""

import numpy as np
import pandas as pd
from _values import NAMES, arguments, write_values


def read(qrels_path: str, run_path: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Both files as frames, only the columns needed."""
    qrels = pd.read_csv(
        qrels_path, sep=" ", header=None, names=["query", "q0", "doc", "grade"], usecols=["query", "doc", "grade"]
    )
    run = pd.read_csv(
        run_path,
        sep=" ",
        header=None,
        names=["query", "q0", "doc", "rank", "score", "tag"],
        usecols=["query", "doc", "score"],
    )
    return qrels, run


def ranked_list(qrels: pd.DataFrame, run: pd.DataFrame) -> pd.DataFrame:
    """The results in order of score with their rank, gain and relevance."""
    frame = run.merge(qrels, on=["query", "doc"], how="left")
    frame = frame.sort_values(["query", "score"], ascending=[True, False], kind="stable")
    frame["rank"] = frame.groupby("query").cumcount() + 1
    frame["gain"] = frame["grade"].fillna(0).clip(lower=0)
    frame["rel"] = (frame["gain"] >= 1).astype(int)
    return frame


def dcg_at_10(frame: pd.DataFrame) -> pd.Series:
    """DCG@10 per query of a frame with rank and gain."""
    top = frame[frame["rank"] <= 10]
    return (top["gain"] / np.log2(top["rank"] + 1)).groupby(top["query"]).sum()


def ideal_at_10(qrels: pd.DataFrame) -> pd.Series:
    """The best DCG@10 per query."""
    ideal = qrels.sort_values(["query", "grade"], ascending=[True, False])
    ideal["rank"] = ideal.groupby("query").cumcount() + 1
    ideal["gain"] = ideal["grade"].clip(lower=0)
    return dcg_at_10(ideal)


def evaluate(qrels: pd.DataFrame, run: pd.DataFrame) -> pd.DataFrame:
    """The five measures per query."""
    frame = ranked_list(qrels, run)
    relevant = frame[frame["rel"] == 1].copy()
    relevant["hits"] = relevant.groupby("query").cumcount() + 1
    total = (qrels["grade"] >= 1).groupby(qrels["query"]).sum()
    queries = frame["query"].unique()
    by_query = relevant.groupby("query")
    values = pd.DataFrame(index=pd.Index(queries, name="query"))
    values["nDCG@10"] = dcg_at_10(frame) / ideal_at_10(qrels).replace(0, np.nan)
    values["AP"] = (relevant["hits"] / relevant["rank"]).groupby(relevant["query"]).sum() / total
    values["RR"] = 1 / by_query["rank"].min()
    values["P@10"] = relevant[relevant["rank"] <= 10].groupby("query").size() / 10
    values["R@100"] = relevant[relevant["rank"] <= 100].groupby("query").size() / total
    return values.fillna(0)


def main() -> None:
    """Read both files, evaluate, print the means."""
    args = arguments(__doc__)
    values = evaluate(*read(args.qrels, args.run))
    for name in NAMES:
        print(f"{name}\t{values[name].mean()}")
    if args.per_query:
        write_values(args.per_query, ((q, n, v) for n in NAMES for q, v in values[n].items()))


if __name__ == "__main__":
    main()
