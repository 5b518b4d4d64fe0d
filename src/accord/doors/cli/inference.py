"""The commands about scores: is a difference real, who pulls a value down, does it hold a threshold."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from accord.doors.cli import completing, options
from accord.doors.cli import people as people_options
from accord.doors.cli.asking import asks

DIFFERENCE = "What to compare"
LAYOUT, SIZE = "Who gets what", "How many"

Specs = Annotated[
    list[str] | None,
    typer.Option(
        "-m",
        "--measure",
        metavar="SPEC",
        autocompletion=completing.measures,
        help="A measure; repeatable. Default: alpha for labels of items, gamma for units, boundary_similarity for "
        "segmentations, text_gamma for texts, chain_alpha for chains.",
        rich_help_panel=options.MEASURE,
    ),
]
SpecB = Annotated[
    str | None,
    typer.Option(
        "--with",
        metavar="SPEC",
        help="Another measure for B: two measures on the same data, say.",
        rich_help_panel=DIFFERENCE,
    ),
]
AnnotatorsA = Annotated[
    str | None, typer.Option(metavar="X,Y", help="The annotators of A.", rich_help_panel=DIFFERENCE)
]
AnnotatorsB = Annotated[
    str | None, typer.Option(metavar="X,Y", help="The annotators of B.", rich_help_panel=DIFFERENCE)
]
Groups = Annotated[
    list[str] | None,
    typer.Option(
        "--group",
        metavar="NAME=X,Y",
        help="A group of annotators; twice or more: agreement within and between them. Others are compared with the "
        "first: people first, then models.",
        rich_help_panel=DIFFERENCE,
    ),
]
ByColumn = Annotated[
    str | None,
    typer.Option(
        "--by",
        metavar="COLUMN",
        autocompletion=completing.columns,
        help="Compare the values of a column with each other.",
        rich_help_panel=DIFFERENCE,
    ),
]
Paired = Annotated[
    bool | None,
    typer.Option(
        "--paired/--unpaired",
        help="Only what both have; or as two samples. Default: items or documents of the same name are pairs.",
        rich_help_panel=DIFFERENCE,
    ),
]
Method = Annotated[
    str,
    typer.Option(
        help="linearised (default on items), bootstrap, permutation; elsewhere bootstrap and permutation by default.",
        rich_help_panel=options.MEASURE,
    ),
]
Of = Annotated[
    list[str] | None,
    typer.Option(
        metavar="WHAT", help="Leave out annotator, item (or document), category, feature; repeatable. Default: all."
    ),
]
Who = Annotated[
    str | None, typer.Option("--leave-out", metavar="X,Y", help="The annotators to leave out. Default: each.")
]
Plot = Annotated[Path | None, typer.Option(help="Draw it: a .png, .svg or .pdf file.", rich_help_panel=options.OUTPUT)]
Least = Annotated[
    list[str] | None,
    typer.Option("--min", metavar="SPEC=VALUE", help="What a measure has to reach, e.g. `gamma=0.7`; repeatable."),
]
Most = Annotated[
    list[str] | None,
    typer.Option("--max", metavar="SPEC=VALUE", help="What an error must not exceed, e.g. `ser=0.2`; repeatable."),
]
Use = Annotated[
    str, typer.Option(help="What has to hold: value, or lower (the end of the interval nearest to failing).")
]
PartsToo = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="WHAT",
        help="Every part has to hold, too: by category, annotator, pair, document, or the values of a COLUMN; "
        "repeatable.",
    ),
]
Baseline = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="JSON of an earlier `accord score` or `accord check`: no value may be worse by more than chance gives.",
    ),
]
JUnit = Annotated[Path | None, typer.Option(help="Write JUnit XML there.", rich_help_panel=options.OUTPUT)]


Documents = Annotated[
    str | None,
    typer.Option(metavar="N|A,B", help="How many documents, or their names.", rich_help_panel=LAYOUT),
]
People = Annotated[
    str | None,
    typer.Option("--people", metavar="N|X,Y", help="How many annotators, or their names.", rich_help_panel=LAYOUT),
]
PerDocument = Annotated[int, typer.Option(help="Annotators for each document.", rich_help_panel=LAYOUT)]
Everybody = Annotated[int, typer.Option(help="Documents that all of them get.", rich_help_panel=LAYOUT)]
Width = Annotated[float | None, typer.Option(help="Wanted width of the interval.", rich_help_panel=SIZE)]
Difference = Annotated[float | None, typer.Option(help="A difference that should be seen.", rich_help_panel=SIZE)]
Null = Annotated[float | None, typer.Option(help="A value that the value should be told from.", rich_help_panel=SIZE)]
Power = Annotated[float, typer.Option(help="The probability to see it.", rich_help_panel=SIZE)]
Unpaired = Annotated[
    bool, typer.Option("--unpaired", help="Two studies on other items, not the same ones.", rich_help_panel=SIZE)
]
Correlation = Annotated[
    float, typer.Option(help="Of the two values, with a pilot and the same items.", rich_help_panel=SIZE)
]
Value = Annotated[float, typer.Option(help="Without a pilot: the value that is assumed.", rich_help_panel=SIZE)]
Shares = Annotated[
    str, typer.Option(metavar="P,Q", help="Without a pilot: the shares of the categories.", rich_help_panel=SIZE)
]
Raters = Annotated[
    int | None,
    typer.Option(
        help="Without a pilot: how many annotators. Default: 2; with --advantage 3 people.", rich_help_panel=SIZE
    ),
]
Replace = Annotated[
    str | None,
    typer.Option(
        metavar="MODEL",
        help="With a pilot: how many items it takes to show that this annotator, a model, may stand in for a person.",
        rich_help_panel=people_options.TEST,
    ),
]
Advantage = Annotated[
    float | None,
    typer.Option(
        help="The same without a pilot: the share of items on which the model is at least as like the others as a "
        "person is.",
        rich_help_panel=people_options.TEST,
    ),
]
Ties = Annotated[
    float | None,
    typer.Option(
        help="Of that share, the items on which both are the same. Default: all of them, which takes the most.",
        rich_help_panel=people_options.TEST,
    ),
]
Simulations = Annotated[int, typer.Option(help="Simulated studies to check the answer.", rich_help_panel=SIZE)]
Crossing = Annotated[
    bool,
    typer.Option(
        "--crossing", help="With data: what two annotators per item would give instead of all.", rich_help_panel=SIZE
    ),
]
Spec = Annotated[
    str | None,
    typer.Option(
        "-m",
        "--measure",
        metavar="SPEC",
        autocompletion=completing.measures,
        help="A measure.",
        rich_help_panel=options.MEASURE,
    ),
]


@asks("accord.answers.plans.compare:ComparePlan")
def compare(
    paths: options.Paths = None,
    measures: Specs = None,
    spec_b: SpecB = None,
    annotators_a: AnnotatorsA = None,
    annotators_b: AnnotatorsB = None,
    group: Groups = None,
    by: ByColumn = None,
    paired: Paired = None,
    method: Method = "default",
    interval: options.Interval = "default",
    level: options.Level = 0.95,
    replicates: options.Replicates = 2000,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    ask: Any = None,
) -> None:
    """Compare two studies, teams, rounds, measures, or groups of annotators: is the difference real?

    Example: `accord compare before.csv after.csv -m alpha` or `accord compare ratings.csv --group people=Ana,Ben
    --group models=m1,m2`
    """
    ask()


@asks("accord.answers.plans.influence:InfluencePlan")
def influence(
    paths: options.Paths = None,
    measures: Specs = None,
    of: Of = None,
    leave_out: Who = None,
    level: options.Level = 0.95,
    replicates: options.Replicates = 500,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    plot: Plot = None,
    ask: Any = None,
) -> None:
    """Leave out one annotator, one item or document, one category: who, and what, pulls the value down?

    Example: `accord influence spans.csv -m gamma --plot influence.svg`
    """
    ask.with_plot(plot)


@asks("accord.answers.plans.check:CheckPlan")
def check(
    paths: options.Paths = None,
    minimum: Least = None,
    maximum: Most = None,
    by: PartsToo = None,
    baseline: Baseline = None,
    use: Use = "value",
    interval: options.Interval = "default",
    level: options.Level = 0.95,
    replicates: options.Replicates = 2000,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    junit: JUnit = None,
    ask: Any = None,
) -> None:
    """Hold a corpus against thresholds, for continuous integration: exit code 1 if one of them fails.

    Example: `accord check corpus/ --min gamma=0.7 --min 'alpha(distance=ordinal)=0.8' --use lower` or `accord check
    labels.csv --min alpha=0.7 --by category --baseline last.json`
    """
    found = ask()
    if junit is not None:
        from accord.core.writing import write_whole
        from accord.doors.rendering.for_programs import checks_as_junit

        write_whole(junit, checks_as_junit(found, ", ".join(ask.plan.paths)))
    if not found.passed:
        sys.exit(1)


@asks("accord.answers.plans.study:StudyPlan")
def plan(
    paths: options.Paths = None,
    measure: Spec = None,
    documents: Documents = None,
    people: People = None,
    per_document: PerDocument = 2,
    everybody: Everybody = 0,
    width: Width = None,
    difference: Difference = None,
    null: Null = None,
    power: Power = 0.8,
    unpaired: Unpaired = False,
    correlation: Correlation = 0.0,
    value: Value = 0.7,
    shares: Shares = "0.5,0.5",
    raters: Raters = None,
    simulations: Simulations = 200,
    crossing: Crossing = False,
    replace: Replace = None,
    advantage: Advantage = None,
    ties: Ties = None,
    epsilon: people_options.Epsilon = "experts",
    q: people_options.Rate = 0.05,
    score: people_options.LikeOthers = None,
    kind: people_options.Kind = None,
    least_people: people_options.LeastPeople = 2,
    least_items: people_options.LeastItems = 30,
    level: options.Level = 0.95,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    spreadsheet: options.Spreadsheet = False,
    ask: Any = None,
) -> None:
    """Plan a study: who annotates what (as CSV), or how many items or documents it takes.

    Example: `accord plan --documents 100 --people Ana,Ben,Chloé -o layout.csv` or `accord plan pilot.csv -m alpha
    --width 0.1` or `accord plan -m kappa --difference 0.1 --value 0.6` or `accord plan -m kappa --null 0.4 --value 0.7`
    or `accord plan pilot.csv --replace gpt --epsilon 0.2` or `accord plan --advantage 0.9 --ties 0.7`
    """
    ask("csv" if ask.plan.question == "--documents" else "text")


SettingsBy = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="COLUMN",
        help="A column that says under which settings a label was given, such as prompt or temperature: repetitions "
        "within each setting, and settings against each other; repeatable.",
        rich_help_panel=options.MEASURE,
    ),
]


@asks("accord.answers.plans.intra:IntraPlan")
def intra(
    paths: options.Paths = None,
    measure: Spec = None,
    by: SettingsBy = None,
    level: options.Level = 0.95,
    seed: options.Seed = 0,
    ask: Any = None,
) -> None:
    """Score how well annotators, or models, agree with themselves where they labelled items again; which items flip.

    Example: `accord intra ratings.csv -m alpha` or `accord intra runs.jsonl --by prompt --by temperature`
    """
    ask()


@asks("accord.answers.plans.limits:LimitsPlan")
def limits(
    paths: options.Paths = None,
    level: options.Level = 0.95,
    ask: Any = None,
) -> None:
    """Show how far two annotators who give numbers are apart: the mean difference and the limits of agreement.

    Example: `accord limits ratings.csv --annotators Ana,Ben`
    """
    ask()
