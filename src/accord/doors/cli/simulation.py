"""The commands around simulated annotators: shuffle, xray, meaning, papers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from accord.core.errors import SpecError
from accord.doors.cli import completing, options
from accord.doors.cli.asking import asks, long_work

SIMULATION = "What to simulate"

Errors = Annotated[
    list[str] | None,
    typer.Option(
        "--error", metavar="SPEC", autocompletion=completing.errors, rich_help_panel=SIMULATION,
        help="An error: false_negative, false_positive, fragment, shift, category, combination([shift,category]), and "
        "text and token for texts, with options as in `shift(form=2015,overlap=false)`; repeatable.",
    ),
]  # fmt: skip
Magnitude = Annotated[
    list[float] | None,
    typer.Option(
        help="How much of it, from 0 to 1; several: one for each annotator. Default: 0.3.", rich_help_panel=SIMULATION
    ),
]
OneOrEach = Annotated[
    int | None,
    typer.Option(
        "--annotators", min=1, rich_help_panel=SIMULATION,
        help="How many annotators to simulate. Default: one for each magnitude or error, or 3.",
    ),
]  # fmt: skip
HowMany = Annotated[
    int, typer.Option("--annotators", min=1, help="How many annotators to simulate.", rich_help_panel=SIMULATION)
]
Reference = Annotated[
    str | None,
    typer.Option(
        "--reference", metavar="ANNOTATOR", rich_help_panel=SIMULATION,
        help="Who is the reference, where the data have several annotators; `consensus`: what they agree on.",
    ),
]  # fmt: skip
Generate = Annotated[
    str | None,
    typer.Option(
        "--generate", metavar="MODEL", rich_help_panel=SIMULATION,
        help="A reference from a model instead of a file: `units=50,categories=4,prevalence=[.4,.3,.2,.1],"
        "lengths=[5,15],gaps=[0,10],overlap=0,documents=1`, or `segmentation=true`; what is left out is as shown.",
    ),
]  # fmt: skip
KeepReference = Annotated[
    Path | None, typer.Option("--keep-reference", help="Write the reference there, too.", rich_help_panel=SIMULATION)
]
Shuffled = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", rich_help_panel=options.OUTPUT,
        help="Write there instead of to the screen: a table, or a folder (a name without ending) that also says how "
        "long documents are and who marked nothing.",
    ),
]  # fmt: skip
Step = Annotated[float, typer.Option(help="From one magnitude to the next.", rich_help_panel=SIMULATION)]
Sets = Annotated[int, typer.Option(min=1, help="Sets of annotators at each magnitude.", rich_help_panel=SIMULATION)]
Functions = Annotated[
    list[str] | None,
    typer.Option(
        "--function", metavar="FILE.py:NAME", rich_help_panel=options.MEASURE,
        help="A measure of your own: a Python function from the data to a number; repeatable.",
    ),
]  # fmt: skip
Plot = Annotated[Path | None, typer.Option(help="Draw the curves: .png, .svg or .pdf.", rich_help_panel=options.OUTPUT)]
Resume = Annotated[
    bool,
    typer.Option(
        "--resume", rich_help_panel=options.OUTPUT,
        help="Go on where a run with the same -o was stopped; the result is the same.",
    ),
]  # fmt: skip
XrayMeasures = Annotated[
    list[str] | None,
    typer.Option(
        "-m", "--measure", metavar="SPEC", autocompletion=completing.measures, rich_help_panel=options.MEASURE,
        help="A measure; repeatable. Default: gamma for units, boundary_similarity for segmentations, alpha for items, "
        "text_gamma for texts.",
    ),
]  # fmt: skip
GoldAnnotator = Annotated[
    str | None,
    typer.Option(
        "--reference", metavar="ANNOTATOR", rich_help_panel=SIMULATION,
        help="Who is the gold standard, where its table has several annotators.",
    ),
]  # fmt: skip
Gold = Annotated[
    str | None,
    typer.Option(
        metavar="TABLE", rich_help_panel=SIMULATION,
        help="A gold standard to measure errors from, instead of the consensus of the annotators.",
    ),
]  # fmt: skip
MeaningMeasure = Annotated[
    str | None,
    typer.Option(
        "-m", "--measure", metavar="SPEC", autocompletion=completing.measures, rich_help_panel=options.MEASURE,
        help="The measure to explain. Default: as for xray.",
    ),
]  # fmt: skip
Figures = Annotated[Path, typer.Option(help="The folder for the figures.", rich_help_panel=options.OUTPUT)]
PaperSets = Annotated[
    int,
    typer.Option(
        min=2, help="Sets at each magnitude under every setting; the papers have 40.", rich_help_panel=SIMULATION
    ),
]


@asks("accord.answers.plans.shuffle:ShufflePlan")
def shuffle(
    paths: options.Paths = None,
    error: Errors = None,
    magnitude: Magnitude = None,
    annotators: OneOrEach = None,
    reference: Reference = None,
    generate: Generate = None,
    keep_reference: KeepReference = None,
    seed: options.Seed = 0,
    output: Shuffled = None,
    spreadsheet: options.Spreadsheet = False,
    ask: Any = None,
) -> None:
    """Simulate annotators who make known errors on a reference.

    Example: `accord shuffle gold.csv -o shuffled.csv --error shift --magnitude 0.3 --annotators 3 --seed 1`
    """
    from accord.answers.converting import check_read_back
    from accord.core.writing import as_utf8, check_holds_no_other, write_together, write_whole

    found = ask.answered()
    into = output if ask.kind is None else None
    folder = into if into and (into.is_dir() or not (into.suffix or into.exists())) else None  # a device is none
    tables = found.data.files() if folder else {"table.csv": found.data.rows()}
    if folder is not None:
        check_holds_no_other(folder, tables)
    needed = ""
    if ask.kind in {None, "csv"}:
        needed = check_read_back(found.data, {name: _csv(*table) for name, table in tables.items()}, ask.plan.reading)
    if keep_reference is not None:
        kept = found.reference.rows()
        check_read_back(found.reference, {"table.csv": _csv(*kept)}, ask.plan.reading)
        write_whole(keep_reference, _csv(*kept, spreadsheet=spreadsheet))
    if folder is not None:
        made = {name: _csv(*table, spreadsheet=spreadsheet) for name, table in tables.items()}
        write_together(folder, {name: as_utf8(text) for name, text in made.items()})
        ask.kept()
    else:
        ask.shown(found, "csv")
        _note(found.data.unsaid())
    if needed:
        _note([f"to read it back as it is, say {needed}"])


@asks("accord.answers.plans.xray:XrayPlan")
def xray(
    paths: options.Paths = None,
    error: Errors = None,
    measures: XrayMeasures = None,
    function: Functions = None,
    step: Step = 0.05,
    sets: Sets = 40,
    annotators: HowMany = 3,
    reference: Reference = None,
    generate: Generate = None,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    output: options.Output = None,
    plot: Plot = None,
    resume: Resume = False,
    ask: Any = None,
) -> None:
    """Show how measures react to errors of every magnitude: curves, and a verdict on each.

    Example: `accord xray gold.csv --error shift -m gamma -m u_alpha -m ser -o curves.csv --plot curves.png`
    """
    if resume and output is None:
        raise SpecError("--resume goes on with a file: say which with -o")
    _check_plot(plot)
    ask.check()
    from accord.core.checkpoints import remove_journal
    from accord.core.context import Run
    from accord.doors.cli.output import progress, width
    from accord.doors.rendering.text import render_tables

    is_file = output is not None and (output.is_file() or not output.exists())  # a pipe has nothing beside it
    keeps = is_file and ask.given.get("checkpoint") is None  # which keeps the same
    journal = output.with_name(output.name + ".journal") if output is not None and keeps else None
    usual = ask.kind is None
    with ask.long(), progress() as tell:
        found = ask.plan.resumed(Run(ask.plan.seed, tell, jobs), journal, resume)
    ask.shown(found, "csv")
    if plot is not None:
        found.save_plot(plot)
    if journal is not None:
        remove_journal(journal)
    if usual:
        (sys.stdout if output is not None else sys.stderr).write(render_tables(found.tables(), width=width()))
    _note(found.notes())


@asks("accord.answers.plans.meaning:MeaningPlan")
def meaning(
    paths: options.Paths = None,
    measure: MeaningMeasure = None,
    error: Errors = None,
    gold: Gold = None,
    reference: GoldAnnotator = None,
    step: Step = 0.1,
    sets: Sets = 20,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    output: options.Output = None,
    plot: Plot = None,
    ask: Any = None,
) -> None:
    """Say what a value means: which errors, of which size, would give it on these data.

    Example: `accord meaning spans.csv -m gamma --plot meaning.png`
    """
    _check_plot(plot)
    found = ask.answered()
    ask.shown(found, "text" if output is None else "csv")
    if plot is not None:
        found.save_plot(plot)


def papers(
    output: options.Output = None,
    figures: Figures = Path("papers"),
    sets: PaperSets = 20,
    seed: options.Seed = 0,
    jobs: options.Jobs = None,
    cluster: options.Cluster = None,
    checkpoint: options.Checkpoint = None,
    force: options.Force = False,
) -> None:
    """Repeat the experiments of Mathet et al. 2012, 2015 (6.3) and Barteld et al. 2016 (7); check what the papers say.

    Example: `accord papers -o docs/papers.md --figures docs/papers`
    """
    from accord.core.writing import check_free
    from accord.doors.cli.output import deliver, progress

    _import_studies()
    from studies import experiments
    from studies.page import reproduced

    for path in (*filter(None, [output]), *sorted(figures.glob("*.*"))):
        check_free(path, [], force)
    with long_work(cluster, checkpoint, "papers", sets, seed), progress() as tell:
        if cluster is not None:
            import cloudpickle

            cloudpickle.register_pickle_by_value(experiments)  # workers have accord, and not the studies
        page = reproduced(figures, output, sets=sets, seed=seed, progress=tell, jobs=jobs)
    deliver(page, output, machine=True)


def _import_studies() -> None:
    """Put the repository on the path: the studies of the papers are in it, and not in the package."""
    import accord

    repositories = (Path(accord.__file__).resolve().parents[2], Path.cwd())
    there = next((path for path in repositories if (path / "studies" / "harbour.csv").is_file()), None)
    if there is None:
        raise SpecError(
            "the studies of the papers are not part of the installed package: clone the repository of accord and run "
            "`accord papers` in it"
        )
    if str(there) not in sys.path:
        sys.path.insert(0, str(there))


def _check_plot(path: Path | None) -> None:
    if path is not None:
        from accord.core.figures.figure import check_path

        check_path(path)


def _csv(columns: tuple[str, ...], rows: tuple[tuple[Any, ...], ...], *, spreadsheet: bool = False) -> str:
    from accord.core.tables import Table
    from accord.doors.rendering.for_programs import table_as_csv

    return table_as_csv(Table("", columns, rows), spreadsheet)


def _note(notes: tuple[str, ...] | list[str]) -> None:
    from accord.doors.cli.output import width
    from accord.doors.rendering.text import wrap_text

    for note in notes:
        sys.stderr.writelines(f"{line}\n" for line in wrap_text(note, width(), "  "))
