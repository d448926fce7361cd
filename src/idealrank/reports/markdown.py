"""A report as Markdown: the same parts as the page, long tables cut."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from idealrank.comparison.text import one_sided_text
from idealrank.comparison.types import ESTIMATES
from idealrank.decisions.question import answer_text
from idealrank.display.blocks import TextColumn
from idealrank.display.markdown import columns_markdown, escape
from idealrank.display.numbers import decimal, p_text
from idealrank.errors import plural
from idealrank.reports.types import ReportSections, Summary, VerdictEntry, verdict_text

SHOWN = 50
"""Rows of a table that are written out."""

MOST_VERDICTS = 3
"""Verdicts that are written out; more are a table."""

LISTED = 5
"""Queries whose lists are written out."""

Rows = Sequence[Mapping[str, Any]]


def report_markdown(parts: ReportSections) -> str:
    """Write all parts of `idealrank.Report.to_dict`, one section each; an empty part says nothing."""
    sections = [f"# {escape(parts['title'])}", *_summary(parts["summary"]), *_comparison(parts)]
    for title, section in _SECTIONS.items():
        text = "\n\n".join(filter(None, section(parts)))
        sections += [f"## {title}\n\n{text}"] if text else []
    return "\n\n".join([*filter(None, sections), f"Made by {parts['program']}."]) + "\n"


def _summary(summary: Summary) -> Iterator[str]:
    """Write the front of the page: the outcome as a headline, what it rests on, and what to do next."""
    yield "\n".join(f"> **Warning:** {escape(text)}  " for text in summary["warnings"])
    yield f"**{escape(': '.join(filter(None, (summary['outcome'], summary['headline']))))}**"
    yield escape(" ".join([*summary["sentences"], *summary["notes"]]))
    yield "\n".join(f"{i}. {escape(step)}" for i, step in enumerate(summary["steps"], 1))


def _comparison(parts: ReportSections) -> Iterator[str]:
    compared = parts["compared"]
    if compared is None:
        return
    verdicts = compared["verdicts"]
    if len(verdicts) > MOST_VERDICTS:
        yield _rows_table(
            [
                {"system": v["system"], "baseline": v["baseline"], "outcome": v["outcome"], "reason": v["reason"]}
                for v in verdicts
            ]
        )
    yield "\n".join(
        f"- **{escape(v['system'])}** instead of {escape(v['baseline'])}: "
        f"{'' if len(verdicts) == 1 else _verdict_start(v)}{escape(v['sentence'])}"
        for v in (verdicts if len(verdicts) <= MOST_VERDICTS else [])
    )
    left = ("baseline mean", "mean", "bounds", "verdict", "low", "high")
    yield _rows_table([{name: x for name, x in row.items() if name not in left} for row in compared["differences"]])
    notes = {"rule": compared["rule"], "methods": compared["methods"], "weight 0": ", ".join(compared["weight_0"])}
    notes |= {called: one_sided_text(sides) for called, sides in compared["one_sided"].items()}
    yield "\n".join(f"- {escape(name)}: {escape(text)}" for name, text in notes.items() if text)


def _verdict_start(verdict: VerdictEntry) -> str:
    return f"**{escape(verdict['outcome'])}**. {escape(verdict_text(verdict))} "


def _means(parts: ReportSections) -> Iterator[str]:
    yield _rows_table(parts["means"])


def _queries(parts: ReportSections) -> Iterator[str]:
    """Write the values of the first measure, the greatest changes first, or the lowest values."""
    label = parts["measures"][0]["label"]
    values, queries = parts["values"][label], parts["queries"]
    columns: dict[str, list[Any]] = {"query": queries["id"]}
    columns |= {"text": queries["text"]} if queries["text"] else {}
    columns |= {system: values[system] for system in parts["systems"]}
    columns |= {f"holes of {system}": counts for system, counts in parts["holes"]["counts"].items()}
    yield escape(queries["note"])
    yield f"{escape(label)} by query, {'the greatest changes' if parts['pairs'] else 'the worst values'} first."
    yield _rows_table([{name: column[q] for name, column in columns.items()} for q in _first_queries(parts)])


def _first_queries(parts: ReportSections) -> list[int]:
    """Return the places of the queries that have a value, the greatest changes first, or the worst values."""
    values = parts["values"][parts["measures"][0]["label"]]
    lower = parts["measures"][0]["direction"] == "lower"
    columns = [values[system] for system in parts["systems"]]
    there = {
        q: [value for column in columns if (value := column[q]) is not None] for q in range(len(parts["queries"]["id"]))
    }

    def weight(q: int) -> float:
        if parts["pairs"]:
            return min(there[q]) - max(there[q])
        return -max(there[q]) if lower else min(there[q])

    return sorted((q for q, each in there.items() if each), key=weight)


def _lists(parts: ReportSections) -> Iterator[str]:
    """Write the lists of a few queries, with grades, and what each result adds to the value."""
    label = parts["measures"][0]["label"]
    systems = parts["pairs"][0] if parts["pairs"] else parts["systems"][:2]
    yield f"Document (grade; – is unjudged) and what it adds under {escape(label)}, before the sum is divided."
    for q in _first_queries(parts)[:LISTED]:
        text = (parts["queries"]["text"] or {q: None})[q]
        yield f"### {escape(parts['queries']['id'][q])}{f': {escape(text)}' if text else ''}"
        columns = {system: _list_cells(parts, label, system, q) for system in systems}
        columns["judged best"] = _result_cells(parts, parts["lists"]["best"], q, [])
        depth = max(map(len, columns.values()))
        yield _rows_table(
            [
                {"rank": i + 1} | {n: cells[i] if i < len(cells) else "" for n, cells in columns.items()}
                for i in range(depth)
            ]
        )
        yield "\n".join(f"- {escape(system)}: {_sum_text(parts, label, system, q)}" for system in systems)


def _list_cells(parts: ReportSections, label: str, system: str, q: int) -> list[str]:
    shares = parts["explanations"][label]["systems"][system]["contribution"]
    return _result_cells(parts, parts["lists"]["systems"][system], q, shares)


def _result_cells(parts: ReportSections, lists: Mapping[str, Any], q: int, shares: list[Any]) -> list[str]:
    ids, titles = parts["documents"]["id"], parts["documents"]["title"]
    cells = []
    for place in range(lists["start"][q], lists["start"][q + 1]):
        doc, grade = lists["document"][place], lists["grade"][place]
        name = (titles and titles[doc]) or ids[doc]
        step = f"step {lists['step'][place]}: " if "step" in lists else ""
        share = f" {decimal(shares[place])}" if shares and shares[place] is not None else ""
        cells.append(f"{step}{name} ({'–' if grade is None else answer_text(grade)}){share}")
    return cells


def _sum_text(parts: ReportSections, label: str, system: str, q: int) -> str:
    """Write the sum behind a value."""
    sums: Mapping[str, Any] = parts["explanations"][label]["systems"][system]
    value = parts["values"][label][system][q]
    if value is None:
        return "left out"
    if not parts["lists"]["systems"][system]["returned"][q]:
        return f"nothing returned, counted as {decimal(value)}"
    if sums["total"] is None or not sums["normaliser"][q]:
        return decimal(value)
    rest = f", {decimal(sums['rest'][q])} of it below" if sums["rest"][q] else ""
    return f"{decimal(sums['total'][q])}{rest} / {decimal(sums['normaliser'][q])} = {decimal(value)}"


def _states(parts: ReportSections) -> Iterator[str]:
    yield _rows_table(parts["states"])


def _settings(parts: ReportSections) -> Iterator[str]:
    found, chosen = parts["grid"], parts["tuning"]
    if found is not None:
        yield f"{escape(found['measure'])} by {escape(' and '.join(found['settings']))}{_tuning_note(parts)}:"
        yield _rows_table([{name: x for name, x in row.items() if name != "system"} for row in found["points"]])
    if chosen is not None:
        yield f"- {escape(chosen['text'])}"
        yield _rows_table(chosen["means"])


def _tuning_note(parts: ReportSections) -> str:
    return f" on the {plural(len(parts['tuning']['queries']), 'tuning query')}" if parts["tuning"] else ""


def _segments(parts: ReportSections) -> Iterator[str]:
    segments = parts["segments"]
    yield "\n".join(f"- {escape(name)}: {escape(made)}" for name, made in segments["made"].items())
    yield _rows_table(segments["differences"] or segments["means"])


def _document_segments(parts: ReportSections) -> Iterator[str]:
    segments = parts["document_segments"]
    if segments is not None:
        yield "\n".join(f"- {escape(note)}" for note in segments["notes"])
        yield _rows_table(segments["rows"])


def _unjudged(parts: ReportSections) -> Iterator[str]:
    part, depth = parts["holes"], parts["holes"]["depth"]
    yield "\n".join(
        f"- {escape(system)}: {plural(count, 'unjudged result')} in the top {depth}"
        for system, count in part["unjudged"].items()
    )
    if part["to_judge"]:
        yield "To judge first:"
        yield _rows_table(part["to_judge"])


def _grades(parts: ReportSections) -> Iterator[str]:
    found = parts["grades"]
    if found is None:
        return
    for each in found["calibrations"]:
        yield f"{escape(each['system'])} instead of {escape(each['baseline'])}, {escape(each['measure'])}:"
        yield _rows_table([{"by": title, **each[name]} for name, title in ESTIMATES.items()])
        yield escape(" ".join(each["sentences"]))
    if (raters := found["raters"]) is not None:
        of = raters["agreement"]
        yield escape(" ".join(filter(None, (raters["headline"], raters["verdicts_sentence"]))))
        for rows_of in (of["coefficients"], of["verdicts"], of["by_rater"], of["disputed"]):
            yield _rows_table(rows_of)
        yield "\n".join(f"- {escape(text)}" for text in filter(None, (of["interval_note"], *of["findings"])))


def _overlap(parts: ReportSections) -> Iterator[str]:
    yield _rows_table([{"baseline": p["baseline"], "system": p["system"], **p["summary"]} for p in parts["overlap"]])


def _curves(parts: ReportSections) -> Iterator[str]:
    for label, curve in parts["curves"].items():
        columns = {"k": curve["k"], **curve["systems"]}
        yield f"{escape(label)} cut at k:"
        yield _rows_table([dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)])


def _thresholds(parts: ReportSections) -> Iterator[str]:
    found = parts["thresholds"]
    if found is not None:
        columns = {"share": found["share"], **found["systems"]}
        yield f"{escape(found['measure'])} by the {found['meaning']}; 0 is any overlap:"
        yield _rows_table([dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)])


def _latency(parts: ReportSections) -> Iterator[str]:
    found = parts["latency"]
    if found is not None:
        yield "Milliseconds per search; failed searches are not counted."
        yield _rows_table(found["systems"])
        yield _rows_table(found["differences"])


def _distributions(parts: ReportSections) -> Iterator[str]:
    yield _rows_table([row for each in parts["distributions"].values() for row in each["describe"]])


def _decisions(parts: ReportSections) -> Iterator[str]:
    decisions = parts["decisions"]
    lines = {"convention": decisions["setting"], "changed": " ".join(decisions["changed"])}
    lines |= {stage: " ".join(texts) for stage, texts in decisions["stages"].items()}
    prints = {measure["label"]: measure["fingerprint"] for measure in parts["measures"]}
    yield "\n".join(f"- {escape(name)}: {escape(text)}" for name, text in (lines | prints).items() if text)


def _ledger(parts: ReportSections) -> Iterator[str]:
    yield "\n".join(f"- {escape(line)}" for line in parts["ledger"]["lines"])


def _inputs(parts: ReportSections) -> Iterator[str]:
    yield _rows_table(parts["inputs"])


def _rows_table(rows: Rows) -> str:
    """Write rows as a table, cut after `SHOWN`."""
    if not rows:
        return ""
    columns = [_text_column(name, [row.get(name) for row in rows[:SHOWN]]) for name in rows[0]]
    more = [plural(len(rows) - SHOWN, "more row")] if len(rows) > SHOWN else []
    return "\n\n".join([columns_markdown(columns), *more])


def _text_column(name: str, values: list[Any]) -> TextColumn:
    there = [value for value in values if value is not None]
    fractions = "rank" not in name and any(isinstance(value, float) for value in there)
    if name in ("p", "uncorrected p", "corrected p"):
        return TextColumn(name, [_cell_text(None, False) if p is None else p_text(p) for p in values], numeric=True)
    numeric = bool(there) and all(isinstance(value, (int, float)) for value in there)
    return TextColumn(name, [_cell_text(value, fractions) for value in values], numeric)


def _cell_text(value: Any, fractions: bool) -> str:
    if value is None:
        return "–"
    if isinstance(value, float) and not fractions:
        return str(int(value))
    return decimal(value) if fractions and isinstance(value, (int, float)) else str(value)


_SECTIONS = {
    "Means": _means,
    "Settings": _settings,
    "Segments": _segments,
    "Segments of documents": _document_segments,
    "Queries": _queries,
    "Queries with special handling": _states,
    "Lists": _lists,
    "Holes": _unjudged,
    "Grades": _grades,
    "Overlap": _overlap,
    "Cut at k": _curves,
    "Thresholds of overlap": _thresholds,
    "Latency": _latency,
    "Distribution": _distributions,
    "Decisions": _decisions,
    "Ledger": _ledger,
    "Inputs": _inputs,
}
