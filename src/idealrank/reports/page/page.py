"""A report as one HTML file: what is readable without script, the data, the scripts; no request leaves it."""

import base64
import gzip
import hashlib
import json
from html import escape
from string import Template
from typing import Any

from idealrank.reports.page import assets
from idealrank.reports.page.static import WITHOUT_SCRIPT, static
from idealrank.reports.parts.kinds import Parts

_PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="$policy">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="$program">
<title>$title</title>
<style>$style</style>
<noscript><style>$bare</style></noscript>
</head>
<body>
$static
$data
<script>$charts</script>
<script type="module">$script</script>
</body>
</html>
""")


def page(parts: Parts) -> str:
    """Return a report, as `Report.to_dict` returns it, as an HTML document: its data is a compressed block a part."""
    style, charts, script = assets.style(), assets.chart_library(), assets.script()
    return _PAGE.substitute(
        policy=_policy([charts, script], [style, WITHOUT_SCRIPT], parts["documents"]["picture"] is not None),
        program=escape(parts["program"]),
        title=escape(parts["title"]),
        style=style,
        bare=WITHOUT_SCRIPT,
        static=static(parts),
        data="\n".join(_block(name, part) for name, part in parts.items()),
        charts=charts,
        script=script,
    )


def _policy(scripts: list[str], styles: list[str], pictures: bool) -> str:
    """Allow the page's own scripts and styles, and pictures of the web where they were asked for; nothing else."""
    images = "data: https:" if pictures else "data:"
    return (
        f"default-src 'none'; script-src {_hashes(scripts)}; style-src {_hashes(styles)}; img-src {images}; "
        "connect-src 'none'; base-uri 'none'; form-action 'none'"
    )


def _hashes(texts: list[str]) -> str:
    return " ".join(_hash(text) for text in texts)


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _block(name: str, part: Any) -> str:
    """Write a part as JSON, compressed, in base64: nothing in it can end the element."""
    text = json.dumps(part, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    packed = base64.b64encode(gzip.compress(text.encode("utf-8", "surrogatepass"), 6, mtime=0)).decode()
    return f'<script type="application/gzip" id="part-{name}">{packed}</script>'
