"""A fixed part of `make fuzz`, and all inputs that once failed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from accord.data.io.formats.catalogue import NATIVE

from . import running, samples
from .asking import NEVER, commands, drawn
from .cases import Case, kept
from .mix import FAMILIES, case
from .mutating import mutated
from .trying import Outcome, tried

REGRESSIONS = kept(Path(__file__).parent / "regressions")
SLICE = {"tables": 40, "formats": 40, "options": 25, "memory": 60, "specs": 80, "plans": 25, "heavy": 2}
SEED = 2026


def fine(one: Case, folder: Path) -> Outcome:
    found = tried(one, folder / "here")
    assert not found.failure, f"{found.failure}\n{one.to_json()}\n{found.detail}"
    return found


@pytest.mark.parametrize("path", REGRESSIONS, ids=lambda path: path.stem)
def test_inputs_found_by_fuzzing_stay_fixed(path: Path, tmp_path: Path) -> None:
    fine(Case.from_json(path.read_text(encoding="utf-8")), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("family", SLICE)
def test_first_inputs_of_each_family_pass(family: str, tmp_path: Path) -> None:
    """The first inputs of each family with a fixed seed."""
    left, number = SLICE[family], 0
    while left:
        made = case(SEED, number)
        number += 1
        if made.family == family:
            fine(made, tmp_path)
            left -= 1


def test_slice_has_every_family() -> None:
    assert set(SLICE) == set(FAMILIES)
    assert sum(share for share, _ in FAMILIES.values()) == pytest.approx(1)


def test_every_format_has_a_sample() -> None:
    assert {folder.name for folder in samples.HERE.iterdir()} == {one.name for one in NATIVE}


def test_samples_can_be_read(tmp_path: Path) -> None:
    """accord must read the samples, because mutations of refused files test little."""
    for sample in (*samples.tables(), *samples.formats()):
        found = fine(Case("", call=sample.call(), files=sample.files), tmp_path)
        assert found.answer == "answered accord.read_all", (sample.name, found)


def test_every_option_of_every_command_is_drawn() -> None:
    rng = Random(1)  # noqa: S311
    for command, known in commands().items():
        if command in NEVER or not known:
            continue
        words = {word for _ in range(600) for word in drawn(rng, command, "items")}
        assert set(known) <= words, command


def test_input_depends_only_on_seed_and_number() -> None:
    assert [case(3, k).to_json() for k in range(20)] == [case(3, k).to_json() for k in range(20)]
    assert case(3, 1).to_json() != case(4, 1).to_json()
    again = [Case.from_json(case(3, k).to_json()) for k in range(20)]
    assert again == [case(3, k) for k in range(20)]


def test_mutations_change_files() -> None:
    rng = Random(1)  # noqa: S311
    for sample in (*samples.tables(), *samples.formats()):
        for name, content in sample.files.items():
            assert any(mutated(rng, content, name) != content for _ in range(5)), sample.name


@pytest.mark.slow
def test_input_over_the_memory_limit_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "MEMORY", 2**20)  # each worker exceeds this
    run = running.Fuzzing(tmp_path, SEED, jobs=1)
    run.go(60, most=1)
    assert run.state["over_memory"] == 1
    assert run.summary().count("over 4 GB 1")


@pytest.mark.parametrize(
    ("message", "in_vain"),
    [
        ("a.sav: cannot be read as an SPSS file: Unable to allocate memory", True),
        ("a.csv: cannot be read, damaged or in another format: memory allocation failed", True),
        ("a.csv: no column “not enough memory”; there are: “allocation”", False),
    ],
)
def test_failed_allocations_are_noticed(message: str, in_vain: bool, tmp_path: Path) -> None:
    """Readers pass on the messages of libraries."""
    raised = f"(_ for _ in ()).throw(accord.AccordError('usage', {message!r}))"
    found = tried(Case("", call=raised), tmp_path / "here")
    assert (found.failure == "over memory") == in_vain


@pytest.mark.parametrize(
    ("call", "failure"),
    [
        ("accord.core.errors.counted(1, None)", "AttributeError in errors.py:counted"),
        ("accord.core.errors.warnings.warn('x', RuntimeWarning)", "no such table can be made"),
    ],
)
def test_failures_are_named_by_exception_and_function(call: str, failure: str, tmp_path: Path) -> None:
    found = tried(Case("", call=call), tmp_path / "here")
    assert failure in {found.failure, found.answer}
