"""Every question has the same parameters in every interface: the command line, Python, saved runs, the page."""

from __future__ import annotations

import ast
import inspect
import textwrap
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import accord
from accord.answers.catalogue import MODULES, ON_PAGE, question_named, summary_of
from accord.answers.plan import as_toml, plan_of
from accord.answers.question import Question, documented_entry
from accord.core.errors import Interface
from accord.core.options import SHAPES, Parameter
from accord.data.io.reading import READING, Reading
from accord.doors.cli.commands import ANSWER, HELP, LONG, READING_FILE
from accord.doors.cli.delivering import DELIVERED, IN_PYTHON
from accord.doors.serving.about import as_dict
from accord.doors.serving.asking import Asked

from ..command_line import Cli, refused
from ..planned import commands, planned
from ..refusals import raises

EVERY = pytest.mark.parametrize("name", MODULES)
# Parameters of Python that are no options, with their equivalent.
ONLY_IN_PYTHON = {
    "progress": "the terminal shows a progress bar",
    "names": "compare: the names of the files",
    "path": "report: -o",
    "journal": "xray: a folder beside -o",
    "resume": "xray: --resume",
}
# Options with several meanings, with the reason.
TWO_MEANINGS = {
    "sets": "xray and meaning: number of simulated sets; other commands: separator of labels that are sets",
    "annotators": "shuffle and xray: number to simulate; other commands: annotators to keep",
    "reference": "shuffle, xray: an annotator in the data; meaning: in the gold standard; advise: by definition",
    "by": "parts, columns, rounds or settings, depending on the question",
    "measure": "one or several measures, depending on the question",
    "replicates": "annotators: optional replicates of models, which take long",
    "null": "plan: a value to plan for; other commands: a value to test",
    "method": "gold: method of the consensus; compare: method of the test",
    "width": "plan: width of an interval; plot: width of a figure",
    "score": "plan and replace: similarity to the other annotators",
    "models": "replace: models to test; advise: annotators that are models",
}


def options_of(name: str) -> set[str]:
    """Return the names of the options of a command."""
    return {one.name for one in commands()[name].params if one.param_type_name == "option" and one.name != "help"}


@EVERY
def test_command_line_has_every_parameter_of_the_question(name: str) -> None:
    question = question_named(name)
    assert set(question.parameters) <= options_of(name)
    for one in question.parameters.values():
        (param,) = [p for p in commands()[name].params if p.name == one.name]
        typed = {*param.opts, *param.secondary_opts}
        assert typed == {flag for text in one.flags for flag in text.split("/")}, one.name
        assert param.help == one.option.help
    if question.reads:
        assert set(READING) - set(question.parameters) <= options_of(name)


@EVERY
def test_every_option_is_a_python_parameter_or_has_a_reason(name: str) -> None:
    question = question_named(name)
    declared = set(question.parameters) | (set(READING) if question.reads else set())
    common = {*ANSWER, *LONG, *HELP, *READING_FILE}
    for option in options_of(name) - declared:
        assert option in {*IN_PYTHON, "reading"}, option
    if name in DELIVERED:
        own = set(inspect.signature(DELIVERED[name]).parameters) - {"ask", "paths"}
        assert own <= options_of(name)
        assert own - common <= set(IN_PYTHON)


@EVERY
def test_every_python_parameter_is_an_option_or_has_a_reason(name: str) -> None:
    question = question_named(name)
    function = getattr(accord, question.python_name)
    taken = set(inspect.signature(function).parameters) - {*question.data, "reading", "options"}
    if question.python_name != name:  # read_all has only options of reading
        return
    assert taken - set(question.parameters) <= set(ONLY_IN_PYTHON)
    shown = {one.name for one in question.parameters.values() if one.option.elsewhere}
    assert set(question.parameters) - shown <= taken


