"""idealrank trec_eval."""

from __future__ import annotations

import click

from idealrank.cli.help import ExampleCommand
from idealrank.integrations.trec_eval.program import EXAMPLES, help_text


class _Passing(ExampleCommand):
    """A command whose words are trec_eval's, and read as trec_eval reads them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Pass on every word unchanged."""
        ctx.params["words"] = tuple(args)
        return []

    def get_help(self, ctx: click.Context) -> str:
        """Return the text of -h."""
        from idealrank.integrations.trec_eval.arguments import Arguments

        return help_text(Arguments(), "idealrank trec_eval")


@click.command("trec_eval", cls=_Passing, examples=EXAMPLES, add_help_option=False)
def trec_eval_command(words: tuple[str, ...]) -> int:
    """Print what trec_eval prints."""
    from idealrank.integrations.trec_eval import run

    return run(words)
