"""One annotator wrote all columns: attributes, times and aspects are not labels by several annotators."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import accord

from ..contract.suggestions import workbook
from ..refusals import raises

N = 60
pytestmark = pytest.mark.filterwarnings("ignore::accord.ReadingWarning")


def draw(seed: int, columns: int, scale: Sequence[object], wrong: float = 0.4) -> list[list[object]]:
    """Return labels of N items by annotators who sometimes choose at random, or aspects that correlate."""
    rng = np.random.default_rng(seed)
    truth, noise = rng.integers(len(scale), size=(N, 1)), rng.integers(len(scale), size=(N, columns))
    codes = np.where(rng.random((N, columns)) < wrong, noise, truth)
    return [[scale[int(code)] for code in row] for row in codes]


def write(folder: Path, header: Sequence[object], rows: Sequence[Sequence[object]]) -> Path:
    path = folder / "t.csv"
    path.write_text("".join(",".join(map(str, row)) + "\n" for row in [header, *rows]), encoding="utf-8")
    return path


def alpha(data: object) -> float:
    return accord.alpha(data, interval="none").value


def numbered(name: str, many: int = 6) -> tuple[str, ...]:
    return tuple(name.format(k) for k in range(1, many + 1))


ATTRIBUTES = [
    ("Study", *numbered("D{}")),
    ("Study", "Randomization", "Deviations", "Missing data", "Reporting"),
    ("patient", "fever", "cough", "fatigue"),
    ("participant_id", *numbered("BFI_{}")),
    ("subject_id", *numbered("phq9_{}")),
    ("subject", *numbered("trial_{}")),
    ("subject", "T1", "T2", "T3"),
    ("subject", "pre", "followup"),
    ("country", "2015", "2016", "2017"),
    ("user", *numbered("task{}_success")),
    ("id", *numbered("var{}")),
    ("id", *numbered("X{}")),
    ("id", *numbered("v_00{}")),
    ("id", "gpt4_score", "llama_score", "claude_score"),
    ("id", "r.eye", "l.eye"),
    ("tweet_id", "Clinton", "Sanders", "Trump"),
    ("review_id", "food", "service", "price", "ambience"),
    ("review_id", "food", "service"),
]


@pytest.mark.parametrize("header", ATTRIBUTES, ids=",".join)
def test_attributes_of_a_row_are_not_annotators(tmp_path: Path, header: Sequence[str]) -> None:
    rows = draw(1, len(header) - 1, (0, 1, 2))
    path = write(tmp_path, header, [[k + 1, *x] for k, x in enumerate(rows)])
    with raises("roles-unclear", "--annotators-in columns"):
        accord.read(path)
    assert accord.read(path, annotators_in="columns").n_annotators == len(header) - 1


PEOPLE = [
    ("subject", "A", "B", "C"),
    ("subject", "J1", "J2", "J3", "J4"),
    ("patient", "radiologist1", "radiologist2", "radiologist3"),
    ("patient", "Dr Amin", "Dr Khan"),
    ("study", "Ana", "Ben", "Chloé"),
    ("subject", "rating_1", "rating_2", "rating_3"),
    ("country", "AK", "BL", "CM"),
    ("id", "Amateur_0", "Amateur_1", "Amateur_2"),
    ("id", "anotator1", "anotator2", "anotator3"),
    ("id", "winner1", "winner2", "winner3"),
    ("id", "E1", "E2", "E3"),
    ("id", "w1021", "w1093", "w2210"),
    ("id", "ASFBT1Y7WIMR2", "AAO3BGF50B61W", "ADNCXLNXXSUF4"),
    ("id", "gpt4", "llama", "claude"),
    ("id", "Kowalczyk", "Nowak"),
    ("study_id", "include_AB", "include_CD"),
    ("school", "Inspector A", "Inspector B"),
    ("id", "hate_G1", "hate_G2", "hate_G3"),
    ("id", "tone1", "tone2", "tone3"),
    ("id", "author1", "author2", "author3"),
]


@pytest.mark.parametrize("header", PEOPLE, ids=",".join)
def test_names_and_initials_of_people_are_annotators(tmp_path: Path, header: Sequence[str]) -> None:
    rows = draw(2, len(header) - 1, (0, 1, 2))
    ratings = accord.read(write(tmp_path, header, [[k + 1, *x] for k, x in enumerate(rows)]))
    assert ratings.annotators == tuple(header[1:])
    assert alpha(ratings) == pytest.approx(alpha([*rows]))


def test_unknown_names_that_agree_closely_are_annotators(tmp_path: Path) -> None:
    rows = draw(3, 4, "abc", wrong=0.15)
    path = write(tmp_path, ["id", "Kowalczyk", "Nowak", "Wójcik", "Zając"], [[k, *x] for k, x in enumerate(rows)])
    assert accord.read(path).n_annotators == 4


def test_numbers_of_persons_are_no_labels(tmp_path: Path) -> None:
    path = write(tmp_path, ["person", "height", "weight"], [[k + 1, *x] for k, x in enumerate(draw(22, 2, (1, 2, 3)))])
    with raises("roles-unclear"):
        accord.read(path)


def test_marks_that_only_occur_with_another_mark_are_finer_categories(tmp_path: Path) -> None:
    """Hate may target one person and may be aggressive; without hate, both are 0."""
    rng = np.random.default_rng(4)
    rows = [[k, f"what {k} other people say about it", h, h * int(rng.integers(2)), h * int(rng.integers(2))]
            for k, h in enumerate(rng.integers(2, size=200).tolist())]  # fmt: skip
    with raises("roles-unclear", "TR, AG are 1 only where HS is 1"):
        accord.read(write(tmp_path, ["id", "text", "HS", "TR", "AG"], rows))


# -- subjects --------------------------------------------------------------------------------------------------------


def experiment(subject: str, stimulus: str, label: str) -> tuple[list[str], list[list[object]], list[list[object]]]:
    """Return the header and rows of an experiment in which 20 subjects rate 8 of N stimuli each in a random order."""
    rng = np.random.default_rng(5)
    truth = rng.integers(1, 6, size=N)
    rows = [[who, k + 1, int(np.clip(truth[k] + rng.integers(-1, 2), 1, 5))]
            for who in range(1, 21) for k in rng.choice(N, size=8, replace=False).tolist()]  # fmt: skip
    table = [[None] * 20 for _ in range(N)]
    for who, k, x in rows:
        table[k - 1][who - 1] = x
    rng.shuffle(rows)
    return [subject, stimulus, label], rows, [*table]


@pytest.mark.parametrize(
    "names",
    [("subject_id", "stimulus_id", "rating"), ("Subject", "Word", "Rating"), ("SubjectID", "image", "score"),
     ("subj", "item", "response"), ("subject", "item_id", "label"), ("participant", "picture", "rating")],
    ids=",".join,
)  # fmt: skip
def test_subject_rates_stimuli(tmp_path: Path, names: tuple[str, str, str]) -> None:
    header, rows, table = experiment(*names)
    ratings = accord.read(write(tmp_path, header, rows))
    assert ratings.n_annotators == 20
    assert alpha(ratings) == pytest.approx(alpha(table))


@pytest.mark.parametrize("rater", ["rater", "Examiner", "doctor_id"])
def test_raters_rate_subjects(tmp_path: Path, rater: str) -> None:
    header, rows, _ = experiment(rater, "subject", "score")
    if rater == "doctor_id":
        with raises("roles-unclear", '--annotator "doctor_id"', '--annotator "subject"'):
            accord.read(write(tmp_path, header, rows))
        return
    assert accord.read(write(tmp_path, header, rows)).n_annotators == 20


def test_raters_in_columns_rate_images_of_subjects(tmp_path: Path) -> None:
    rows = [[k // 3, k % 3, *x] for k, x in enumerate(draw(6, 3, "abc"))]
    ratings = accord.read(write(tmp_path, ["subject", "image", "rater1", "rater2", "rater3"], rows))
    assert ratings.annotators == ("rater1", "rater2", "rater3")


def test_coders_compare_two_images_in_each_row(tmp_path: Path) -> None:
    labels = draw(24, 2, ("same", "other"))
    rows = [[f"a{k}.jpg", f"b{k}.jpg", *x] for k, x in enumerate(labels)]
    ratings = accord.read(write(tmp_path, ["image_1", "image_2", "coder_1", "coder_2"], rows))
    assert ratings.annotators == ("coder_1", "coder_2")


# -- what was judged, beside those who judge -------------------------------------------------------------------------


def test_model_beside_columns_of_judges_was_judged(tmp_path: Path) -> None:
    labels = draw(7, 4, (0, 1))
    rows = [[f"m{k % 4}", f"what they say {k}", f"question {k // 4}", *x, k % 2] for k, x in enumerate(labels)]
    header = ["model", "response", "question", "Llama-7B", "GPT-4", "Gemma-2B", "Human", "EM"]
    ratings = accord.read(write(tmp_path, header, rows))
    assert ratings.annotators == ("Llama-7B", "GPT-4", "Gemma-2B", "Human")
    assert ratings.n_items == N
    assert alpha(ratings) == pytest.approx(alpha(labels))


def test_headers_name_annotators_beside_a_column_of_models(tmp_path: Path) -> None:
    fluency, relevance = draw(8, 2, (1, 2, 3)), draw(9, 2, (1, 2, 3))
    rows = [[k, f"what {k} people say", "gpt2", *x, *y, sum(map(int, x)) / 2]
            for k, (x, y) in enumerate(zip(fluency, relevance, strict=True))]  # fmt: skip
    header = ["id", "response", "model", "fluency_annotator1", "fluency_annotator2", "relevance_annotator1",
              "relevance_annotator2", "fluency_avg"]  # fmt: skip
    data = accord.read_all(write(tmp_path, header, rows))
    assert list(data) == ["fluency", "relevance"]


# -- labels with unusual names and places ----------------------------------------------------------------------------


def test_counts_and_majority_beside_ten_annotators(tmp_path: Path) -> None:
    labels = [["" if (k + n) % 2 else x for n, x in enumerate(row)] for k, row in enumerate(draw(10, 10, "hn"))]
    rows = [[k, f"what {k} people say", *x, x.count("h"), 5 - x.count("h"), "hn"[x.count("h") < 3]]
            for k, x in enumerate(labels)]  # fmt: skip
    header = ["", "test_case", *numbered("label_{}", 10), "count_label_h", "count_label_nh", "label_annot_maj"]
    ratings = accord.read(write(tmp_path, header, rows))
    assert ratings.annotators == numbered("label_{}", 10)
    assert alpha(ratings) == pytest.approx(alpha([[x or None for x in row] for row in labels]))


@pytest.mark.parametrize("name", ["content", "comment", "note", "text"])
def test_few_small_numbers_are_labels_in_a_column_named_like_texts(tmp_path: Path, name: str) -> None:
    rows = [[k, who, x] for k, row in enumerate(draw(11, 3, (1, 2, 3))) for who, x in zip("ABC", row, strict=True)]
    data = accord.read_all(write(tmp_path, ["id", "worker", name], rows))
    assert list(data) == [name]


def test_url_names_the_item(tmp_path: Path) -> None:
    labels = draw(12, 3, "abc")
    rows = [[f"u{n}", f"http://x.org/p?id={k}", x] for k, row in enumerate(labels) for n, x in enumerate(row)]
    ratings = accord.read(write(tmp_path, ["user", "url", "label"], rows))
    assert (ratings.n_items, ratings.n_annotators) == (N, 3)


def test_empty_cells_beside_marks_mean_no(tmp_path: Path) -> None:
    marks = draw(13, 6, ("x", ""))
    header = ["id", *(f"{name}_Rater {n}" for name in ("Joy", "Fear") for n in (1, 2, 3))]
    data = accord.read_all(write(tmp_path, header, [[k, *x] for k, x in enumerate(marks)]))
    assert list(data) == ["Joy", "Fear"]
    assert alpha(data["Joy"]) == pytest.approx(alpha([[x or "no" for x in row[:3]] for row in marks]))


def test_empty_cells_of_a_data_frame_beside_marks_mean_no() -> None:
    pandas = pytest.importorskip("pandas")
    marks = draw(27, 2, ("x", ""))
    frame = pandas.DataFrame(
        {"id": range(N), "Ana": [a or None for a, _ in marks], "Ben": [b or np.nan for _, b in marks]}
    )
    assert alpha(accord.read(frame)) == pytest.approx(alpha([[x or "no" for x in row] for row in marks]))


def test_variables_in_rows_are_scored_apart(tmp_path: Path) -> None:
    frame, tone = draw(14, 2, ("conflict", "human")), draw(15, 2, (-1, 0, 1))
    rows = [[k, who, name, x] for k in range(N) for who in (0, 1)
            for name, x in (("frame", frame[k][who]), ("tone", tone[k][who]))]  # fmt: skip
    data = accord.read_all(write(tmp_path, ["article_id", "coder", "variable", "value"], rows))
    assert list(data) == ["frame", "tone"]
    assert alpha(data["frame"]) == pytest.approx(alpha(frame))


def test_choices_in_columns_of_potato_are_one_variable(tmp_path: Path) -> None:
    rows = [[f"u{n}", f"item_{k}", *(c if c == x else "" for c in ("pos", "neg"))]
            for k, row in enumerate(draw(16, 3, ("pos", "neg"))) for n, x in enumerate(row)]  # fmt: skip
    ratings = accord.read(write(tmp_path, ["user", "instance_id", "tone:::pos", "tone:::neg"], rows))
    assert ({*ratings.categories.labels}, ratings.n_annotators) == ({"neg", "pos"}, 3)


# -- items that several columns name, and tables of R ------------------------------------------------------------------


def test_two_systems_and_the_turn_are_part_of_the_item(tmp_path: Path) -> None:
    labels = draw(17, 3, ("model_a", "model_b", "tie"))
    rows = [[k // 6, "gpt" if k % 3 else "llama", "claude" if k % 2 else "vicuna", x, f"expert_{n}", k // 3 % 2 + 1]
            for k, row in enumerate(labels) for n, x in enumerate(row)]  # fmt: skip
    ratings = accord.read(write(tmp_path, ["question_id", "model_a", "model_b", "winner", "judge", "turn"], rows))
    assert (ratings.n_items, ratings.n_annotators) == (N, 3)
    assert alpha(ratings) == pytest.approx(alpha(labels))


@pytest.mark.parametrize(("sign", "quote"), [(",", '"'), ("\t", '"'), (" ", '"'), (" ", ""), (",", "")])
def test_row_names_of_r_have_no_header(tmp_path: Path, sign: str, quote: str) -> None:
    labels = draw(18, 3, (1, 2, 3))
    header = sign.join(f"{quote}rater{n}{quote}" for n in (1, 2, 3))
    lines = [sign.join([f"{quote}{k + 1}{quote}", *map(str, row)]) for k, row in enumerate(labels)]
    path = tmp_path / "ratings.txt"
    path.write_text("\n".join([header, *lines, ""]), encoding="utf-8")
    ratings = accord.read(path)
    assert (ratings.annotators, ratings.n_items) == (("rater1", "rater2", "rater3"), N)
    assert alpha(ratings) == pytest.approx(alpha(labels))


def test_spaces_align_columns_below_a_shorter_header(tmp_path: Path) -> None:
    labels = draw(19, 2, ("a", "bb"))
    path = tmp_path / "t.txt"
    path.write_text(
        "\n".join(["    rater1  rater2", *(f"{k:<4}{x:<8}{y}" for k, (x, y) in enumerate(labels)), ""]),
        encoding="utf-8",
    )
    assert alpha(accord.read(path)) == pytest.approx(alpha(labels))


def test_numbers_separated_by_spaces_need_two_options(tmp_path: Path) -> None:
    """A row per annotator, as in a handbook: the first line is data."""
    path = tmp_path / "t.txt"
    path.write_text("1 2 3 3 2 1 4\n1 2 3 3 2 2 4\n1 3 3 3 2 3 4\n1 2 3 3 2 4 4\n", encoding="utf-8")
    with raises("uneven-rows", '--delimiter " " --no-header'):
        accord.read(path)
    assert accord.read(path, delimiter=" ", no_header=True, annotators_in="rows").n_annotators == 4


def test_sheet_with_a_codebook_is_not_read(tmp_path: Path) -> None:
    codebook = "Variable,Values,Description\ntone,+/-,tone of the article\nframe,0/1,conflict\n"
    data = "ID,Text,Coder A,Coder B\n" + "".join(f"{k},what they say {k},{x},{y}\n" for k, (x, y) in
                                                enumerate(draw(25, 2, ("pro", "con"))))  # fmt: skip
    path = tmp_path / "t.xlsx"
    workbook(Codebook=codebook, Data=data)(path)
    assert accord.read(path).annotators == ("Coder A", "Coder B")


def test_suggested_columns_leave_out_the_majority(tmp_path: Path) -> None:
    rows = [[k, *x, "apqrstuv"[k % 8]] for k, x in enumerate(draw(26, 3, "abc"))]
    path = write(tmp_path, ["id", "cagri", "kaan", "label", "spans"], rows)
    with raises("roles-unclear", '--label "cagri" --label "kaan" (2 annotators)'):
        accord.read(path)


def test_comma_in_a_text_adds_no_row_names(tmp_path: Path) -> None:
    """id,label,text above texts with one comma each: the row has too many cells."""
    path = tmp_path / "t.csv"
    path.write_text("id,label,text\n" + "".join(f"{k},yes,First {k}, then more\n" for k in range(20)), encoding="utf-8")
    with raises("uneven-rows", "4 cells, but the header row has 3 columns"):
        accord.read(path)


def test_comma_in_a_number_adds_no_row_names(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("word,score\n" + "".join(f"w{k},{k % 5},{k % 10}\n" for k in range(20)), encoding="utf-8")
    with raises("uneven-rows", "3 cells, but the header row has 2 columns"):
        accord.read(path)


def test_questions_are_items_if_no_other_column_names_them(tmp_path: Path) -> None:
    rows = [[f"q{k}", who, x if k % 2 else f"{x}{x}", "b1"]
            for k, row in enumerate(draw(21, 3, "ab")) for who, x in zip("ABC", row, strict=True)]  # fmt: skip
    ratings = accord.read(write(tmp_path, ["question", "annotator", "answer", "batch"], rows))
    assert (ratings.n_items, ratings.n_annotators) == (N, 3)


def test_empty_list_is_the_label_of_an_annotator_who_chose_none(tmp_path: Path) -> None:
    labels = draw(20, 3, ("race", "age", None))
    path = tmp_path / "t.csv"
    lists = [str([[x] if x else [] for x in row]) for row in labels]
    path.write_text("id,annotations\n" + "".join(f'{k},"{row}"\n' for k, row in enumerate(lists)), encoding="utf-8")
    assert alpha(accord.read(path)) == pytest.approx(alpha([[x or "none" for x in row] for row in labels]))
