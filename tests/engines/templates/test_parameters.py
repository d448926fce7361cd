"""Parameters and addresses: URL-encoded, and safe within Solr's local params."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given, strategies as st

import idealrank as ir
from idealrank.engines.templates import Template, compile_address, compile_url as compiled, encode_parameters, fill


def sent(text: str, **values: Any) -> list[tuple[str, str]]:
    """Return the parameters as the standard library reads what is sent."""
    return parse_qsl(
        encode_parameters(compiled(Template("t", text), {}), values), keep_blank_values=True, strict_parsing=True
    )


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_values_come_out_as_they_went_in(query: str) -> None:
    """A value with & or = or + or line ends stays in its parameter; one that would begin local params gets a blank."""
    found = sent("# comment\n\nq={{query}}\nqq=x {{query}}\nrows = {{k}}", query=query, k=5)
    assert found == [("q", f" {query}" if query.startswith("{!") else query), ("qq", f"x {query}"), ("rows", " 5")]


@pytest.mark.parametrize("quote", ["'", '"'])
def test_local_params_keep_their_quotes(quote: str) -> None:
    r"""Within quotes of local params, quotes, backslashes and $ of a value are escaped."""
    text = f"q={{!edismax qf=title v={quote}{{{{query}}}}{quote}}}"
    assert sent(text, query="men's 5\" \\ $x") == [
        ("q", f"{{!edismax qf=title v={quote}men\\'s 5\\\" \\\\ \\$x{quote}}}")
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("q={!edismax v={{query}}}", "line 1, column 15: .*has no quotes.*v=\\$qq"),
        ("q={{query}}\nrows", "line 2, column 1: 'rows' is no parameter"),
        ("# nothing\n", "there is no parameter"),
    ],
)
def test_what_is_no_template(text: str, said: str) -> None:
    """A line without =, and a value bare in local params, are refused with their place."""
    with pytest.raises(ir.UsageError, match=said):
        sent(text, query="x")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_addresses_are_percent_encoded(query: str) -> None:
    """A value in an address cannot add a parameter or change the path."""
    url = fill(compile_address(Template("t", "http://shop.test/s?q={{query}}&n=5")), {"query": query})
    parts = urlsplit(url)
    assert (parts.netloc, parts.path) == ("shop.test", "/s")
    assert parse_qsl(parts.query, keep_blank_values=True) == [("q", query), ("n", "5")]
