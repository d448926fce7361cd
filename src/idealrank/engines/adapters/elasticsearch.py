"""Elasticsearch and OpenSearch: ``_search``, and ``_msearch`` for batches.

Source: Elasticsearch reference 9, "Search API", "Multi search API"; OpenSearch 3 documentation, the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from idealrank.engines.address import Address
from idealrank.engines.engine import Document, SearchError, SearchHits, SearchOptions, Values
from idealrank.engines.hits import at, check_hits, number
from idealrank.engines.http import JSON_TYPE, Request, Service, parse_json
from idealrank.engines.templates import Template, add_members, compile_json, fill, lucene, names_of, sample_document
from idealrank.errors import UsageError, visible_lines

_OWN = """{
  "query": {"multi_match": {"query": "{{query}}", "fields": ["*"], "lenient": true}},
  "size": {{k}}
}
"""
_WORDS = {"lucene": lucene}
_LINES = {"Content-Type": "application/x-ndjson"}
_BUSY = frozenset({408, 429, 500, 502, 503, 504})
_STORED = "/_search/template"
_PAGES = re.compile(r'"(from|search_after)"\s*:')
_OF_SEARCHES = ("from", "size", "q", "sort", "search_pipeline", "terminate_after", "_source")
"""Parameters of an address that are for its searches alone, not for the documents it contains."""


class Elasticsearch(Service):
    """An index with a template in the query DSL, or with the call of a stored one (``_search/template``)."""

    batches = True
    explains = True

    def __init__(self, address: Address, wishes: SearchOptions) -> None:
        super().__init__(address, wishes)
        if not address.folder:
            raise UsageError(f"{address.text}: which index? Put it behind the host: {address.kind}+http://HOST/INDEX.")
        where, question, asked = self.url.partition("?")
        self._search = _STORED if where.rstrip("/").endswith(_STORED) else "/_search"
        self.url = where.rstrip("/").removesuffix(self._search) + question + asked
        template = address.template("" if self._search == _STORED else _OWN)
        self.template, self.origin = template.text, template.origin
        compile_json(template, _WORDS)  # its errors are about the template as it was written
        self._key = self.key.split("/") if self.key else []
        fields = (*wishes.fields, *(name for name in self._key if not name.startswith("_")))
        self._parts = compile_json(
            _complete_template(template, None if self._search == _STORED else fields, wishes.explain), _WORDS
        )
        self._pages = bool(_PAGES.search(template.text)) or "from" in dict(parse_qsl(asked))
        self.fetches = not self._key or (len(self._key) == 1 and not self.key.startswith("_"))

    @property
    def names(self) -> frozenset[str]:
        """Names of the values that the template needs."""
        return names_of(self._parts)

    def request(self, values: Values) -> Request:
        """Return the search for a query."""
        return Request("POST", self.below(self._search[1:]), JSON_TYPE, fill(self._parts, values).encode())

    async def ask_many(self, batch: Sequence[Values]) -> list[SearchHits | SearchError]:
        """Answer several queries with one ``_msearch``."""
        # An empty header: the index is in the address. A body of `_msearch` is one line, whatever the template looks
        # like.
        lines = [f"{{}}\n{json.dumps(json.loads(fill(self._parts, values)))}\n" for values in batch]
        where = self.below(self._search[1:].replace("_search", "_msearch"))
        answer = await self._client.send(Request("POST", where, _LINES, "".join(lines).encode()))
        responses = at(parse_json(answer.text), "responses")
        if not isinstance(responses, list) or len(responses) != len(batch):
            raise SearchError(f"_msearch was asked {len(batch)} searches and did not answer as many", raw=answer.text)
        return [self._read_response(response) for response in responses]

    def _read_response(self, response: Any) -> SearchHits | SearchError:
        try:
            return replace(check_hits(self.parse_hits(response)), raw=json.dumps(response, ensure_ascii=False))
        except SearchError as error:
            error.raw = json.dumps(response, ensure_ascii=False)
            return error

    def parse_hits(self, document: Any) -> SearchHits:
        """Return the hits of an answer; one that timed out, lacks shards or contradicts itself is none."""
        _refuse_error(document)
        hits = at(document, "hits.hits")
        if not isinstance(hits, list):
            raise SearchError("the answer has no hits.hits")
        _refuse_partial(document)
        if not hits:
            self._refuse_contradiction(document)
        found = self.hits(hits, self._read_hit)
        keys = [key for key, _ in found.hits]
        why = [at(hit, "_explanation") for hit in hits] if self.wishes.explain else []
        explained = {key: explanation for key, explanation in zip(keys, why, strict=False) if explanation is not None}
        cut = at(document, "terminated_early") is True
        return replace(found, took=number(at(document, "took")), explained=explained, cut=cut)

    def _refuse_contradiction(self, document: Any) -> None:
        """Refuse an answer without hits that does not mean that nothing was found."""
        if at(document, "_shards.total") == 0:
            raise SearchError(f"no index answers to {self._index}: it is not there, or closed", hopeless=True)
        if errors := at(document, "errors"):
            raise SearchError(visible_lines(f"no hits, but errors: {_first_reason(errors)}"))
        # An object since Elasticsearch 7, a number before it and under rest_total_hits_as_int.
        matching = number(at(document, "hits.total.value")) or number(at(document, "hits.total")) or 0
        if matching and not self._pages:
            why = "Look for a size of 0 in the template or the address"
            raise SearchError(
                f"the answer says that {matching:,.0f} documents match, and contains none. {why}", hopeless=True
            )

    def _read_hit(self, hit: Any) -> tuple[Any, float | None, Any]:
        source = at(hit, "_source")
        return self._hit_id(hit, source) if self._key else at(hit, "_id"), number(at(hit, "_score")), source

    def _hit_id(self, hit: Any, source: Any) -> Any:
        """Return the id of a hit: a field, or several joined, of which those with _ in front are the engine's own."""
        parts = [at(hit if name.startswith("_") else source, name) for name in self._key]
        if len(parts) == 1:
            return parts[0]
        return None if None in parts else "/".join(map(str, parts))

    @property
    def _index(self) -> str:
        return self.url.partition("?")[0].rstrip("/").rpartition("/")[2]

    async def about(self) -> dict[str, Any]:
        """Return the engine's version, the index, what identifies it, and its number of documents."""
        top, count = await self.fetch_json(self.root("/")), await self.fetch_json(self.below("_count"))
        settings = await self.fetch_json(f"{self.url.partition('?')[0].rstrip('/')}/_settings")
        each = settings.values() if isinstance(settings, dict) else ()
        uuids = sorted(str(uuid) for index in each if (uuid := at(index, "settings.index.uuid")) is not None)
        return {
            "engine": at(top, "version.distribution") or self.kind,
            "version": at(top, "version.number"),
            "index": self._index,
            "documents": at(count, "count"),
            "uuid": ",".join(uuids) or None,
        }

    async def documents(self, ids: Sequence[str]) -> dict[str, Document]:
        """Return the fields of some documents, by a search for their ids, which also finds those of several indices."""
        query = {"terms": {self.key: list(ids)}} if self.key else {"ids": {"values": list(ids)}}
        source = [*self.wishes.fields, *filter(None, [self.key])]
        # An alias may find one id in several indices; 10,000 is the default of index.max_result_window.
        body = json.dumps({"query": query, "size": min(10 * len(ids), 10_000), "_source": source})
        where, _, asked = self.url.partition("?")
        rest = urlencode([pair for pair in parse_qsl(asked) if pair[0] not in _OF_SEARCHES], quote_via=quote)
        url = f"{where.rstrip('/')}/_search" + (f"?{rest}" if rest else "")
        answer = parse_json((await self._client.send(Request("POST", url, JSON_TYPE, body.encode()))).text)
        _refuse_error(answer)
        _refuse_partial(answer)
        found = self.hits(at(answer, "hits.hits") or [], self._read_hit)
        return {str(key): fields for key, fields in found.documents.items()}


