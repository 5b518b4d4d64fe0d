"""The commands about people and models: who may stand in for whom, who is reliable, what is settled."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from accord.core.errors import SpecError, printable
from accord.doors.cli import completing, options
from accord.doors.cli.asking import asks

TEST, HOW = "The test", "How it is settled"

Models = Annotated[
    str | None, typer.Option(metavar="X,Y", help="The annotators that are models.", rich_help_panel=TEST)
]
Kind = Annotated[
    str | None,
    typer.Option(
        "--kind",
        metavar="COLUMN",
        help="A column that says of each label whether a `model` or a `human` gave it.",
        rich_help_panel=TEST,
    ),
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
    typer.Option(
        "-m",
        "--measure",
        metavar="SPEC",
        autocompletion=completing.measures,
        help="Agreement shown beside.",
        rich_help_panel=options.MEASURE,
    ),
]


@asks("accord.answers.plans.replace:ReplacePlan")
def replace(
    paths: options.Paths = None,
    models: Models = None,
    kind: Kind = None,
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


GoldMethod = Annotated[
    str | None,
    typer.Option(
        help="vote, dawid_skene, mace (annotators weighed by how reliable they are); numbers: median, mean, "
        "bias_and_noise; sets: members. Default: members for sets, else vote.",
        rich_help_panel=HOW,
    ),
]
Boundaries = Annotated[
    str,
    typer.Option(help="Of units: median, mode, union, intersection, or an annotator by name.", rich_help_panel=HOW),
]
Threshold = Annotated[float, typer.Option(help="The share of annotators that a unit needs.", rich_help_panel=HOW)]
Decisions = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="What a person decided in the file of --adjudicate.", rich_help_panel=HOW),
]
Adjudicate = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write what is not settled, most costly first, with an empty column `decision`: .csv or .xlsx.",
        rich_help_panel=options.OUTPUT,
    ),
]
Soft = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write the distribution of labels for each item or unit: .jsonl, .csv or .parquet.",
        rich_help_panel=options.OUTPUT,
    ),
]


@asks("accord.answers.plans.gold:GoldPlan")
def gold(
    paths: options.Paths = None,
    method: GoldMethod = None,
    boundaries: Boundaries = "median",
    threshold: Threshold = 0.5,
    measure: Spec = None,
    decisions: Decisions = None,
    to: options.To = None,
    adjudicate: Adjudicate = None,
    soft: Soft = None,
    spreadsheet: options.Spreadsheet = False,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    ask: Any = None,
) -> None:
    """Make a gold standard from what annotators said; what is not settled is flagged, never tossed.

    Example: `accord gold spans.csv -o gold.csv --adjudicate todo.csv`, then `accord gold spans.csv --decisions todo.csv
    -o gold.csv`, or `accord gold project/ -o gold/ --to brat`
    """
    from accord.answers.gold.decisions import check_suffix
    from accord.core.writing import is_device, write_bytes
    from accord.doors.cli.output import deliver

    for place in (adjudicate, soft):
        if place is not None:
            check_suffix(place, soft=place is soft)
    output = ask.given["output"]
    if _holds_data(output, to, ask.kind):
        from accord.answers.converting import checked_target, convert

        checked_target(list(ask.plan.paths), output, to)  # before a long run, not after it
        found = ask.answered()
        ask.shown(convert(found, output, to), printed=True)
    else:
        found = ask("csv" if output is not None and output.suffix.lower() == ".csv" else "text")
        if output is not None and not is_device(output):
            deliver(f"{printable(str(output))}: {printable(found.summary())}\n", None)
    if adjudicate is not None:
        from accord.answers.gold.decisions import write_to_fill_in

        write_bytes(adjudicate, write_to_fill_in(found, adjudicate))
    if soft is not None:
        from accord.answers.gold.decisions import write_soft_labels

        write_bytes(soft, write_soft_labels(found, soft, spreadsheet))


def _holds_data(output: Path | None, to: str | None, kind: str | None) -> bool:
    """Whether -o names data in a format that `accord convert` writes, and no report."""
    from accord.answers.converting import names_a_format

    if to is not None and output is None:
        raise SpecError(f"--to {to}: say where to write, -o gold/ or -o FILE")
    return output is not None and (to is not None or (kind is None and names_a_format(output)))


@asks("accord.answers.plans.gold:DisagreementsPlan")
def disagreements(
    paths: options.Paths = None,
    measure: Spec = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    ask: Any = None,
) -> None:
    """List items or units on which annotators differ, worst first, with everybody's version; and labels they confuse.

    Example: `accord disagreements spans.csv --csv`
    """
    ask()
