"""How a project is graded: its settings, and what a rater may be called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from idealrank.errors import UsageError, plural
from idealrank.studio.joined import RESOLVER
from idealrank.studio.project import StudioProject

GUIDELINE: Final = "guideline"
GUIDELINE_AFTER: Final = "guideline_after"
SCALE: Final = "scale"
OVERLAP: Final = "overlap"
CONFIRM: Final = "confirm"
BLIND: Final = "blind"
SUGGEST: Final = "suggest"
PICTURES: Final = "pictures"
USUAL: Mapping[str, Any] = {
    GUIDELINE: "", GUIDELINE_AFTER: 0, SCALE: None, OVERLAP: 5, CONFIRM: False, BLIND: True, SUGGEST: "",
    PICTURES: False,
}  # fmt: skip
"""What a setting is as long as nobody set it: text for raters; the last rating before that text; grades with their
words (`StudioProject.scale`); every how many pairs are asked of a second rater as well, 0 for none; whether the same
digit twice confirms; whether raters see neither systems nor ranks; the rater of the judgments whose grades are shown as
suggestions, "" for nobody; whether pictures of other hosts are shown."""

LONGEST_NAME = 60
LONGEST_COMMENT = 2000
LONGEST_ID = 2000
"""Characters of a document's id: a web address at most."""
LONGEST_TOKEN = 64
"""Characters of the token of a page, as the database keeps them."""


def setting(project: StudioProject, name: str) -> Any:
    """Return a setting of the project, the usual one if nobody set it."""
    value = project.store[name]
    return USUAL[name] if value is None else value


def rater_name(text: str) -> str:
    """Return a name as it is kept.

    Raises
    ------
    UsageError
        If it is none.
    """
    name = " ".join(text.split())
    if not name:
        raise UsageError("Give a name: grades are kept under it.")
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise UsageError(f"A name has at most {LONGEST_NAME} characters, all of them visible. Give another.")
    if name.lower() == RESOLVER:
        raise UsageError(f"{RESOLVER!r} is the name under which disputes are settled. Give another.")
    return name


def keep_guideline(project: StudioProject, text: str) -> None:
    """Keep the guideline, and after which rating it came: earlier ones were given by another."""
    text = "\n".join(text.splitlines())  # a form sends other ends of lines than a file has
    if text == setting(project, GUIDELINE):
        return
    project.store[GUIDELINE] = text
    project.store[GUIDELINE_AFTER] = max((one.id for one in project.store.ratings()), default=0)


def older_grades(project: StudioProject) -> str:
    """Say how many grades are older than the guideline; "" for none."""
    after = int(setting(project, GUIDELINE_AFTER))
    older = sum(one.grade is not None and one.id <= after for one in project.store.ratings()) if after else 0
    if not older:
        return ""
    return f"{plural(older, 'grade')} {'is' if older == 1 else 'are'} older than this guideline."
