"""Every sentence of a verdict agrees with the numbers that it describes, over a grid of numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import pytest

from accord.answers.reporting.sentences import Number, Sentence, sentence_as_text
from accord.answers.reporting.verdicts import (
    HALF,
    SIGNIFICANT,
    WIDE,
    Measured,
    headline,
    limits_of_interval,
    meaning_of_value,
)

VALUES = (*(k / 20 for k in range(-20, 21)), 0.9996, 0.014, math.nan)
WIDTHS = (None, 0.0, 0.001, 0.05, 0.2, 0.21, 0.5, 0.9, 1.6)
SIZES = (1, 2, 3, 10, 58, 59, 200, 10_000)
# kind, corrected, above_chance: α; percent agreement; ICC; an error measure
KINDS = (("agreement", True, True), ("agreement", False, False), ("agreement", False, True), ("error", False, False))


def grid() -> Iterator[Measured]:
    """All combinations, with intervals around, above and below the value, cut to the range of the measure."""
    for (kind, corrected, above), value, width, n in product(KINDS, VALUES, WIDTHS, SIZES):
        if kind == "error" and value < 0:
            continue
        for p, level, left in product((None, 0.001, 0.4), (0.95, 0.99), (0.0, 0.5, 1.0)):
            low = high = None
            if width is not None and not math.isnan(value):
                low, high = max(-1.0, value - left * width), min(1.0, value + (1 - left) * width)
            noun, exact = ("item", True) if left else ("document", False)
            yield Measured(value, low, high, level, p, n, noun, kind, corrected, above, exact)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Said:
    """What a verdict claims, from its words only."""

    headline: str
    sentences: tuple[Sentence, ...]

    @property
    def text(self) -> str:
        return "\n".join([self.headline, *map(sentence_as_text, self.sentences)])

    def claims(self, pattern: str) -> bool:
        return re.search(pattern, self.text) is not None


def said(of: Measured) -> Said:
    nothing = math.isnan(of.value)
    sentences = () if nothing else (*meaning_of_value(of, "α"), *limits_of_interval(of))
    return Said(headline(of), sentences)


GRID = tuple((of, said(of)) for of in grid())


def expect(pattern: str) -> Iterator[tuple[Measured, Said, bool]]:
    for of, words in GRID:
        yield of, words, words.claims(pattern)


def test_wide_is_said_exactly_of_wide_intervals() -> None:
    for of, words, claimed in expect(r"\bwide\b|uncertain\b(?! the value)"):
        wide = of.low is not None and of.high is not None and of.high - of.low > WIDE
        assert claimed == wide, (of, words.text)


def test_width_that_is_said_is_the_width() -> None:
    for of, words in GRID:
        for sentence in words.sentences:
            if sentence_as_text(sentence).startswith("The interval is "):
                assert isinstance(sentence[1], Number)
                assert of.low is not None
                assert of.high is not None
                assert sentence[1].value == of.high - of.low


def test_beyond_chance_needs_the_interval_or_a_test() -> None:
    for of, words, claimed in expect(r"beyond chance"):
        shown = of.low is not None and of.low > 0
        tested = of.p is not None and of.p < SIGNIFICANT and of.value > 0
        below = of.high is not None and of.high < 0
        perfect = of.value == 1
        assert claimed == (of.corrected and not perfect and not below and (shown or tested)), (of, words.text)


def test_not_distinguishable_from_chance_needs_an_interval_with_0_and_no_significant_test() -> None:
    for of, words, claimed in expect(r"not distinguishable from chance"):
        contains = of.low is not None and of.high is not None and of.low <= 0 <= of.high
        tested = of.p is not None and of.p < SIGNIFICANT
        assert claimed == (of.corrected and of.value != 1 and contains and not tested), (of, words.text)


def test_less_than_by_chance_needs_the_interval_or_a_test() -> None:
    for of, words, claimed in expect(r"less than expected by chance"):
        if claimed:
            assert of.corrected
            assert of.high is not None
            assert of.high < 0 or (of.value <= 0 and of.p is not None and of.p < SIGNIFICANT), (of, words.text)


def test_perfect_is_said_exactly_of_perfect_values() -> None:
    for of, words, claimed in expect(r"agree perfectly"):
        assert claimed == (of.value == (0 if of.kind == "error" else 1)), (of, words.text)
        if claimed and of.n > 1:
            assert f"these {of.n:,} {of.noun}s" in words.headline


def test_closer_to_perfect_needs_an_interval_above_one_half_and_a_value_below_1() -> None:
    for of, words, claimed in expect(r"closer to perfect agreement than to chance"):
        assert claimed == (of.corrected and of.value < 1 and of.low is not None and of.low > HALF), (of, words.text)


def test_closer_to_chance_needs_an_interval_below_one_half() -> None:
    for of, words, claimed in expect(r"closer to chance than to perfect agreement"):
        if claimed:
            assert of.high is not None
            assert of.high < HALF, (of, words.text)


def test_claims_do_not_contradict_each_other() -> None:
    claims = (
        "agree perfectly",
        "beyond chance",
        "not distinguishable",
        "less than expected",
        "undefined",
        "no interval",
    )
    for of, words in GRID:
        made = [claim for claim in claims if claim in words.headline]
        assert len(made) <= 1 or made == ["beyond chance", "no interval"], (of, words.text)
        assert not ("closer to perfect" in words.headline and "closer to chance" in words.headline)


def test_no_interval_is_said_exactly_without_an_interval() -> None:
    for of, words, claimed in expect(r"the value has no interval"):
        applies = of.corrected and not of.perfect and not math.isnan(of.value)
        assert claimed == (applies and of.low is None), (of, words.text)


def test_chance_is_mentioned_only_for_corrected_measures() -> None:
    for of, words in GRID:
        if not of.corrected:
            assert "beyond chance" not in words.text
            assert "by chance" not in words.text
        if of.above_chance and not of.corrected:  # ICC
            assert "chance" not in words.text


def test_observed_disagreement_is_one_minus_the_value() -> None:
    for of, words in GRID:
        shares = [s[1] for s in words.sentences if s[0] == "Observed disagreement is "]
        assert [one.value for one in shares if isinstance(one, Number)] == [1 - of.value] * (
            of.corrected and of.value < 1
        )


def test_perfect_value_states_the_disagreement_that_its_items_do_not_exclude() -> None:
    """The exact limit of Clopper and Pearson for no disagreement on n items: 3 / n at 95%, for many items."""
    for of, words, claimed in expect(r"without disagreement do not exclude"):
        degenerate = of.low is None or of.low == of.high
        assert claimed == (of.perfect and degenerate), (of, words.text)
        if claimed:
            sentence = next(s for s in words.sentences if "do not exclude" in sentence_as_text(s))
            (limit,) = (part.value for part in sentence if isinstance(part, Number))
            assert (1 - limit) ** of.n == pytest.approx(1 - of.level)
            if of.n >= 58 and of.level == 0.95:
                assert limit == pytest.approx(3 / of.n, rel=0.03)


def test_perfect_value_of_few_items_needs_caution() -> None:
    def reasons(n: int) -> int:
        return len(list(limits_of_interval(Measured(1.0, 1.0, 1.0, n=n))))

    assert [reasons(n) for n in (2, 20, 58, 59, 10_000)] == [1, 1, 1, 0, 0]
    assert not list(limits_of_interval(Measured(1.0, 0.95, 1.0, n=20)))


def test_interval_without_width_of_an_imperfect_value_is_a_limitation() -> None:
    for of, words, claimed in expect(r"no width, so it does not show how uncertain"):
        assert claimed == (not of.perfect and of.low is not None and of.low == of.high), (of, words.text)


@pytest.mark.parametrize(
    ("of", "words"),
    [
        (Measured(0.014, -0.011, 0.039, p=0.3, n=500), "Agreement is not distinguishable from chance"),
        (
            Measured(0.014, -0.011, 0.039, p=0.01, n=500),
            "Annotators agree beyond chance, but closer to chance than to perfect agreement",
        ),
        (
            Measured(0.4, -0.1, 0.9, p=0.01, n=8),
            "Annotators agree beyond chance, but the degree of agreement is uncertain",
        ),
        (Measured(0.5, 0.45, 0.55, n=900), "Annotators agree beyond chance"),
        (Measured(1.0, 1.0, 1.0, n=20), "Annotators agree perfectly on these 20 items"),
        (Measured(1.0, n=1, noun="document", exact=False),
         "Annotators agree perfectly on this document by this measure"),
        (Measured(0.0, n=4, noun="document", kind="error", corrected=False, above_chance=False),
         "Annotators agree perfectly on these 4 documents"),
        (Measured(0.518, n=1), "Agreement in these data only: the value has no interval"),
    ],
)  # fmt: skip
def test_headlines(of: Measured, words: str) -> None:
    assert headline(of) == words
