"""judge: a language model grades pairs of a query and a document; what it does not grade is missing, never 0."""

from __future__ import annotations

import hashlib
import json
import math
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict, Unpack

from idealrank.data.judgments import Judgments
from idealrank.data.read import read_judgments
from idealrank.decisions.decisions import refuse_others, value_or_keywords, with_keywords
from idealrank.display.blocks import Block, Lines
from idealrank.display.document import Shown
from idealrank.display.files import write_file
from idealrank.display.numbers import percent
from idealrank.display.schema import Within
from idealrank.display.terminal import step_counter
from idealrank.engines.adapters.function import load_function
from idealrank.engines.engine import Engine, SearchError, SearchHits, SearchOptions, Values
from idealrank.engines.replay import refuse_timeout
from idealrank.engines.scheduler import Limits, Scheduler, SearchJob, jobs
from idealrank.engines.systems import System
from idealrank.errors import DataError, UsageError, either, option, plural
from idealrank.labels.guidelines import BUILT_IN, read_guideline
from idealrank.labels.language_models import AskedFunction, ChatModel, grade_schema, read_completion
from idealrank.labels.model_answers import KEPT, STATES, AnswerCache, ModelAnswer, parse_answer
from idealrank.labels.prompts import TextPairs, fill_template, read_pairs, read_template

_HASH = 12
"""Digits of the hash of a template in a row of grades."""

_STAYS = "what was answered stays in the file of answers, and is not asked again."
_MILLION = 1_000_000
_PYTHON = "python:"
_TOKENS: tuple[Literal["in", "out", "cached"], ...] = ("in", "out", "cached")


class ModelGradesJson(TypedDict):
    """What became of the pairs that a language model was asked to grade."""

    model: Annotated[str, "The model."]
    prompt: Annotated[str, "First digits of the SHA-256 of the template."]
    pairs: Annotated[int, Within(0), "How many pairs there are."]
    graded: Annotated[int, Within(0), "Pairs with a grade."]
    refused: Annotated[int, Within(0), "Pairs the model would not grade."]
    unparsable: Annotated[int, Within(0), "Pairs whose answer is not the JSON asked for, with a grade of the scale."]
    timed_out: Annotated[int, Within(0), "Pairs without an answer in time."]
    failed: Annotated[int, Within(0), "Pairs for which the request failed."]
    asked_twice: Annotated[int, Within(0), "Pairs asked twice, with an answer each time."]
    graded_twice: Annotated[int, Within(0), "Those of them that were graded at least once."]
    same_twice: Annotated[int, Within(0), "Those with the same grade both times."]
    kept: Annotated[int, Within(0), "Answers of earlier runs, not asked again."]
    no_longer_asked: Annotated[int, Within(0), "Pairs of an earlier run that are no longer in the file of grades."]
    tokens_in: Annotated[int | None, Within(0), "Tokens read; null if the server does not say."]
    tokens_out: Annotated[int | None, Within(0), "Tokens written; null if the server does not say."]
    tokens_cached: Annotated[int | None, Within(0), "Tokens read from the server's cache; null if it does not say."]
    cost: Annotated[float | None, Within(0), "Tokens times the prices given; null without prices or tokens."]


@dataclass(frozen=True)
class Prices:
    """What a million tokens costs, in the currency of whoever gives it; None if it is not known.

    Attributes
    ----------
    price_in, price_out
        Of a million tokens that are read, and that are written.

    Raises
    ------
    UsageError
        If one is no price.
    """

    price_in: float | None = None
    price_out: float | None = None

    def __post_init__(self) -> None:
        for price in (self.price_in, self.price_out):
            if price is not None and not 0 <= price < math.inf:
                way = either("price_in=…, price_out=…", "--price-in N --price-out N")
                raise UsageError(f"{price:g} is no price. Give what a million tokens cost: {way}.")


