"""idealrank schema."""

from __future__ import annotations

import click

from idealrank.cli.help import ExampleCommand, option
from idealrank.cli.output import OutputFile, screen_width, to_json_text, write_text
from idealrank.display.terminal import print_text

_EXAMPLES = (
    "idealrank schema",
    "idealrank schema evaluate",
    "idealrank schema compare-losses",
    "idealrank schema gate -o gate.schema.json",
)


def _complete_schema_names(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[click.shell_completion.CompletionItem]:
    from idealrank.cli.schemas import catalogue

    return [
        click.shell_completion.CompletionItem(name, help=output.title)
        for name, output in catalogue().items()
        if name.startswith(incomplete.lower())
    ]


@click.command("schema", cls=ExampleCommand, examples=_EXAMPLES, reads=False)
@click.argument("name", required=False, shell_complete=_complete_schema_names)
@option("-o", "--output", metavar="FILE", topic="Output", type=OutputFile(), help="Write to a file.")
def schema_command(name: str | None, output: str | None) -> None:
    """Print the JSON Schema of what a command prints with --json, or list the schemas.

    NAME is the command, followed by the flag that changes what is shown: compare --losses has the schema
    compare-losses. A schema is of draft 2020-12 and contains all it refers to.
    """
    from idealrank.cli.schemas import catalogue, schema_of

    if name is not None:
        write_text(f"{to_json_text(schema_of(name))}\n", output)
        return
    titles = {name: each.title for name, each in catalogue().items()}
    if output is not None:
        write_text("".join(f"{name}\t{title}\n" for name, title in titles.items()), output)
        return
    from idealrank.display.blocks import label_lines

    wide = max(map(len, titles)) + 2
    print_text("\n".join(line for each in titles.items() for line in label_lines(*each, screen_width(), wide)))
