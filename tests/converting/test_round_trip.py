"""Written data are read back equal. Data that a format cannot represent are refused, and nothing is written."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import accord
from accord.core.errors import AccordError
from accord.data.io.formats.catalogue import FORMATS
from accord.data.model.corpus import Corpus
from accord.data.model.data import Data
from accord.data.model.ratings import Ratings

from ..hypothesis_profiles import examples

SUFFIX = {"label_studio": ".json", "prodigy": ".jsonl", "parquet": ".parquet"}
OF_UNITS = [one.name for one in FORMATS if one.written and one.name != "parquet"]
OF_TEXTS = [name for name in OF_UNITS if name not in {"elan", "textgrid", "rttm"}]
OF_TIMES = ["table", "elan", "textgrid", "rttm", "prodigy", "label_studio"]
NAMES = st.text("abÄz1_-. %/:😀[|", min_size=1, max_size=6).map(str.strip).filter(bool)
LABELS = st.text("abÄ1_-<>&\"'|[];*\\😀. ", min_size=1, max_size=6).map(str.strip).filter(bool)
TEXTS = st.text("ab.😀𝒳é \n\t'<&#-\\|_", max_size=30).map("a{}".format)


@st.composite
def draw_corpora(draw: st.DrawFn, texts: bool, apart: bool = False, labels: Any = LABELS, names: Any = NAMES) -> Corpus:
    """Draw documents judged by some annotators, with or without units."""
    docs = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    people = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    used = draw(st.lists(labels, min_size=1, max_size=3, unique=True))
    drawn = draw(st.lists(TEXTS, min_size=len(docs), max_size=len(docs), unique=True)) if texts else []
    contents = dict(zip(docs, drawn, strict=False))
    looked = {doc: draw(st.lists(st.sampled_from(people), min_size=1, unique=True)) for doc in docs}
    ends = {doc: float(len(contents[doc])) if texts else 20.0 for doc in docs}
    rows = []
    for doc in docs:
        for who in looked[doc]:
            at = 0.0
            for _ in range(draw(st.integers(0, 3))):
                places = (
                    st.integers(int(at), int(ends[doc]))
                    if texts
                    else st.integers(int(at * 8), 160).map(lambda k: k / 8)
                )
                start, end = sorted((draw(places), draw(places)))
                blank = texts and apart and (contents[doc] + " ")[start].isspace() | contents[doc][end - 1].isspace()
                if start < end and not blank:
                    rows.append((doc, who, start, end, draw(st.sampled_from(used))))
                    at = float(end) if apart else 0.0
    if not rows:
        rows.append((docs[0], looked[docs[0]][0], 0, 1, used[0]))
    columns = dict(zip(("doc", "annotator", "start", "end", "label"), map(list, zip(*rows, strict=True)), strict=True))
    made = accord.read(columns, extents={doc: (0, ends[doc]) for doc in docs}, judged=looked, keep_empty=True)
    assert isinstance(made, Corpus)
    return Corpus(**{**made.__getstate__(), "texts": contents})


def convert_and_read(data: Data | Mapping[str, Data], to: str) -> tuple[Any, dict[str, Data] | None]:
    """Return the result of convert and the data read back. A refusal writes no file."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / f"out{SUFFIX.get(to, '')}"
        try:
            outcome = accord.convert(data, target, to)
        except AccordError as error:
            left, refused = list(Path(folder).iterdir()), error
        else:
            return outcome, accord.read_all([target], **outcome.reading)
    assert left == []
    assert "\n" not in str(refused)
    return refused, None


def units(data: Corpus) -> Counter[tuple[Any, ...]]:
    return Counter((float(start), float(end)) for _, _, start, end, _ in data.rows()[1])


@pytest.mark.parametrize("to", OF_TEXTS)
@examples(20)
@given(data=st.data())
def test_units_of_texts_survive_a_round_trip(to: str, data: st.DataObject) -> None:
    corpus = data.draw(draw_corpora(texts=True))
    outcome, back = convert_and_read(corpus, to)
    if back is not None:
        check_round_trip(corpus, outcome, back)


@pytest.mark.parametrize("to", OF_TIMES)
@examples(20)
@given(data=st.data())
def test_units_of_recordings_survive_a_round_trip(to: str, data: st.DataObject) -> None:
    corpus = data.draw(draw_corpora(texts=False))
    outcome, back = convert_and_read(corpus, to)
    if back is not None:
        check_round_trip(corpus, outcome, back)


def check_round_trip(corpus: Corpus, outcome: Any, back: Mapping[str, Data]) -> None:
    """Check that the data are equal, or renamed with a note."""
    (other,) = back.values()
    assert isinstance(other, Corpus)
    if not any("renamed" in note for note in outcome.notes):
        assert other.digest == corpus.digest
    assert units(other) == units(corpus)
    assert Counter(other.judged.sum(axis=1).tolist()) == Counter(corpus.judged.sum(axis=1).tolist())


PLAIN_NAMES = st.sampled_from(["Ana", "Ben", "Chloé", "d1", "d2", "x 1"])
PLAIN_LABELS = st.sampled_from(["PER", "LOC", "big-Ä", "a&b", "x|y", "😀"])


@pytest.mark.parametrize("to", sorted({*OF_TEXTS, *OF_TIMES}))
@examples(20)
@given(data=st.data())
def test_plain_units_keep_their_digest_in_every_format(to: str, data: st.DataObject) -> None:
    """Every format accepts units without overlap and with usual names."""
    corpus = data.draw(draw_corpora(texts=to in OF_TEXTS, apart=True, labels=PLAIN_LABELS, names=PLAIN_NAMES))
    outcome, back = convert_and_read(corpus, to)
    if back is None:
        excused = {"elan": "milliseconds"}
        assert to in excused, outcome
        assert excused[to] in str(outcome), outcome
    else:
        check_round_trip(corpus, outcome, back)


@examples(20)
@given(st.data())
def test_labels_of_items_survive_a_round_trip(data: st.DataObject) -> None:
    items = data.draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    people = data.draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    rows = [(i, a, data.draw(LABELS)) for i in items for a in people if data.draw(st.booleans())] or [
        (items[0], people[0], "x")
    ]
    columns = dict(zip(("item", "annotator", "label"), map(list, zip(*rows, strict=True)), strict=True))
    try:
        ratings = accord.read(columns, layout="long", keep_empty=True)
    except AccordError:
        return
    assert isinstance(ratings, Ratings)
    for to in ("table", "parquet", "label_studio", "prodigy", "doccano"):
        outcome, back = convert_and_read(ratings, to)
        if back is not None:
            (other,) = back.values()
            if not any("renamed" in note for note in outcome.notes):
                assert Counter(other.rows()[1]) == Counter(ratings.rows()[1]), to
