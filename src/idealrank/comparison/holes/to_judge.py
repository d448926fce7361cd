"""Which holes to judge first: those whose label moves the difference most."""

from typing import Any

import numpy as np

from idealrank.comparison.holes.holes import Holes
from idealrank.comparison.pairing import Key, Pairing
from idealrank.display.table import Table
from idealrank.errors import UsageError, option


def to_judge(pairing: Pairing, holes: Holes, key: Key, n: int) -> Table:
    """Return the n holes that move the mean difference most, each taken for itself.

    A hole's move is what the mean difference (in the weights of the queries) becomes with the top grade of the
    scale for this document alone, less what it is. Holes of the same move stand by query and document id; a rank is
    missing where the system did not return the document.

    Raises
    ------
    UsageError
        Where unjudged results do not count as grade 0.
    """
    scores, pair = pairing.scores, key.pair
    if holes.measure.on_lists.unjudged != "zero":
        raise UsageError(
            f"{holes.measure}: what a label would move is known only if unjudged results count as grade 0. "
            f"Use {option('unjudged', 'zero')}."
        )
    before = pairing.difference(*key)
    alone = holes.of(*pair).alone()
    share = pairing.share(*key)
    move = ((alone[1] - alone[0]) - before[holes.query]) * share[holes.query]
    order = np.argsort(-np.abs(np.nan_to_num(move)), kind="stable")
    order = order[np.nan_to_num(move)[order] != 0][:n]
    ids = [scores.queries[q] for q in holes.query[order]]
    columns: dict[str, Any] = {"query": ids}
    if scores.texts:
        columns["text"] = [scores.texts.get(key) for key in ids]
    columns |= {name: [scores.systems[s]] * len(ids) for name, s in zip(("baseline", "system"), pair, strict=True)}
    columns["document"] = [holes.document[i] for i in order]
    ranks = np.where(holes.rank > 0, holes.rank, np.nan)[:, order]
    columns |= {name: ranks[s] for name, s in zip(("baseline rank", "rank"), pair, strict=True)}
    columns["move"] = move[order]
    return Table(columns, "to judge", {"fingerprint": scores.measures[key.measure].fingerprint})
