"""Solr: ``/select`` with parameters, or with the JSON Request API for a template in JSON.

Source: Apache Solr 9 reference guide, "Local Params", "JSON Request API", "Response Writers".
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from idealrank.engines.address import Address
from idealrank.engines.engine import Failed, Found, Values, Wishes
from idealrank.engines.fields import at, number
from idealrank.engines.http import Request
from idealrank.engines.service import JSON_TYPE, Service
from idealrank.engines.templates import json_text, parameters
from idealrank.engines.templates.places import Pieces, filled, names_of
from idealrank.engines.templates.words import lucene
from idealrank.errors import UsageError, visible_lines

_OWN = "q={{query}}\ndefType=edismax\nrows={{k}}\n"
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}
_WORDS = {"lucene": lucene}


class Solr(Service):
    """A collection with a template of parameters, one on each line, or in JSON."""

    def __init__(self, address: Address, wishes: Wishes) -> None:
        super().__init__(address, wishes)
        if not address.folder:
            raise UsageError(f"{address.text}: which collection? Put it behind the host: solr+http://HOST/solr/NAME.")
        template = address.template(_OWN)
        self.template, self.origin = template.text, template.origin
        self._json: Pieces = ()
        self._form: parameters.Parameters = ()
        if template.text.lstrip().startswith("{"):
            json_text.compiled(template, _WORDS)
            own = {"limit", "params"} & set(json_text.document(template, _WORDS))
            self._json = json_text.compiled(json_text.with_more(template, [] if own else ['"limit": {{k}}']), _WORDS)
        else:
            self._form = parameters.compiled(template, _WORDS)

    @property
    def names(self) -> frozenset[str]:
        """Names of the values that the template needs."""
        return names_of(self._json).union(*(names_of(parts) for _, parts in self._form))

    def request(self, values: Values) -> Request:
        """Return the search for a query; what idealrank needs of an answer comes before the template's own."""
        asked = {"wt": "json", "fl": ",".join((self.key or "id", "score", *self.wishes.fields))}
        named = {name for name, _ in self._form}
        if self._json:
            url = self.below(f"select?{urlencode(asked)}")
            return Request("POST", url, JSON_TYPE, filled(self._json, values).encode())
        more = {**asked, "rows": str(values["k"])}
        own = urlencode({name: value for name, value in more.items() if name not in named})
        body = "&".join(part for part in (own, parameters.encoded(self._form, values)) if part)
        return Request("POST", self.below("select"), _FORM, body.encode())

    def found(self, document: Any) -> Found:
        """Return the documents of an answer; one that is only a part is none."""
        if (error := at(document, "error")) is not None:
            raise Failed(visible_lines(str(at(error, "msg") or error)))
        docs = at(document, "response.docs")
        if not isinstance(docs, list):
            raise Failed("the answer has no response.docs")
        if at(document, "responseHeader.partialResults"):
            raise Failed("the answer is only a part (partialResults)")
        found = self.hits(docs, lambda doc: (at(doc, self.key or "id"), number(at(doc, "score")), doc))
        return replace(found, took=number(at(document, "responseHeader.QTime")))

    async def about(self) -> dict[str, Any]:
        """Return the engine's version, the collection and its number of documents."""
        context = self.url.partition("?")[0].rstrip("/").rpartition("/")
        system = await self.read(f"{context[0]}/admin/info/system?wt=json")
        count = await self.read(self.below("select?q=*:*&rows=0&wt=json"))
        return {
            "engine": "solr",
            "version": at(system, "lucene.solr-spec-version"),
            "index": context[2],
            "documents": at(count, "response.numFound"),
        }


def engine(address: Address, wishes: Wishes) -> Solr:
    """Return the engine at an address."""
    return Solr(address, wishes)
