"""Vespa: the query API.

A document id such as id:shop:product::P1023 is read as P1023, as where answers of Vespa are read from files.
Source: Vespa documentation, "Query API", "Default JSON result format", "Query language reference" (userInput).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from idealrank.engines.address import Address
from idealrank.engines.engine import SearchError, SearchHits, SearchOptions, Values
from idealrank.engines.hits import at, number
from idealrank.engines.http import JSON_TYPE, Request, Service
from idealrank.engines.templates import Template, add_members, compile_json, fill, names_of, sample_document
from idealrank.errors import UsageError, visible_lines

_OWN = """{
  "yql": "select * from sources * where userQuery()",
  "query": "{{query}}",
  "type": "any",
  "hits": {{k}},
  "presentation.timing": true
}
"""
_PASTED = re.compile(r'"yql"\s*:\s*"(?:\\.|[^"\\])*?\{\{', re.DOTALL)


class Vespa(Service):
    """An application with a template of the query API's parameters in JSON."""

    def __init__(self, address: Address, wishes: SearchOptions) -> None:
        super().__init__(address, wishes)
        template = address.template(_OWN)
        self.template, self.origin = template.text, template.origin
        compile_json(template, {})
        if pasted := _PASTED.search(template.text):
            raise UsageError(
                f"{template.at(pasted.end() - 2)}: a value is in the text of yql, which has no escape here. Write "
                'userInput(@query) or limit in yql, and "query": "{{query}}" beside it.'
            )
        self._parts = compile_json(_complete_template(template), {})

    @property
    def names(self) -> frozenset[str]:
        """Names of the values that the template needs."""
        return names_of(self._parts)

    def request(self, values: Values) -> Request:
        """Return the search for a query."""
        return Request("POST", self.root("/search/"), JSON_TYPE, fill(self._parts, values).encode())

    def parse_hits(self, document: Any) -> SearchHits:
        """Return the hits of an answer; one that is only a part is none."""
        if errors := at(document, "root.errors"):
            first = errors[0] if isinstance(errors, list) else errors
            raise SearchError(visible_lines(str(at(first, "message") or at(first, "summary") or first)))
        if degraded := at(document, "root.coverage.degraded"):
            why = ", ".join(name for name, is_so in degraded.items() if is_so) if isinstance(degraded, dict) else ""
            raise SearchError(f"the answer is only a part (coverage degraded: {why})")
        if at(document, "root.fields") is None:
            raise SearchError("the answer has no root.fields")
        hits = [hit for hit in at(document, "root.children") or () if at(hit, "id") is not None]
        took = number(at(document, "timing.searchtime"))
        milliseconds = None if took is None else took * 1000  # Vespa says seconds
        return replace(self.hits(hits, self._read_hit), took=milliseconds)

    def _read_hit(self, hit: Any) -> tuple[Any, float | None, Any]:
        fields = at(hit, "fields")
        return at(fields, self.key) if self.key else _local_id(hit), number(at(hit, "relevance")), fields

    async def about(self) -> dict[str, Any]:
        """Return the engine's version and the number of documents."""
        status = await self.fetch_json(self.root("/ApplicationStatus"))
        count = await self.fetch_json(self.root("/search/?yql=select%20*%20from%20sources%20*%20where%20true&hits=0"))
        return {
            "engine": "vespa",
            "version": at(status, "application.vespa.version"),
            "index": at(status, "application.meta.name"),
            "documents": at(count, "root.fields.totalCount"),
        }


def engine(address: Address, wishes: SearchOptions) -> Vespa:
    """Return the engine at an address."""
    return Vespa(address, wishes)


def _complete_template(template: Template) -> Template:
    """Return a template that also says how many hits come back, and asks for the engine's own time, unless it does."""
    found = sample_document(template, {})
    wanted = {"hits": '"hits": {{k}}', "presentation.timing": '"presentation.timing": true'}
    lacking = [text for name, text in wanted.items() if not {name, name.partition(".")[0]} & set(found)]
    return add_members(template, lacking)


def _local_id(hit: Any) -> Any:
    """Return the last part of a document's id."""
    name = at(hit, "fields.documentid") or at(hit, "id")
    return name.rpartition("::")[2] if isinstance(name, str) and "::" in name else name
