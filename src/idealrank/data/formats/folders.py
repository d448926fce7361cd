"""Folders that are one thing: judgments, queries and documents, as BEIR and generators of judgments write them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping

from idealrank._core import Frame
from idealrank.data.formats.source import Source
from idealrank.errors import DataError, listed

_QRELS, _CANDIDATES = "qrels", "candidates.jsonl"
_PREFERRED = ("test.tsv", "test.tsv.gz")
_ENDINGS = ("", ".gz", ".zst")


class _Tables(Mapping[str, Frame]):
    """Tables that are read when one asks for them."""

    def __init__(self, readers: Mapping[str, Callable[[], Frame]]) -> None:
        self._readers, self._read = readers, dict[str, Frame]()

    def __getitem__(self, kind: str) -> Frame:
        if kind not in self._read:
            self._read[kind] = self._readers[kind]()
        return self._read[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(self._readers)

    def __len__(self) -> int:
        return len(self._readers)


def is_beir(path: str) -> bool:
    """Whether a path is a folder with judgments beside queries: BEIR's ``qrels``, or Sease's ``candidates.jsonl``."""
    return os.path.isdir(os.path.join(path, _QRELS)) or os.path.isfile(os.path.join(path, _CANDIDATES))


def beir(path: str, read: Callable[[str], Source]) -> Source:
    """Read a BEIR folder: the judgments of its test split, or of its only one, its queries and its documents.

    Source: beir-cellar/beir 2.0, GenericDataLoader: ``qrels/{split}.tsv``, ``queries.jsonl``, ``corpus.jsonl``;
    SeaseLtd/llm-search-quality-evaluation, MtebWriter: ``candidates.jsonl`` beside the same.

    Parameters
    ----------
    read
        Reads one of its files.

    Raises
    ------
    DataError
        If it contains several splits but no test split.
    """
    split = _split(path)
    judgments = read(os.path.join(path, split))
    readers: dict[str, Callable[[], Frame]] = {"judgments": lambda: judgments.frame}
    for kind, name in (("queries", "queries.jsonl"), ("documents", "corpus.jsonl")):
        file = _existing(path, name)
        if file is not None:
            readers[kind] = lambda file=file: read(file).frame  # type: ignore[misc]
    return Source(
        judgments.name, judgments.frame, judgments.unfit, judgments.origin, "a BEIR folder", _Tables(readers),
        (f"split {os.path.basename(split).partition('.')[0]}",),
    )  # fmt: skip


def _split(path: str) -> str:
    if not os.path.isdir(os.path.join(path, _QRELS)):
        return _CANDIDATES
    files = sorted(name for name in os.listdir(os.path.join(path, _QRELS)) if not name.startswith("."))
    chosen = next((name for name in _PREFERRED if name in files), None)
    if chosen is None and len(files) != 1:
        what = f"several splits ({listed(files)}) but no test.tsv" if files else "no split"
        raise DataError(f"{path}: a BEIR folder with {what}. Give one of its files: {path}/{_QRELS}/….")
    return os.path.join(_QRELS, chosen or files[0])


def _existing(path: str, name: str) -> str | None:
    files = (os.path.join(path, name + ending) for ending in _ENDINGS)
    return next((file for file in files if os.path.isfile(file)), None)
