"""What commands do with their answers besides printing them: files, plots, exit codes.

Each function has the name of its command. Its parameters after `ask` are options of that command only. `IN_PYTHON`
lists the Python equivalent of each option.
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
    "output": "write result.to_frame() or str(result)",
    "notes": "score.notes(); Python returns all notes",
    "save": "save the program",
    "run_file": "run the program again",
    "force": "Python overwrites without asking",
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
    "keep_reference": "the reference is an argument",
    "save_reading": "save the reading options",
}

Plot = Annotated[Path | None, typer.Option(help="Write a plot: a .png, .svg or .pdf file.", rich_help_panel=OUTPUT)]
Curves = Annotated[
    Path | None, typer.Option(help="Write a plot of the curves: .png, .svg or .pdf.", rich_help_panel=OUTPUT)
]
Spreadsheet = Annotated[
    bool,
    typer.Option(
        "--spreadsheet",
        help="Make CSV files safe for spreadsheets: put an apostrophe before cells that look like formulas.",
        rich_help_panel=Rare(OUTPUT),
    ),
]
To = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="FORMAT",
        help="The format to write: table, parquet, brat, webanno_tsv, uima_xmi, label_studio, prodigy, doccano, elan, "
        "textgrid, rttm, iob. Default: chosen by the suffix; a folder gets tables.",
        autocompletion=completing.written_formats,
        rich_help_panel=OUTPUT,
    ),
]


# -- data ----------------------------------------------------------------------------------------------------------


SaveReading = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Write the reading options to a TOML file. Every command accepts it with --reading.",
        rich_help_panel=OUTPUT,
    ),
]


def read(ask: Ask, save_reading: SaveReading = None) -> None:
    found = ask.answered()
    saved = {} if save_reading is None else found.as_reading(ask.plan.reading)  # refuses an unsettled reading
    ask.shown(found)
    if save_reading is not None:
        import tomli_w

        from accord.core.writing import write_whole

        write_whole(save_reading, tomli_w.dumps(saved))


def map(ask: Ask, save_reading: SaveReading = None) -> None:  # noqa: A001 - the name of the command
    read(ask, save_reading)


def convert(
    ask: Ask,
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            help="The inputs, then the output: a new folder or a file.",
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
            "--csv contains only scores and breakdowns; use --json instead for the matrix, marginals, scales and "
            "explanations",
        )
    if ask.kind == "csv" and asked("cite"):
        raise SpecError(
            "option-conflict",
            "--csv contains only scores and breakdowns; use --json instead, or accord cite for the citation",
        )
    in_print = (
        ask.kind in {"latex", "markdown"} or ask.given["run_file"] is not None
    )  # a saved run can be printed in any format
    if asked("show") is not None and not in_print:
        raise SpecError(
            "option-conflict",
            "--show adds columns to --latex and --markdown only; add one of these, or leave --show out (CSV and JSON "
            "contain se and p)",
        )
    if asked("style") != "plain" and not (in_print or asked("cite")):
        raise SpecError("option-conflict", "--style has no effect here; use it with --latex, --markdown or --cite")
    ask()


def check(
    ask: Ask, junit: Annotated[Path | None, typer.Option(help="Write a JUnit XML file.", rich_help_panel=OUTPUT)] = None
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
    """Print the answer and write its plot. The name of the plot is checked before a long run."""
    _check_plot(path)
    found = ask.answered()
    if path is not None:
        found.save_plot(path)  # first, so that an error of the plot is the only output
    ask.shown(found)


def _check_plot(path: Path | None) -> None:
    if path is not None:
        from accord.core.figures.figure import check_path

        check_path(path)


# -- disagreements --------------------------------------------------------------------------------------------------


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
            help="Write undecided cases, largest disagreement first, with an empty column `decision`: .csv or .xlsx.",
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
        checked_target(list(ask.plan.paths), output, to)  # check before a long run
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
    """Whether the file of -o gets data in a format of `accord convert` instead of printed output."""
    from accord.answers.converting import names_a_format

    if to is not None and output is None:
        raise SpecError("option-missing", f"--to {to} needs an output; add -o gold/ or -o FILE")
    return output is not None and (to is not None or (kind is None and names_a_format(output)))


# -- reports and plots-----------------------------------------------------------------------------------------------


def report(
    ask: Ask,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE|FOLDER",
            help="A file such as report.html, or a folder with an additional page for each document. Default: print a "
            "summary.",
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
            help="Write the plot: a .png, .svg or .pdf file. Without -o, accord prints the plotted numbers.",
            rich_help_panel="Figure",
        ),
    ] = None,
) -> None:
    from accord.core.figures.figure import check_path, is_picture
    from accord.doors.cli.output import deliver
    from accord.doors.rendering import render

    picture = (
        output if output is not None and (ask.kind is None or is_picture(output)) else None
    )  # not with --csv -o x.csv
    if picture is not None:
        check_path(picture)
    found = ask.answered()
    if picture is None:
        ask.shown(found)
        if output is None:
            sys.stderr.write("these are the plotted numbers; add -o plot.svg (or .png, .pdf) to write the plot\n")
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
        bool, typer.Option("--bibtex", help="Print only the references, as BibTeX.", rich_help_panel=OUTPUT)
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


# -- planning and simulation ----------------------------------------------------------------------------------------


def plan(ask: Ask, spreadsheet: Spreadsheet = False) -> None:
    ask("csv" if ask.plan.option("documents") is not None else "text")


def shuffle(
    ask: Ask,
    keep_reference: Annotated[
        Path | None,
        typer.Option(
            "--keep-reference", help="Also write the reference to this file.", rich_help_panel="What to simulate"
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            rich_help_panel=OUTPUT,
            help="Write to a table instead of the terminal, or to a folder (a name without suffix), which also "
            "contains the lengths of documents and the annotators without units.",
        ),
    ] = None,
    spreadsheet: Spreadsheet = False,
) -> None:
    from accord.answers.converting import check_read_back
    from accord.core.writing import as_utf8, check_holds_no_other, write_together, write_whole

    found = ask.answered()
    into = output if ask.kind is None else None
    folder = (
        into if into and (into.is_dir() or not (into.suffix or into.exists())) else None
    )  # a device is not a folder
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
        _note([f"to read this file without changes, use {needed}"])


def xray(
    ask: Ask,
    plot: Curves = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            rich_help_panel=OUTPUT,
            help="Continue an interrupted run with the same -o. The result is the same.",
        ),
    ] = False,
) -> None:
    output = ask.given["output"]
    if resume and output is None:
        raise SpecError("option-missing", "--resume continues an output file; add -o FILE")
    _check_plot(plot)
    ask.check()
    from accord.core.checkpoints import remove_journal
    from accord.doors.cli.output import progress, width
    from accord.doors.rendering.text import render_tables

    is_file = output is not None and (output.is_file() or not output.exists())  # a pipe has no folder for a journal
    keeps = is_file and ask.given.get("checkpoint") is None  # a checkpoint stores the same parts
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
        map,
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