def engine(address: Address, wishes: SearchOptions) -> Elasticsearch:
    """Return the engine at an address."""
    return Elasticsearch(address, wishes)


def _complete_template(template: Template, fields: Sequence[str] | None, explain: bool) -> Template:
    """Return a template that also says how many results and which fields come back, unless it does.

    Parameters
    ----------
    fields
        None for the call of a stored template, which says both itself.
    """
    found = sample_document(template, _WORDS)
    more = [] if "size" in found or fields is None else ['"size": {{k}}']
    if "_source" not in found and fields is not None:
        more.append(f'"_source": {json.dumps(list(fields) or False)}')
    if explain and "explain" not in found:
        more.append('"explain": true')
    return add_members(template, more)


def _refuse_error(document: Any) -> None:
    error = at(document, "error")
    if error is None:
        return
    status = at(document, "status")
    reason = at(error, "root_cause.0.reason") or at(error, "reason") or error
    raise SearchError(visible_lines(f"{status or 'error'}: {reason}"), again=status in _BUSY)


def _refuse_partial(document: Any) -> None:
    """Refuse an answer that is only a part: of a search that timed out, or lacks shards or clusters."""
    if at(document, "timed_out") is True:
        raise SearchError("the engine's own time was up: the answer is only a part (timed_out)")
    if failed := at(document, "_shards.failed"):
        why = _first_reason(at(document, "_shards.failures"))
        many = f"{failed} of {at(document, '_shards.total')} shards failed: the answer is only a part"
        raise SearchError(visible_lines(f"{many}: {why}" if why else many))
    if skipped := at(document, "_clusters.skipped"):
        raise SearchError(
            f"{skipped} of {at(document, '_clusters.total')} clusters were skipped: the answer is only a part"
        )


def _first_reason(errors: Any) -> str:
    """Return the reason of the first of some errors, and the index it is of; "" if there is none."""
    first = errors[0] if isinstance(errors, list) and errors else errors
    found = at(first, "reason.caused_by.reason") or at(first, "reason.reason") or at(first, "reason")
    reason = found or at(first, "message") or first
    index = at(first, "index")
    return (f"{reason} (index {index})" if isinstance(index, str) else str(reason)) if reason else ""
