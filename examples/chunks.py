"""Three chunkings of one corpus, compared under one file of judgments: spans of the documents' texts."""

from pathlib import Path

import idealrank as ir

folder = Path(__file__).parent / "chunks"
texts = {name: (folder / f"{name}.txt").read_text("utf-8") for name in ("visits", "telescopes", "membership")}
queries = dict(line.split(",", 1) for line in (folder / "queries.csv").read_text("utf-8").splitlines()[1:])


def windows(text: str, size: int, step: int) -> list[tuple[int, int]]:
    """Return windows of so many characters, each beginning a step after the one before it."""
    begins = range(0, max(len(text) - size + step, 1), step)
    return [(begin, min(begin + size, len(text))) for begin in begins]


def sentences(text: str) -> list[tuple[int, int]]:
    """Return the sentences: each ends at a full stop or question mark before a blank."""
    ends = [place + 1 for place, sign in enumerate(text) if sign in ".?!" and text[place + 1 : place + 2].isspace()]
    return list(zip([0, *(end + 1 for end in ends[:-1])], ends, strict=True))


chunkings = {
    "fixed200": {name: windows(text, 200, 200) for name, text in texts.items()},
    "fixed400": {name: windows(text, 400, 300) for name, text in texts.items()},
    "sentences": {name: sentences(text) for name, text in texts.items()},
}


def words(text: str) -> set[str]:
    """Return the words of a text, without case and signs, and without an s at the end."""
    return {"".join(sign for sign in word.lower() if sign.isalpha()).removesuffix("s") for word in text.split()} - {""}


def searched(chunks: dict[str, list[tuple[int, int]]]) -> dict[str, list[str | int]]:
    """Return the five chunks with the most rare words of each query in common: a table with offsets."""
    places = [(name, begin, end) for name, found in chunks.items() for begin, end in found]
    contents = [words(texts[name][begin:end]) for name, begin, end in places]
    rows: list[tuple[str | int, ...]] = []
    for query_id, query in queries.items():
        weight = {word: 1 / max(1, sum(word in content for content in contents)) for word in words(query)}
        scores = [sum(weight[word] for word in content & weight.keys()) for content in contents]
        best = sorted(range(len(places)), key=lambda place: -scores[place])[:5]
        rows += [(query_id, rank, *places[place]) for rank, place in enumerate(best, 1)]
    names = ("query_id", "rank", "doc_id", "begin", "end")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


# Search each chunking. Their chunks differ, and the judged spans hold for all of them.
systems = {name: searched(chunks) for name, chunks in chunkings.items()}
measures = ["R@3", "RR", "nDCG@5", "CharR@3", "CharP@3", "CharIoU@3"]
scores = ir.evaluate(folder / "judgments.csv", systems, measures, unit="spans", overlap="span(0.5)")
print(scores, *scores.ledger.notes, sep="\n")

# How much of a span must a chunk contain? From which share on does another chunking win?
shares = ir.thresholds(scores, "R@3")
print(shares)

# Which chunks found what, for one query?
print(scores.explain("nDCG@5", "alone", "fixed200"))
