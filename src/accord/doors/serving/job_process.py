"""The process of a job: run a plan in confinement and write its result in all formats.

The process is forked from a fork server that has imported this module and has not seen any data. It sends JSON messages
to the server through a pipe. The server never unpickles data of a job.
"""

from __future__ import annotations

import json
import os
import signal
import tempfile
import time
import warnings
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from io import BytesIO
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import tomli_w

from accord.answers.advising.advising import models_in
from accord.answers.catalogue import ON_PAGE
from accord.answers.converting import convert
from accord.answers.gold.decisions import write_soft_labels, write_to_fill_in
from accord.answers.gold.settled import Gold, GoldRow
from accord.answers.levels import levels_of, values_at_levels
from accord.answers.map import suggested_options, try_suggestions
from accord.answers.plan import Plan, as_toml
from accord.answers.raw_tables import RawTable, files_in, map_for_page, read_tables
from accord.answers.read import Understood
from accord.answers.reporting.page import render_page
from accord.answers.reporting.reports import Report, texts_of_items
from accord.answers.score import Results
from accord.core.context import COMPILING, Run
from accord.core.errors import AccordError, Interface, SpecError, one_line
from accord.core.excerpts import before, behind, shorten_text
from accord.core.tables import Result, plain
from accord.core.writing import as_utf8, write_private
from accord.data.door import opened
from accord.data.io import ColumnMap
from accord.data.io.formats.catalogue import FORMATS, format_named
from accord.data.io.reading import Reading, as_tuple
from accord.data.kinds import KINDS
from accord.data.model.data import Data
from accord.data.model.ratings import Ratings
from accord.doors.rendering import render
from accord.doors.serving import about
from accord.doors.serving.asking import Asked, check_inside, question_on_page
from accord.doors.serving.code_for import RUN_FILE, command_line, python
from accord.doors.serving.confinement import Fence, Limits, confine, is_cramped, limit
from accord.doors.serving.jobs import ABOUT, DONE, FAILED, SPEC, Task
from accord.measures.catalogue import measure

# Imported before the first job. Polars is not listed, because its threads would not survive the fork. Matplotlib lists
# the fonts of the machine once.
_PRELOADED = (
    "numba", "scipy.stats", "scipy.optimize", "scipy.cluster.hierarchy", "matplotlib.font_manager", "matplotlib.figure",
    "matplotlib.backends.backend_svg", "lxml.etree", "joblib", "accord.core.machine_code",
    *(kind.reader for kind in KINDS), *(one.module for one in FORMATS if one.module),
)  # fmt: skip
for _module in _PRELOADED:
    import_module(_module)
for _command in ON_PAGE:
    question_on_page(_command)

_WORDS = Path(__file__).parent / "words"
_SECONDS_BETWEEN_PROGRESS = 0.1
_FORMS = {"result.json": "json", "table.csv": "csv", "text.txt": "text"}
_FORMS_FOR_PAPERS = {"table.tex": "latex", "table.md": "markdown"}
# understood.json
_MOST_ROWS = 20  # of the first items or units
_MOST_CATEGORIES = 500
# adjudicate.json
_AROUND = 240  # characters of text on each side of a unit
_LONGEST_TEXT = 1_500  # characters of the beginning and of the end of an item
_MOST_TO_DECIDE = 5_000  # rows


# -- the process ----------------------------------------------------------------------------------------------------


def run(task: Task, pipe: Connection) -> None:
    """Run the job. Its limits and its confinement last until the process ends."""
    if os.name == "posix":
        os.setsid()  # a separate process group, so that the server can end all processes of the job
        os.nice(5)  # the server has priority
    os.umask(0o077)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    _close_standard_streams()
    server = _Server(pipe)
    os.chdir(task.upload)
    tempfile.tempdir = task.aside
    os.environ |= {"POLARS_MAX_THREADS": str(task.limits.cores)}
    os.environ |= {"TMPDIR": task.aside, "XDG_CACHE_HOME": task.aside, "JOBLIB_TEMP_FOLDER": task.aside}
    fence = Fence.around([Path(task.upload)], [Path(task.out), Path(task.aside), Path(task.compiled)])
    limit(task.limits)
    confine(fence)
    Interface.command_line = True
    warnings.simplefilter("ignore")
    COMPILING.append(server.show_compiling)
    try:
        _carry_out(task, server)
        server.send(state=DONE)
    except AccordError as error:
        line = str(error) if not is_cramped(task.limits) else f"{_too_large(task.limits)} ({error})"
        server.send(state=FAILED, error=one_line(f"{line} [{error.code}]"))
    except MemoryError:
        server.send(state=FAILED, error=f"{_too_large(task.limits)} [out-of-memory]")
    except Exception as error:  # noqa: BLE001 - the page shows the error, and the server continues
        line = f"unexpected error, please report it: {type(error).__name__}: {error}"
        server.send(state=FAILED, error=one_line(line))


