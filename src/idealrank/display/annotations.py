"""Annotations: what a build server shows beside a job, in the form of each."""

import hashlib
import html
import json
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from idealrank.errors import visible

Level = Literal["error", "warning", "notice"]


class Annotation(NamedTuple):
    """A finding: how bad it is, which check found it, and what it says.

    Attributes
    ----------
    check
        What was checked, the same in every build, so that a server tells what is new from what is still there.
    """

    level: Level
    check: str
    title: str
    message: str


# https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts: what the runner reads back.
_IN_MESSAGE = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = _IN_MESSAGE | str.maketrans({":": "%3A", ",": "%2C"})


def github_command(annotation: Annotation) -> str:
    r"""Write an annotation as a workflow command of GitHub Actions, one line whatever its texts contain.

    Examples
    --------
    >>> github_command(Annotation("error", "RR drops 1%", "Gate: failed", "RR fell\n::error::x"))
    '::error title=Gate%3A failed::RR fell\\n::error::x'
    """
    title = visible(annotation.title).translate(_IN_PROPERTY)
    return f"::{annotation.level} title={title}::{visible(annotation.message).translate(_IN_MESSAGE)}"


_GITLAB_SEVERITY = {"error": "major", "warning": "minor", "notice": "info"}


def gitlab_code_quality(annotations: Iterable[Annotation], file: str) -> str:
    """Write annotations as a report of GitLab's Code Quality, all at the first line of a file.

    Source: https://docs.gitlab.com/ci/testing/code_quality/, "Code Quality report format".
    """
    issues = [
        {
            "description": visible(f"{each.title}: {each.message}"),
            "check_name": f"idealrank: {visible(each.check)}",
            "fingerprint": hashlib.sha256(f"{file}\0{each.check}".encode("utf-8", "surrogatepass")).hexdigest(),
            "severity": _GITLAB_SEVERITY[each.level],
            "location": {"path": file, "lines": {"begin": 1}},
        }
        for each in annotations
    ]
    return _document(issues)


_JENKINS_SEVERITY = {"error": "ERROR", "warning": "NORMAL", "notice": "LOW"}


def jenkins_issues(annotations: Iterable[Annotation], file: str) -> str:
    """Write annotations in the native format of the Warnings plugin of Jenkins, which shows messages as HTML.

    Source: https://github.com/jenkinsci/warnings-ng-plugin/blob/main/doc/Documentation.md.
    """
    issues = [
        {
            "fileName": file,
            "lineStart": 1,
            "severity": _JENKINS_SEVERITY[each.level],
            "type": f"idealrank: {visible(each.check)}",
            "message": html.escape(visible(f"{each.title}: {each.message}")),
        }
        for each in annotations
    ]
    return _document({"issues": issues})


def _document(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, indent=2) + "\n"
