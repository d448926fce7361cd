"""The help of -h: the flags, and the requested measures."""

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
  -q            print a line for each topic and measure, before those for all
  -n            print no lines for all
  -c            count topics missing from the run as 0
  -m MEASURE    print a measure or a nickname, with parameters after a point: P.5,10; repeatable
  -l LEVEL      take documents as relevant from this grade on (1)
  -J            remove unjudged results
  -M MANY       read at most this many results per topic
  -N DOCUMENTS  set the number of documents, for utility
  -Z FILE       print z-scores; the lines give topic, measure, mean, standard deviation
  -R FORMAT     set the format of the judgments (qrels); fields of a line:
{formats}
  -T trec_results
                set the format of the run: topic, Q0, document, rank, score, run
  -D 0.TOPIC    evaluate only this topic; the level before the point does nothing
  -o            do nothing
  -v            print the version
  -h            print this text; with -m, also the formulas of these measures
  --compat VERSION
                imitate this version of trec_eval: 9.0.8 or 10.0 (9.0.8)
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
    """Return the help, with the formulas of the requested measures."""
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