@dataclass(frozen=True, eq=False, repr=False)
class ModelGrades(Shown):
    """The grades of a language model.

    Attributes
    ----------
    pairs
        What it was asked.
    model
        Its name: the rater.
    prompt
        First digits of the SHA-256 of the template.
    answers
        What became of each pair.
    seconds
        The second answer of each pair that was asked twice, by the place of the pair.
    asked
        All answers, each of which was paid for once: pairs with the same texts share one.
    kept
        How many of these are of earlier runs.
    prices
        What tokens cost.
    no_longer_asked
        How many pairs the file of grades had of an earlier run that were not asked in this one: it has them no more.
    """

    pairs: TextPairs
    model: str
    prompt: str
    answers: Sequence[ModelAnswer]
    seconds: Mapping[int, ModelAnswer]
    asked: Sequence[ModelAnswer]
    kept: int = 0
    prices: Prices = Prices()
    no_longer_asked: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """How many pairs are in each state."""
        found = Counter(answer.state for answer in self.answers)
        return {state: found[state] for state in STATES}

    @property
    def asked_twice(self) -> int:
        """How many pairs have two answers."""
        return len(self._both)

    @property
    def graded_twice(self) -> int:
        """How many of these were graded at least once: a grade and none are two answers that differ."""
        return sum(pair != (None, None) for pair in self._both)

    @property
    def same_twice(self) -> int:
        """How many of these had the same grade both times."""
        return sum(first == second for first, second in self._both if first is not None)

    @property
    def _both(self) -> list[tuple[int | None, int | None]]:
        both = [(self.answers[place], second) for place, second in self.seconds.items()]
        # What failed or timed out is no answer, and says nothing of how the model agrees with itself.
        return [(first.grade, second.grade) for first, second in both if {first.state, second.state} <= set(KEPT)]

    def tokens(self, which: Literal["in", "out", "cached"]) -> int | None:
        """Return the sum of the tokens of all answers; None if the server does not say."""
        counts = [getattr(answer, f"tokens_{which}") for answer in self.asked]
        known = [count for count in counts if count is not None]
        return sum(known) if known else None

    @property
    def cost(self) -> float | None:
        """Tokens times prices; None if one of them is not known."""
        pairs = ((self.tokens("in"), self.prices.price_in), (self.tokens("out"), self.prices.price_out))
        known = [count * price / _MILLION for count, price in pairs if count is not None and price is not None]
        return sum(known) if known and len(known) == sum(price is not None for _, price in pairs) else None

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row per pair: the grade, or why there is none; model, prompt and tokens."""
        rows = []
        for place, answer in enumerate(self.answers):
            row: dict[str, Any] = {
                "query_id" if self.pairs.has_ids else "query": self.pairs.query[place],
                "doc_id": self.pairs.doc[place],
            }
            if answer.grade is not None:
                row["grade"] = answer.grade
            row |= {"state": answer.state, "reason": answer.reason}
            row |= {"rater": self.model, "model": self.model, "prompt": self.prompt}
            counts = {f"tokens_{name}": getattr(answer, f"tokens_{name}") for name in _TOKENS}
            row |= {name: count for name, count in counts.items() if count is not None}
            if (second := self.seconds.get(place)) is not None:
                row |= {"second_state": second.state}
                row |= {} if second.grade is None else {"second_grade": second.grade}
            rows.append(row)
        return rows

    @property
    def judgments(self) -> Judgments:
        """The grades as judgments, with the model as their rater."""
        rows = self.rows
        every = (*rows[0], "grade")
        return read_judgments({name: [row.get(name) for row in rows] for name in every})

    def to_jsonl(self) -> str:
        """Return the rows as lines of JSON, which `read_judgments` reads."""
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in self.rows)

    def to_dict(self) -> ModelGradesJson:
        """Return the counts as plain values."""
        counts = self.counts
        return {
            "model": self.model,
            "prompt": self.prompt,
            "pairs": len(self.answers),
            "graded": counts["graded"],
            "refused": counts["refused"],
            "unparsable": counts["unparsable"],
            "timed_out": counts["timed_out"],
            "failed": counts["failed"],
            "asked_twice": self.asked_twice,
            "graded_twice": self.graded_twice,
            "same_twice": self.same_twice,
            "kept": self.kept,
            "no_longer_asked": self.no_longer_asked,
            "tokens_in": self.tokens("in"),
            "tokens_out": self.tokens("out"),
            "tokens_cached": self.tokens("cached"),
            "cost": self.cost,
        }

    def to_json(self) -> str:
        """Return the counts as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=2)

    @property
    def headline(self) -> str:
        """How many pairs are in each state."""
        states = [f"{many:,} {state.replace('_', ' ')}" for state, many in self.counts.items() if many]
        return f"{plural(len(self.answers), 'pair')} asked of {self.model}: {', '.join(states)}."

    def shown(self) -> list[Block]:
        """Return what became of the pairs, in sentences."""
        rows = [("judge", self.headline)]
        rows += [("", line) for line in self._missing()]
        rows += [("", line) for line in (self._twice(), self._spent()) if line]
        if self.kept:
            many = plural(self.kept, "answer")
            rows.append(("", f"{many} of an earlier run kept; --anew (in Python, anew=True) asks everything again."))
        if self.no_longer_asked:
            was = "was" if self.no_longer_asked == 1 else "were"
            many = f"{plural(self.no_longer_asked, 'pair')} of an earlier run {was}"
            rows.append(("", f"{many} not asked this time and left the file of grades; {_STAYS}"))
        return [Lines(rows, leads=True)]

    def _missing(self) -> Iterator[str]:
        """Yield, for each state that is no grade, one example and what becomes of it."""
        for state in STATES[1:]:
            places = [place for place, answer in enumerate(self.answers) if answer.state == state]
            if not places:
                continue
            first = places[0]
            again = "" if state in KEPT else " The same command asks again."
            yield (
                f"{state.replace('_', ' ')}: {plural(len(places), 'pair')}, as {self.pairs.query[first]} "
                f"{self.pairs.doc[first]} ({self.answers[first].reason}).{again}"
            )
        if not self.counts["graded"]:
            yield f"Nothing was graded, so no command can use these as judgments. {self.way_to_a_grade}"
        elif self.counts["graded"] < len(self.answers):
            yield "What is not graded is a missing rating, never a grade of 0."

    @property
    def way_to_a_grade(self) -> str:
        """What to do where nothing is graded."""
        if self.counts["refused"] == len(self.answers):
            return "Take another model, or another prompt: --template FILE (in Python, template=…)."
        return (
            "Give a prompt that asks for JSON with a grade of the scale, --template FILE (in Python, template=…), or "
            "take another model."
        )

    def _twice(self) -> str:
        both, graded = self.asked_twice, self.graded_twice
        if not both:
            return ""
        asked = f"asked twice: {plural(both, 'pair')}"
        if not graded:
            return f"{asked}, none of which was graded either time."
        among = f"; of the {graded:,} graded at least once, " if graded < both else ", "
        share = percent(self.same_twice / graded)
        return f"{asked}{among}{self.same_twice:,} with the same grade both times ({share})."

    def _spent(self) -> str:
        read, wrote, cached = (self.tokens(name) for name in _TOKENS)
        if read is None and wrote is None:
            return ""
        of_them = f" ({cached:,} of them from the server's cache)" if cached else ""
        cost = f"; cost {self.cost:.4g} by the prices given" if self.cost is not None else ""
        return f"tokens: {read or 0:,} in{of_them}, {wrote or 0:,} out{cost}."


