"""Help texts, and completion in the shell."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from accord.doors.cli.help import MAIN, Rare, groups

from ..cases import for_each
from ..command_line import Cli
from ..planned import commands

COMMANDS = groups()
EVERY = sorted(name for names in COMMANDS.values() for name in names)


@pytest.mark.parametrize("command", EVERY)
@for_each("width", [60, 80, 120])
def test_help_fits_the_screen(cli: Cli, command: str, width: int) -> None:
    for option in ("--help", "--help-all"):
        got = cli(command, option, columns=width)
        if option == "--help-all" and got.code == 2:
            assert command in {"measures", "formats", "papers", "schema", "serve"}  # their --help lists all options
            continue
        assert got.code == 0, got.err
        assert got.out.startswith(f"Usage: accord {command}")
        assert not [line for line in got.out.splitlines() if len(line) > width]
        assert "<" not in got.out  # no <bool>, no <str>


@for_each("command", EVERY)
def test_help_all_lists_every_option_and_help_the_common_ones(cli: Cli, command: str) -> None:
    some, everything = cli(command, "--help").out, cli(command, "--help-all").out
    for param in commands()[command].params:
        if param.param_type_name == "option" and everything:
            assert f"{max(param.opts, key=len)} " in everything.replace("\n", " "), param.name
            shown = f"  {param.opts[0]} " in some.replace("\n", " ") or f", {param.opts[-1]} " in some
            assert shown != isinstance(param.rich_help_panel, Rare), param.name


def test_help_of_score_shows_common_options_first(cli: Cli) -> None:
    got = cli("score", "--help", columns=80).out
    assert len(got.splitlines()) <= 60
    options = [line for line in got.splitlines() if line.startswith("  -") and "--help" not in line]
    assert len(options) == 12
    for title in ("Examples", "Data", "Measures", "Output", "How the data are read"):
        assert f"\n{title}\n" in got
    assert "more options: accord score --help-all" in got
    assert "--seed N " in got


@for_each("command", EVERY)
def test_every_command_has_an_example(cli: Cli, command: str) -> None:
    assert f"  accord {command}" in cli(command, "--help").out


def test_help_lists_the_main_commands_first_and_each_command_once(cli: Cli) -> None:
    got = cli("--help", columns=80).out
    titles = ["Main commands", *COMMANDS, "Options"]
    assert [title for title in titles if f"\n{title}\n" in got] == titles
    assert sorted(titles, key=lambda title: got.index(f"\n{title}\n")) == titles
    main = got[got.index("\nMain commands\n") : got.index(f"\n{next(iter(COMMANDS))}\n")]
    assert re.findall(r"^  (\w+) ", main, flags=re.MULTILINE) == list(MAIN)
    assert len(MAIN) == 8
    listed = re.findall(r"^  ([a-z]+) ", got[: got.index("\nOptions\n")], flags=re.MULTILINE)
    assert sorted(name for name in listed if name != "accord") == sorted(EVERY)
    assert all(len(line) <= 80 for line in got.splitlines())


# -- completion --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a program `accord`."""
    folder = tmp_path_factory.mktemp("bin")
    program = folder / "accord"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} -c 'from accord.doors.cli import main; import sys; "
                       "sys.argv[0] = \"accord\"; main()' \"$@\"\n", encoding="utf-8")  # fmt: skip
    program.chmod(0o755)
    (folder / "table.csv").write_text("post,annotator,label_tone,label_topic\np1,A,x,y\n", encoding="utf-8")
    return folder


def run(shell: Path, *command: str, **env: str) -> str:
    paths = {"PATH": f"{shell}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    found = subprocess.run(  # noqa: S603
        command, capture_output=True, text=True, check=False, cwd=shell, env={**os.environ, **paths, **env}
    )
    assert not found.stderr, found.stderr
    return found.stdout


def proposed(shell: Path, *words: str) -> list[str]:
    """Return the completions that bash would show for these words."""
    asked = {"COMP_WORDS": " ".join(("accord", *words)), "COMP_CWORD": str(len(words))}
    return run(shell, "accord", _ACCORD_COMPLETE="complete_bash", **asked).split()


def test_completion_proposes_measures_columns_and_options(shell: Path) -> None:
    assert proposed(shell, "score", "-m", "alp")[:1] == ["alpha"]
    assert "alpha(distance=ordinal)" in proposed(shell, "score", "-m", "'alpha(dis")
    assert proposed(shell, "score", "-m", "'gamma(distance=nominal,chance=sh") == [
        "gamma(distance=nominal,chance=shift)"
    ]
    assert proposed(shell, "score", "table.csv", "--label", "label_to") == ["label_tone", "label_topic"]
    assert proposed(shell, "score", "table.csv", "--by", "p") == ["pair", "post"]
    assert "bootstrap" in proposed(shell, "score", "--interval", "b")
    assert "--interval" in proposed(shell, "score", "--int")
    assert proposed(shell, "meas") == ["measures"]


@pytest.mark.parametrize(
    ("words", "one"),
    [(("measures", "gam"), "gamma"), (("read", "--layout", "conf"), "confusion"),
     (("read", "--format", "web"), "webanno_tsv"), (("convert", "--to", "text"), "textgrid"),
     (("shuffle", "--error", "sh"), "shift"), (("read", "--repeats", "tr"), "trials"),
     (("score", "--scale", "alt"), "altman"), (("read", "--annotators-in", "ti"), "tiers"),
     (("trend", "table.csv", "--by", "label_to"), "label_topic"), (("compare", "-m", "kap"), "kappa")],
)  # fmt: skip
def test_completion_proposes_names(shell: Path, words: tuple[str, ...], one: str) -> None:
    assert one in proposed(shell, *words)


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_completion_script_works_in_bash(shell: Path) -> None:
    """Run the script that `--show-completion` prints in bash."""
    script = run(shell, "accord", _ACCORD_COMPLETE="source_bash")
    asked = 'COMP_WORDS=(accord score -m "\'alpha(dist"); COMP_CWORD=3; _accord_completion accord'
    got = run(shell, "bash", "--norc", "-c", f'{script}\n{asked}\nprintf "%s\\n" "${{COMPREPLY[@]}}"')
    assert "alpha(distance=ordinal)\n" in got


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_completion_scripts_are_printed_for_each_shell(shell: Path, name: str) -> None:
    script = run(shell, "accord", _ACCORD_COMPLETE=f"source_{name}")
    assert "_ACCORD_COMPLETE=complete_" in script
    assert "accord" in script
