"""How fast hits are read out of JSON, on one core: answers of a search engine, with and without documents, and lines.

    python bench/hits.py

orjson parses the same file and Python takes out query, id and score; polars reads lines and unnests them. Prints MB of
JSON per processor second, the best of three, and how much memory the columns take, as JSON.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ |= {"RAYON_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}  # before they are imported

import orjson
import polars as pl

from idealrank.data.formats.reader import read_frame

HITS = 100
SOURCE = {"title": "A title of some words " * 2, "price": 12.5, "tags": ["a", "b", "c"], "text": "lorem ipsum " * 18}


def hits(rng: random.Random, source: bool) -> list[dict]:
    """The hits of one answer."""
    more = {"_source": SOURCE} if source else {}
    return [
        {"_index": "products", "_id": f"doc-{rng.randrange(10**7)}", "_score": round(rng.random() * 20, 6), **more}
        for _ in range(HITS)
    ]


def write(folder: Path) -> dict[str, Path]:
    """Files of 40 to 120 MB."""
    rng = random.Random(1)
    files = {name: folder / name for name in ("hits", "hits with documents", "lines of hits")}
    for name, queries in (("hits", 8000), ("hits with documents", 3000)):
        responses = [{"hits": {"hits": hits(rng, name != "hits")}, "status": 200} for _ in range(queries)]
        files[name].write_text(json.dumps({"took": 3, "responses": responses}))
    with files["lines of hits"].open("w") as file:
        for query in range(8000):
            found = [{"id": hit["_id"], "score": hit["_score"]} for hit in hits(rng, False)]
            file.write(json.dumps({"query_id": f"q{query}", "results": found}) + "\n")
    return files


def ours(path: Path) -> int:
    """Rows read by this program."""
    return read_frame(str(path), "results").frame.rows


def by_orjson(path: Path) -> int:
    """Rows read by orjson and a loop."""
    answers = orjson.loads(path.read_bytes())["responses"]
    rows = [
        (query, hit["_id"], hit["_score"]) for query, answer in enumerate(answers) for hit in answer["hits"]["hits"]
    ]
    return len(rows)


def by_polars(path: Path) -> int:
    """Rows read by polars."""
    return pl.read_ndjson(path).explode("results").unnest("results").height


def rate(read: Callable[[Path], int], path: Path) -> float:
    """MB per processor second."""
    seconds = []
    for _ in range(3):
        begin = time.process_time()
        assert read(path) > 0
        seconds.append(time.process_time() - begin)
    return path.stat().st_size / 1e6 / min(seconds)


def main() -> None:
    """Print the rates."""
    with tempfile.TemporaryDirectory() as folder:
        files = write(Path(folder))
        found = {name: rate(ours, path) for name, path in files.items()}
        found |= {f"{name}, orjson": rate(by_orjson, files[name]) for name in ("hits", "hits with documents")}
        found["lines of hits, polars"] = rate(by_polars, files["lines of hits"])
        found["times orjson, hits"] = found["hits"] / found["hits, orjson"]
    print(json.dumps(found))


if __name__ == "__main__":
    main()
