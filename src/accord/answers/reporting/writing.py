"""`report`: data → a page, one file or a folder; written whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from accord.answers.reporting.findings import ReportOptions
from accord.answers.reporting.page import GENERATOR, INDEX, SCRIPT, STYLE, page, pages
from accord.answers.reporting.reports import Report, gather_report
from accord.core.context import Run, silent
from accord.core.errors import DataError, SpecError, quoted
from accord.core.writing import as_utf8, check_not_read, check_place, write_together, write_whole
from accord.data.door import checks_options, files_of, is_data, opened_all
from accord.measures.catalogue import measure
from accord.measures.intervals.methods import Settings
from accord.measures.measure import Measure

SUFFIXES = (".html", ".htm")


@checks_options
def report(
    data: Any,
    path: str | Path | None = None,
    measures: str | Measure | Sequence[str | Measure] | None = None,
    *,
    by: str | None = None,
    meaning: bool = False,
    text: str | None = None,
    title: str | None = None,
    interval: str = "default",
    level: float = 0.95,
    replicates: int = 2000,
    seed: int = 0,
    progress: Callable[[str, int, int], None] = silent,
    jobs: int | None = None,
    **reading: Any,
) -> Report:
    """All that is worth knowing about data: `report("spans.csv", "report.html")` writes it as a page.

    `path`: a file that ends with .html, or a folder for a page per document; without it nothing is written. `measures`:
    the usual ones by default; the first screen is about the first that is named. `by`: a column of rounds, to follow
    agreement over them; `text`: a column with the text of items; `meaning`: also say which errors would give the value.
    Further options go to `read`.
    """
    target = None if path is None else Path(path)
    if target is not None:
        check_target(target)
        check_not_read(target, files_of(data, reading))
    several = (measures,) if isinstance(measures, str | Measure) else tuple(measures or ())
    asked = ReportOptions(tuple(map(measure, several)), Settings(interval, level, replicates), by, meaning, text)
    columns = {option: (name,) for option, name in (("by", by), ("keep", text)) if name is not None}
    how = reading if is_data(data) else {**reading, **columns}
    run = Run(seed, progress, jobs)
    found = opened_all(data, how, [one.data for one in asked.measures], run)
    paths = (str(data),) if isinstance(data, str | Path) else ()
    made = gather_report(found, asked, run, name=title, paths=paths, reading=reading)
    if target is not None:
        written(made, target)
    return made


def is_file(target: Path) -> bool:
    return target.suffix.lower() in SUFFIXES


def check_target(target: Path) -> None:
    """Raise before a long run if the report cannot be written there."""
    check_place(target)
    if is_file(target):
        if target.is_dir():
            raise SpecError(f"{quoted(target)} is a folder: name a file, report.html, or a folder without .html")
        return
    if target.suffix and not target.is_dir():
        raise SpecError(f"a report is a page, or a folder of them: report.html, or report; not {quoted(target)}")
    if target.exists() and not target.is_dir():
        raise SpecError(f"{quoted(target)} is a file: name report.html, or a folder")
    if target.is_dir() and any(target.iterdir()) and not _is_report(target):
        raise DataError(f"{quoted(target)} holds other files: name a new folder, or one with an earlier report")


def _is_report(folder: Path) -> bool:
    """Whether accord wrote everything in the folder. Other files would be lost."""
    found = [one.relative_to(folder) for one in folder.rglob("*") if not one.is_dir()]
    if Path(INDEX) not in found:
        return False
    pages = [one for one in found if one.as_posix() not in {STYLE, SCRIPT}]
    return all(one.suffix == ".html" and _is_made(folder / one) for one in pages)


def _is_made(path: Path) -> bool:
    return path.is_file() and GENERATOR in path.read_text(encoding="utf-8", errors="replace")[:4000]


def written(report: Report, target: Path) -> Path:
    """Write one file or a folder, completely or not at all, and return the page to open."""
    if is_file(target):
        write_whole(target, page(report))
        return target
    write_together(target, {name: as_utf8(text) for name, text in pages(report).items()})
    return target / INDEX