@EVERY
def test_options_that_only_choose_what_is_shown_are_refused_in_python(name: str) -> None:
    question = question_named(name)
    for one in question.parameters.values():
        if one.option.elsewhere:
            with raises("option-renamed"):
                getattr(accord, question.python_name)([["a", "b"]], **{one.name: "x"})


@EVERY
def test_every_parameter_is_declared_with_a_help_and_a_known_shape(name: str) -> None:
    for one in question_named(name).parameters.values():
        assert one.shape in SHAPES, one.name
        assert len(one.option.help) > 5, one.name
        assert one.option.heading, one.name


def test_option_has_the_same_help_in_all_commands() -> None:
    meanings: dict[str, set[str]] = {}
    for name in MODULES:
        for one in question_named(name).parameters.values():
            meanings.setdefault(one.name, set()).add(one.option.help)
    several = {name for name, helps in meanings.items() if len(helps) > 1}
    assert several <= set(TWO_MEANINGS), {name: meanings[name] for name in several - set(TWO_MEANINGS)}
    own = {one for name in MODULES for one in question_named(name).parameters}
    assert own & set(READING) == {"annotators", "sets"}


@EVERY
def test_former_names_still_work_and_are_not_in_use(name: str) -> None:
    question = question_named(name)
    for old, new in question.former_names.items():
        assert old not in question.signature.parameters
        assert question.renamed({old: 1}) == {new: 1}
        with raises("option-conflict"):
            question.renamed({old: 1, new: 2})


@pytest.mark.parametrize(
    ("words", "now"),
    [
        (("compare", "x.csv", "--with", "pi"), "--measure-b"),
        (("score", "x.csv", "--with", "se"), "--show"),
        (("influence", "x.csv", "--of", "item"), "--by"),
        (("replace", "x.csv", "--kind", "who"), "--family"),
        (("plan", "--documents", "9", "--people", "3"), "--team"),
    ],
)
def test_former_options_are_refused_with_the_new_name(cli: Cli, words: tuple[str, ...], now: str) -> None:
    refused(cli(*words), "[option-renamed]", now)


ROWS = {"item": [*range(8)], "A": list("aabbabab"), "B": list("aabbabba"), "C": list("aabbaabb")}


def test_former_keywords_give_the_same_as_new_ones() -> None:
    assert accord.score(ROWS, spec="alpha").value == accord.score(ROWS, measure="alpha").value
    assert accord.check(ROWS, minimum={"alpha": 0.1}).passed == accord.check(ROWS, min={"alpha": 0.1}).passed
    old = accord.influence(ROWS, "alpha", of=["annotator"], annotators=["A"])
    assert old.to_dict() == accord.influence(ROWS, "alpha", by=["annotator"], leave_out=["A"]).to_dict()
    old = accord.replace(ROWS, "C", least_items=2)
    assert old.to_dict() == accord.replace(ROWS, "C", min_items=2).to_dict()


def test_by_in_python_scores_each_value_of_a_column() -> None:
    rounds = {**ROWS, "round": ["1"] * 4 + ["2"] * 4}
    found = accord.score(rounds, "percent", by="round", item="item", label=["A", "B", "C"])
    parts = {value: score.value for value, score in found.parts["round"].items()}
    for value in "12":
        rows = {name: [x for x, r in zip(column, rounds["round"], strict=True) if r == value]
                for name, column in ROWS.items()}  # fmt: skip
        assert parts[value] == accord.percent(rows, item="item", label=["A", "B", "C"]).value


def test_check_is_true_if_it_passed() -> None:
    assert accord.check(ROWS, {"alpha": 0.1})
    assert not accord.check(ROWS, {"alpha": 0.99})
    accord.check(ROWS, {"alpha": 0.1}).raise_if_failed()
    with raises("check-failed"):
        accord.check(ROWS, {"alpha": 0.99}).raise_if_failed()


