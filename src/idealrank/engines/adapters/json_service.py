"""Any service over HTTP that answers with JSON: where its hits, ids and scores lie is part of its address."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import quote

from idealrank.engines import templates
from idealrank.engines.address import Address
from idealrank.engines.engine import SearchError, SearchHits, SearchOptions, Values
from idealrank.engines.hits import NAMES, at, number
from idealrank.engines.http import JSON_TYPE, Request, Service
from idealrank.engines.templates import Pieces, Template, fill, names_of
from idealrank.errors import UsageError, some, visible_lines

_SCORES = ("score", "_score", "relevance")


class JsonService(Service):
    """A service: GET with values in the address, or POST of a template."""

    def __init__(self, address: Address, wishes: SearchOptions) -> None:
        super().__init__(address, wishes)
        self._where = address.options
        self._url = templates.compile_address(Template(address.system, self.url))
        self._json: Pieces = ()
        self._form: templates.Parameters = ()
        if "template" in address.options:
            template = address.template()
            self.template, self.origin = template.text, template.origin
            if template.text.lstrip().startswith("{"):
                self._json = templates.compile_json(template, {})
            else:
                self._form = templates.compile_url(template, {})
        elif "query" not in self.names:
            raise UsageError(
                f"{address.text}: where does the query go? Write {{{{query}}}} in the address, as ?q={{{{query}}}}, or "
                "name a template: ?template=FILE."
            )

    @property
    def names(self) -> frozenset[str]:
        """Names of the values that the address and the template need."""
        return names_of(self._url).union(names_of(self._json), *(names_of(parts) for _, parts in self._form))

    def request(self, values: Values) -> Request:
        """Return the request for a query."""
        url = fill(self._url, values)
        if self._json:
            return Request("POST", url, JSON_TYPE, fill(self._json, values).encode())
        if not self._form:
            return Request("GET", url, {"Accept": "application/json"})
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        return Request("POST", url, form, templates.encode_parameters(self._form, values).encode())

    def parse_hits(self, document: Any) -> SearchHits:
        """Return the hits of an answer."""
        path = self._where.get("hits", "")
        items = at(document, path)
        if items is None and path and _is_null_list(document, path):
            items = []
        if not isinstance(items, list):
            known = some(_list_paths(document)) or "none"
            raise SearchError(
                f"no list at hits={path or '(the answer itself)'}. Lists in the answer: {known}", hopeless=True
            )
        if not items and isinstance(errors := at(document, "errors"), list) and errors:
            message = at(errors[0], "message") or errors[0]
            raise SearchError(visible_lines(f"no results, but errors: {message}"))
        found = self.hits(items, lambda item: (self._hit_id(item), self._hit_score(item), item))
        return replace(found, took=number(at(document, self._where["took"])) if "took" in self._where else None)

    def _hit_id(self, item: Any) -> Any:
        if not isinstance(item, dict):
            return item
        if "id" in self._where:
            found = at(item, self._where["id"])
        else:
            found = next((item[name] for name in NAMES if item.get(name) is not None), None)
        if found is None:
            raise SearchError(
                f"a hit without an id: it has {some(item)}. Say which: &id=NAME in the address", hopeless=True
            )
        return found

    def _hit_score(self, item: Any) -> float | None:
        if not isinstance(item, dict):
            return None
        names = (self._where["score"],) if "score" in self._where else _SCORES
        return next((score for name in names if (score := number(at(item, name))) is not None), None)


def engine(address: Address, wishes: SearchOptions) -> JsonService:
    """Return the engine at an address."""
    return JsonService(address, wishes)


def _is_null_list(document: Any, path: str) -> bool:
    """Whether the list at a path is there and null, as where nothing was found."""
    parent, _, name = path.rpartition(".")
    holder = at(document, parent)
    return isinstance(holder, dict) and name in holder


def _list_paths(document: Any, path: str = "") -> list[str]:
    """Return the paths of the lists in an answer."""
    if isinstance(document, list):
        return [f"hits={quote(path)}"] if path else ["the answer itself"]
    if not isinstance(document, dict):
        return []
    return [found for name, value in document.items() for found in _list_paths(value, f"{path}.{name}".lstrip("."))]
