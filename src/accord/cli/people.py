"""The commands about people and models: who may stand in for whom, who is reliable, what is settled."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from accord.cli import options
from accord.cli.asking import asks

TEST = "The test"

Models = Annotated[
    str | None, typer.Option(metavar="X,Y", help="The annotators that are models.", rich_help_panel=TEST)
]
People = Annotated[
    str | None,
    typer.Option(metavar="X,Y", help="The annotators that are people. Default: all others.", rich_help_panel=TEST),
]
Epsilon = Annotated[
    str,
    typer.Option(
        metavar="SHARE|NAME",
        help="How far behind a person a model may be: a share, or who the people are: experts (0.2), skilled (0.15), "
        "crowd (0.1).",
        rich_help_panel=TEST,
    ),
]
Rate = Annotated[float, typer.Option(help="The false discovery rate.", rich_help_panel=TEST)]
LikeOthers = Annotated[
    str | None,
    typer.Option(
        "--score",
        help="How like the others somebody is: accuracy, neg_rmse (numbers), jaccard (sets), gamma (units). Default: "
        "as the labels suggest.",
        rich_help_panel=TEST,
    ),
]
LeastPeople = Annotated[int, typer.Option("--min-people", help="People that an item needs.", rich_help_panel=TEST)]
LeastItems = Annotated[int, typer.Option("--min-items", help="Items that a person needs.", rich_help_panel=TEST)]
Spec = Annotated[
    str | None,
    typer.Option("-m", "--measure", metavar="SPEC", help="Agreement shown beside.", rich_help_panel=options.MEASURE),
]


@asks("accord.plans.replace:ReplacePlan")
def replace(
    paths: options.Paths = None,
    models: Models = None,
    people: People = None,
    epsilon: Epsilon = "experts",
    q: Rate = 0.05,
    score: LikeOthers = None,
    least_people: LeastPeople = 2,
    least_items: LeastItems = 30,
    measure: Spec = None,
    level: options.Level = 0.95,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    ask: Any = None,
) -> None:
    """Test whether a model may stand in for a person: the alternative annotator test of Calderon et al. 2025.

    Example: `accord replace labels.csv --models gpt,llama --epsilon skilled`
    """
    ask()