@EVERY
def test_saved_run_is_read_back_as_the_same_plan(name: str) -> None:
    question = question_named(name)
    stated = {one.name: _value(one) for one in question.kept.values() if _value(one) is not None}
    plan = planned(name, "a.csv", **stated)
    kept = as_toml(plan)
    table = {key: list(v) if isinstance(v, tuple) else v for key, v in kept.items() if key not in {"accord", "command"}}
    assert plan_of(table, question, "run.toml") == plan


def _value(one: Parameter) -> Any:
    """Return a value that is not the default, or None if the option accepts only certain values."""
    if one.option.canonical is not None:
        return None
    made = {"flag": True, "whole": 7, "number": 0.25, "text": "x", "texts": ("x", "y"), "numbers": (0.25,),
            "names": "x,y", "file": "f.csv", "value": 0.25, "switch": False}  # fmt: skip
    return made[one.shape]


@EVERY
def test_input_schema_is_valid_and_accepts_a_saved_run(name: str) -> None:
    question = question_named(name)
    schema = question.schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert set(schema["properties"]) == {"paths", *question.kept, *(["reading"] if question.reads else [])}
    stated = {one.name: _value(one) for one in question.kept.values() if _value(one) is not None}
    lists = {key: list(v) if isinstance(v, tuple) else v for key, v in stated.items()}
    chosen = {key: v for key, v in lists.items() if not question.parameters[key].option.choices}
    needed = {one.name: "x" for one in question.parameters.values() if one.required}
    jsonschema.validate({"paths": ["a.csv"], **needed, **chosen}, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**needed, "no_such_option": 1}, schema)


def test_schema_of_an_input_needs_a_command(cli: Cli) -> None:
    refused(cli("schema", "--input"), "[option-missing]", "--input")
    refused(cli("schema", "scroe", "--input"), "[unknown-name]", '"score"')


def test_page_lists_every_option_of_its_commands() -> None:
    about = as_dict()["commands"]
    assert set(about) == set(ON_PAGE)
    for name in ON_PAGE:
        assert about[name] == question_named(name).schema()


def test_page_refuses_a_reading_that_is_not_a_table(tmp_path: Path) -> None:
    with raises("page-upload"):
        Asked("score", {"reading": 3}, tmp_path).plan  # noqa: B018


@EVERY
def test_docstring_documents_every_parameter(name: str) -> None:
    question = question_named(name)
    text = question.docstring()
    assert text.startswith(question.summary[:40])
    assert "Parameters\n----------\n" in text
    assert "Returns\n-------\n" in text or name == "read"
    for argument in question.python_signature().parameters.values():
        assert f"\n{'**' if argument.name == 'reading' else ''}{argument.name}" in text, argument.name


def test_long_help_is_wrapped_in_docstrings() -> None:
    assert all(len(line) <= 88 for line in documented_entry("x : int", "word " * 60))


ROUNDS = {**ROWS, "round": ["1"] * 4 + ["2"] * 4}
WIDE = {"item": "item", "label": ["A", "B", "C"]}


def test_data_read_with_a_column_can_be_scored_by_it() -> None:
    data = accord.read(ROUNDS, **WIDE, by="round")
    assert set(accord.score(data, "percent", by="round").parts["round"]) == {"1", "2"}
    with raises("unknown-name"):
        accord.score(accord.read(ROWS), "percent", by="round")


def test_two_columns_are_broken_down_by_parts_but_not_by_columns() -> None:
    assert set(accord.alpha(ROWS["A"], ROWS["B"], by="category").parts["category"]) == {"a", "b"}
    with raises("option-not-for-data"):
        accord.alpha(ROWS["A"], ROWS["B"], by="round")


@pytest.mark.parametrize("name", ["influence", "gold", "disagreements", "intra", "meaning", "align", "replace", "plan"])
def test_second_measure_is_refused_where_a_command_takes_one(cli: Cli, garden: Path, name: str) -> None:
    refused(cli(name, garden / "sentences.csv", "-m", "pi", "-m", "kappa"), f"{name} takes one measure at a time")


