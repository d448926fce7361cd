"""What the core must say, written out plainly: judged lists from lists of rows, one query at a time."""

import math
import re
from collections import defaultdict

import numpy as np

KEYS = ["returned", "listed", "tied", "hit_start", "rank", "grade", "entry", "row", "tie_first", "tie_last"]


def natural(text):
    """Sort key: runs of digits as numbers, other runs as bytes; ties by bytes."""
    raw = text.encode()
    runs = re.findall(rb"[0-9]+|[^0-9]+", raw)
    return [(1, b"", int(r)) if r.isdigit() else (0 if r < b"0" else 2, r, 0) for r in runs], raw


def pool(judgments):
    """Query → [(grade, doc, row)], highest grade first, then by document."""
    found = defaultdict(list)
    for row, (query, doc, grade) in enumerate(judgments):
        if not math.isnan(grade):
            found[query].append((grade, doc, row))
    return {q: sorted(found[q], key=lambda e: (-e[0], e[1].encode())) for q in sorted(found, key=natural)}


def ordered(rows, order_by, ties, precision):
    """The rows (place, row, doc, rank, score) of one query in order, with their keys."""

    def key(entry):
        value = {"score": entry[4], "rank": -entry[3], "given": -entry[0]}[order_by]
        if order_by == "score" and precision == "float32":
            value = float(np.float32(value))
        return -math.inf if math.isnan(value) else value

    rows = sorted(rows)
    if ties != "given":
        rows.sort(key=lambda e: e[2].encode(), reverse=ties == "docid_desc")
    rows.sort(key=key, reverse=True)
    return [(key(e), e) for e in rows]


def places(keyed, base):
    """Ranks when those that are left out stay empty."""
    last, found = 0, []
    for key, _ in keyed:
        wanted = 0 if key == -math.inf else math.floor(-key) - base + 1
        last = max(last + 1, wanted)
        found.append(last)
    return found


def judge(judgments, results, order_by, ties, precision, gaps, dense, queries=None):
    """The judged lists; results are (query, doc, rank, score), an empty doc marks a placeholder."""
    judged, listed = pool(judgments), defaultdict(list)
    for row, (query, doc, rank, score) in enumerate(results):
        listed[query] += [(row, row, doc, rank, score)] if doc else []
    ranks = [r[2] for r in results if r[1] and not math.isnan(r[2])]
    base = 0 if ranks and min(ranks) == 0 else 1
    out = {key: [] for key in KEYS}
    out["hit_start"] = [0]
    entry_of, count = {}, 0
    for query, entries in judged.items():
        for _, doc, _ in entries:
            entry_of[query, doc] = count
            count += 1
    grades = [grade for entries in judged.values() for grade, _, _ in entries]
    for index, query in enumerate(judged):
        chosen = (queries is None or index in queries) and query in listed
        keyed = ordered(listed[query] if chosen else [], order_by, ties, precision)
        at = list(range(1, len(keyed) + 1))
        if gaps == "keep" and order_by == "rank":
            at = places(keyed, base)
        shared = [key for key, _ in keyed]
        out["returned"].append(at[-1] if at else 0)
        out["listed"].append(chosen)
        out["tied"].append(sum(shared.count(key) > 1 for key in shared))
        for place, (key, (_, row, doc, _, _)) in enumerate(keyed):
            entry = entry_of.get((query, doc), -1)
            if entry < 0 and not dense:
                continue
            first = shared.index(key)
            out["rank"].append(at[place])
            out["tie_first"].append(at[first])
            out["tie_last"].append(at[first + shared.count(key) - 1])
            out["grade"].append(grades[entry] if entry >= 0 else math.nan)
            out["entry"].append(entry)
            out["row"].append(row)
        out["hit_start"].append(len(out["rank"]))
    others = sorted((q for q in listed if q not in judged), key=natural)
    out["unjudged_queries"] = others
    out["unjudged_returned"] = [len(listed[q]) for q in others]
    return out


def sample(seed, queries=8, docs=40):
    """Judgments and results with ties, holes, placeholders, missing queries both ways, rows shuffled or not."""
    rng = np.random.default_rng(seed)
    style = ["{}", "q{}", "query number {} of them all", "{}é"][seed % 4]
    names = [f"d{i}" if i % 3 else f"document number {i}" for i in range(docs)] + ["", "ü", "D"][1:]
    judgments, results = [], []
    for number in range(queries):
        query = style.format(number * 7 % 13)
        if rng.random() < 0.8:
            for doc in rng.permutation(names)[: rng.integers(1, 20)]:
                judgments.append((query, doc, float(rng.integers(-1, 4)) if rng.random() < 0.9 else math.nan))
        if rng.random() < 0.8:
            found = list(rng.permutation(names)[: rng.integers(0, len(names))]) or [""]
            start = int(seed % 3 > 0)
            for place, doc in enumerate(found):
                rank = start + place * (1 + (seed % 5 == 0)) - (rng.random() < 0.2)
                rank = float(max(start, rank)) if rng.random() < 0.95 else math.nan
                score = [float(rng.integers(0, 9)), rng.random(), 1 + 1e-9 * rng.integers(0, 3)][seed % 3]
                results.append((query, doc, rank, score))
    if seed % 2:
        judgments = [judgments[i] for i in rng.permutation(len(judgments))]
        results = [results[i] for i in rng.permutation(len(results))]
    elif seed % 4:
        results.sort(key=lambda r: (r[0], -r[3]))
    return judgments, results
