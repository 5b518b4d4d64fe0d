"""What runs in the process of a job: a plan is carried out, confined, and its answer is written in every form.

The process is forked from one that has imported all this already, and has seen no data. It tells the server what it
does through a pipe: JSON, nothing that is unpickled.
"""

from __future__ import annotations

import json
import os
import signal
import tempfile
import time
import warnings
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from io import BytesIO
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import tomli_w

from accord.answers.converting import convert
from accord.answers.gold.decisions import write_soft_labels, write_to_fill_in
from accord.answers.gold.settled import Gold, GoldRow
from accord.answers.plans.base import Plan
from accord.answers.plans.kept import as_toml
from accord.answers.plans.read import ReadPlan, Understood
from accord.answers.plans.results import Results
from accord.answers.reporting.page import page
from accord.answers.reporting.reports import Report, texts_of_items
from accord.core.context import COMPILING, Run
from accord.core.errors import AccordError, Asker, one_line
from accord.core.excerpts import before, behind, shortened
from accord.core.tables import Result, plain
from accord.core.writing import as_utf8, write_private
from accord.data.io.formats.catalogue import FORMATS, format_named
from accord.data.kinds import KINDS
from accord.doors.rendering import render
from accord.doors.serving import about
from accord.doors.serving.asking import Asked, check_inside, plan_class
from accord.doors.serving.code_for import RUN_FILE, command_line, python
from accord.doors.serving.commands import COMMANDS
from accord.doors.serving.confinement import Fence, Limits, confine, is_cramped, limit
from accord.doors.serving.task import ABOUT, SPEC, Task
from accord.doors.serving.understood import as_dict, tables_in
from accord.measures.catalogue import measure

_OFTEN = 0.1  # seconds between two lines about progress
_AROUND = 240  # characters of text on each side of a unit
_LONGEST_TEXT = 1_500  # characters of the beginning and of the end of an item
_MOST_TO_DECIDE = 5_000  # rows of adjudicate.json
_FORMS = {"result.json": "json", "table.csv": "csv", "text.txt": "text"}
_IN_PRINT = {"table.tex": "latex", "table.md": "markdown"}


# Imported before the first job needs them; not Polars, whose threads a fork would lose. Matplotlib looks for the fonts
# of the machine, once.
_LONG = ("numba", "scipy.stats", "scipy.optimize", "scipy.cluster.hierarchy", "matplotlib.font_manager",
         "matplotlib.figure", "matplotlib.backends.backend_svg", "lxml.etree", "joblib", "accord.core.machine_code",
         *(kind.reader for kind in KINDS), *(one.module for one in FORMATS if one.module))  # fmt: skip
for _module in _LONG:
    import_module(_module)
for _command in COMMANDS:
    plan_class(_command)


def run(task: Task, pipe: Connection) -> None:
    """The job. It ends with the process."""
    if os.name == "posix":
        os.setsid()  # whoever ends the job ends all that it started
        os.nice(5)  # the page comes first
    os.umask(0o077)
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, signal.SIG_DFL)
    _be_quiet()
    tell = _Told(pipe)
    os.chdir(task.folder)
    tempfile.tempdir = task.aside
    os.environ |= {"POLARS_MAX_THREADS": str(task.limits.cores)}
    os.environ |= {"TMPDIR": task.aside, "XDG_CACHE_HOME": task.aside, "JOBLIB_TEMP_FOLDER": task.aside}
    fence = Fence.around([Path(task.folder)], [Path(task.out), Path(task.aside), Path(task.compiled)])
    limit(task.limits)
    confine(fence)
    Asker.types = True
    warnings.simplefilter("ignore")
    COMPILING.append(tell.compiling)
    try:
        _carry_out(task, tell)
        tell(state="done")
    except AccordError as error:
        said = str(error) if not is_cramped(task.limits) else f"{_too_large(task.limits)} ({error})"
        tell(state="failed", error=one_line(said))
    except MemoryError:
        tell(state="failed", error=_too_large(task.limits))
    except Exception as error:  # noqa: BLE001 - the page says it, and the server lives on
        tell(
            state="failed", error=one_line(f"this should not happen, please report it: {type(error).__name__}: {error}")
        )


def _too_large(limits: Limits) -> str:
    return (
        f"not enough memory for these data (a job has {limits.memory >> 20:,} MB here); choose with --only or "
        "--annotators, or use a larger machine"
    )


