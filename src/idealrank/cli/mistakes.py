"""Options that are not there, or lack their value: what to type."""

from collections.abc import Sequence

import click

from idealrank.errors import closest

_MEASURE = "Name the measures with -m, once for each: -m nDCG@10 -m RR."
_FORM = "Choose the form with --json or --csv, or by the ending of -o FILE."
_INSTEAD = {
    "--format": _FORM,
    "--output-format": _FORM,
    "--metric": _MEASURE,
    "--metrics": _MEASURE,
    "--measures": _MEASURE,
    "--qrels": "Give the judgments first, without a flag.",
    "--judgments": "Give the judgments first, without a flag.",
    "--run": "Give the results after the judgments, without a flag.",
    "--results": "Give the results after the judgments, without a flag.",
    "--alpha": "Give the confidence of the intervals: --level 0.95.",
    "--confidence": "Give the confidence of the intervals: --level 0.95.",
}
"""What other tools call an option, and what to type here."""

_CUTOFFS = ("-k", "--k", "--at", "--depth", "--top-k", "--top")
_ALIKE = 0.7
"""How alike a flag must be to be proposed, from 0 to 1."""


def explained(
    error: click.NoSuchOption | click.BadOptionUsage, words: Sequence[str], command: click.Command, ctx: click.Context
) -> str:
    """Say what is wrong with an option, and what to type."""
    if not isinstance(error, click.NoSuchOption):
        return _without_value(error, command, ctx)
    name, flags = error.option_name, _flags(command, ctx)
    return f"No such option {name!r}.{_instead(name, words, flags) or _nearest(name, flags)}"


def _flags(command: click.Command, ctx: click.Context) -> list[str]:
    options = [p for p in command.get_params(ctx) if isinstance(p, click.Option) and not p.hidden]
    return [flag for option in options for flag in option.opts]


def _instead(name: str, words: Sequence[str], flags: Sequence[str]) -> str:
    """Say what to type in the place of what other tools call it; "" where the command has no such thing."""
    if name in _CUTOFFS and "-m" in flags:
        return f" The cutoff is part of the measure: -m nDCG@{_number_after(name, words)}."
    text = _INSTEAD.get(name, "")
    there = all(word.strip(".,:") in flags for word in text.split() if word.startswith("-"))
    return f" {text}" if text and there else ""


def _number_after(name: str, words: Sequence[str]) -> str:
    """Return the number that was typed behind an option, or 10."""
    joined = " ".join(words).replace("=", " ").replace("-k", "-k ").split()
    behind = joined[joined.index(name) + 1 :] if name in joined else []
    return behind[0] if behind and behind[0].isdecimal() else "10"


def _nearest(name: str, flags: Sequence[str]) -> str:
    """Propose the flag that looks most alike, if one does."""
    import difflib

    word = closest(name, flags)
    alike = difflib.SequenceMatcher(None, name, word).ratio() >= _ALIKE or sorted(name) == sorted(word)
    return f" Did you mean {word}?" if word and alike else ""


def _without_value(error: click.BadOptionUsage, command: click.Command, ctx: click.Context) -> str:
    """Say what an option needs behind it, and what it does."""
    for option in command.get_params(ctx):
        if isinstance(option, click.Option) and error.option_name in option.opts and not option.is_flag:
            return f"{error.option_name} needs a value: {error.option_name} {option.make_metavar(ctx)}. {option.help}"
    return error.format_message()
