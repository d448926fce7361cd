"""Solr: ``/select`` with parameters, or with the JSON Request API for a template in JSON.

Source: Apache Solr 9 reference guide, "Local Params", "JSON Request API", "Response Writers".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from idealrank.engines import templates
from idealrank.engines.address import Address
from idealrank.engines.engine import Document, SearchError, SearchHits, SearchOptions, Values
from idealrank.engines.hits import at, number
from idealrank.engines.http import JSON_TYPE, Request, Service, parse_json
from idealrank.engines.templates import Pieces, fill, lucene, names_of
from idealrank.errors import UsageError, visible_lines

_OWN = "q={{query}}\ndefType=edismax\nrows={{k}}\n"
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}
_WORDS = {"lucene": lucene}


class Solr(Service):
    """A collection with a template of parameters, one on each line, or in JSON."""

    explains = True
    fetches = True

    def __init__(self, address: Address, wishes: SearchOptions) -> None:
        super().__init__(address, wishes)
        if not address.folder:
            raise UsageError(f"{address.text}: which collection? Put it behind the host: solr+http://HOST/solr/NAME.")
        template = address.template(_OWN)
        self.template, self.origin = template.text, template.origin
        self._json: Pieces = ()
        self._form: templates.Parameters = ()
        if template.text.lstrip().startswith("{"):
            templates.compile_json(template, _WORDS)
            written = templates.sample_document(template, _WORDS)
            own = "limit" in written or at(written, "params.rows") is not None
            self._json = templates.compile_json(
                templates.add_members(template, [] if own else ['"limit": {{k}}']), _WORDS
            )
        else:
            self._form = templates.compile_url(template, _WORDS)

    @property
    def names(self) -> frozenset[str]:
        """Names of the values that the template needs."""
        return names_of(self._json).union(*(names_of(parts) for _, parts in self._form))

    def request(self, values: Values) -> Request:
        """Return the search for a query; what idealrank needs of an answer comes before the template's own."""
        fields = dict.fromkeys((self.key or "id", "score", *self.wishes.fields))
        asked = {"wt": "json", "fl": ",".join(fields)}
        if self.wishes.explain:
            more = {"debug": "results", "debug.explain.structured": "true"}
            asked |= more if "id" in fields else {**more, "fl": f"{asked['fl']},id"}
        named = {name for name, _ in self._form}
        if self._json:
            url = self.below(f"select?{urlencode(asked)}")
            return Request("POST", url, JSON_TYPE, fill(self._json, values).encode())
        more = {**asked, "rows": str(values["k"])}
        own = urlencode({name: value for name, value in more.items() if name not in named})
        body = "&".join(part for part in (own, templates.encode_parameters(self._form, values)) if part)
        return Request("POST", self.below("select"), _FORM, body.encode())

    def parse_hits(self, document: Any) -> SearchHits:
        """Return the documents of an answer; one that is only a part is none."""
        if (error := at(document, "error")) is not None:
            raise SearchError(visible_lines(str(at(error, "msg") or error)))
        docs = at(document, "response.docs")
        if not isinstance(docs, list):
            raise SearchError("the answer has no response.docs")
        if at(document, "responseHeader.partialResults"):
            raise SearchError("the answer is only a part (partialResults)")
        matching, start = number(at(document, "response.numFound")) or 0, number(at(document, "response.start")) or 0
        if matching and not docs and not start:
            why = "Look for rows=0 in the template or the address"
            raise SearchError(
                f"the answer says that {matching:,.0f} documents match, and contains none. {why}", hopeless=True
            )
        found = self.hits(docs, self._read_hit)
        reasons = at(document, "debug.explain") or {}
        pairs = ((self._read_hit(doc)[0], str(at(doc, "id"))) for doc in docs) if self.wishes.explain else ()
        explained = {key: reasons[own] for key, own in pairs if own in reasons}
        cut = at(document, "responseHeader.segmentTerminatedEarly") is True
        return replace(found, took=number(at(document, "responseHeader.QTime")), explained=explained, cut=cut)

    def _read_hit(self, doc: Any) -> tuple[Any, float | None, Any]:
        return at(doc, self.key or "id"), number(at(doc, "score")), doc

    async def documents(self, ids: Sequence[str]) -> dict[str, Document]:
        """Return the fields of some documents, by a search for their ids."""
        key = self.key or "id"
        asked = {
            **_ids_query(key, ids),
            "rows": str(10 * len(ids)),
            "fl": ",".join(dict.fromkeys((key, *self.wishes.fields))),
            "wt": "json",
        }
        url = f"{self.url.partition('?')[0].rstrip('/')}/select"
        answer = parse_json((await self._client.send(Request("POST", url, _FORM, urlencode(asked).encode()))).text)
        if (error := at(answer, "error")) is not None:
            raise SearchError(visible_lines(str(at(error, "msg") or error)))
        found = self.hits(at(answer, "response.docs") or [], self._read_hit)
        return {str(key): fields for key, fields in found.documents.items()}

    async def about(self) -> dict[str, Any]:
        """Return the engine's version, the collection and its number of documents."""
        context = self.url.partition("?")[0].rstrip("/").rpartition("/")
        system = await self.fetch_json(f"{context[0]}/admin/info/system?wt=json")
        count = await self.fetch_json(self.below("select?q=*:*&rows=0&wt=json"))
        state = await self.fetch_json(
            f"{self.url.partition('?')[0].rstrip('/')}/admin/luke?numTerms=0&show=index&wt=json"
        )
        version = at(state, "index.version")
        return {
            "engine": "solr",
            "version": at(system, "lucene.solr-spec-version"),
            "index": context[2],
            "documents": at(count, "response.numFound"),
            "index_version": None if version is None else str(version),
        }


def engine(address: Address, wishes: SearchOptions) -> Solr:
    """Return the engine at an address."""
    return Solr(address, wishes)


def _ids_query(key: str, ids: Sequence[str]) -> dict[str, str]:
    """Return the parameters of a query for documents by their ids.

    ``{!terms}`` takes many, with commas between (another ``separator`` finds nothing in Solr 9.10), so that ids with
    commas in them are asked for one by one.
    """
    if not any("," in one or one != one.strip() for one in ids):
        return {"q": f"{{!terms f={key} v=$ids}}", "ids": ",".join(ids)}
    clauses = {f"c{place}": f"{{!term f={key} v=$i{place}}}" for place in range(len(ids))}
    values = {f"i{place}": one for place, one in enumerate(ids)}
    return {"q": f"{{!bool {' '.join(f'should=${name}' for name in clauses)}}}", **clauses, **values}
