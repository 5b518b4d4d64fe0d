"""Options ↔ Plan ↔ TOML, and showing what a plan gives."""

from __future__ import annotations

import dataclasses
import os
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import tomli_w

from accord._version import __version__
from accord.answers.plan import PARTS, Plan
from accord.context import silent
from accord.door import opened
from accord.errors import DataError, SpecError, UnknownName, quoted
from accord.inference.intervals.methods import Settings
from accord.inference.scoring import kinds_of
from accord.io import Reading
from accord.measures.catalogue import measure
from accord.run import align as best_alignment
from accord.run import run


def from_options(options: dict[str, Any]) -> Plan:
    """What was typed → Plan."""
    if not options["paths"]:
        raise SpecError("name a table to score: accord score ratings.csv (or - for standard input)")
    settings = Settings(
        options["interval"],
        options["level"],
        options["replicates"],
        options["items_population"],
        options["annotators_population"],
    )
    return Plan(
        paths=tuple(options["paths"]),
        measures=tuple(str(measure(spec)) for spec in options["measures"] or ()),
        reading=reading_from(options),
        settings=settings,
        parts=tuple(b for b in options["by"] or () if b in PARTS),
        seed=options["seed"],
        scales=tuple(options["scale"] or ()),
        marginals=options["marginals"],
        matrix=options["matrix"],
        explain=options["explain"],
    )


def reading_from(options: dict[str, Any]) -> Reading:
    """The options that say what the data are."""

    def several(name: str) -> tuple[str, ...]:
        return tuple(options[name] or ())

    def listed(name: str) -> tuple[str, ...]:
        return tuple(options[name].split(",")) if options[name] else ()

    return Reading(
        layout=options["layout"],
        item=options["item"],
        annotator=options["annotator"],
        label=several("label"),
        by=tuple(b for b in options.get("by") or () if b not in PARTS),
        missing=several("missing"),
        keep_empty=options["keep_empty"],
        fold=several("fold"),
        sets=options["sets"],
        categories=listed("categories") or None,
        repeats=options["repeats"],
        only=several("only"),
        annotators=listed("annotators"),
        merge=several("merge"),
        encoding=options["encoding"],
        delimiter=options["delimiter"],
        sheet=options["sheet"],
        doc=options["doc"],
        start=options["start"],
        end=options["end"],
        end_is_length=options["end_is_length"],
        docs=options["docs"],
        judged=options["judged"],
        base=options["base"],
        texts=options["texts"],
        merge_symbol=options["merge_symbol"],
        split_symbol=options["split_symbol"],
    )


def repeated(path: Path, options: dict[str, Any]) -> Plan:
    """A kept run, as it was: nothing else may be asked for beside it."""
    beside = from_options({**options, "paths": ["-"]})
    if options["paths"] or beside != Plan(("-",)):
        raise SpecError("--run repeats a run as it was kept; give no paths, measures or other options beside it")
    return load(path)


def save(plan: Plan, path: Path) -> None:
    """The plan as TOML: only what differs from the defaults."""
    empty = Plan(plan.paths)
    kept: dict[str, Any] = {"accord": __version__, "paths": list(plan.paths)}
    for name in ("measures", "parts", "seed", "scales", "marginals", "matrix", "explain"):
        if getattr(plan, name) != getattr(empty, name):
            kept[name] = getattr(plan, name)
    for name in ("reading", "settings"):
        mine, default = getattr(plan, name), getattr(empty, name)
        fields = [f.name for f in dataclasses.fields(mine)]
        changed = {f: getattr(mine, f) for f in fields if getattr(mine, f) != getattr(default, f)}
        if changed:
            kept[name] = changed
    write_whole(path, tomli_w.dumps(kept))


def load(path: Path) -> Plan:
    """A plan that was kept."""
    try:
        kept = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: not a run that accord kept: {error}") from None
    kept.pop("accord", None)
    _check_kept(path, kept)
    try:
        reading = Reading(**_tuples(kept.pop("reading", {})))
        settings = Settings(**kept.pop("settings", {}))
        return Plan(reading=reading, settings=settings, **_tuples(kept))
    except TypeError as error:
        raise DataError(f"{path}: not a run that accord kept: {error}") from None


