"""What the faulty server answers where nothing fails: it speaks as OpenSearch."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

ROOT = {
    "name": "faulty",
    "cluster_name": "faulty",
    "cluster_uuid": "faulty",
    "version": {"distribution": "opensearch", "number": "3.8.0", "lucene_version": "10.4.0"},
    "tagline": "The OpenSearch Project: https://opensearch.org/",
}
COUNT = 1000
"""Documents in every index."""


SEARCH = (
    '{"took":1,"timed_out":false,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0},'
    f'"hits":{{"total":{{"value":{COUNT},"relation":"eq"}},"max_score":{COUNT - 1}.0,"hits":[%s]}}}}'
)
"""An answer without its results."""


class Request:
    """A request as it was received.

    Attributes
    ----------
    method, target
        Of its first line.
    headers
        Their names in small letters.
    body
        As bytes.
    """

    def __init__(self, method: str, target: str, headers: Mapping[str, str], body: bytes) -> None:
        self.method, self.target, self.headers, self.body = method, target, headers, body

    @functools.cached_property
    def path(self) -> str:
        """The target without what follows a question mark, with its characters as they are."""
        return unquote(urlsplit(self.target).path)

    @property
    def many(self) -> bool:
        """Whether several searches are asked for."""
        return self.path.endswith("/_msearch")

    @functools.cached_property
    def searches(self) -> list[Any]:
        """The searches asked for: the bodies, or the parameters."""
        if self.many:
            return [json.loads(line) for line in self.body.splitlines()[1::2]]
        if self.path.endswith("/_search"):
            return [json.loads(self.body) if self.body else self.parameters]
        return []

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the address, with ``q`` as the query."""
        found = {name: values[0] for name, values in parse_qs(urlsplit(self.target).query).items()}
        return {"size": int(found.pop("size", 10)), "query": found.pop("q", ""), **found}


class Search(NamedTuple):
    """What a search asks for."""

    text: str
    size: int


def search(body: Mapping[str, Any]) -> Search:
    """Return what a search asks for; its text is the first one within ``query``."""
    return Search(_first_text(body.get("query")) or "", min(int(body.get("size", 10)), COUNT))


def _first_text(query: Any) -> str | None:
    """Return the text of a query at any depth: that of ``query`` before any other."""
    if isinstance(query, str):
        return query
    if isinstance(query, Mapping):
        parts = [query["query"]] if "query" in query else list(query.values())
        return next((text for part in parts if (text := _first_text(part)) is not None), None)
    if isinstance(query, list):
        return next((text for part in query if (text := _first_text(part)) is not None), None)
    return None


def answer(request: Request) -> bytes:
    """Return the body of the answer; KeyError for what is not answered."""
    if not request.searches:
        return json.dumps({"": ROOT, "_count": {"count": COUNT}}[request.path.rpartition("/")[2]]).encode()
    if request.many:
        return together([among_many(body) for body in request.searches])
    return found_for(search(request.searches[0])).encode()


def together(found: list[str]) -> bytes:
    """Return the answer of several searches."""
    return f'{{"took":1,"responses":[{",".join(found)}]}}'.encode()


def among_many(body: Mapping[str, Any]) -> str:
    """Return the answer of a search among others, which has a status of its own."""
    return f'{found_for(search(body))[:-1]},"status":200}}'


@functools.lru_cache(1024)
def found_for(search: Search) -> str:
    """Return results as JSON: the ids are the text with the ranks 1, 2, …, so that answers can be told apart."""
    text = json.dumps(search.text, ensure_ascii=False)[1:-1]
    hits = ",".join(
        f'{{"_index":"products","_id":"{text} {rank}","_score":{COUNT - rank}.0,"_source":{{"title":"Övik {rank}"}}}}'
        for rank in range(1, search.size + 1)
    )
    return SEARCH % hits
