"""The program: from the arguments of a call to the lines and the exit code."""

import contextlib
import sys
from collections.abc import Sequence

from idealrank.display.terminal import give, give_lines, say
from idealrank.integrations.trec_eval.arguments import Arguments, read_arguments
from idealrank.integrations.trec_eval.stop import USAGE, Stop


def run(words: Sequence[str], called: str = "idealrank trec_eval") -> int:
    """Do what trec_eval does with these arguments.

    Parameters
    ----------
    words
        Flags and files.
    called
        How the program was called, for its messages.

    Returns
    -------
    trec_eval's exit code.
    """
    try:
        _answer(read_arguments(words), called)
    except Stop as stop:
        with contextlib.suppress(BrokenPipeError):
            sys.stdout.flush()
        hint = f" See {called} -h." if stop.code == USAGE else ""
        say(f"{called}: {stop.text}{hint}")
        return stop.code
    return 0


def _answer(arguments: Arguments, called: str) -> None:
    if "v" in arguments.flags:
        from importlib.metadata import version

        say(f"idealrank {version('idealrank')}, instead of trec_eval {arguments.compat}")
    elif "h" in arguments.flags:
        from idealrank.integrations.trec_eval.helping import help_text

        give(help_text(arguments, called))
    elif len(arguments.files) != 2:
        raise Stop(USAGE, f"{len(arguments.files)} files given, not 2. Give judgments, then a run.")
    else:
        _evaluate(arguments, called)


def _evaluate(arguments: Arguments, called: str) -> None:
    from idealrank.integrations.trec_eval.columns import columns_of
    from idealrank.integrations.trec_eval.files import read_files
    from idealrank.integrations.trec_eval.notes import notes
    from idealrank.integrations.trec_eval.printing import summary_lines, topic_lines
    from idealrank.integrations.trec_eval.topics import evaluate
    from idealrank.integrations.trec_eval.zscores import as_zscores, read_zscores

    files = read_files(arguments)
    table = None if arguments.zscores is None else read_zscores(arguments.zscores)
    columns = columns_of(arguments)
    for note in notes(columns, arguments, files):
        say(f"{called}: {note}")
    values = evaluate(files, columns, arguments)
    if table is not None:
        values = as_zscores(values, columns, table)
    if "q" in arguments.flags:
        give_lines(topic_lines(values, columns, table is not None))
    if values.stop is not None:
        raise values.stop
    if "n" not in arguments.flags:
        give_lines([summary_lines(values, columns, arguments, files.runid)])
