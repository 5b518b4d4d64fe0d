"""The commands for papers: how agreement was measured, and what to cite."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from accord.core.errors import SpecError
from accord.doors.cli import options
from accord.doors.cli.asking import asks

Style = Annotated[
    str,
    typer.Option(
        help="Of numbers in --latex, --markdown and --cite: plain, or apa (α = .69, 95% CI [.56, .81]).",
        rich_help_panel=options.MORE_OUTPUT,
    ),
]
Cite = Annotated[
    bool,
    typer.Option(
        "--cite",
        help="A sentence for the methods section, with references as text and BibTeX.",
        rich_help_panel=options.MORE_OUTPUT,
    ),
]
Beside = Annotated[
    str | None,
    typer.Option(
        "--with",
        metavar="se,p",
        help="Further columns of --latex and --markdown: se, p.",
        rich_help_panel=options.MORE_OUTPUT,
    ),
]
CitedMeasures = Annotated[
    list[str] | None,
    typer.Option(
        "-m",
        "--measure",
        metavar="SPEC",
        help="A measure, e.g. `alpha(distance=ordinal)`; repeatable. Default: the main one of such data: alpha, gamma, "
        "boundary_similarity, text_gamma or chain_alpha.",
        rich_help_panel=options.MEASURE,
    ),
]
Bibtex = Annotated[
    bool,
    typer.Option("--bibtex", help="The references alone, as BibTeX.", rich_help_panel=options.OUTPUT),
]


@asks("accord.answers.plans.cite:CitePlan")
def cite(
    paths: options.Paths = None,
    measures: CitedMeasures = None,
    style: Style = "plain",
    bibtex: Bibtex = False,
    interval: options.Interval = "default",
    level: options.Level = 0.95,
    replicates: options.Replicates = 2000,
    items_population: options.ItemsPopulation = None,
    annotators_population: options.AnnotatorsPopulation = None,
    null: options.Null = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    ask: Any = None,
) -> None:
    """Say how agreement was measured, in a sentence for the methods section, with references as text and BibTeX.

    Example: `accord cite ratings.csv -m 'alpha(distance=ordinal)' --style apa`

    Example: `accord cite spans.csv -m gamma --bibtex -o references.bib`
    """
    if not bibtex:
        ask()
        return
    from accord.doors.cli.output import deliver

    if ask.kind is not None:
        raise SpecError(f"--bibtex and --{ask.kind} cannot both be printed; choose one")
    found = ask.answered()
    deliver(found.bibtex, ask.given["output"], machine=True)
    ask.kept()