class JudgeKeywords(TypedDict, total=False):
    """The keywords of `judge` that are short for the fields of `Limits` and `Prices`."""

    concurrency: int
    """Requests at the same time."""

    rate: float | None
    """Requests per second at most."""

    retries: int
    """Further tries of what may succeed later."""

    stop_after: int
    """After how many failures in a row nothing more is asked."""

    price_in: float | None
    """What a million tokens cost that are read."""

    price_out: float | None
    """What a million tokens cost that are written."""


@with_keywords(JudgeKeywords)
def judge(
    pairs: Any,
    *,
    ask: Callable[[str], Any] | None = None,
    model: str | None = None,
    base_url: str | None = None,
    template: str | Path | None = None,
    guideline: str | Path | None = None,
    scale: Sequence[int] | None = None,
    documents: Any = None,
    queries: Any = None,
    columns: Mapping[str, str | None] | None = None,
    twice: float = 0.0,
    structured: bool = True,
    params: Mapping[str, Any] | None = None,
    limits: Limits | None = None,
    timeout: float = 60.0,
    headers: Mapping[str, str] | None = None,
    tls: str = "verified",
    prices: Prices | None = None,
    output: str | Path | None = None,
    cache: str | Path | None = None,
    anew: bool = False,
    progress: bool | None = None,
    **keywords: Unpack[JudgeKeywords],
) -> ModelGrades:
    """Ask a language model for the grade of each pair of a query and a document.

    An answer is graded, refused, unparsable, timed out or failed; only the first has a grade. Each answer is kept as
    it arrives, by what was asked: model, address, template, texts and parameters. So a run that was interrupted goes on
    where it stopped, and asks again only what timed out or failed.

    Parameters
    ----------
    pairs
        A table with a row per pair: query, its text, document, its text or title; such as the file of `label_next`.
    ask
        A function from a prompt to the text of an answer, or to a dict with grade and reason; ``async def`` for
        several at the same time. Else `model` is asked over HTTP.
    model, base_url
        The model's name, and the address of an OpenAI-compatible server up to ``/chat/completions``; without it
        OPENAI_BASE_URL, or OpenAI. The key is read from OPENAI_API_KEY. ``python:module:function`` is a function.
    template
        A file, or a text, with ``{{query}}``, ``{{document}}`` (title and text), and any column of the pairs; it must
        ask for JSON with a ``grade``. None: the built-in one, for grades 0 to 3.
    guideline
        In place of a template: ``shop``, ``answer``, ``recommendation``, or a file with the grades and what each means,
        the same that people are shown. It says the scale.
    scale
        The grades that are allowed; None: those of the guideline, else 0 to 3.
    documents, queries
        Tables of the texts, where the pairs have none.
    columns
        ``{"query": …, "text": …, "doc": …}``: columns that are not found by their names.
    twice
        The share of the pairs that is asked a second time: whether the model agrees with itself.
    structured
        Ask the server to keep to the form of the answer (``response_format``); False for servers that cannot.
    params
        What else is sent, such as ``{"max_completion_tokens": 500}``. The temperature is 0; None leaves a name out.
    limits
        `Limits`, as for `replay`; None: they are made of `keywords`.
    timeout
        Seconds a request may take.
    headers, tls
        As for `replay`. A header that says who asks takes the place of the key.
    prices
        `Prices`: what a million tokens cost; None: they are made of `keywords`.
    output
        The file of grades, in lines of JSON, which `read_judgments` reads.
    cache
        The file of answers. Without it, beside the output: grades.jsonl has grades.answers.jsonl.
    anew
        Ask everything again.
    progress
        Show a progress bar; None: on a terminal, and below the cell of a notebook.
    **keywords
        Short for the fields of `Limits`: ``concurrency``, ``rate``, ``retries``, ``stop_after``: requests at the same
        time and per second, further tries of what may succeed later, and after how many failures in a row nothing more
        is asked. And for those of `Prices`: ``price_in`` and ``price_out``, what a million tokens cost that are read
        and written.

    Returns
    -------
    ModelGrades: what became of each pair, tokens and cost, and the grades as judgments.

    Raises
    ------
    DataError
        If there is no text of a query or a document, nothing was answered, or the server fails too often.
    UsageError
        If the template, the address or an option cannot be used.

    Examples
    --------
    >>> pairs = {"query": ["red shoes", "red shoes"], "doc": ["a", "b"], "text": ["Shoes, red", "A green hat"]}
    >>> def ask(prompt):
    ...     return {"grade": 3, "reason": "Red shoes."} if "Shoes, red" in prompt else "Not relevant, I would say."
    >>> found = judge(pairs, ask=ask)
    >>> [(row["doc_id"], row.get("grade"), row["state"]) for row in found.rows]
    [('a', 3, 'graded'), ('b', None, 'unparsable')]
    """
    read = read_pairs(pairs, documents, queries, columns)
    text, grades = _template_and_scale(template, guideline, scale)
    prompts, filled = fill_template(text, read)
    if not 0 <= twice <= 1:
        raise UsageError(f"{option('twice', f'{twice:g}')}: not a share. Give one from 0 to 1, such as 5%.")
    spelled = refuse_others(keywords, judge)
    limits = value_or_keywords(Limits, "limits", limits, spelled)
    prices = value_or_keywords(Prices, "prices", prices, spelled)
    refuse_timeout(timeout)
    wishes = SearchOptions(timeout=timeout, headers=dict(headers or {}), tls=tls)
    body = {name: value for name, value in {"temperature": 0, **(params or {})}.items() if value is not None}
    if structured and "response_format" not in body:
        body["response_format"] = grade_schema(grades)
    engine = _make_engine(ask, model or "", base_url or "", body, wishes)
    name = model or str(getattr(ask, "__name__", "") or "model")
    where = engine.address or base_url or ""
    keys = [_content_key(name, where, text, values, body, grades) for values in filled]
    run = _Run(engine, name, keys, prompts, limits, grades, twice)
    with ExitStack() as stack:
        file = _cache_file(output, cache) or Path(stack.enter_context(tempfile.TemporaryDirectory())) / "answers.jsonl"
        answers = stack.enter_context(closing(AnswerCache(file, anew)))
        run.ask(answers, progress, keeps=output is not None or cache is not None, output=output)
        found = run.grades_of(read, answers, _digest(text)[:_HASH], prices)
    _refuse_nothing(found)
    if output is not None:
        found = replace(
            found, no_longer_asked=len(_pairs_in(Path(output)) - set(zip(read.query, read.doc, strict=True)))
        )
        write_file(str(output), found.to_jsonl(), "-o FILE")
    return found