def _too_large(limits: Limits) -> str:
    return (
        f"not enough memory for these data (limit of a job: {limits.memory >> 20:,} MB); select a part of the data "
        "with --only or --annotators, or start accord serve with a larger --memory"
    )


def _close_standard_streams() -> None:
    """Keep the output of a job away from the terminal of the server."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    os.close(nothing)


class _Server:
    """The server at the other end of the pipe. Messages about progress are limited to ten per second."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._last = 0.0
        self._compiling = 0  # nested functions being compiled

    def send(self, **message: Any) -> None:
        try:
            self._pipe.send_bytes(json.dumps(message).encode())
        except OSError:  # the server has ended
            os._exit(1)

    def show_progress(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._last >= _SECONDS_BETWEEN_PROGRESS or done == total:
            self._last = now
            self.send(progress={"what": what, "done": done, "total": total})

    def show_compiling(self, begins: bool) -> None:
        self._compiling += 1 if begins else -1
        if begins and self._compiling == 1:
            self.send(progress={"what": "compiling", "done": 0, "total": 0})


class _Outputs:
    """The folder of the outputs of a job."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, name: str, content: str | bytes) -> None:
        write_private(self._folder / name, content if isinstance(content, bytes) else as_utf8(content))

    def write_json(self, name: str, value: Any) -> None:
        self.write(name, json.dumps(value, ensure_ascii=False, allow_nan=False))


def _carry_out(task: Task, server: _Server) -> None:
    outputs = _Outputs(Path(task.out))
    if task.command == ABOUT:
        outputs.write_json("about.json", about.as_dict())
        return
    if task.command == SPEC:
        check_inside(task.options, Path(task.upload))
        outputs.write("spec.txt", str(measure(task.options["spec"])))
        return
    options = dict(task.options)
    to, text = ((options.pop(name, None) if task.command == "gold" else None) for name in ("to", "text"))
    plan = Asked(task.command, options, Path(task.upload)).plan
    server.send(command_line=command_line(plan), python=python(plan))
    outputs.write(RUN_FILE, tomli_w.dumps(as_toml(plan)))
    if plan.command == "report":
        Interface.controls = _controls(task.language)
    if plan.command == "read":  # written also if reading fails: the user needs the columns to change the options
        tables, maps = read_tables(plan.paths, plan.reading), map_for_page(plan.paths, plan.reading)
        outputs.write_json("understood.json", describe_reading(tables, maps, {}, plan.reading))
    try:
        answer = plan.answer(server.show_progress, task.limits.cores)
    except AccordError as error:
        if plan.command == "read" and (ways := _list_ways(error, plan, Path(task.upload), task.limits.cores)):
            outputs.write_json("understood.json", describe_reading(tables, maps, {}, plan.reading, ways))
        raise
    code = {"command_line": command_line(plan), "python": python(plan, _variables(answer))}
    server.send(**code)
    outputs.write("command.txt", f"{code['command_line']}\n")
    outputs.write("code.py", code["python"])
    if isinstance(answer, Understood):
        outputs.write_json("understood.json", describe_reading(tables, maps, answer.variables, plan.reading))
    for name, form in (_FORMS | (_FORMS_FOR_PAPERS if task.command in {"score", "compare"} else {})).items():
        outputs.write(name, render(answer, form))
    if isinstance(answer, Report):
        outputs.write("report.html", render_page(answer))
    if isinstance(answer, Gold):
        _write_gold(answer, to, _read_texts(plan, text, task.limits.cores), outputs)


def _controls(language: str) -> dict[str, str]:
    """Return the controls of the page that reports name, each with its step."""
    words = json.loads((_WORDS / f"{language}.json").read_text("utf-8"))
    return {"measurement": f"“{words['reading.measurement']}” (step “{words['step.understood']}”)"}


def _variables(answer: Result) -> tuple[str, ...]:
    """Return the variables of a result with several."""
    return tuple(answer.variables) if isinstance(answer, Results | Understood) else ()


# -- understood.json: facts that a user needs to check the reading ---------------------------------------------------


def describe_reading(
    tables: Sequence[RawTable],
    maps: Mapping[str, ColumnMap],
    variables: Mapping[str, Data],
    reading: Reading,
    ways: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """Return the content of understood.json, without variables if reading failed."""
    return plain({
        "tables": [table.as_dict(maps.get(table.path)) for table in tables],
        "variables": {name: _describe_variable(data) for name, data in variables.items()},
        "reading": reading.stated,
        "ways": ways,
    })  # fmt: skip


def _list_ways(refusal: AccordError, plan: Plan, folder: Path, cores: int) -> list[dict[str, Any]]:
    """List the readings that a refusal suggests, with the data that they lead to."""
    offered = [way for way in suggested_options(refusal) if _names_uploads_only(way[1], folder)]
    given = plan.reading.stated
    return [
        {
            "reading": {name: as_tuple(name, value) for name, value in options.items() if value != given.get(name)},
            "variables": {name: _count(data) for name, data in (effect.variables or {}).items()},
        }
        for options, effect in try_suggestions(offered, list(plan.paths), given, Run(plan.seed, jobs=cores))
    ]


def _names_uploads_only(options: Mapping[str, Any], folder: Path) -> bool:
    try:
        check_inside(options, folder)
    except SpecError:
        return False
    return True


def _count(data: Data) -> dict[str, Any]:
    """Return the counts of the data."""
    return {name: value for name, value in data.summary().items() if type(value) is int}


def _describe_variable(data: Data) -> dict[str, Any]:
    columns, rows = data.first(_MOST_ROWS)
    sets = next(iter(data.category_sets.values()), None)
    return {
        "kind": data.kind.name,
        "title": data.kind.title,
        "about": data.about(),
        "described": data.described(),
        "notes": list(data.notes),
        "annotators": list(data.present) if data.identified else None,
        "models": list(models_in(data)),
        "n_annotators": data.n_annotators,
        "n_items": data.n_items,
        "categories": None if sets is None or len(sets) > _MOST_CATEGORIES else list(sets.names),
        "numbers": sets is not None and sets.numeric,
        "order": None if sets is None else "declared" if sets.declared else "alphabet" if sets.guessed_order else "",
        "usual": [str(measure(spec).at(data.measurement)) for spec in data.usual_measures],
        "main": data.kind.main,
        "measurement": _describe_level(data) if isinstance(data, Ratings) else None,
        "first": {"columns": columns, "rows": rows},
    }


def _describe_level(data: Ratings) -> dict[str, Any]:
    return {**data.measurement.to_dict(), "possible": levels_of(data), "values": values_at_levels(data, Run())}


# -- outputs of gold ------------------------------------------------------------------------------------------------


def _read_texts(plan: Plan, column: str | None, cores: int) -> dict[str, str]:
    """Read the texts of items from a column. A gold standard has labels only, so the data are read again."""
    if column is None:
        return {}
    reading = replace(plan.reading, keep=(*plan.reading.keep, column))
    return texts_of_items(opened(list(plan.paths), reading, run=Run(plan.seed, jobs=cores)), column)


def _write_gold(gold: Gold, to: str | None, texts: Mapping[str, str], outputs: _Outputs) -> None:
    """Write the gold standard, the cases to decide (CSV and JSON), the label distributions, and the converted data."""
    outputs.write("gold.csv", render(gold, "csv"))
    outputs.write("adjudicate.csv", write_to_fill_in(gold, Path("adjudicate.csv")))
    outputs.write("soft.jsonl", write_soft_labels(gold, Path("soft.jsonl")))
    outputs.write_json("adjudicate.json", _list_disputed(gold, texts))
    if to is not None:
        outputs.write(*_convert(gold, to))


def _list_disputed(gold: Gold, texts: Mapping[str, str]) -> dict[str, Any]:
    """List undecided cases, largest disagreement first, then cases decided by a majority or a person."""
    listed = [*gold.unsettled, *(row for row in gold.disputed if not row.tie)]
    rows = [
        {
            "key": row.key,
            **dict(zip(gold.columns, row.place, strict=False)),
            "open": bool(row.tie),
            "tie": row.tie,
            "said": dict(row.versions),
            "alternatives": dict(row.alternatives),
            "label": row.label or None,
            "decided": row.settled_by == "decision",
            "text": _passage(gold, row) or shorten_text(texts.get(row.name, row.text), _LONGEST_TEXT),
        }
        for row in listed[:_MOST_TO_DECIDE]
    ]
    labels = dict.fromkeys(label for row in gold.rows for label in row.alternatives if label)
    return plain({
        "people": list(gold.people), "labels": list(labels), "in_units": gold.in_units, "total": len(listed),
        "open": len(gold.unsettled), "rows": rows,
    })  # fmt: skip


def _passage(gold: Gold, row: GoldRow) -> dict[str, str] | None:
    """Return a unit with the surrounding text."""
    text = getattr(gold.source, "texts", {}).get(row.name) if gold.in_units else None
    if not text or row.start is None or row.end is None:
        return None
    low, high = int(row.start), int(row.end)
    return {"before": before(text, low, _AROUND), "inside": text[low:high], "after": behind(text, high, _AROUND)}


def _convert(gold: Gold, to: str) -> tuple[str, bytes]:
    """Convert the gold standard to another format. Return the name and bytes of a file, or of a zip of several."""
    suffix = format_named(to).written or ""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / (f"gold{suffix}" if suffix.startswith(".") else "gold")
        convert(gold, target, to)
        if target.is_file():
            return target.name, target.read_bytes()
        packed = BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in files_in(target):
                archive.write(file, f"gold/{file.relative_to(target).as_posix()}")
    return f"gold-{to}.zip", packed.getvalue()