def _check_kept(path: Path, kept: dict[str, Any]) -> None:
    """Only known keys, and lists where lists belong: the file may have been edited by hand."""
    for name in ("reading", "settings"):
        if not isinstance(kept.get(name, {}), dict):
            raise DataError(f"{path}: {name} is a table: [{name}]")
    for where, cls in ((kept, Plan), (kept.get("reading", {}), Reading), (kept.get("settings", {}), Settings)):
        known = {f.name: str(f.type) for f in dataclasses.fields(cls)}
        for key, value in where.items():
            if key not in known:
                raise DataError(f"{path}: {UnknownName('key', key, known)}")
            if known[key].startswith("tuple[") and not isinstance(value, list):
                raise DataError(f"{path}: {key} is a list: {key} = [{quoted(value)}]")
            if known[key].startswith("tuple[str") and not all(isinstance(v, str) for v in value):
                raise DataError(f"{path}: {key} is a list of texts")
            kinds: dict[str, tuple[type, ...]] = {"int": (int,), "bool": (bool,), "float": (int, float), "str": (str,)}
            fitting = kinds.get(known[key].split(" ")[0])
            if fitting and (not isinstance(value, fitting) or isinstance(value, bool) != (fitting == (bool,))):
                raise DataError(f"{path}: {key} = {quoted(value)} is not {known[key]}")


def _tuples(table: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}


def show(plan: Plan, kind: str, output: Path | None, jobs: int | None = None) -> None:
    """Runs a plan and prints or writes the report."""
    from accord.report import render

    if kind == "csv" and (plan.matrix or plan.marginals or plan.scales or plan.explain):
        raise SpecError(
            "--csv holds scores and breakdowns; --json has the matrix, the marginals, the scales and the places, too"
        )
    with progress() as tell:
        results = run(plan, tell, jobs)
    deliver(render(results, kind, color=output is None and in_colour()), output)


def align(
    paths: list[str], spec: str | None, how: Reading, kind: str | None, output: Path | None, jobs: int | None
) -> None:
    """Prints or writes the best alignment: as a table, or texts side by side."""
    from accord.measures.texts.side_by_side import TextAlignments
    from accord.report import json, render

    data = opened(paths, how, kinds_of(spec))
    with progress() as tell:
        found = best_alignment(data, spec, progress=tell, jobs=jobs)
    if isinstance(found, TextAlignments) and kind is None and output is None:
        deliver(render(found, color=in_colour()), None)
        return
    deliver(json.records(found.flat()) if kind == "json" else render(found, "csv"), output)


def in_colour() -> bool:
    """On a terminal, unless the user wants none (no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def deliver(rendered: str, output: Path | None) -> None:
    """To a file, or to the screen."""
    if output is not None:
        write_whole(output, rendered)
        return
    sys.stdout.write(rendered)
    sys.stdout.flush()


def write_whole(path: Path, content: str) -> None:
    """A file is written whole or not at all."""
    if path.exists() and not path.is_file():  # a pipe, a device: nothing to replace
        with path.open("w", encoding="utf-8", errors="replace") as file:
            file.write(content)
        return
    path = path.resolve() if path.is_symlink() else path
    temporary = None
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", errors="replace", newline="", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            temporary = Path(file.name)
            file.write(content)
        mode = 0o666 & ~_umask()
        temporary.chmod(mode)
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise DataError(f"{quoted(path)} cannot be written: {error.strerror}") from None


def write_folder(folder: Path, contents: dict[str, str]) -> None:
    """Files by name; the folder is made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{quoted(folder)} cannot be made: {error.strerror}") from None
    for name, content in contents.items():
        write_whole(folder / name, content)


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


@contextmanager
def progress() -> Iterator[Any]:
    """A bar with what is being done and the time left, on a terminal only."""
    if not sys.stderr.isatty():
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks: dict[str, Any] = {}

        def tell(task: str, done: int, total: int) -> None:
            if task not in tasks:
                tasks[task] = bar.add_task(task, total=total)
            bar.update(tasks[task], completed=done, total=total)

        yield tell
