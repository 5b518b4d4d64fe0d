"""The command that answers "which measure?"."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from accord.doors.cli import options
from accord.doors.cli.asking import asks

TOLD = "What only you know"

Say = Annotated[
    list[str] | None,
    typer.Option(
        metavar="QUESTION=ANSWER",
        help="What the data cannot say: order=names, grades, amounts, circle, sets or tree (labels of items); "
        "unit=thing, stretch or given (units); repeatable.",
        rich_help_panel=TOLD,
    ),
]
Reference = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The annotator who is right by definition.", rich_help_panel=TOLD),
]
Models = Annotated[
    str | None,
    typer.Option(
        metavar="X,Y",
        help="Annotators who are no people. Default: those whose names look like it.",
        rich_help_panel=TOLD,
    ),
]
Tree = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="A table with the columns label and parent, where some labels are kinds of others.",
        rich_help_panel=TOLD,
    ),
]


@asks("accord.answers.plans.advise:AdvisePlan")
def advise(
    paths: options.Paths = None,
    say: Say = None,
    reference: Reference = None,
    models: Models = None,
    tree: Tree = None,
    ask: Any = None,
) -> None:
    """Recommend measures for data, and say why: what they can see, what they cannot, and who says so.

    Example: `accord advise ratings.csv`

    Example: `accord advise scale.csv --say order=grades`
    """
    ask()
