"""Output files: accord never overwrites its input or foreign files, writes whole files, and uses UTF-8."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from accord.core import writing
from accord.doors.cli import main
from accord.doors.cli.output import escaped

from ..command_line import Cli, refused

Write = Callable[..., Path]
LABELS = "item,annotator,label\n1,Ana,x\n1,Ben,x\n2,Ana,y\n2,Ben,x\n3,Ana,y\n3,Ben,y\n"
UNITS = "doc,annotator,start,end,label\nd,Ana,0,5,x\nd,Ben,1,5,x\nd,Ana,8,9,y\nd,Ben,8,9,x\n"
SCORE = ("score", "-m", "alpha", "--interval", "none")


@pytest.mark.parametrize("option", ["-o", "--save"])
@pytest.mark.parametrize("force", [(), ("--force",)])
def test_input_is_never_overwritten(cli: Cli, table: Write, option: str, force: tuple[str, ...]) -> None:
    path = table(LABELS)
    refused(cli(*SCORE, path, option, path, *force), "[output-exists]")
    link = path.with_name("link.csv")
    link.symlink_to(path)
    refused(cli(*SCORE, path, option, link, *force), "[output-exists]")
    refused(cli(*SCORE, link, option, path, *force), "[output-exists]")
    hard = path.with_name("hard.csv")
    os.link(path, hard)
    refused(cli(*SCORE, path, option, hard, *force), "[output-exists]")
    assert path.read_text() == LABELS


@pytest.mark.parametrize(
    "command",
    [
        ("influence", "-m", "alpha", "--plot", "in.svg"),
        ("trend", "--by", "annotator", "--plot", "in.svg"),
        ("check", "--min", "alpha=0", "--junit", "in.svg"),
        ("gold", "--soft", "in.csv"),
        ("gold", "--adjudicate", "in.csv"),
        ("gold", "-o", "in.csv"),
        ("shuffle", "--reference", "Ana", "--keep-reference", "in.csv"),
        ("shuffle", "--reference", "Ana", "-o", "in.csv"),
        ("xray", "--reference", "Ana", "-o", "in.csv"),
        ("meaning", "--plot", "in.svg"),
        ("align", "-o", "in.csv"),
        ("cite", "--bibtex", "-o", "in.csv"),
    ],
)
def test_no_option_of_any_command_overwrites_the_input(
    cli: Cli, table: Write, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = table(UNITS if command[0] == "align" else LABELS, "in.csv")
    monkeypatch.chdir(place.parent)
    if command[-1] != place.name:
        place.rename(command[-1])  # give the table a name that is valid for a plot
    refused(cli(command[0], command[-1], *command[1:], "--force"), "[output-exists]")
    assert Path(command[-1]).read_text().startswith(("item,", "doc,"))


def test_output_never_replaces_files_read_beside_the_data(cli: Cli, table: Write) -> None:
    units, folder = table(UNITS, "in/units.csv"), table(UNITS, "in/units.csv").parent
    docs = table("doc,begin,end\nd,0,10\n", "in/docs.csv")
    refused(cli("score", units, "-m", "ser", "-o", docs, "--force"), "[output-exists]")
    refused(cli("score", folder, "-m", "ser", "-o", docs, "--force"), "[output-exists]")
    refused(cli("score", folder, "-m", "ser", "-o", units, "--force"), "[output-exists]")
    judged = table("doc,annotator\nd,Ana\nd,Ben\n", "elsewhere.csv")
    refused(cli("score", units, "--judged", judged, "-m", "ser", "-o", judged, "--force"), "[output-exists]")
    assert cli("score", folder, "-m", "ser", "--json", "-o", folder.parent / "new.json").code == 0


def test_output_never_replaces_files_named_by_specs_or_options(cli: Cli, table: Write) -> None:
    path, matrix = table(LABELS), table(",x,y\nx,0,1\ny,1,0\n", "m.csv")
    spec = f"alpha(distance=matrix('{matrix}'))"
    refused(cli("score", path, "-m", spec, "-o", matrix, "--force"), "[output-exists]")
    last = table(cli(*SCORE, path, "--json").out, "last.json")
    refused(cli("check", path, "--min", "alpha=0", "--baseline", last, "-o", last, "--force"), "[output-exists]")
    kept = path.with_name("run.toml")
    assert cli(*SCORE, path, "--save", kept).code == 0
    refused(cli("score", "--run", kept, "-o", kept, "--force"), "[output-exists]")


def test_file_not_written_by_accord_is_replaced_with_force(cli: Cli, table: Write) -> None:
    path, mine = table(LABELS), table("my notes", "notes.txt")
    refused(cli(*SCORE, path, "-o", mine), "[output-exists]", "--force")
    refused(cli("convert", path, table("kept", "out.csv")), "[output-exists]", "--force")
    assert mine.read_text() == "my notes"
    assert cli(*SCORE, path, "-o", mine, "--force").code == 0
    assert cli(*SCORE, path, "-o", mine).code == 0  # accord wrote this file
    mine.write_text(mine.read_text() + "and my remarks")
    refused(cli(*SCORE, path, "-o", mine), "[output-exists]")


def test_filled_in_decisions_are_not_overwritten(cli: Cli, table: Write) -> None:
    path, todo = table(LABELS), table("", "x").with_name("todo.csv")
    for _ in range(2):
        assert cli("gold", path, "--adjudicate", todo).code == 0
    filled = todo.read_text().rstrip("\n") + "y\n"
    todo.write_text(filled)
    refused(cli("gold", path, "--adjudicate", todo), "[output-exists]", "--force")
    refused(cli("gold", path, "--decisions", todo, "--adjudicate", todo, "--force"), "[output-exists]")
    assert todo.read_text() == filled
    assert "1 manual decision applied" in cli("gold", path, "--decisions", todo).out


def test_folder_of_tables_is_replaced_if_accord_wrote_it(cli: Cli, table: Write) -> None:
    path = table(UNITS)
    folder = path.parent / "made"
    shuffle = ("shuffle", path, "--reference", "Ana", "--error", "shift", "-o", folder)
    assert cli(*shuffle).code == cli(*shuffle).code == 0
    (folder / "docs.csv").write_text("doc,begin,end\nd,0,99\n")
    refused(cli(*shuffle), "[output-exists]", "--force")
    assert cli(*shuffle, "--force").code == 0


def test_two_outputs_to_one_file_are_refused(cli: Cli, table: Write) -> None:
    path = table(LABELS)
    refused(cli(*SCORE, path, "-o", path.parent / "a", "--save", path.parent / "a"), "[output-name]")
    assert cli(*SCORE, path, "-o", "/dev/null", "--save", "/dev/null").code == 0


def test_without_a_register_existing_files_are_not_replaced(
    cli: Cli, table: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = table(LABELS)
    monkeypatch.setenv("XDG_CACHE_HOME", str(table("no folder", "cache")))
    out = path.with_name("out.txt")
    assert cli(*SCORE, path, "-o", out).code == 0
    refused(cli(*SCORE, path, "-o", out), "[output-exists]", "--force")


def test_register_is_small_and_contains_no_file_names(
    register: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(writing, "_REMEMBERED", 5)
    names = [tmp_path / f"secret{k}" for k in range(40)]
    for path in names:
        path.write_bytes(b"content")
        writing.remember({path: b"content"})
    kept = (tmp_path / "accord" / "written").read_text()
    assert 5 <= kept.count("\n") <= 11
    assert "secret" not in kept
    assert writing.is_ours(names[-1])
    assert not writing.is_ours(names[0])
    assert register != tmp_path / "accord" / "written"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no POSIX file modes")
def test_output_keeps_the_mode_of_the_file_it_replaces(cli: Cli, table: Write) -> None:
    path, out = table(LABELS), table("", "out.csv")
    out.chmod(0o600)
    assert cli(*SCORE, path, "-o", out, "--force").code == 0
    assert out.stat().st_mode & 0o777 == 0o600
    assert cli("convert", path, out).code == 0
    assert out.stat().st_mode & 0o777 == 0o600
    out.chmod(0o444)
    refused(cli(*SCORE, path, "-o", out), "[output-exists]", "--force")
    assert cli(*SCORE, path, "-o", out, "--force").code == 0
    assert out.stat().st_mode & 0o777 == 0o444


@pytest.mark.parametrize("command", [("influence", "-m", "alpha"), ("trend", "--by", "annotator"), ("meaning",)])
def test_failed_plot_leaves_no_file(
    cli: Cli, table: Write, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    from matplotlib.figure import Figure

    def broken(self: Figure, target: object, **_: object) -> None:
        if isinstance(target, str | Path):
            Path(target).touch()
        else:
            target.write(b"half")  # type: ignore[attr-defined]
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Figure, "savefig", broken)
    rounds = "".join(f"{line},{1 + k % 2}\n" for k, line in enumerate(LABELS.splitlines()[1:]))
    path = table("item,annotator,label,round\n" + rounds) if command[0] == "trend" else table(LABELS)
    wanted = ("trend", "--by", "round") if command[0] == "trend" else command
    more = ("--sets", "1", "--step", "0.5") if command[0] == "meaning" else ()
    before = sorted(path.parent.iterdir())
    assert cli(wanted[0], path, *wanted[1:], *more, "--plot", path.with_name("p.png")).code == 2
    assert sorted(path.parent.iterdir()) == before


# -- characters -------------------------------------------------------------------------------------------------------

NAMES = "item,annotator,label\n1,Zoë,κ\n1,Zoê,κ\n2,Zoë,λ\n2,Zoê,κ\n"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_machine_readable_output_is_utf8_on_any_terminal(
    table: Write, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = table(NAMES)

    def printed(*output: str) -> bytes:
        screen = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(screen, encoding=encoding))
        asked = ("score", str(path), "-m", "alpha", "--interval", "none", "--by", "annotator", *output)
        monkeypatch.setattr(sys, "argv", ["accord", *asked])
        main()
        sys.stdout.flush()
        return screen.getvalue()

    made = json.loads(printed("--json").decode())
    assert set(made["scores"][0]["parts"]["annotator"]) == {"Zoë", "Zoê"}
    rows = list(csv.DictReader(io.StringIO(printed("--csv").decode())))
    assert {row["name"] for row in rows} >= {"Zoë", "Zoê"}
    for kind in ("--markdown", "--latex"):
        assert "Zoë" in printed(kind).decode()
    shown = printed().decode(encoding)
    names = ("Zoë", "Zoê") if encoding == "cp1252" else (r"Zo\xeb", r"Zo\xea")
    assert all(name in shown for name in names)
    assert "?" not in shown


def test_only_the_rule_of_a_table_becomes_ascii() -> None:
    import codecs

    codecs.register_error("tried", escaped)
    assert "a ──\n─── ──\n".encode("ascii", "tried") == b"a \\u2500\\u2500\n--- --\n"


def test_undecodable_names_stay_different_in_json(tmp_path: Path) -> None:
    from accord.core.writing import write_whole

    write_whole(tmp_path / "x.json", json.dumps(["\udce9", "\udcea"], ensure_ascii=False))
    assert json.loads((tmp_path / "x.json").read_bytes()) == ["\udce9", "\udcea"]


def test_output_to_dev_stdout(tmp_path: Path, table: Write) -> None:
    if not Path("/dev/stdout").exists():
        pytest.skip("the system has no /dev/stdout")
    out = tmp_path / "out.csv"
    with out.open("wb") as file:
        command = [sys.executable, "-m", "accord", *SCORE, str(table(LABELS)), "--csv", "-o", "/dev/stdout"]
        subprocess.run(command, stdout=file, check=True)  # noqa: S603
    assert out.read_text().startswith("variable,")


def test_gold_names_the_files_it_wrote(garden: Path, cli: Cli, tmp_path: Path) -> None:
    out = cli("gold", garden / "spans.csv", "-o", tmp_path / "gold.csv")
    assert out.out == f"{tmp_path / 'gold.csv'}: gold standard by vote: 66 units, 4 undecided\n"