def _template_and_scale(
    template: str | Path | None, guideline: str | Path | None, scale: Sequence[int] | None
) -> tuple[str, tuple[int, ...]]:
    """Return the prompt, and the grades it may be answered with: those of a guideline, or given beside a template."""
    if template is not None:
        if guideline is not None:
            both = f"{option('guideline', str(guideline))} and {option('template', str(template))}"
            raise UsageError(f"{both}: both say what is asked. Give one of them.")
        return read_template(template), _check_scale(BUILT_IN.scale if scale is None else scale)
    found = BUILT_IN if guideline is None else read_guideline(guideline)
    own = _check_scale(found.scale, "" if guideline is None else f"{guideline}: ")
    if scale is not None and sorted(_check_scale(scale)) != sorted(own):
        named = "the built-in guideline" if guideline is None else str(guideline)
        asked, explained = (",".join(map(str, grades)) for grades in (scale, own))
        way = f"Give one that explains yours: {option('guideline', 'FILE')}."
        raise UsageError(f"{option('scale', asked)}: {named} explains the grades {explained}. {way}")
    return found.template, own


def _check_scale(scale: Sequence[float], where: str = "") -> tuple[int, ...]:
    """Return a scale for a model; `where` begins the message of one that was not typed as an option."""
    whole = all(isinstance(grade, int | float) and grade == grade // 1 and grade >= 0 for grade in scale)
    if len(set(scale)) < 2 or not whole or any(isinstance(grade, bool) for grade in scale):
        shown = ",".join(f"{grade:g}" if isinstance(grade, float) else str(grade) for grade in scale)
        what = f"{where}{shown}" if where else option("scale", shown)
        raise UsageError(f"{what}: not a scale for a model. Give two or more whole numbers: 0,1,2,3.")
    return tuple(map(int, scale))


def _make_engine(
    ask: Callable[[str], Any] | None, model: str, base_url: str, body: Mapping[str, Any], wishes: SearchOptions
) -> Engine:
    if ask is not None:
        if not callable(ask):
            raise UsageError("ask= takes a function from a prompt to an answer.")
        if base_url:
            raise UsageError("ask= and base_url= both say who is asked. Give one.")
        return AskedFunction(ask)
    if base_url.startswith(_PYTHON):
        return AskedFunction(load_function(base_url.removeprefix(_PYTHON), base_url))
    if not model:
        raise UsageError(
            f"Which model? Name it: {option('model', 'NAME')}, and where it is: "
            f"{option('base_url', 'http://localhost:8080/v1', 'base-url')}."
        )
    return ChatModel(model, base_url, body, wishes)


def _content_key(
    model: str, where: str, template: str, values: Mapping[str, str], body: Mapping[str, Any], scale: Sequence[int]
) -> str:
    """Return the hash of all that an answer depends on: two servers may call two models the same; ids are not in it."""
    what = {
        "model": model,
        "address": where,
        "template": template,
        "texts": values,
        "params": body,
        "scale": list(scale),
    }
    return _digest(json.dumps(what, sort_keys=True, ensure_ascii=False, default=str))


def _pairs_in(file: Path) -> set[tuple[str, str]]:
    """Return the pairs that a file of grades has; none if there is no such file, or it is another's."""
    pairs: set[tuple[str, str]] = set()
    try:
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            pairs.add((str(row.get("query_id", row.get("query"))), str(row["doc_id"])))
    except (OSError, ValueError, AttributeError, LookupError):
        return set()
    return pairs


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _cache_file(output: str | Path | None, cache: str | Path | None) -> Path | None:
    if cache is not None:
        return Path(cache)
    return None if output is None else Path(output).with_suffix(".answers.jsonl")


class _Run:
    """A run over the different prompts of the pairs."""

    def __init__(
        self, engine: Engine, model: str, keys: Sequence[str], prompts: Sequence[str], limits: Limits,
        scale: Sequence[int], twice: float,
    ) -> None:  # fmt: skip
        self._engine, self._model, self._limits, self._scale = engine, model, limits, scale
        self._pair_keys = keys
        self._prompts = dict(zip(keys, prompts, strict=True))
        self._keys = list(self._prompts)
        # By the hash of the content: the same pairs are asked twice whatever the order of the rows.
        self._twice = set(sorted(self._keys)[: math.ceil(twice * len(self._keys))])

    def ask(self, answers: AnswerCache, progress: bool | None, keeps: bool, output: str | Path | None) -> None:
        """Ask what is not answered yet, once or twice.

        Raises
        ------
        DataError
            If nothing more is asked because of failures.
        """
        total = len(self._keys) + len(self._twice)
        with step_counter("judging", total, sum(map(self._is_of, answers.before)), progress) as tell:

            def on_outcome(job: SearchJob, outcome: SearchHits | SearchError, tries: int) -> None:
                answers.add(self._keys[job.place], job.again, self._read(outcome))
                tell()

            def answered(job: SearchJob) -> bool:
                key = self._keys[job.place]
                return (job.again > 0 and key not in self._twice) or answers.get(key, job.again) is not None

            before = [0] if any(map(self._is_of, answers.before)) else []
            systems = [System(self._model, self._engine)]
            asking = Scheduler(systems, self._limits, self._values, on_outcome, lambda *_: None, before)
            asking.run(lambda systems: jobs(systems, len(self._keys), 2, 1, answered))
        if asking.stopped:
            error, hopeless = asking.stopped[0]
            why = "since the other pairs would probably fail the same way"
            why = why if hopeless else f"{self._limits.stop_after} failures in a row"
            kept = sum(answer.state in KEPT for answer in self._answers_in(answers))
            message = either(*(self._engine.without_secrets(text).rstrip(".") for text in (str(error), error.typed)))
            way = (
                f"{plural(kept, 'answer')} of {total} kept in {answers.path}: once the model answers, the same call "
                "goes on from there."
                if keeps
                else "Nothing is kept; with output=FILE the same call would go on from where it stopped."
            )
            if output is not None and Path(output).exists():
                way += f" {output} stays as an earlier run wrote it."
            raise DataError(f"{self._model}: stopped, {why}; the last: {message}. {way}")

    def _is_of(self, asked: tuple[str, int]) -> bool:
        """Whether an answer that is kept is one to this run's questions."""
        key, again = asked
        return key in self._prompts and (again == 0 or key in self._twice)

    def _answers_in(self, answers: AnswerCache) -> list[ModelAnswer]:
        """Return all answers to this run's questions."""
        places = [(key, again) for key in self._keys for again in (0, 1) if self._is_of((key, again))]
        return [answer for place in places if (answer := answers.get(*place)) is not None]

    def _values(self, job: SearchJob) -> Values:
        key = self._keys[job.place]
        return {"prompt": self._prompts[key], "query_id": key[:_HASH]}

    def _read(self, outcome: SearchHits | SearchError) -> ModelAnswer:
        if isinstance(outcome, SearchError):
            message = self._engine.without_secrets(str(outcome))
            return ModelAnswer("timed_out" if outcome.timed_out else "failed", None, message)
        answer = parse_answer(read_completion(outcome.raw), self._scale)
        return answer._replace(reason=self._engine.without_secrets(answer.reason))

    def grades_of(self, pairs: TextPairs, answers: AnswerCache, prompt: str, prices: Prices) -> ModelGrades:
        """Return what became of each pair."""
        nothing = ModelAnswer("failed", None, "not asked")
        seconds = {
            place: second
            for place, key in enumerate(self._pair_keys)
            if key in self._twice and (second := answers.get(key, 1)) is not None
        }
        return ModelGrades(
            pairs, self._model, prompt, [answers.get(key) or nothing for key in self._pair_keys], seconds,
            self._answers_in(answers), sum(map(self._is_of, answers.before)), prices,
        )  # fmt: skip


def refuse_ungraded(found: ModelGrades) -> None:
    """Refuse grades of which there is none: for a script, that is no success.

    Raises
    ------
    DataError
        If no pair is graded.
    """
    if not found.counts["graded"]:
        raise DataError(f"{found.headline} Nothing was graded. {found.way_to_a_grade}")


def _refuse_nothing(found: ModelGrades) -> None:
    """Refuse to go on where every request failed."""
    missing = found.counts["failed"] + found.counts["timed_out"]
    if missing == len(found.answers):
        query, doc, reason = found.pairs.query[0], found.pairs.doc[0], found.answers[0].reason.rstrip(".")
        raise DataError(f"{found.model}: no pair was answered, as {query} {doc}: {reason}. Mend it and ask again.")
