"""Every error type against its definition (Mathet et al. 2012, 3.3; 2015, 6.3.1), counts and distributions."""

from __future__ import annotations

import numpy as np
import pytest

from accord.answers.simulate.errors import ERRORS, Category, error_type
from accord.answers.simulate.generate import generate
from accord.answers.simulate.grounds import Ground, Marks, TextGround
from accord.core.errors import SpecError, UnknownName
from accord.data.model import Corpus, Segmentations

from ..cases import for_each
from ..refusals import raises

UNITS = ("false_negative", "false_positive", "false_positive(overlap=false)", "fragment(x=5)",
         "shift", "shift(form=2015)", "shift(overlap=false)",
         "category", "category(prevalence=false,overlap=true)", "combination([shift,category])",
         "combination([shift(form=2015),false_positive],shares=[1,0.5])")  # fmt: skip
BOUNDARIES = ("false_negative", "false_positive", "fragment", "shift", "shift(form=2015)",
              "combination([false_negative,shift])")  # fmt: skip


def ground(**options: object) -> Ground:
    made = generate(**{"units": 200, "lengths": (4, 40), "gaps": (0, 30), "documents": 3, "seed": 4, **options})
    assert isinstance(made, Corpus)
    return Ground.of(made)


def text() -> TextGround:
    made = generate(units=60, categories=0, lengths=(2, 30), documents=2, segmentation=True, seed=4)
    assert isinstance(made, Segmentations)
    return TextGround.of(made)


GROUND, TEXT = ground(), text()


def damaged(spec: str, magnitude: float, seed: int = 1, source: Ground = GROUND) -> Marks:
    return error_type(spec).onto(source.marks, source, magnitude, np.random.default_rng(seed))


def rows(marks: Marks) -> list[tuple[float, ...]]:
    return sorted(zip(marks.doc.tolist(), marks.start.tolist(), marks.end.tolist(), marks.label.tolist(), strict=True))


@for_each("spec", UNITS)
def test_magnitude_0_gives_the_reference(spec: str) -> None:
    assert rows(damaged(spec, 0.0)) == rows(GROUND.marks)


@pytest.mark.parametrize("spec", BOUNDARIES)
def test_magnitude_0_gives_the_reference_of_boundaries(spec: str) -> None:
    cuts = error_type(spec).onto(TEXT.cuts, TEXT, 0.0, np.random.default_rng(1))
    assert (cuts.doc == TEXT.cuts.doc).all()
    assert (cuts.position == TEXT.cuts.position).all()


@pytest.mark.parametrize("spec", UNITS)
@for_each("magnitude", [0.1, 0.5, 1.0])
def test_units_stay_in_their_documents_and_keep_a_length(spec: str, magnitude: float) -> None:
    for seed in range(5):
        marks = damaged(spec, magnitude, seed)
        assert (marks.start >= GROUND.begin[marks.doc]).all()
        assert (marks.end <= GROUND.end[marks.doc]).all()
        assert (marks.end > marks.start).all()
        assert (marks.start % 1 == 0).all()


@pytest.mark.parametrize("spec", BOUNDARIES)
@for_each("magnitude", [0.1, 0.5, 1.0])
def test_boundaries_stay_in_the_text_and_are_unique(spec: str, magnitude: float) -> None:
    cuts = error_type(spec).onto(TEXT.cuts, TEXT, magnitude, np.random.default_rng(2))
    assert (cuts.position >= 1).all()
    assert (cuts.position < TEXT.lengths[cuts.doc]).all()
    assert len({*zip(cuts.doc.tolist(), cuts.position.tolist(), strict=True)}) == len(cuts)


def test_units_are_missed_with_the_probability_of_the_magnitude() -> None:
    kept = np.mean([len(damaged("false_negative", 0.3, seed)) for seed in range(50)]) / len(GROUND.marks)
    assert kept == pytest.approx(0.7, abs=4 * np.sqrt(0.21 / (50 * 600)))
    assert not len(damaged("false_negative", 1.0))


def test_number_of_false_positives_is_m_x_n_with_shares_of_the_reference() -> None:
    """The paper prints m · x; it must be m · x · n."""
    n = len(GROUND.marks)
    assert len(damaged("false_positive", 0.5)) == n + 300
    assert len(damaged("false_positive(x=2)", 0.5)) == n + 600
    added = damaged("false_positive(x=20)", 1.0).at(np.arange(n, 21 * n))
    assert np.bincount(added.label) / len(added) == pytest.approx(GROUND.prevalence, abs=0.02)
    assert added.length.mean() == pytest.approx(GROUND.marks.length.mean(), rel=0.03)
    middle = (added.start - GROUND.begin[added.doc]) / (GROUND.end - GROUND.begin)[added.doc]
    assert np.histogram(middle, bins=5, range=(0, 1))[0] / len(added) == pytest.approx(0.2, abs=0.02)


