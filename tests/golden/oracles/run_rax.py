"""rax: float32; a result nobody judged has the label 0, ties stand as they are sorted."""

import given
import jax.numpy as jnp
import rax

METRICS = {"ndcg_metric": rax.ndcg_metric, "dcg_metric": rax.dcg_metric}


def rows():
    """Every list by itself, then the mean of all, padded to the longest with items that are none."""
    for grades in ("grade", "fraction"):
        lists = [(q, [float(g or 0) for g in found], ss) for q, _, found, ss in given.ranked(grades, "score")]
        width = max(len(scores) for _, _, scores in lists)
        real = jnp.array([[place < len(scores) for place in range(width)] for _, _, scores in lists])
        padded = [
            jnp.array([[*row[column], *[0.0] * (width - len(row[column]))] for row in lists]) for column in (2, 1)
        ]
        for k in given.CUTOFFS:
            for name, metric in METRICS.items():
                said = f"{name}(topn={k})"
                for query, labels, scores in lists:
                    yield grades, "score", said, query, metric(jnp.array(scores), jnp.array(labels), topn=k)
                yield grades, "score", said, "all", metric(*padded, topn=k, where=real)


given.write("rax", "rax jax", rows())
