"""JSON templates: whatever the value is, the request stays JSON and says exactly that value."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

import idealrank as ir
from idealrank.engines.templates import Template, compile_json as compiled, fill, lucene

TEXT = '{"query": {"match": {"title": "{{query}}"}}, "size": {{k}}, "boost": {{ boost }}, "about": "for {{user}}!"}'


def request(text: str, **values: Any) -> Any:
    """Return the request that a template makes of some values, read by another JSON parser."""
    return json.loads(fill(compiled(Template("t", text), {"lucene": lucene}), values))


@given(st.text(), st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.none(), st.booleans()))
def test_values_come_out_as_they_went_in(query: str, boost: Any) -> None:
    """A text with quotes, backslashes, line ends or braces is the same text; a number, nothing and truth are JSON's."""
    found = request(TEXT, query=query, k=10, boost=boost, user="{{query}}")
    assert found["query"]["match"]["title"] == query
    assert (found["size"], found["about"]) == (10, "for {{query}}!")
    assert found["boost"] == boost
    assert type(found["boost"]) is type(boost) or found["boost"] == int(boost)


def test_a_text_outside_of_a_string_gets_its_quotes() -> None:
    """Where the template has no quotes, a text is a JSON string, and nothing is null."""
    assert request('{"a": {{x}}, "b": [{{y}}, {{z}}]}', x='a "b"', y=None, z=1.5) == {"a": 'a "b"', "b": [None, 1.5]}


def test_an_escaped_quote_ends_no_string() -> None:
    r"""After \" the template is still within its string; after a backslash that is escaped itself, it is not."""
    assert request(r'{"a": "\"{{q}}\"", "b": "\\", "c": {{q}}}', q='"') == {"a": '"""', "b": "\\", "c": '"'}


def test_query_syntax_is_escaped_where_asked_for() -> None:
    """{{query|lucene}} says the words, not the operators of the query_string syntax."""
    assert request('{"q": "{{query|lucene}}"}', query="AC/DC (live) OR -1")["q"] == r"AC\/DC \(live\) or \-1"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": "{{query}}",}', "line 1: not JSON"),
        ('{"a": 1,\n "b": {{query}', "line 2"),
        ("[{{query}}]", "a request is a JSON object"),
        ('{"a": {{query|lucene}}}', "column 7: this is text outside of a JSON string"),
        ('{"a":\n "{{query|lucen}}"}', "line 2, column 3: .*no 'lucen'.*Did you mean lucene"),
        ('{"a": "{{ }}"}', "names no value"),
    ],
)
def test_what_is_no_request(text: str, said: str) -> None:
    """A template that is no JSON is refused with its line before anything is sent."""
    with pytest.raises(ir.UsageError, match=said):
        request(text, query="x")