@pytest.mark.parametrize(
    ("words", "example"),
    [
        (("check",), "accord check corpus/ --min gamma=0.7"),
        (("convert",), "accord convert project/ recordings/ --to textgrid"),
        (("convert", "x.csv"), "accord convert project/ recordings/ --to textgrid"),
        (("trend", "x.csv"), "accord trend labels.csv --by round"),
    ],
)
def test_missing_arguments_are_refused_with_a_complete_command(cli: Cli, words: tuple[str, ...], example: str) -> None:
    refused(cli(*words), "[option-missing]", example)


def test_missing_argument_is_refused_in_python_with_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Interface, "command_line", False)
    with raises("option-missing", "accord.trend(data, by=…)"):
        accord.trend(ROWS)


# -- saved runs with former names of options ------------------------------------------------------------------------


def test_measure_in_a_list_is_read_for_questions_that_take_one() -> None:
    question = question_named("influence")
    assert plan_of({"measures": ["pi"]}, question, "run.toml").options == {"measure": "pi"}
    for empty in ({"measures": []}, {"measure": []}):
        assert plan_of(empty, question, "run.toml").options == {}
        assert plan_of(empty, question_named("score"), "run.toml").options == {}
    with raises("option-conflict"):
        plan_of({"measures": ["pi", "kappa"]}, question, "run.toml")


def test_people_in_a_saved_layout_become_its_team() -> None:
    plan = plan_of({"documents": "6", "people": "3"}, question_named("plan"), "run.toml")
    assert plan.options == {"documents": "6", "team": "3"}


def test_saved_run_with_options_of_latex_runs_without_latex(cli: Cli, garden: Path, tmp_path: Path) -> None:
    kept = tmp_path / "run.toml"
    printed = cli("score", garden / "sentences.csv", "--latex", "--show", "se", "--style", "apa", "--save", kept)
    assert printed.code == 0
    assert cli("score", "--run", kept).code == 0
    assert cli("score", "--run", kept, "--latex").out == printed.out


# -- reading files --------------------------------------------------------------------------------------------------


def test_saved_reading_gives_the_same_numbers_in_every_command(cli: Cli, tmp_path: Path) -> None:
    table = tmp_path / "odd.csv"
    rows = "".join(f"i{k},{who},{'xyNA'[k % 2 * (n != 1)]},{k}\n" for k in range(9) for n, who in enumerate("PQR"))
    table.write_text("thing,who,verdict,when\n" + rows, encoding="utf-8")
    saved = tmp_path / "reading.toml"
    options = ("--item", "thing", "--annotator", "who", "--label", "verdict", "--missing", "N")
    assert cli("read", table, *options, "--save-reading", saved).code == 0
    assert 'item = "thing"' in saved.read_text(encoding="utf-8")
    for command in ("score", "gold", "disagreements", "influence"):
        assert cli(command, table, "--reading", saved).out == cli(command, table, *options).out
    typed = cli("score", table, "--reading", saved, "--missing", "y")  # typed options take precedence
    assert typed.out != cli("score", table, "--reading", saved).out
    python = accord.score(table, "percent", reading=saved).value
    assert python == accord.score(table, "percent", item="thing", annotator="who", label="verdict", missing="N").value
    again = accord.score(
        table, "percent", reading=Reading(item="thing", annotator="who", label=("verdict",), missing=("N",))
    )
    assert again.value == python


def test_reading_file_contains_the_roles_of_columns(cli: Cli, garden: Path, tmp_path: Path) -> None:
    saved = tmp_path / "reading.toml"
    assert cli("read", garden / "sentences.csv", "--save-reading", saved).code == 0
    text = saved.read_text(encoding="utf-8")
    assert 'layout = "long"' in text
    assert 'annotator = "annotator"' in text