@pytest.mark.parametrize("whole", [True, False])
def test_false_positives_without_overlap_are_in_gaps(whole: bool) -> None:
    source = ground(gaps=(20, 60), lengths=(4, 20))
    if not whole:
        marks = Marks(source.marks.doc, source.marks.start + 0.25, source.marks.end + 0.25, source.marks.label)
        source = Ground(marks, source.begin, source.end + 1, source.categories)
    made = damaged("false_positive(overlap=false)", 0.5, source=source)
    order = np.lexsort((made.start, made.doc))
    same = np.diff(made.doc[order]) == 0
    assert (made.start[order][1:] >= made.end[order][:-1])[same].all()
    assert len(made) == 1.5 * len(source.marks)  # enough room for all
    assert (made.start % 1 == 0).all() == whole


def test_units_without_room_are_not_added() -> None:
    full = ground(gaps=(0, 0))
    assert len(damaged("false_positive(overlap=false)", 1.0, source=full)) == len(full.marks)


def test_positions_without_overlap_are_equally_likely() -> None:
    marks = Marks(np.array([0]), np.array([2.0]), np.array([4.0]), np.array([0]))
    source = Ground(marks, np.array([0.0]), np.array([9.0]), ("a",))
    error = error_type("false_positive(overlap=false)")
    found = [error.onto(marks, source, 1.0, np.random.default_rng(seed)).start[1] for seed in range(1500)]
    places, counts = np.unique(found, return_counts=True)
    assert places.tolist() == [0, 4, 5, 6, 7]
    assert (abs(counts - 300) < 75).all()


def test_fractional_number_of_false_positives_is_right_on_average() -> None:
    few = ground(units=7, documents=1)
    counts = [len(damaged("false_positive", 0.25, seed, few)) - 7 for seed in range(400)]
    assert {*counts} == {1, 2}
    assert np.mean(counts) == pytest.approx(1.75, abs=0.1)


def test_fragments_are_n_x_m_splits_of_the_same_length() -> None:
    marks = damaged("fragment(x=2)", 0.5)
    assert len(marks) == 2 * len(GROUND.marks)
    assert marks.length.sum() == GROUND.marks.length.sum()
    order = np.lexsort((marks.start, marks.doc))
    inside = np.flatnonzero((np.diff(marks.start[order]) > 0) & (np.diff(marks.doc[order]) == 0))
    assert (marks.end[order][inside] <= marks.start[order][inside + 1]).all()


def test_fragments_can_be_split_again() -> None:
    one = ground(units=1, categories=1, lengths=(1000, 1000), documents=1)
    pieces = damaged("fragment(x=9)", 1.0, source=one)
    assert len(pieces) == 10
    atom = ground(units=3, lengths=(1, 1), documents=1)
    assert rows(damaged("fragment", 1.0, source=atom)) == rows(atom.marks)  # one atom cannot be split


def test_splits_are_uniform_within_a_unit() -> None:
    one = ground(units=1, categories=1, lengths=(1000, 1000), documents=1)
    points = [damaged("fragment", 1.0, seed, one).start.max() - one.marks.start[0] for seed in range(600)]
    assert np.mean(points) == pytest.approx(500, abs=4 * 289 / np.sqrt(600))
    assert np.std(points) == pytest.approx(289, abs=25)


def test_shift_is_uniform_up_to_mean_length_of_the_category() -> None:
    """maxlat = mean length of the category · m · x; x = 2."""
    by_category = ground(categories=2, lengths=((10, 10), (100, 200)), gaps=(900, 900))
    for form, scale in ((2012, by_category.mean_length[by_category.marks.label]), (2015, by_category.marks.length)):
        moved = [damaged(f"shift(form={form})", 0.2, seed, by_category) for seed in range(20)]
        for side in ("start", "end"):
            far = np.stack([getattr(m, side) - getattr(by_category.marks, side) for m in moved]) / (0.4 * scale)
            assert np.abs(far).max() <= 1 + 0.5 / 4
            assert far.mean() == pytest.approx(0, abs=0.03)
            assert far.std() == pytest.approx(1 / np.sqrt(3), abs=0.03)


def test_decimal_positions_may_move_to_decimals() -> None:
    marks = Marks(np.zeros(3, int), np.array([0.5, 10, 20]), np.array([5, 15.25, 30]), np.array([0, 0, 0]))
    source = Ground(marks, np.array([0.0]), np.array([40.0]), ("a",))
    moved = damaged("shift", 0.3, source=source)
    assert (moved.start % 1 != 0).any()


def test_shifts_without_overlap_keep_the_order() -> None:
    for magnitude in (0.2, 0.6, 1.0):
        marks = damaged("shift(overlap=false,form=2015)", magnitude)
        same = np.diff(marks.doc) == 0
        assert (marks.start[1:] >= marks.end[:-1])[same].all()
        assert (marks.label == GROUND.marks.label).all()
    overlapping = ground(overlap=0.5)
    with raises("measure-for-other-data"):
        damaged("shift(overlap=false)", 0.3, source=overlapping)


