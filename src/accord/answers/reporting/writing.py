"""`report`: write a report as one file or a folder, completely or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from accord.answers import options
from accord.answers.options import LEVEL, REPLICATES
from accord.answers.plan import keep_as_toml
from accord.answers.question import declared_in, question
from accord.answers.reporting.findings import ReportOptions
from accord.answers.reporting.page import GENERATOR, INDEX, SCRIPT, STYLE, render_page, render_pages
from accord.answers.reporting.reports import Report, gather_report
from accord.answers.score import UsualMeasures
from accord.core.context import Run, silent
from accord.core.errors import DataError, SpecError, quoted
from accord.core.options import Option
from accord.core.writing import as_utf8, check_not_read, check_place, write_together, write_whole
from accord.data.door import files_of, is_data, opened_all
from accord.measures.catalogue import measure as measure_named
from accord.measures.intervals.methods import Settings
from accord.measures.measure import Measure

SUFFIXES = (".html", ".htm")


@question("spans.csv -o report.html")
def report(
    data: options.Data,
    path: Annotated[
        str | Path | None,
        "An .html file, or a folder with a page per document. Default: no file is written.",
    ] = None,
    measure: UsualMeasures = None,
    *,
    by: Annotated[
        str | None,
        Option("The column with the rounds.", metavar="COLUMN", complete="columns", heading=options.MEASURES),
    ] = None,
    meaning: Annotated[
        bool,
        Option(
            "Also show which errors, and how many, would give this value. Takes longer.",
            heading=options.MEASURES,
        ),
    ] = False,
    text: Annotated[
        str | None,
        Option(
            "The column with the texts of items, to show them.",
            metavar="COLUMN",
            complete="columns",
            heading=options.DATA,
        ),
    ] = None,
    title: Annotated[
        str | None, Option("The title of the report. Default: the names of the files.", heading=options.OUTPUT)
    ] = None,
    interval: options.Interval = "default",
    level: options.Level = LEVEL,
    replicates: options.Replicates = REPLICATES,
    items_population: options.ItemsPopulation = None,
    annotators_population: options.AnnotatorsPopulation = None,
    null: options.Null = None,
    seed: options.Seed = 0,
    progress: options.Progress = None,
    jobs: options.Jobs = None,
    **reading: Any,
) -> Report:
    """Write a report: the value and its limitations, next steps, and all details.

    The summary at the top is about the first measure.

    Returns
    -------
    Report

    Examples
    --------
    >>> rows = {"item": [1, 2, 3, 4], "Ana": ["a", "b", "b", "a"], "Ben": ["a", "b", "a", "a"]}
    >>> accord.report(rows, measure="percent", interval="none")
    <Report percent = 0.750>
    """  # fmt: skip
    given = dict(locals())
    target = None if path is None else Path(path)
    if target is not None:
        check_target(target)
        check_not_read(target, files_of(data, reading))
    settings = Settings(interval, level, replicates, items_population, annotators_population, null)
    several = (measure,) if isinstance(measure, str | Measure) else tuple(measure or ())
    asked = ReportOptions(tuple(map(measure_named, several)), settings, by, meaning, text)
    columns = {option: (name,) for option, name in (("by", by), ("keep", text)) if name is not None}
    how = reading if is_data(data) else {**reading, **columns}
    run = Run(seed, progress or silent, jobs)
    found = opened_all(data, how, [one.data for one in asked.measures], run)
    paths = options.paths_in(data)
    plan = keep_as_toml(declared_in(report), paths, given)
    made = gather_report(found, asked, run, name=title, paths=paths, plan=plan, reading={} if plan else reading)
    if target is not None:
        written(made, target)
    return made


def is_file(target: Path) -> bool:
    return target.suffix.lower() in SUFFIXES


def check_target(target: Path) -> None:
    """Raise before the computation if the report cannot be written to the target."""
    check_place(target)
    if is_file(target):
        if target.is_dir():
            raise SpecError(
                "output-name",
                f"{quoted(target)} is a folder; name a new .html file, or a folder without .html in its name",
            )
        return
    if target.suffix and not target.is_dir():
        raise SpecError(
            "output-name",
            f"{quoted(target)} is neither an .html file nor a folder; name report.html, or report for a folder",
        )
    if target.exists() and not target.is_dir():
        raise SpecError("output-name", f"{quoted(target)} is a file without .html; name report.html, or a folder")
    if target.is_dir() and any(target.iterdir()) and not _is_report(target):
        raise DataError(
            "output-exists",
            f"{quoted(target)} contains other files; name a new folder, or one with an earlier report only",
        )


def _is_report(folder: Path) -> bool:
    """Whether accord wrote everything in the folder. Replacing it would delete other files."""
    found = [one.relative_to(folder) for one in folder.rglob("*") if not one.is_dir()]
    if Path(INDEX) not in found:
        return False
    render_pages = [one for one in found if one.as_posix() not in {STYLE, SCRIPT}]
    return all(one.suffix == ".html" and _is_made(folder / one) for one in render_pages)


def _is_made(path: Path) -> bool:
    return path.is_file() and GENERATOR in path.read_text(encoding="utf-8", errors="replace")[:4000]


def written(report: Report, target: Path) -> Path:
    """Write one file or a folder, completely or not at all, and return the page to open."""
    if is_file(target):
        write_whole(target, render_page(report))
        return target
    write_together(target, {name: as_utf8(text) for name, text in render_pages(report).items()})
    return target / INDEX