def test_damaged_reading_files_are_refused_in_one_line(cli: Cli, garden: Path, tmp_path: Path) -> None:
    saved = tmp_path / "reading.toml"
    for text, words in (
        ("[reading]\nlayuot = 'wide'\n", "[saved-file-invalid]"),
        ("[reading]\nlabel = 3\n", "[saved-file-invalid]"),
        ("nothing", "[saved-file-invalid]"),
    ):
        saved.write_text(text, encoding="utf-8")
        refused(cli("score", garden / "sentences.csv", "--reading", saved), words)
    refused(cli("score", garden / "sentences.csv", "--reading", tmp_path / "none.toml"), "[file-missing]")
    with raises("option-value"):
        accord.score(ROWS, "percent", reading=3)


def test_every_function_that_reads_takes_a_reading(tmp_path: Path) -> None:
    saved = tmp_path / "reading.toml"
    saved.write_text('[reading]\nmissing = ["b"]\n', encoding="utf-8")
    for reading in (saved, str(saved), {"missing": ["b"]}, Reading(missing=("b",))):
        assert accord.read(ROWS, reading=reading).digest == accord.read(ROWS, missing="b").digest
        assert accord.read_all(ROWS, reading=reading).keys() == accord.read_all(ROWS).keys()
        two = accord.percent(ROWS["A"], ROWS["B"], reading=reading)
        assert two.n == accord.percent(ROWS["A"], ROWS["B"], missing="b").n
    assert accord.read(ROWS, reading=saved, missing="a").digest == accord.read(ROWS, missing="a").digest
    numbers = {"x": [4, 2, 3, 4], "y": [4, 2, 4, 4], "z": [9, 1, 7, 2]}
    forms = accord.icc_forms(numbers, reading={"annotators": ["x", "y"]})
    assert forms["1"].value == accord.icc_forms(numbers, annotators=["x", "y"])["1"].value


def test_reading_refuses_other_options() -> None:
    with raises("unknown-name"):
        accord.score(ROWS, "alpha", reading={"level": 0.5})


def test_parameter_without_an_option_is_not_a_parameter_of_the_question() -> None:
    def wrong(data: Any, odd: int = 3) -> None: ...

    assert "odd" not in Question(wrong, ("x.csv",)).parameters


@EVERY
def test_list_of_commands_shows_the_summary_of_the_question(name: str) -> None:
    assert summary_of(name) == question_named(name).summary


def test_functions_without_a_question_take_readings_and_former_names(tmp_path: Path) -> None:
    saved = tmp_path / "reading.toml"
    saved.write_text('[reading]\nannotators = ["A", "B"]\n', encoding="utf-8")
    assert accord.read(ROWS, reading=saved).n_annotators == 2
    assert (
        accord.read(ROWS, reading=saved, annotators=["A", "B", "C"]).n_annotators == 3
    )  # given options take precedence
    assert accord.marginals(ROWS, reading=saved).to_dict() == accord.marginals(ROWS, annotators=["A", "B"]).to_dict()
    asked = {"width": 0.4, "simulations": 0}
    assert accord.sample_size(spec="kappa", **asked).n == accord.sample_size(measure="kappa", **asked).n
    old = accord.replacement_size("C", pilot=ROWS, epsilon=0.9, least_items=3, simulations=0)
    assert old.n == accord.replacement_size("C", pilot=ROWS, epsilon=0.9, min_items=3, simulations=0).n
    with raises("measure-option"):
        accord.generate("units=3", categories=2)


@EVERY
def test_every_parameter_is_used_by_the_function_that_declares_it(name: str) -> None:
    """An option that the function never uses would be ignored silently."""
    function = question_named(name).function
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(tree, ast.FunctionDef)
    body = [node for statement in tree.body for node in ast.walk(statement)]
    looked_at = {node.id for node in body if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    if name == "plan":  # it looks up options by name and refuses those without effect
        assert "locals" in looked_at
        looked_at |= set(question_named(name).parameters)
    assert set(question_named(name).signature.parameters) <= looked_at