def test_shift_keeps_the_number_of_boundaries() -> None:
    for magnitude in (0.1, 1.0):
        cuts = error_type("shift").onto(TEXT.cuts, TEXT, magnitude, np.random.default_rng(3))
        assert (cuts.doc == TEXT.cuts.doc).all()
        assert (np.diff(cuts.position)[np.diff(cuts.doc) == 0] > 0).all()


def test_missed_and_inserted_boundaries_have_the_expected_number() -> None:
    n = len(TEXT.cuts)
    inserted = error_type("insertion").onto(TEXT.cuts, TEXT, 0.5, np.random.default_rng(3))
    assert len(inserted) == n + n // 2
    there = {*zip(inserted.doc.tolist(), inserted.position.tolist(), strict=True)}
    assert {*zip(TEXT.cuts.doc.tolist(), TEXT.cuts.position.tolist(), strict=True)} < there
    kept = [len(error_type("miss").onto(TEXT.cuts, TEXT, 0.4, np.random.default_rng(s))) for s in range(40)]
    assert np.mean(kept) / n == pytest.approx(0.6, abs=0.03)


@pytest.mark.parametrize("spec", ["category", "category(prevalence=false)", "category(overlap=true)"])
@pytest.mark.parametrize("magnitude", [0.1, 0.5, 1.0])
def test_labels_are_drawn_from_the_matrix(spec: str, magnitude: float) -> None:
    error = error_type(spec)
    assert isinstance(error, Category)
    wanted = error.matrix(magnitude, GROUND)
    found = np.zeros((4, 4))
    for seed in range(60):
        np.add.at(found, (GROUND.marks.label, damaged(spec, magnitude, seed).label), 1)
    assert found / found.sum(axis=1, keepdims=True) == pytest.approx(wanted, abs=0.02)
    assert wanted.sum(axis=1) == pytest.approx(1.0)


def test_units_without_label_stay_without_label() -> None:
    bare = Marks(np.zeros(4, int), np.arange(4.0) * 10, np.arange(4.0) * 10 + 5, np.array([0, -1, 1, -1]))
    source = Ground(bare, np.array([0.0]), np.array([40.0]), ("a", "b"))
    assert (damaged("category", 1.0, source=source).label >= 0).tolist() == [True, False, True, False]


def test_weights_are_interpolated_between_points() -> None:
    error = error_type("category(overlap=true,weights=[[0,1,0],[0.5,0.5,0.5],[1,0,0]])")
    assert isinstance(error, Category)
    assert error.shares(0.25) == pytest.approx((0.75, 0.25, 0.0))


def test_combination_divides_the_magnitude() -> None:
    both = error_type("combination([false_negative,category])")
    left = np.mean([len(both.onto(GROUND.marks, GROUND, 0.6, np.random.default_rng(s))) for s in range(40)])
    assert left / len(GROUND.marks) == pytest.approx(0.7, abs=0.01)
    same = error_type(["false_negative", "category"])
    assert same == both


@for_each("spec", [*UNITS, *BOUNDARIES, "category(worst=[[0.5,0.5],[0,1]],power=2)"])
def test_spec_of_an_error_round_trips(spec: str) -> None:
    assert error_type(str(error_type(spec))) == error_type(spec)


def test_every_error_type_has_a_title_and_a_source() -> None:
    assert all(cls.title and cls.source for cls in ERRORS)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("category(worst=[[0.5,0.4],[0,1]])", "row 1 sums to 0.9"),
        ("category(friendly=[[1,0]])", "row 1 has 2 numbers"),
        ("category(worst=3)", "list of rows"),
        ("category(worst=[[nan,0.5],[0.5,0.5]])", "row 1 sums to nan"),
        ("category(friendly=[[0,1],[1,0]])", "add overlap=true"),
        ("category(weights=[[0,1,0],[1,0,0.5]])", "add overlap=true"),
        ("category(weights=[[0,1,0],[1,nan,0]])", "points"),
        ("category(power=2,weights=[[0,1,0],[1,0,0]])", "use one of them"),
        ("category(weights=[[0,1,0]])", "points"),
        ("shift(form=2013)", "2012 or 2015"),
        ("shift(x=0)", "above 0"),
        ("fragment(x=nan)", "above 0"),
        ("shift(overlap=3)", "true or false"),
        ("combination([])", "name its errors"),
        ("combination([shift],shares=[2])", "between 0 and 1"),
        ("shfit", "did you mean"),
    ],
)
def test_wrong_spec_is_refused_in_one_line(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message) as raised:
        error_type(spec)
    assert "\n" not in str(raised.value)


def test_category_errors_need_two_categories() -> None:
    with raises("measure-for-other-data"):
        error_type("category").check(ground(categories=1))
    with raises("measure-for-other-data"):
        error_type("category(worst=[[1,0,0],[0,1,0],[0,0,1]])").check(GROUND)
    with raises("measure-for-other-data"):
        error_type("category").check(TEXT)
    with pytest.raises(UnknownName):
        error_type("noise")
