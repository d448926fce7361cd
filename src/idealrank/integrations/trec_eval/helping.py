"""What -h prints: the flags, and the measures asked for."""

from idealrank.integrations.trec_eval.arguments import Arguments
from idealrank.integrations.trec_eval.lines import FORMS
from idealrank.integrations.trec_eval.names import MEASURES, NICKNAMES

EXAMPLES = (
    "idealrank trec_eval qrels.txt bm25.run",
    "idealrank trec_eval -q -c -m ndcg_cut.10 -m map qrels.txt bm25.run",
    "idealrank trec_eval -l 2 -m P.5,10 qrels.txt bm25.run",
    "idealrank trec_eval --compat 10.0 -m all_trec qrels.txt bm25.run",
)

FLAGS = """\
  -q            a line for each topic and measure, before those for all
  -n            no lines for all
  -c            topics the run lacks count 0
  -m MEASURE    a measure or a nickname, with parameters behind a point: P.5,10; several -m add up
  -l LEVEL      documents are relevant from this grade on (1)
  -J            results nobody judged are taken out
  -M MANY       at most so many results a topic
  -N DOCUMENTS  how many documents there are, for utility
  -Z FILE       z-scores; lines of topic, measure, mean, standard deviation
  -R FORMAT     format of the judgments (qrels); fields of a line:
{formats}
  -T trec_results
                format of the run: topic, Q0, document, rank, score, run
  -D 0.TOPIC    that topic alone; the level before the point does nothing
  -o            does nothing
  -v            say the version
  -h            this text; with -m, the formulas of these measures
  --compat VERSION
                version of trec_eval: 9.0.8 or 10.0 (9.0.8)
"""

_INTRO = """\
Usage: {called} [flags] qrels run

  The bytes and exit codes of trec_eval, from the measures of this package.

Flags:
{flags}
Nicknames:
  {nicknames}

Measures:
{measures}

Exit codes:
  0 done, 1 usage, 2 files or parameters, 4 a topic, 7 no topic, 134 preferences, 255 z-scores
"""


def help_text(arguments: Arguments, called: str) -> str:
    """Return the help, with the formulas of the measures asked for."""
    names = [name for name, entry in MEASURES.items() if entry.there(arguments.compat)]
    formats = "\n".join(f"                {form}: {fields}" for form, fields in FORMS.items() if form != "run")
    flags = FLAGS.format(formats=formats)
    text = _INTRO.format(called=called, flags=flags, nicknames=", ".join(NICKNAMES), measures=_wrapped(names))
    measures = [name for name in MEASURES if name in arguments.measures]
    formulas = "".join(f"\n{name}: {_formula(name)}\n" for name in measures)
    examples = "\n".join(f"  {line}" for line in EXAMPLES)
    return f"{text}{formulas}\nExamples:\n{examples}\n"


def _wrapped(names: list[str]) -> str:
    import textwrap

    return textwrap.fill(", ".join(names), 98, initial_indent="  ", subsequent_indent="  ")


def _formula(name: str) -> str:
    from idealrank.errors import UsageError
    from idealrank.measures import parse

    try:
        (measure,) = parse(name)
    except UsageError:
        return "printed as trec_eval prints it"
    return f"{measure.definition.title}.\n  {measure.definition.documentation.splitlines()[0]}"
