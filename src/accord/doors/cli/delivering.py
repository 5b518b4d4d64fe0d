"""What commands do with their answers beyond showing them: files, pictures, exit codes.

Each function is named after its command; its parameters behind `ask` are options of that command alone. `IN_PYTHON`
has what a program does instead.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from accord.core.errors import SpecError, printable
from accord.doors.cli import completing
from accord.doors.cli.commands import DATA, OUTPUT, Ask
from accord.doors.cli.help import Rare

IN_PYTHON = {
    "json": "result.to_dict()",
    "csv": "result.to_frame()",
    "latex": "result.to_latex()",
    "markdown": "result.to_markdown()",
    "output": "write what the result gives",
    "save": "keep the program",
    "run_file": "keep the program",
    "force": "commands alone guard files",
    "cluster": "with accord.cluster(address):",
    "checkpoint": "with accord.checkpoint(folder):",
    "help_all": "help(accord.score)",
    "plot": "result.save_plot(path)",
    "junit": "write XML from result.to_dict()",
    "to": "accord.convert(result, target, to)",
    "adjudicate": "result.to_frame()",
    "soft": "result.to_frame()",
    "spreadsheet": "result.to_frame()",
    "bibtex": "result.bibtex",
    "resume": "with accord.checkpoint(folder):",
    "keep_reference": "the reference is the argument",
    "save_reading": "keep the options of reading",
}

Plot = Annotated[Path | None, typer.Option(help="Draw it: a .png, .svg or .pdf file.", rich_help_panel=OUTPUT)]
Curves = Annotated[Path | None, typer.Option(help="Draw the curves: .png, .svg or .pdf.", rich_help_panel=OUTPUT)]
Spreadsheet = Annotated[
    bool,
    typer.Option(
        "--spreadsheet",
        help="CSV of data for a spreadsheet: an apostrophe before what it would take for a formula.",
        rich_help_panel=Rare(OUTPUT),
    ),
]
To = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="FORMAT",
        help="The format to write: table, parquet, brat, webanno_tsv, uima_xmi, label_studio, prodigy, doccano, elan, "
        "textgrid, rttm, iob. Default: by the suffix; a folder is one of tables.",
        autocompletion=completing.written_formats,
        rich_help_panel=OUTPUT,
    ),
]


# -- data ----------------------------------------------------------------------------------------------------------


def read(
    ask: Ask,
    save_reading: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write how the data were read as a TOML file, which every command takes with --reading.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
) -> None:
    found = ask()
    if save_reading is not None:
        import tomli_w

        from accord.core.writing import write_whole

        write_whole(save_reading, tomli_w.dumps(found.as_reading(ask.plan.reading)))


def convert(
    ask: Ask,
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            help="What to read, and behind it where to write: a new folder, or a file.",
            show_default=False,
            rich_help_panel=DATA,
        ),
    ] = None,
) -> None:
    ask()


# -- agreement -----------------------------------------------------------------------------------------------------


def score(ask: Ask) -> None:
    asked = ask.plan.option
    if ask.kind == "csv" and (asked("matrix") or asked("marginals") or asked("scale") or asked("explain")):
        raise SpecError(
            "option-conflict",
            "--csv holds scores and breakdowns; --json has the matrix, the marginals, the scales and the places, too",
        )
    if ask.kind == "csv" and asked("cite"):
        raise SpecError(
            "option-conflict", "--csv holds scores and breakdowns; --json has the citation, too, or use accord cite"
        )
    in_print = ask.kind in {"latex", "markdown"} or ask.given["run_file"] is not None  # a kept run is shown in any form
    if asked("show") is not None and not in_print:
        raise SpecError(
            "option-conflict", "--show adds columns to --latex and --markdown; --csv and --json always have se and p"
        )
    if asked("style") != "plain" and not (in_print or asked("cite")):
        raise SpecError("option-conflict", "--style is for --latex, --markdown and --cite")
    ask()


def check(
    ask: Ask, junit: Annotated[Path | None, typer.Option(help="Write JUnit XML there.", rich_help_panel=OUTPUT)] = None
) -> None:
    found = ask()
    if junit is not None:
        from accord.core.writing import write_whole
        from accord.doors.rendering.for_programs import checks_as_junit

        write_whole(junit, checks_as_junit(found, ", ".join(ask.plan.paths)))
    if not found.passed:
        sys.exit(1)


def trend(ask: Ask, plot: Plot = None) -> None:
    _with_plot(ask, plot)


def influence(ask: Ask, plot: Plot = None) -> None:
    _with_plot(ask, plot)


def _with_plot(ask: Ask, path: Path | None) -> None:
    """Show the answer, and draw it into a file, whose name is checked before a long run."""
    _check_plot(path)
    found = ask.answered()
    if path is not None:
        found.save_plot(path)  # first: what cannot be drawn is refused, and nothing else is said
    ask.shown(found)


def _check_plot(path: Path | None) -> None:
    if path is not None:
        from accord.core.figures.figure import check_path

        check_path(path)


# -- where annotators differ ---------------------------------------------------------------------------------------


def align(ask: Ask) -> None:
    from accord.doors.cli.output import deliver
    from accord.doors.rendering.for_programs import table_as_json

    found, output = ask.answered(), ask.given["output"]
    if ask.kind == "json":
        deliver(table_as_json(found.flat()), output, machine=True)
        ask.keep()
        return
    ask.shown(found, "text" if found.for_reading and output is None else "csv")


def gold(
    ask: Ask,
    to: To = None,
    adjudicate: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write what is not settled, most costly first, with an empty column `decision`: .csv or .xlsx.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    soft: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the distribution of labels for each item or unit: .jsonl, .csv or .parquet.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    spreadsheet: Spreadsheet = False,
) -> None:
    from accord.answers.converting import checked_target, convert
    from accord.answers.gold.decisions import check_suffix, write_soft_labels, write_to_fill_in
    from accord.core.writing import is_device, write_bytes
    from accord.doors.cli.output import deliver

    for place in (adjudicate, soft):
        if place is not None:
            check_suffix(place, soft=place is soft)
    output = ask.given["output"]
    if _holds_data(output, to, ask.kind):
        checked_target(list(ask.plan.paths), output, to)  # before a long run, not after it
        found = ask.answered()
        ask.shown(convert(found, output, to), printed=True)
    else:
        found = ask("csv" if output is not None and output.suffix.lower() == ".csv" else "text")
        if output is not None and not is_device(output):
            deliver(f"{printable(str(output))}: {printable(found.summary())}\n", None)
    if adjudicate is not None:
        write_bytes(adjudicate, write_to_fill_in(found, adjudicate))
    if soft is not None:
        write_bytes(soft, write_soft_labels(found, soft, spreadsheet))


def _holds_data(output: Path | None, to: str | None, kind: str | None) -> bool:
    """Whether -o names data in a format that `accord convert` writes, and not a report."""
    from accord.answers.converting import names_a_format

    if to is not None and output is None:
        raise SpecError("option-missing", f"--to {to}: say where to write, -o gold/ or -o FILE")
    return output is not None and (to is not None or (kind is None and names_a_format(output)))


# -- to show -------------------------------------------------------------------------------------------------------


def report(
    ask: Ask,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE|FOLDER",
            help="report.html, all in one file; or a folder, with a page for each document as well. Default: a summary "
            "on the screen.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
) -> None:
    if output is None or ask.kind is not None:
        ask()
        return
    from accord.answers.reporting.writing import check_target, written
    from accord.doors.cli.output import deliver

    check_target(output)
    found = ask.answered()
    deliver(f"{written(found, output)}\n", None)
    ask.keep()


def plot(
    ask: Ask,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="Draw it there: a .png, .svg or .pdf file. Without it, the numbers behind it are shown.",
            rich_help_panel="The picture",
        ),
    ] = None,
) -> None:
    from accord.core.figures.figure import check_path, is_picture
    from accord.doors.cli.output import deliver
    from accord.doors.rendering import render

    picture = output if output is not None and (ask.kind is None or is_picture(output)) else None  # else --csv -o x.csv
    if picture is not None:
        check_path(picture)
    found = ask.answered()
    if picture is None:
        ask.shown(found)
        if output is None:
            sys.stderr.write("these are the numbers behind the picture: -o picture.svg (or .png, .pdf) draws it\n")
        return
    found.save_plot(picture, width=ask.plan.option("width"))
    if ask.kind is not None:
        deliver(render(found, ask.kind), None, machine=True)
    else:
        deliver(f"{printable(str(picture))}: {printable(found.picture.caption)}\n", None)
    ask.keep()


def cite(
    ask: Ask,
    bibtex: Annotated[
        bool, typer.Option("--bibtex", help="The references alone, as BibTeX.", rich_help_panel=OUTPUT)
    ] = False,
) -> None:
    if not bibtex:
        ask()
        return
    from accord.doors.cli.output import deliver

    if ask.kind is not None:
        raise SpecError("option-conflict", f"--bibtex and --{ask.kind} cannot both be printed; choose one")
    deliver(ask.answered().bibtex, ask.given["output"], machine=True)
    ask.keep()


# -- to plan and to simulate ---------------------------------------------------------------------------------------


def plan(ask: Ask, spreadsheet: Spreadsheet = False) -> None:
    ask("csv" if ask.plan.option("documents") is not None else "text")


def shuffle(
    ask: Ask,
    keep_reference: Annotated[
        Path | None,
        typer.Option("--keep-reference", help="Write the reference there, too.", rich_help_panel="What to simulate"),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            rich_help_panel=OUTPUT,
            help="Write there instead of to the screen: a table, or a folder (a name without ending) that also says "
            "how long documents are and who marked nothing.",
        ),
    ] = None,
    spreadsheet: Spreadsheet = False,
) -> None:
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
        texts = {name: _csv(*table, spreadsheet=spreadsheet) for name, table in tables.items()}
        write_together(folder, {name: as_utf8(text) for name, text in texts.items()})
        ask.keep()
    else:
        ask.shown(found, "csv")
        _note(found.data.unsaid())
    if needed:
        _note([f"to read it back as it is, say {needed}"])


def xray(
    ask: Ask,
    plot: Curves = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            rich_help_panel=OUTPUT,
            help="Go on where a run with the same -o was stopped; the result is the same.",
        ),
    ] = False,
) -> None:
    output = ask.given["output"]
    if resume and output is None:
        raise SpecError("option-missing", "--resume goes on with a file: say which with -o")
    _check_plot(plot)
    ask.check()
    from accord.core.checkpoints import remove_journal
    from accord.doors.cli.output import progress, width
    from accord.doors.rendering.text import render_tables

    is_file = output is not None and (output.is_file() or not output.exists())  # a pipe has nothing beside it
    keeps = is_file and ask.given.get("checkpoint") is None  # which keeps the same
    journal = output.with_name(output.name + ".journal") if output is not None and keeps else None
    with ask.long(), progress() as tell:
        found = ask.plan.answer(tell, ask.given["jobs"], journal=journal, resume=resume)
    ask.shown(found, "csv")
    if plot is not None:
        found.save_plot(plot)
    if journal is not None:
        remove_journal(journal)
    if ask.kind is None:
        (sys.stdout if output is not None else sys.stderr).write(render_tables(found.tables(), width=width()))
    _note(found.notes())


def meaning(ask: Ask, plot: Curves = None) -> None:
    _check_plot(plot)
    found = ask.answered()
    ask.shown(found, "text" if ask.given["output"] is None else "csv")
    if plot is not None:
        found.save_plot(plot)


def _csv(columns: tuple[str, ...], rows: tuple[tuple[Any, ...], ...], *, spreadsheet: bool = False) -> str:
    from accord.core.tables import Table
    from accord.doors.rendering.for_programs import table_as_csv

    return table_as_csv(Table("", columns, rows), spreadsheet)


def _note(notes: tuple[str, ...] | list[str]) -> None:
    from accord.doors.cli.output import width
    from accord.doors.rendering.text import wrap_text

    for note in notes:
        sys.stderr.writelines(f"{line}\n" for line in wrap_text(note, width(), "  "))


DELIVERED: dict[str, Callable[..., None]] = {
    one.__name__: one
    for one in (
        read,
        convert,
        score,
        check,
        trend,
        influence,
        align,
        gold,
        report,
        plot,
        cite,
        plan,
        shuffle,
        xray,
        meaning,
    )
}