def _be_quiet() -> None:
    """Nothing of a job goes to the terminal of the server."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    os.close(nothing)


class _Told:
    """Lines to the server; of progress not more than it can show."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._last = 0.0
        self._depth = 0

    def __call__(self, **what: Any) -> None:
        try:
            self._pipe.send_bytes(json.dumps(what).encode())
        except OSError:  # nobody is there any more
            os._exit(1)

    def progress(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._last >= _OFTEN or done == total:
            self._last = now
            self(progress={"what": what, "done": done, "total": total})

    def compiling(self, begins: bool) -> None:
        self._depth += 1 if begins else -1
        if begins and self._depth == 1:
            self(progress={"what": "compiling", "done": 0, "total": 0})


def _carry_out(task: Task, tell: _Told) -> None:
    out = _Out(Path(task.out), tell)
    if task.command == ABOUT:
        out.write("about.json", json.dumps(about.as_dict(), ensure_ascii=False))
        return
    if task.command == SPEC:
        check_inside(task.options, Path(task.folder))
        out.write("spec.txt", str(measure(task.options["spec"])))
        return
    options = dict(task.options)
    to, text = ((options.pop(name, None) if task.command == "gold" else None) for name in ("to", "text"))
    plan = Asked(task.command, options, Path(task.folder)).plan
    tell(command_line=command_line(plan), python=python(plan))
    out.write(RUN_FILE, tomli_w.dumps(as_toml(plan)))
    if isinstance(plan, ReadPlan):  # what a person can correct is there even where nothing can be read
        tables = tables_in(plan.paths, plan.reading)
        out.write("understood.json", _json(as_dict(tables, {}, plan.reading)))
    found = plan.carried_out(tell.progress, task.limits.cores)
    code = {"command_line": command_line(plan), "python": python(plan, _variables(found))}
    tell(**code)
    out.write("command.txt", f"{code['command_line']}\n")
    out.write("code.py", code["python"])
    if isinstance(found, Understood):
        out.write("understood.json", _json(as_dict(tables, found.variables, plan.reading)))
    for name, kind in (_FORMS | (_IN_PRINT if task.command in {"score", "compare"} else {})).items():
        out.write(name, render(found, kind))
    if isinstance(found, Report):
        out.write("report.html", page(found))
    if isinstance(found, Gold):
        _write_gold(found, to, _texts(plan, text, task.limits.cores), out)


def _variables(found: Result) -> tuple[str, ...]:
    """Those that were read, where an answer says it."""
    return tuple(found.variables) if isinstance(found, Results | Understood) else ()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


class _Out:
    """The folder of what a job made."""

    def __init__(self, folder: Path, tell: _Told) -> None:
        self.folder, self._tell = folder, tell

    def write(self, name: str, content: str | bytes) -> None:
        write_private(self.folder / name, content if isinstance(content, bytes) else as_utf8(content))


# -- gold -----------------------------------------------------------------------------------------------------------


def _texts(plan: Plan, column: str | None, cores: int) -> dict[str, str]:
    """Of items, as a column has them: read apart, since a gold standard is made of labels alone."""
    if column is None:
        return {}
    beside = replace(plan.reading, keep=(*plan.reading.keep, column))
    return texts_of_items(replace(plan, reading=beside).opened(Run(plan.seed, jobs=cores)), column)


def _write_gold(gold: Gold, to: str | None, texts: Mapping[str, str], out: _Out) -> None:
    """What is to be decided, for a page and for a spreadsheet; distributions; and data in another format."""
    out.write("gold.csv", render(gold, "csv"))
    out.write("adjudicate.csv", write_to_fill_in(gold, Path("adjudicate.csv")))
    out.write("soft.jsonl", write_soft_labels(gold, Path("soft.jsonl")))
    out.write("adjudicate.json", _json(to_decide(gold, texts)))
    if to is not None:
        out.write(*_in_format(gold, to))


def to_decide(gold: Gold, texts: Mapping[str, str]) -> dict[str, Any]:
    """What is not settled, worst first, and behind it what a majority or a person settled."""
    listed = [*gold.unsettled, *(row for row in gold.disputed if not row.tie)]
    rows = [
        {
            "key": row.key,
            **dict(zip(gold.columns, row.place, strict=False)),
            "open": bool(row.tie),
            "tie": row.tie,
            "said": dict(row.said),
            "alternatives": dict(row.alternatives),
            "label": row.label or None,
            "decided": row.settled_by == "decision",
            "text": _passage(gold, row) or shortened(texts.get(row.name, row.text), _LONGEST_TEXT),
        }
        for row in listed[:_MOST_TO_DECIDE]
    ]
    labels = dict.fromkeys(label for row in gold.rows for label in row.alternatives if label)
    found = {"people": list(gold.people), "labels": list(labels), "in_units": gold.in_units, "total": len(listed)}
    return plain({**found, "open": len(gold.unsettled), "rows": rows})


def _passage(gold: Gold, row: GoldRow) -> dict[str, str] | None:
    """A unit in the text around it, as far as one reads to decide."""
    text = getattr(gold.source, "texts", {}).get(row.name) if gold.in_units else None
    if not text or row.start is None or row.end is None:
        return None
    low, high = int(row.start), int(row.end)
    return {"before": before(text, low, _AROUND), "inside": text[low:high], "after": behind(text, high, _AROUND)}


def _in_format(gold: Gold, to: str) -> tuple[str, bytes]:
    """A file, or the files of a folder as a zip."""
    suffix = format_named(to).written or ""
    with tempfile.TemporaryDirectory() as aside:
        target = Path(aside) / (f"gold{suffix}" if suffix.startswith(".") else "gold")
        convert(gold, target, to)
        if target.is_file():
            return target.name, target.read_bytes()
        packed = BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(one for one in target.rglob("*") if one.is_file()):
                archive.write(file, f"gold/{file.relative_to(target).as_posix()}")
    return f"gold-{to}.zip", packed.getvalue()
