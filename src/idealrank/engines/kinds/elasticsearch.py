"""Elasticsearch and OpenSearch: ``_search``, and ``_msearch`` for batches.

Source: Elasticsearch reference 9, "Search API", "Multi search API"; OpenSearch 3 documentation, the same.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from idealrank.engines.address import Address
from idealrank.engines.engine import Failed, Found, Values, Wishes
from idealrank.engines.fields import at, number
from idealrank.engines.hits import sound
from idealrank.engines.http import Request
from idealrank.engines.service import JSON_TYPE, Service, read
from idealrank.engines.templates.json_text import compiled, document, with_more
from idealrank.engines.templates.places import Template, filled, names_of
from idealrank.engines.templates.words import lucene
from idealrank.errors import UsageError, visible_lines

_OWN = """{
  "query": {"multi_match": {"query": "{{query}}", "fields": ["*"], "lenient": true}},
  "size": {{k}}
}
"""
_WORDS = {"lucene": lucene}
_LINES = {"Content-Type": "application/x-ndjson"}
_BUSY = frozenset({429, 500, 502, 503, 504})


class Elasticsearch(Service):
    """An index with a template in the query DSL."""

    batches = True

    def __init__(self, address: Address, wishes: Wishes) -> None:
        super().__init__(address, wishes)
        if not address.folder:
            raise UsageError(f"{address.text}: which index? Put it behind the host: {address.kind}+http://HOST/INDEX.")
        template = address.template(_OWN)
        self.template, self.origin = template.text, template.origin
        compiled(template, _WORDS)  # its errors are about the template as it was written
        self._parts = compiled(_completed(template, (*wishes.fields, *filter(None, [self.key]))), _WORDS)

    @property
    def names(self) -> frozenset[str]:
        """Names of the values that the template needs."""
        return names_of(self._parts)

    def request(self, values: Values) -> Request:
        """Return the search for a query."""
        return Request("POST", self.below("_search"), JSON_TYPE, filled(self._parts, values).encode())

    async def ask_many(self, batch: Sequence[Values]) -> list[Found | Failed]:
        """Answer several queries with one ``_msearch``."""
        lines = [f"{{}}\n{json.dumps(json.loads(filled(self._parts, values)))}\n" for values in batch]
        answer = await self._client.send(Request("POST", self.below("_msearch"), _LINES, "".join(lines).encode()))
        responses = at(read(answer.text), "responses")
        if not isinstance(responses, list) or len(responses) != len(batch):
            raise Failed(f"_msearch was asked {len(batch)} searches and did not answer as many", raw=answer.text)
        return [self._one(response) for response in responses]

    def _one(self, response: Any) -> Found | Failed:
        try:
            return replace(sound(self.found(response)), raw=json.dumps(response, ensure_ascii=False))
        except Failed as error:
            error.raw = json.dumps(response, ensure_ascii=False)
            return error

    def found(self, document: Any) -> Found:
        """Return the hits of an answer; one that timed out, or lacks shards, is none."""
        _refuse_error(document)
        hits = at(document, "hits.hits")
        if not isinstance(hits, list):
            raise Failed("the answer has no hits.hits")
        if at(document, "timed_out") is True:
            raise Failed("the engine's own time was up: the answer is only a part (timed_out)")
        if failed := at(document, "_shards.failed"):
            raise Failed(f"{failed} of {at(document, '_shards.total')} shards failed: the answer is only a part")
        return replace(self.hits(hits, self._hit), took=number(at(document, "took")))

    def _hit(self, hit: Any) -> tuple[Any, float | None, Any]:
        source = at(hit, "_source")
        return at(source, self.key) if self.key else at(hit, "_id"), number(at(hit, "_score")), source

    async def about(self) -> dict[str, Any]:
        """Return the engine's version, the index and its number of documents."""
        top, count = await self.read(self.root("/")), await self.read(self.below("_count"))
        return {
            "engine": at(top, "version.distribution") or self.kind,
            "version": at(top, "version.number"),
            "index": self.url.partition("?")[0].rstrip("/").rpartition("/")[2],
            "documents": at(count, "count"),
        }


def engine(address: Address, wishes: Wishes) -> Elasticsearch:
    """Return the engine at an address."""
    return Elasticsearch(address, wishes)


def _completed(template: Template, fields: Sequence[str]) -> Template:
    """Return a template that also says how many results and which fields come back, unless it does."""
    found = document(template, _WORDS)
    more = [] if "size" in found else ['"size": {{k}}']
    if "_source" not in found:
        more.append(f'"_source": {json.dumps(list(fields) or False)}')
    return with_more(template, more)


def _refuse_error(document: Any) -> None:
    error = at(document, "error")
    if error is None:
        return
    status = at(document, "status")
    reason = at(error, "root_cause.0.reason") or at(error, "reason") or error
    raise Failed(visible_lines(f"{status or 'error'}: {reason}"), again=status in _BUSY)
