# ruff: noqa: E501 - examples are as wide as on their pages
"""Written by `python -m accord.doors.functions.stub`: change the measures and their pages, not this file."""

from collections.abc import Callable
from typing import Any

from accord.core.result import NamedScores, Score
from accord.doors.functions.accepted import DistanceLike, FeaturesLike, PairLike, SimilarityLike
from accord.doors.functions.citing import cite as cite
from accord.doors.functions.scoring import score as score
from accord.measures.dissimilarities import Custom

def percent(
    data: Any,
    second: Any = None,
    *,
    weights: DistanceLike | None = None,
    distance: DistanceLike | None = None,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Percent agreement.

    How often do two annotators give the same item the same label? That is all this number says. 0.88
    means: take an item at random and two of its labels at random, and the two are equal in 88 of 100
    cases. Nothing is subtracted for agreement by luck. Spec: `percent`. Also known as `percentage`,
    `percent_agreement`, `observed_agreement`, `a_o`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `second`: the labels of a second annotator, where `data` are those of the first: a list, an array,
      a Series.
    - `weights`: partial credit for another label: linear, quadratic, radical, power(1.5), ordinal
      (Gwet's), ratio, circular, bipolar or a matrix of weights. Default: identity, no partial credit.
      Not together with `distance`.
    - `distance`: how far labels are apart: nominal (the default), ordinal (Krippendorff's), interval,
      ratio, circular, bipolar; for sets jaccard, dice, passonneau, masi, masi_nltk; for a hierarchy
      melamed_resnik, geertzen_bunt, extended_senses; or a matrix. Not together with `weights`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> table = [[46, 6, 0], [0, 32, 0], [0, 6, 10]]
        >>> data = accord.read(table, layout="confusion", categories=["STAT", "IREQ", "CHCK"])
        >>> score = accord.percent(data)
        >>> print(f"{score.value:.2f}, 95% from {score.interval.low:.3f} to {score.interval.high:.3f}")
        0.88, 95% from 0.815 to 0.945
        >>> print(f"{accord.percent(data, weights='linear').value:.2f}")
        0.94

    Source: Artstein & Poesio 2008, 2.3. The whole page: `accord measures percent`.
    """

def s(
    data: Any,
    second: Any = None,
    *,
    weights: DistanceLike | None = None,
    distance: DistanceLike | None = None,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Bennett's S (Brennan–Prediger).

    Agreement beyond chance, where chance means: a guesser who picks every category equally often. The
    value is 1 if all labels agree, 0 if they agree as often as such guessers would, below 0 if less
    often. Chance depends on the number of categories and on nothing else in the data. Spec: `s`. Also
    known as `bennett`, `bennett_s`, `brennan_prediger`, `bp`, `pabak` (two categories), `randolph`,
    `g_index`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `second`: the labels of a second annotator, where `data` are those of the first: a list, an array,
      a Series.
    - `weights`: partial credit for another label: linear, quadratic, radical, power(1.5), ordinal
      (Gwet's), ratio, circular, bipolar or a matrix of weights. Default: identity, no partial credit.
      Not together with `distance`.
    - `distance`: how far labels are apart: nominal (the default), ordinal (Krippendorff's), interval,
      ratio, circular, bipolar; for sets jaccard, dice, passonneau, masi, masi_nltk; for a hierarchy
      melamed_resnik, geertzen_bunt, extended_senses; or a matrix. Not together with `weights`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> table = [[20, 20], [10, 50]]
        >>> data = accord.read(table, layout="confusion", categories=["STAT", "IREQ"])
        >>> score = accord.s(data)
        >>> print(f"{score.value:.3f} = ({score.observed:.2f} - {score.expected:.2f}) / (1 - {score.expected:.2f})")
        0.400 = (0.70 - 0.50) / (1 - 0.50)

    Source: Bennett et al. 1954; Artstein & Poesio 2008, 2.4. The whole page: `accord measures s`.
    """

def pi(
    data: Any,
    second: Any = None,
    *,
    weights: DistanceLike | None = None,
    distance: DistanceLike | None = None,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Scott's π (Fleiss's κ, K).

    Agreement beyond chance, where chance means: all annotators guess, and all with the same habits. The
    habits are the shares of the categories in the labels of everybody together. 1 is perfect, 0 is what
    guessing with these shares gives, below 0 is less than that. For two annotators it is Scott's π. For
    more it is the coefficient that Fleiss called κ and Siegel and Castellan K. Spec: `pi`. Also known
    as `scott`, `scott_pi`, `fleiss`, `fleiss_kappa`, `k`, `multi_pi`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `second`: the labels of a second annotator, where `data` are those of the first: a list, an array,
      a Series.
    - `weights`: partial credit for another label: linear, quadratic, radical, power(1.5), ordinal
      (Gwet's), ratio, circular, bipolar or a matrix of weights. Default: identity, no partial credit.
      Not together with `distance`.
    - `distance`: how far labels are apart: nominal (the default), ordinal (Krippendorff's), interval,
      ratio, circular, bipolar; for sets jaccard, dice, passonneau, masi, masi_nltk; for a hierarchy
      melamed_resnik, geertzen_bunt, extended_senses; or a matrix. Not together with `weights`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> table = [[46, 6, 0], [0, 32, 0], [0, 6, 10]]
        >>> data = accord.read(table, layout="confusion", categories=["STAT", "IREQ", "CHCK"])
        >>> score = accord.pi(data)
        >>> print(f"{score.value:.4f}, observed {score.observed:.2f}, expected {score.expected:.4f}")
        0.7995, observed 0.88, expected 0.4014
        >>> print(f"{score.parts['category']['CHCK'].value:.3f}")
        0.735

    Source: Scott 1955; Fleiss 1971; Artstein & Poesio 2008, 2.4. The whole page: `accord measures pi`.
    """

def kappa(
    data: Any,
    second: Any = None,
    *,
    weights: DistanceLike | None = None,
    distance: DistanceLike | None = None,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Cohen's κ (Davies–Fleiss, Conger).

    Agreement beyond chance, where chance means: every annotator guesses with habits of their own. The
    habits are the shares of the categories in that annotator's labels. 1 is perfect, 0 is what such
    guessing gives, below 0 is less than that. With weights a near miss counts in part: that is weighted
    κ. For more than two annotators it is multi-κ: expected agreement is the mean over all pairs of
    annotators. Spec: `kappa`. Also known as `cohen`, `cohen_kappa`, `conger`, `davies_fleiss`,
    `hubert`, `multi_kappa`, `kappa_w`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `second`: the labels of a second annotator, where `data` are those of the first: a list, an array,
      a Series.
    - `weights`: partial credit for another label: linear, quadratic, radical, power(1.5), ordinal
      (Gwet's), ratio, circular, bipolar or a matrix of weights. Default: identity, no partial credit.
      Not together with `distance`.
    - `distance`: how far labels are apart: nominal (the default), ordinal (Krippendorff's), interval,
      ratio, circular, bipolar; for sets jaccard, dice, passonneau, masi, masi_nltk; for a hierarchy
      melamed_resnik, geertzen_bunt, extended_senses; or a matrix. Not together with `weights`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> table = [[46, 6, 0], [0, 32, 0], [0, 6, 10]]
        >>> data = accord.read(table, layout="confusion", categories=["STAT", "IREQ", "CHCK"])
        >>> print(f"{accord.kappa(data).value:.4f}")
        0.8013
        >>> costs = {("STAT", "IREQ"): 1, ("STAT", "CHCK"): 0.5, ("IREQ", "CHCK"): 0.5}
        >>> score = accord.kappa(data, distance=costs)
        >>> print(f"{score.value:.4f} = 1 - {score.details['observed_disagreement']:.2f}/0.49")
        0.8163 = 1 - 0.09/0.49

    Source: Cohen 1960; Davies & Fleiss 1982; Artstein & Poesio 2008, 2.4. The whole page: `accord
    measures kappa`.
    """

def alpha(
    data: Any,
    second: Any = None,
    *,
    weights: DistanceLike | None = None,
    distance: DistanceLike | None = None,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Krippendorff's α.

    Disagreement observed, against the disagreement of all the labels shuffled together: α = 1 −
    observed/expected. 1 is perfect, 0 is what shuffling gives, below 0 is systematic disagreement. α
    takes any number of annotators, missing labels, and a distance that says how bad a confusion is:
    categories, grades, numbers, sets, a hierarchy. Spec: `alpha`, `alpha(distance=ordinal)`. Also known
    as `krippendorff`, `krippendorff_alpha`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `second`: the labels of a second annotator, where `data` are those of the first: a list, an array,
      a Series.
    - `weights`: partial credit for another label: linear, quadratic, radical, power(1.5), ordinal
      (Gwet's), ratio, circular, bipolar or a matrix of weights. Default: identity, no partial credit.
      Not together with `distance`.
    - `distance`: how far labels are apart: nominal (the default), ordinal (Krippendorff's), interval,
      ratio, circular, bipolar; for sets jaccard, dice, passonneau, masi, masi_nltk; for a hierarchy
      melamed_resnik, geertzen_bunt, extended_senses; or a matrix. Not together with `weights`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> table = [[46, 6, 0], [0, 32, 0], [0, 6, 10]]
        >>> data = accord.read(table, layout="confusion", categories=["STAT", "IREQ", "CHCK"])
        >>> costs = {("STAT", "IREQ"): 1, ("STAT", "CHCK"): 0.5, ("IREQ", "CHCK"): 0.5}
        >>> score = accord.alpha(data, distance=costs)
        >>> observed = score.details["observed_disagreement"]
        >>> expected = score.details["expected_disagreement"]
        >>> print(f"{score.value:.4f} = 1 - {observed:.2f}/{expected:.4f}")
        0.8156 = 1 - 0.09/0.4879

    Source: Krippendorff 1980, 2004; Artstein & Poesio 2008, 2.6.1. The whole page: `accord measures
    alpha`.
    """

def ac(
    data: Any,
    second: Any = None,
    *,
    weights: DistanceLike | None = None,
    distance: DistanceLike | None = None,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Gwet's AC1/AC2.

    Agreement beyond chance, where chance means: annotators guess only on hard items, and the more
    evenly the categories are used, the more hard items there can be. If nearly all labels are one
    category, there was little to guess, and little is subtracted. So AC stays high where π, κ and α
    fall because one category is frequent. Without weights it is AC1, with weights AC2. Spec: `ac`,
    `ac(weights=linear)`. Also known as `ac1`, `ac2`, `gwet`, `gwet_ac1`, `gwet_ac2`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `second`: the labels of a second annotator, where `data` are those of the first: a list, an array,
      a Series.
    - `weights`: partial credit for another label: linear, quadratic, radical, power(1.5), ordinal
      (Gwet's), ratio, circular, bipolar or a matrix of weights. Default: identity, no partial credit.
      Not together with `distance`.
    - `distance`: how far labels are apart: nominal (the default), ordinal (Krippendorff's), interval,
      ratio, circular, bipolar; for sets jaccard, dice, passonneau, masi, masi_nltk; for a hierarchy
      melamed_resnik, geertzen_bunt, extended_senses; or a matrix. Not together with `weights`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> table = [[46, 6, 0], [0, 32, 0], [0, 6, 10]]
        >>> data = accord.read(table, layout="confusion", categories=["STAT", "IREQ", "CHCK"])
        >>> score = accord.ac(data)
        >>> print(f"AC1 {score.value:.4f}, expected {score.expected:.4f}")
        AC1 0.8287, expected 0.2993
        >>> print(f"AC2 {accord.ac(data, weights='linear').value:.4f}")
        AC2 0.8803

    Source: Gwet 2008, 2014. The whole page: `accord measures ac`.
    """

def cronbach(
    data: Any,
    second: Any = None,
    *,
    standardised: bool = False,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Cronbach's α, consistency of a sum.

    How consistent are several measurements (annotators, or questions of a test) whose sum or mean is
    used in the end? It is not agreement: two annotators who always differ by 10 are perfectly
    consistent. Spec: `cronbach`, `cronbach(standardised=true)`. Also known as `cronbach_alpha`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `second`: the labels of a second annotator, where `data` are those of the first: a list, an array,
      a Series.
    - `standardised`: true gives every annotator the same variance first. Default false.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Source: Cronbach 1951; Feldt 1965; Gwet 2021, 9.7. The whole page: `accord measures cronbach`.
    """

def icc(
    data: Any,
    second: Any = None,
    *,
    form: str | int = "2",
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """intraclass correlation, six forms.

    Numbers on a scale, given by the same annotators to the same items, or by others to each: how much
    of their variance is between items? The six forms of Shrout & Fleiss (1979) differ in who the
    annotators are and in what is used. Spec: `icc` (form 2: annotators are a sample, single labels,
    absolute agreement), `icc(form=1)`, `icc(form=3)`, and `icc(form=1k)`, `2k`, `3k` for the mean of
    the annotators. In Python `accord.icc_forms(data)` gives all six. Also known as `intraclass`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `second`: the labels of a second annotator, where `data` are those of the first: a list, an array,
      a Series.
    - `form`: 1: each item has annotators of its own; 2 (the default): annotators are a sample, and
      their level counts; 3: these annotators only, and their level does not count. 1k, 2k, 3k: the same
      for the mean of all annotators.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Source: Shrout & Fleiss 1979; McGraw & Wong 1996. The whole page: `accord measures icc`.
    """

def lin(
    data: Any,
    second: Any = None,
    *,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Lin's concordance correlation.

    Two annotators who give numbers: how close are the pairs to the line of equality? It is a
    correlation that also penalises a shift and a different scale. More annotators: the generalisation
    by mean squares. Spec: `lin`. Also known as `ccc`, `concordance`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `second`: the labels of a second annotator, where `data` are those of the first: a list, an array,
      a Series.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Source: Lin 1989, 2000; Barnhart, Haber & Song 2002. The whole page: `accord measures lin`.
    """

def kendall_w(
    data: Any,
    second: Any = None,
    *,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Kendall's W, the same order.

    Annotators who rank items: how well do their orders agree? 1 is the same order, 0 is no agreement at
    all. Only ranks count. Spec: `kendall_w`. Also known as `kendall`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `second`: the labels of a second annotator, where `data` are those of the first: a list, an array,
      a Series.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Source: Kendall & Babington Smith 1939. The whole page: `accord measures kendall_w`.
    """

def gamma(
    data: Any,
    *,
    positional: float = 1.0,
    categorical: float = 1.0,
    delta: float = 1.0,
    distance: DistanceLike | None = None,
    f_cat: str = "identity",
    chance: str = "auto",
    samples: int = 30,
    precision: float = 0.02,
    soft: bool = False,
    dissimilarity: Custom | None = None,
    reference: str | None = None,
    exact_chance: bool = False,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """γ, agreement on units and their labels.

    Annotators mark stretches of a text or a recording and label them. They may disagree on whether
    there is something to mark, on where it begins and ends, and on its label. γ judges all of that in
    one number: it finds the best alignment of the units of all annotators, adds up what is wrong with
    it (its *disorder*), and compares that with the disorder of random annotations: γ = 1 −
    observed/expected. 1 is perfect, 0 is what chance gives, below 0 is worse than chance. Spec:
    `gamma`, `gamma(categorical=2,distance=ordinal)`. Also known as `mathet_gamma`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `positional`: weight α of the positional dissimilarity, a number from 0; 0 leaves positions out.
      Default 1.
    - `categorical`: weight β of the categorical dissimilarity, a number from 0; 0 leaves labels out.
      Default 1.
    - `delta`: Δ∅, the cost of a unit without counterpart, a number above 0. All other costs are
      multiples of it (eq. 3 and 4), so that it scales the disorders and does not change γ; what changes
      γ is `positional` and `categorical`. Default 1.
    - `distance`: how far labels are apart: nominal (the default), ordinal (ranks), numeric, interval,
      ratio, circular, bipolar, levenshtein, sets, a hierarchy, or `matrix("costs.csv")`, whose cells
      lie between 0 and 1.
    - `f_cat`: how the distance of labels becomes a cost: identity (the default), or steep,
      −ln(1−x³⁰)+x, so that labels at distance 1 never align.
    - `chance`: the model of random annotations: mix, shift, statistical or auto (the default), which is
      mix where there are enough documents, else shift.
    - `samples`: random annotations to begin with, a whole number from 2. Default 30.
    - `precision`: relative precision of δ_e wanted at 95%, between 0 and 1; more samples are drawn
      until it is met. Default 0.02.
    - `soft`: true lets a unit stand in several unitary alignments, as pygamma-agreement offers it.
      Default false.
    - `dissimilarity`: in Python, your own function of two columns of units, made with
      `accord.dissimilarity`; it replaces `positional`, `categorical`, `delta` and `distance`. Default:
      none.
    - `reference`: name of an annotator; the value is then the mean of γ between this annotator and each
      of the others. Default: none.
    - `exact_chance`: true aligns random annotations as exactly as yours. Default false: where very many
      groups of units could align, random annotations are aligned to within a tenth of `precision`,
      which is proven for each.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> corpus = accord.read({
        ...     "annotator": ["Ana", "Ana", "Ben", "Ben"],
        ...     "start": [0, 20, 2, 21],
        ...     "end": [10, 30, 12, 30],
        ...     "label": ["noun", "verb", "noun", "noun"],
        ... }, extents=(0, 100))
        >>> for found in accord.align(corpus):
        ...     print(round(found.disorder, 4), {cause: round(cost, 4) for cause, cost in found.causes.items()})
        0.04 {'position': 0.04, 'category': 0.0, 'absence': 0.0}
        1.0028 {'position': 0.0028, 'category': 1.0, 'absence': 0.0}

    Source: Mathet, Widlöcher & Métivier 2015. The whole page: `accord measures gamma`.
    """

def gamma_cat(
    data: Any,
    *,
    positional: float = 1.0,
    categorical: float = 1.0,
    delta: float = 1.0,
    distance: DistanceLike | None = None,
    f_cat: str = "identity",
    chance: str = "frequencies",
    samples: int = 30,
    precision: float = 0.02,
    soft: bool = False,
    dissimilarity: Custom | None = None,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """γ_cat, agreement on the labels of aligned units.

    Where annotators choose units themselves, γ mixes two things: did they mark the same units, and did
    they label them alike? γ_cat answers the second question. It takes the best alignment of γ, and
    compares the labels of units that were aligned; units that stand alone do not count. 1 is perfect, 0
    is what chance gives. By category it is γ_k (`--by category`, or `gamma_k`). Spec: `gamma_cat`,
    `gamma_cat(distance=ordinal)`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `positional`: weight α of the positional dissimilarity in the alignment, a number from 0. Default
      1.
    - `categorical`: weight β of the categorical dissimilarity in the alignment, a number from 0; 0
      aligns units by position alone. Default 1.
    - `delta`: Δ∅, the cost of a unit without counterpart in the alignment, a number above 0. All other
      costs are multiples of it, so that it does not change the value. Default 1.
    - `distance`: how far labels are apart, in the alignment, D_o and D_e: nominal (the default),
      ordinal (ranks), numeric, interval, ratio, circular, bipolar, levenshtein, sets, a hierarchy, or
      `matrix("costs.csv")`.
    - `f_cat`: how the distance of labels becomes a cost in the alignment: identity (the default), or
      steep, which never aligns labels at distance 1. D_o and D_e take the distance as it is.
    - `chance`: where D_e comes from: frequencies (the default), the frequencies of labels among aligned
      units; or auto, mix, shift or statistical, the alignments of random annotations as for `gamma`.
    - `samples`: random annotations to begin with, a whole number from 2; not used with
      `chance=frequencies`. Default 30.
    - `precision`: relative precision of D_e wanted at 95%, between 0 and 1; more random annotations are
      drawn until it is met. Not used with `chance=frequencies`. Default 0.02.
    - `soft`: true lets a unit stand in several unitary alignments, as pygamma-agreement offers it.
      Default false.
    - `dissimilarity`: not available here: pairs are weighted by their positional dissimilarity, so a
      function of your own is refused. Default: none.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Source: Mathet 2017. The whole page: `accord measures gamma_cat`.
    """

def gamma_k(
    data: Any,
    *,
    positional: float = 1.0,
    categorical: float = 1.0,
    delta: float = 1.0,
    distance: DistanceLike | None = None,
    f_cat: str = "identity",
    chance: str = "frequencies",
    samples: int = 30,
    precision: float = 0.02,
    soft: bool = False,
    dissimilarity: Custom | None = None,
    category: str | None = None,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """γ_k, the same for one category.

    γ_k says how well annotators agree on one category, among the units that were aligned: only pairs
    count in which at least one unit has it. `gamma_k(category=PLANT)` gives the value of one category;
    `gamma_k` without one is `gamma_cat`. All categories at once: `accord score spans.csv -m gamma_cat
    --by category`, or `score.parts["category"]`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `positional`: weight α of the positional dissimilarity in the alignment, a number from 0. Default
      1.
    - `categorical`: weight β of the categorical dissimilarity in the alignment, a number from 0; 0
      aligns units by position alone. Default 1.
    - `delta`: Δ∅, the cost of a unit without counterpart in the alignment, a number above 0. All other
      costs are multiples of it, so that it does not change the value. Default 1.
    - `distance`: how far labels are apart, in the alignment, D_o and D_e: nominal (the default),
      ordinal (ranks), numeric, interval, ratio, circular, bipolar, levenshtein, sets, a hierarchy, or
      `matrix("costs.csv")`.
    - `f_cat`: how the distance of labels becomes a cost in the alignment: identity (the default), or
      steep, which never aligns labels at distance 1. D_o and D_e take the distance as it is.
    - `chance`: where D_e comes from: frequencies (the default), the frequencies of labels among aligned
      units; or auto, mix, shift or statistical, the alignments of random annotations as for `gamma`.
    - `samples`: random annotations to begin with, a whole number from 2; not used with
      `chance=frequencies`. Default 30.
    - `precision`: relative precision of D_e wanted at 95%, between 0 and 1; more random annotations are
      drawn until it is met. Not used with `chance=frequencies`. Default 0.02.
    - `soft`: true lets a unit stand in several unitary alignments, as pygamma-agreement offers it.
      Default false.
    - `dissimilarity`: not available here: pairs are weighted by their positional dissimilarity, so a
      function of your own is refused. Default: none.
    - `category`: the label to score. Default: none, which gives the value of `gamma_cat`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Source: Mathet 2017. The whole page: `accord measures gamma_k`.
    """

def alpha_u(
    data: Any,
    *,
    grain: float | None = None,
    overlaps: str = "error",
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """α_U, agreement on the boundaries of units, by category.

    Annotators mark where units of a category begin and end. α_U compares the boundaries of units that
    overlap, by the squares of their differences, and a unit that the other annotator does not have
    costs the square of its length: α_U = 1 − observed/expected, for each category and for all together.
    1 is perfect, 0 is what units laid down at random give, below 0 is worse. Spec: `alpha_u`,
    `alpha_u(overlaps=merge)`. Also known as `krippendorff_alpha_u`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `grain`: step in which positions and lengths are counted, a number above 0. Default: the finest
      decimal step of the data, 1 for whole positions.
    - `overlaps`: what happens to units of one annotator and category that overlap: error (the default),
      or merge, which makes one unit of them.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> units = [(1, 225, 295, "c"), (1, 370, 400, "c"), (1, 180, 240, "k"), (1, 300, 350, "k"),
        ...          (2, 220, 300, "c"), (2, 355, 375, "c"), (2, 400, 420, "c"), (2, 180, 240, "k"), (2, 300, 350, "k")]
        >>> columns = {name: [unit[k] for unit in units] for k, name in enumerate(["annotator", "start", "end", "label"])}
        >>> score = accord.alpha_u(columns, extents=(150, 450))
        >>> print(f"{score.value:.4f}", {name: round(part.value, 4) for name, part in score.parts["category"].items()})
        0.8587 {'c': 0.7286, 'k': 1.0}

    Source: Krippendorff 1995, 2004. The whole page: `accord measures alpha_u`.
    """

def u_alpha(
    data: Any,
    *,
    grain: float | None = None,
    overlaps: str = "error",
    form: int = 2016,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """uα, agreement on where units and gaps are.

    Every place of the continuum has a label, or lies in a gap. uα asks at how many places annotators
    have the same label, and compares that with shuffled places: uα = 1 − observed/expected. 1 is
    perfect, 0 is what shuffling gives, below 0 is worse. It is the member of Krippendorff's later
    family that judges unitizing and labels together. Spec: `u_alpha`, `u_alpha(grain=0.04)`,
    `u_alpha(form=2013)`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `grain`: step in which positions and lengths are counted, a number above 0. Default: the finest
      decimal step of the data, 1 for whole positions.
    - `overlaps`: what happens to units of one annotator that overlap: error (the default), or merge,
      which makes one unit of those of one category. Overlaps of different categories are always an
      error.
    - `form`: 2016 (the default), or 2013, the reconstructed form with squared lengths.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> alex = [(0, 7, 1), (7, 13, 2), (30, 32, 5), (32, 37, 6), (37, 44, 6), (44, 60, 7)]
        >>> paul = [(0, 7, 1), (7, 13, 3), (13, 21, 5), (32, 44, 6)]
        >>> suzan = [(0, 7, 1), (7, 13, 4), (13, 21, 5), (32, 37, 6), (37, 41, 6), (41, 44, 6)]
        >>> rows = [("Alex", *u) for u in alex] + [("Paul", *u) for u in paul] + [("Suzan", *u) for u in suzan]
        >>> columns = {name: [row[k] for row in rows] for k, name in enumerate(["annotator", "start", "end", "label"])}
        >>> corpus = accord.read(columns, extents=(0, 60))
        >>> for measure in (accord.u_alpha, accord.bar_u_alpha, accord.cu_alpha):
        ...     print(f"{measure(corpus).value:.4f}")
        0.5100
        0.4136
        0.7242

    Source: Krippendorff et al. 2016; form=2013 reconstructed. The whole page: `accord measures
    u_alpha`.
    """

def bar_u_alpha(
    data: Any,
    *,
    grain: float | None = None,
    overlaps: str = "error",
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """|uα, units against gaps.

    Did annotators find units in the same places, whatever they called them? |uα is uα with all labels
    taken as one: |uα = 1 − observed/expected, where only units against gaps count. 1 is perfect, 0 is
    chance, below 0 is worse. Spec: `bar_u_alpha`, `bar_u_alpha(grain=0.04)`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `grain`: step in which positions and lengths are counted, a number above 0. Default: the finest
      decimal step of the data, 1 for whole positions.
    - `overlaps`: what happens to units of one annotator that overlap: error (the default), or merge,
      which makes one unit of those of one category. Overlaps of different categories are always an
      error.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> columns = {"annotator": ["Ana", "Ana", "Ben", "Ben"], "start": [0, 50, 0, 50], "end": [20, 70, 20, 70],
        ...            "label": ["a", "b", "b", "a"]}
        >>> corpus = accord.read(columns, extents=(0, 100))
        >>> for measure in (accord.bar_u_alpha, accord.u_alpha, accord.cu_alpha):
        ...     print(f"{measure(corpus).value:.3f}")
        1.000
        0.316
        -0.500

    Source: Krippendorff et al. 2016. The whole page: `accord measures bar_u_alpha`.
    """

def cu_alpha(
    data: Any,
    *,
    grain: float | None = None,
    overlaps: str = "error",
    distance: DistanceLike | None = None,
    form: int = 2016,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """cuα, agreement on the labels of common stretches.

    Where two annotators both marked something, did they give it the same label? cuα looks at these
    places only. Gaps do not count: cuα = 1 − observed/expected. 1 is perfect, 0 is what shuffling the
    labels gives, below 0 is worse. Labels may be nearly right: `distance=` says how far apart they are.
    Spec: `cu_alpha`, `cu_alpha(distance=ordinal)`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `grain`: step in which positions and lengths are counted, a number above 0. Default: the finest
      decimal step of the data, 1 for whole positions.
    - `overlaps`: what happens to units of one annotator that overlap: error (the default); merge, which
      makes one unit of those of one category and refuses overlaps of different ones; or pairs, which
      compares every unit with every unit of the others that it shares a stretch with. See Overlapping
      units.
    - `distance`: how far labels are apart: nominal (the default), ordinal, interval, ratio, circular,
      bipolar, sets, a hierarchy, or `matrix("costs.csv")`, as for `alpha`.
    - `form`: 2016 (the default) or 2013, which gives the same value; see Deviations and choices.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> ana = [(5, 10, 4), (20, 35, 1), (49, 59, 2), (61, 76, 4)]
        >>> ben = [(5, 10, 4), (30, 43, 3), (49, 54, 1), (61, 76, 4)]
        >>> rows = [("Ana", *u) for u in ana] + [("Ben", *u) for u in ben]
        >>> columns = {name: [row[k] for row in rows] for k, name in enumerate(["annotator", "start", "end", "label"])}
        >>> corpus = accord.read(columns, extents=(0, 76))
        >>> score = accord.cu_alpha(corpus, distance="interval")
        >>> print(f"{score.value:.3f} = 1 - {score.observed:.3f}/{score.expected:.2f}")
        0.744 = 1 - 0.833/3.25
        >>> print(f"{accord.cu_alpha(corpus).value:.3f}")
        0.459

    Source: Krippendorff et al. 2016. The whole page: `accord measures cu_alpha`.
    """

def ku_alpha(
    data: Any,
    *,
    grain: float | None = None,
    overlaps: str = "error",
    distance: DistanceLike | None = None,
    form: int = 2016,
    category: str | None = None,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """(k)uα, the same for one category.

    cuα for one label: of what annotators marked in common, how well do they agree on `category`? The
    coverage comes with it: the share of this label's length that the others marked at all. Spec:
    `ku_alpha(category=PERSON)`, `ku_alpha(distance=ordinal,category="3")`. Without a category the value
    is that of `cu_alpha`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `grain`: step in which positions and lengths are counted, a number above 0. Default: the finest
      decimal step of the data, 1 for whole positions.
    - `overlaps`: what happens to units of one annotator that overlap: error (the default); merge, which
      makes one unit of those of one category and refuses overlaps of different ones; or pairs, which
      compares every unit with every unit of the others that it shares a stretch with: see `cu_alpha`.
      The coverage can then be above 1, for a stretch may be covered twice.
    - `distance`: how far labels are apart: nominal (the default), ordinal, interval, ratio, circular,
      bipolar, sets, a hierarchy, or `matrix("costs.csv")`, as for `alpha`.
    - `form`: 2016 (the default) or 2013, which gives the same value; see `cu_alpha`.
    - `category`: the label to score; units without label are `"(no label)"`. Default: none, which gives
      the value of `cu_alpha`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> score = accord.cu_alpha("examples/garden/spans.csv", only=["PERSON", "PLACE", "PLANT", "TIME"])
        >>> for name, part in score.parts["category"].items():
        ...     print(f"{name:7} {part.value:.3f}, coverage {part.details['coverage']:.2f}")
        PERSON  1.000, coverage 0.85
        PLACE   0.872, coverage 0.81
        PLANT   0.806, coverage 0.73
        TIME    1.000, coverage 0.83

    Source: Krippendorff et al. 2016. The whole page: `accord measures ku_alpha`.
    """

def theta(
    data: Any,
    *,
    random: float = 0.5,
    scale: str = "nominal",
    zones: str = "joined",
    unpaired: str = "gap",
    grain: float | None = None,
    overlaps: str = "error",
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """θ_G, agreement on zones and their labels.

    Two annotators cut a continuum into zones: where both agree, where their labels differ, where only
    one of them marked something. θ_G sums the disagreement over the zones, by the squares of their
    lengths, and removes the agreement on labels that random labelling would give: θ_G = 1 −
    observed/expected. 1 is perfect. The lowest value of nominal labels is −P(R)/(K − P(R)), −0.333 for
    two categories: one span, to which the two gave different labels. On scales it is never below
    −P(R)/(1 − P(R)), −1 by default. Spec: `theta`, `theta(scale=ordinal)`, `theta(random=0.2)`. Also
    known as `theta_g`, `gwet_theta`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `random`: P(R), the propensity of a random label, from 0 to 1. Default 0.5.
    - `scale`: scale of the labels: nominal (the default), ordinal, interval or ratio.
    - `zones`: how zones are cut: joined (the default), atomic or layered.
    - `unpaired`: which labels of joined and atomic zones count as gaps in P(C̄|R): gap (the default),
      all labels without a partner; ignored, only those in a zone that one of the two left empty.
    - `grain`: step in which lengths are counted, a number above 0; it changes the value only if
      positions must be rounded. Default: the finest decimal step of the data.
    - `overlaps`: what happens to units of one annotator and category that overlap: error (the default),
      or merge, which makes one unit of them.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> units = [(1, 225, 295, 1), (1, 370, 400, 1), (1, 180, 240, 2), (1, 300, 350, 2),
        ...          (2, 220, 300, 1), (2, 355, 375, 1), (2, 400, 420, 1), (2, 180, 240, 2), (2, 300, 350, 2)]
        >>> columns = {name: [unit[k] for unit in units] for k, name in enumerate(["annotator", "start", "end", "label"])}
        >>> score = accord.theta(columns, extents=(150, 450))
        >>> for zone in sorted(score.details["zones"], key=lambda zone: zone["start"]):
        ...     one, other = zone["labels"]
        ...     print(f"{zone['start']:3.0f} {zone['length']:3.0f} {one} {other} {zone['dissimilarity']:.0f}")
        180  40 ['2'] ['2'] 0
        220   5 ['2'] ['1', '2'] 1
        225  70 ['1', '2'] ['1', '2'] 0
        295   5 [] ['1'] 1
        300  50 ['2'] ['2'] 0
        355  15 [] ['1'] 1
        370   5 ['1'] ['1'] 0
        375  25 ['1'] [] 1
        400  20 [] ['1'] 1
        >>> print(f"{score.value:.4f}, P(not A) {score.observed:.4f}, P(not C|R) {score.details['random_disagreement']:.4f}")
        0.9574, P(not A) 0.0235, P(not C|R) 0.1051
        >>> for zones in ("atomic", "layered"):
        ...     print(zones, f"{accord.theta(columns, extents=(150, 450), zones=zones).value:.4f}")
        atomic 0.9568
        layered 0.9638

    Source: Gwet 2021, 9.2. The whole page: `accord measures theta`.
    """

def ser(
    data: Any,
    *,
    reference: str | None = None,
    per: str = "reference",
    overlap: bool = True,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """SER, the slot error rate.

    How much is wrong with the units of one annotator if another is the reference? Units are aligned one
    to one so that the cost is least: 1 for a unit that is missing or added, 0.5 for another label, 0.5
    for other boundaries, 1 for both. SER is that cost, divided by the number of units of the reference.
    **It is an error: 0 is perfect.** It has no upper bound. Spec: `ser`, `ser(reference=Ana)`,
    `ser(per=slots)`. Also known as `slot_error_rate`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: name of an annotator; the value is then the mean over the others, each against this
      one. Default: none, all ordered pairs.
    - `per`: what the cost is divided by: reference (the default), the units of the reference; or slots,
      the number of aligned pairs and of units alone.
    - `overlap`: true (the default): only units that overlap can be aligned; false: any two.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> columns = {"annotator": ["gold", "gold", "gold", "Ana", "Ana", "Ana"],
        ...            "start": [0, 20, 40, 0, 21, 60], "end": [10, 30, 50, 10, 30, 70],
        ...            "label": ["PERSON", "PLACE", "PLACE", "PLACE", "PLACE", "PLACE"]}
        >>> score = accord.ser(columns, reference="gold")
        >>> print(f"{score.value:.3f} = (1 + 1 + 0.5 + 0.5) / 3")
        1.000 = (1 + 1 + 0.5 + 0.5) / 3
        >>> print(f"{accord.ser(columns, reference='gold', per='slots').value:.3f} = 3 / 4")
        0.750 = 3 / 4

    Source: Makhoul et al. 1999; Mathet et al. 2015, 3.4.2. The whole page: `accord measures ser`.
    """

def f1(
    data: Any,
    *,
    reference: str | None = None,
    match: str = "exact",
    labels: bool = True,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """F1 between annotators.

    What share of the units of two annotators do both have? F1 is the harmonic mean of precision and
    recall, and does not depend on who is the reference. 1 is perfect, 0 is nothing in common. Spec:
    `f1`, `f1(match=overlap)`, `f1(match=token)`, `f1(reference=Ana)`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: name of an annotator; only pairs with this one are compared. Default: none, all
      pairs.
    - `match`: what counts as right: exact (the default), units with the same start, end and label;
      overlap (or partial), units of the same label that overlap; token, the lengths that both cover.
    - `labels`: false compares units without their labels. Default true.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> score = accord.f1("examples/garden/spans.csv")
        >>> print({pair: round(part.value, 3) for pair, part in score.parts["pair"].items()})
        {'Ana – Ben': 0.623, 'Ana – Chloé': 0.705, 'Ben – Chloé': 0.553}

    Source: Hripcsak & Rothschild 2005. The whole page: `accord measures f1`.
    """

def kappa_d(
    data: Any,
    *,
    atom: float | None = None,
    overlaps: str = "error",
    coefficient: str | None = None,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """κ_d, κ over the atoms of the continuum.

    The continuum is cut into atoms: seconds, frames, characters. Each atom has the label of the unit
    that covers it, or is a gap, which is one more category. κ_d is Cohen's κ over the atoms. 1 is
    perfect, 0 is what the annotators' habits give by chance, below 0 is worse. Spec: `kappa_d`,
    `kappa_d(atom=0.04)`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `atom`: length of an atom, a number above 0. Default: the finest decimal step of the data, 1 for
      whole positions. It does not change κ_d as long as all boundaries are multiples of it.
    - `overlaps`: what happens to units of one annotator that overlap: error (the default), or merge,
      which makes one unit of those of one category. Overlaps of different categories are always an
      error.
    - `coefficient`: another coefficient on items in place of κ: percent, s, pi, alpha or ac. Weights or
      a distance in it have no effect. Default: none, which means κ.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> columns = {"annotator": ["Ana", "Ana", "Ben", "Ben"], "start": [0, 40, 5, 40], "end": [20, 60, 20, 70],
        ...            "label": ["a", "b", "a", "b"]}
        >>> for length in (70, 100, 1000):
        ...     score = accord.kappa_d(accord.read(columns, extents=(0, length)))
        ...     print(f"{length:4} atoms: {score.value:.3f} = ({score.observed:.3f} - {score.expected:.3f}) / (1 - {score.expected:.3f})")
          70 atoms: 0.677 = (0.786 - 0.337) / (1 - 0.337)
         100 atoms: 0.741 = (0.850 - 0.420) / (1 - 0.420)
        1000 atoms: 0.818 = (0.985 - 0.918) / (1 - 0.918)

    Source: Reidsma 2006; Mathet et al. 2015, 3.4.1. The whole page: `accord measures kappa_d`.
    """

def alpha_d(
    data: Any,
    *,
    atom: float | None = None,
    overlaps: str = "error",
    coefficient: str | None = None,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """α_d, α over the atoms of the continuum.

    The same as `kappa_d` with Krippendorff's α: the continuum is cut into atoms, gaps are a category of
    their own, and α is computed over the atoms. 1 is perfect, 0 is what shuffling all atoms gives,
    below 0 is worse. Spec: `alpha_d`, `alpha_d(atom=0.04)`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `atom`: length of an atom, a number above 0. Default: the finest decimal step of the data, 1 for
      whole positions. Smaller atoms mean more of them, which changes α_d a little.
    - `overlaps`: what happens to units of one annotator that overlap: error (the default), or merge,
      which makes one unit of those of one category. Overlaps of different categories are always an
      error.
    - `coefficient`: another coefficient on items in place of α: percent, s, pi, kappa or ac. Weights or
      a distance in it have no effect. Default: none, which means α.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> columns = {"annotator": ["Ana", "Ana", "Ben", "Ben"], "start": [0, 40, 5, 40], "end": [20, 60, 20, 70],
        ...            "label": ["a", "b", "a", "b"]}
        >>> corpus = accord.read(columns, extents=(0, 100))
        >>> for spec in ("alpha_d", "alpha_d(atom=5)", "kappa_d", "u_alpha"):
        ...     print(f"{spec:16} {accord.score(corpus, spec).value:.4f}")
        alpha_d          0.7410
        alpha_d(atom=5)  0.7462
        kappa_d          0.7414
        u_alpha          0.7530

    Source: Mathet et al. 2015, 3.4.1. The whole page: `accord measures alpha_d`.
    """

def pk(
    data: Any,
    *,
    reference: str | None = None,
    pooled: bool = False,
    k: int | None = None,
    window: str = "half_mean",
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """P_k, error of segmentations.

    Two atoms of a text, k apart: does a segmentation put them into the same segment? P_k is how often
    another segmentation gives a different answer than the reference. 0 is perfect: it is an error, not
    an agreement. Spec: `pk`, `pk(k=3,reference=Ana)`. Also known as `p_k`, `beeferman`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: name of the annotator who is right. Default: none; every annotator is compared with
      every other, each once as the reference.
    - `pooled`: true divides the sum of all errors by the sum of all windows; false (the default) takes
      the mean over comparisons.
    - `k`: the window in atoms, a whole number from 1, smaller than every text. Default: none, computed
      as `window` says.
    - `window`: how k is computed: half_mean (the default), half the mean length of the reference's
      segments; segeval, the same with .5 rounded to the even number, 2 at least; nltk, (N − 1)/(2 ·
      boundaries) with .5 rounded to the even number.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> data = accord.Segmentations.from_masses({"Ana": [6, 3, 4], "Ben": [4, 4, 5]})
        >>> score = accord.pk(data, reference="Ana")
        >>> print(f"{score.value:.4f}, {score.kind}, k from {score.details['k'][0]} to {score.details['k'][1]}")
        0.5455, error, k from 2 to 2

    Source: Beeferman, Berger & Lafferty 1999. The whole page: `accord measures pk`.
    """

def window_diff(
    data: Any,
    *,
    reference: str | None = None,
    pooled: bool = False,
    k: int | None = None,
    window: str = "half_mean",
    weighted: bool = False,
    lamprier: bool | str = False,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """WindowDiff, error of segmentations.

    A window slides over the text. WindowDiff is how often it contains a different number of boundaries
    than in the reference. 0 is perfect: it is an error, not an agreement. Spec: `window_diff`,
    `window_diff(reference=Ana,lamprier=true)`. Also known as `windowdiff`, `wd`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: name of the annotator who is right. Default: none; every annotator is compared with
      every other, each once as the reference.
    - `pooled`: true divides the sum of all errors by the sum of all windows; false (the default) takes
      the mean over comparisons.
    - `k`: the window in atoms, a whole number from 1, smaller than every text unless `lamprier` is set.
      Default: none, computed as `window` says.
    - `window`: how k is computed: half_mean (the default), half the mean length of the reference's
      segments; segeval, the same with .5 rounded to the even number, 2 at least; nltk, (N − 1)/(2 ·
      boundaries) with .5 rounded to the even number.
    - `weighted`: true counts by how many boundaries windows differ, not only whether they differ.
      Default false.
    - `lamprier`: true also counts windows that reach over the ends of the text; segeval: the same,
      divided by N + k + 1. Default false.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> data = accord.Segmentations.from_masses({"1": [2, 3, 3, 1, 3, 6, 3], "2": [2, 8, 2, 4, 2, 3]})
        >>> print(f"{accord.window_diff(data, reference='1').value:.4f}")
        0.3684
        >>> print(f"{accord.window_diff(data, reference='1', lamprier=True).value:.4f}")
        0.3043

    Source: Pevzner & Hearst 2002; Lamprier et al. 2007. The whole page: `accord measures window_diff`.
    """

def ghd(
    data: Any,
    *,
    reference: str | None = None,
    pooled: bool = False,
    insertion: float = 2.0,
    deletion: float = 2.0,
    shift: float = 1.0,
    normalised: bool | str = False,
    limit: float | None = None,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Generalised Hamming distance.

    What does it cost to turn one segmentation into another, if boundaries may be inserted, deleted and
    shifted? The cost of a shift grows with its length, so a near miss is cheap. 0 is perfect: it is an
    error, not an agreement. Spec: `ghd`, `ghd(normalised=segments,limit=0.5)`. Also known as
    `generalised_hamming`, `generalized_hamming_distance`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: name of the annotator who is right. Default: none; every annotator is compared with
      every other, each once as the reference.
    - `pooled`: true divides the sum of all costs by the sum of all bounds, where `normalised` names
      one; false (the default) takes the mean over comparisons.
    - `insertion`: c_i, the cost of a boundary that only the reference has, a number from 0. Default 2.
    - `deletion`: c_d, the cost of a boundary that only the other has, a number from 0. Default 2.
    - `shift`: c_s, the cost of a shift for each atom, a number from 0. Default 1.
    - `normalised`: edits divides by the cost of deleting and inserting all boundaries, segments by that
      of as many as there are segments; true is edits. Default false: the cost as it is.
    - `limit`: how far a shift may go before deleting and inserting is as cheap, in mean segments of the
      two that are compared: a number above 0. It sets `insertion` and `deletion`. Default: none; they
      are what they are.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> data = accord.Segmentations.from_strings({"Ana": "1100100000", "Ben": "1100010000"})
        >>> accord.ghd(data, reference="Ana", insertion=1, deletion=1, shift=0.5).value
        0.5
        >>> print(f"{accord.ghd(data, reference='Ana', insertion=1, deletion=1, shift=0.5, normalised=True).value:.4f}")
        0.0833

    Source: Bookstein, Kulyukin & Raita 2002. The whole page: `accord measures ghd`.
    """

def boundary_edit_distance(
    data: Any,
    *,
    reference: str | None = None,
    pooled: bool = False,
    n_t: int = 2,
    weight: str = "scaled",
    substitution: str = "auto",
    matching: str = "optimal",
    types: str = "all",
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Boundary edit distance.

    Which boundaries must be added or deleted, moved a little, or given another type, so that two
    segmentations are the same, and what do these edits cost? 0 is perfect: it is an error, not an
    agreement. Spec: `boundary_edit_distance`, `boundary_edit_distance(n_t=3)`. Also known as `bed`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: name of the annotator that all others are compared with. Default: none, all pairs are
      compared.
    - `pooled`: always false: a cost has no denominator to pool.
    - `n_t`: boundaries up to n_t − 1 places apart are a near miss (a transposition); a whole number, 1
      means no near misses. Default 2.
    - `weight`: cost of a transposition: scaled (the default), distance/n_t; unit, 1; te, 2 −
      (1/2)^(distance − 1), the form of 2012.
    - `substitution`: cost of replacing a type by another: unit, 1; scaled, difference/(largest −
      smallest + 1); auto (the default): scaled if types are whole numbers or their order is declared,
      else unit.
    - `matching`: optimal (the default), the cheapest edits; or greedy, short transpositions first, from
      left to right, as in segeval.
    - `types`: which types of boundaries there are: all (the default), those in all data; or pair, those
      of the two compared, as in segeval.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> data = accord.Segmentations.from_boundaries({"Ana": [2, 5, 9], "Ben": [2, 6]}, length=12)
        >>> score = accord.boundary_edit_distance(data, reference="Ana")
        >>> score.value
        1.5
        >>> print(f"precision {score.details['precision']:.2f}, recall {score.details['recall']:.2f}")
        precision 1.00, recall 0.60

    Source: Fournier 2013. The whole page: `accord measures boundary_edit_distance`.
    """

def boundary_similarity(
    data: Any,
    *,
    reference: str | None = None,
    pooled: bool = True,
    n_t: int = 2,
    weight: str = "scaled",
    substitution: str = "auto",
    matching: str = "optimal",
    types: str = "all",
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Boundary similarity B.

    Of all boundaries, how much is right? Matches count fully, near misses in part, full misses not at
    all. 1 is perfect, 0 means that no boundary is even near another. Spec: `boundary_similarity`,
    `boundary_similarity(n_t=3)`. Also known as `b`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: name of the annotator that all others are compared with. Default: none, all pairs are
      compared.
    - `pooled`: true (the default) sums numerators and denominators before dividing; false takes the
      mean of B over all comparisons.
    - `n_t`: boundaries up to n_t − 1 places apart are a near miss (a transposition); a whole number, 1
      means no near misses. Default 2.
    - `weight`: cost of a transposition: scaled (the default), distance/n_t; unit, 1; te, 2 −
      (1/2)^(distance − 1), the form of 2012.
    - `substitution`: cost of replacing a type by another: unit, 1; scaled, difference/(largest −
      smallest + 1); auto (the default): scaled if types are whole numbers or their order is declared,
      else unit.
    - `matching`: optimal (the default), the cheapest edits; or greedy, short transpositions first, from
      left to right, as in segeval.
    - `types`: which types of boundaries there are: all (the default), those in all data; or pair, those
      of the two compared, as in segeval.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> data = accord.Segmentations.from_masses({
        ...     "1": [2, 3, 3, 1, 3, 6, 3], "2": [2, 8, 2, 4, 2, 3], "3": [2, 1, 2, 3, 1, 3, 1, 3, 2, 2, 1],
        ...     "4": [2, 1, 4, 1, 1, 3, 1, 4, 3, 1], "5": [3, 2, 4, 3, 5, 4], "6": [2, 3, 4, 2, 2, 5, 3],
        ...     "7": [2, 3, 2, 2, 3, 1, 3, 2, 3],
        ... })
        >>> score = accord.boundary_similarity(data)
        >>> print(f"{score.value:.4f}; 1 and 2: {score.parts['pair']['1 – 2'].value:.4f}")
        0.5301; 1 and 2: 0.5000

    Source: Fournier 2013. The whole page: `accord measures boundary_similarity`.
    """

def segmentation_similarity(
    data: Any,
    *,
    reference: str | None = None,
    pooled: bool = True,
    n_t: int = 2,
    weight: str = "scaled",
    substitution: str = "auto",
    matching: str = "optimal",
    types: str = "all",
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Segmentation similarity S.

    Of all places where a boundary can be, how many are the same in both segmentations, near misses
    counting in part? 1 is perfect. Spec: `segmentation_similarity`,
    `segmentation_similarity(weight=te)`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: name of the annotator that all others are compared with. Default: none, all pairs are
      compared.
    - `pooled`: true (the default) sums numerators and denominators before dividing; false takes the
      mean of S over all comparisons.
    - `n_t`: boundaries up to n_t − 1 places apart are a near miss (a transposition); a whole number, 1
      means no near misses. Default 2.
    - `weight`: cost of a transposition: scaled (the default), distance/n_t; unit, 1; te, 2 −
      (1/2)^(distance − 1), the form of 2012.
    - `substitution`: cost of replacing a type by another: unit, 1; scaled, difference/(largest −
      smallest + 1); auto (the default): scaled if types are whole numbers or their order is declared,
      else unit.
    - `matching`: optimal (the default), the cheapest edits; or greedy, short transpositions first, from
      left to right, as in segeval.
    - `types`: which types of boundaries there are: all (the default), those in all data; or pair, those
      of the two compared, as in segeval.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> data = accord.Segmentations.from_masses({"Ana": [2, 3, 6], "Ben": [2, 2, 7]})
        >>> accord.segmentation_similarity(data).value
        0.95
        >>> accord.segmentation_similarity(data, weight="te").value
        0.9

    Source: Fournier & Inkpen 2012. The whole page: `accord measures segmentation_similarity`.
    """

def pi_star(
    data: Any,
    *,
    reference: str | None = None,
    pooled: bool = True,
    on: SimilarityLike | None = None,
    rates: str = "pooled",
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """π*, boundary similarity against chance.

    B, or S, of all annotators and documents, against the chance that two of them put a boundary at the
    same place: 1 is perfect, 0 is what chance gives. Chance is the same for all annotators: their
    boundaries are pooled. Spec: `pi_star`, `pi_star(on=segmentation_similarity)`. Also known as
    `boundary_pi`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: name of an annotator; the value is then the mean over the others, each compared with
      this one. Default: none.
    - `pooled`: true (the default) sums numerators and denominators of A_a before dividing; false takes
      the mean over comparisons.
    - `on`: the similarity: boundary_similarity (the default) or segmentation_similarity, each with its
      options, but without `reference` and `pooled`, which are set here.
    - `rates`: how P(seg) is computed: pooled (the default), over all annotators and documents together;
      or mean, the mean of the shares of every annotator and document, as in segeval.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> data = accord.Segmentations.from_masses({
        ...     "1": [2, 3, 3, 1, 3, 6, 3], "2": [2, 8, 2, 4, 2, 3], "3": [2, 1, 2, 3, 1, 3, 1, 3, 2, 2, 1],
        ...     "4": [2, 1, 4, 1, 1, 3, 1, 4, 3, 1], "5": [3, 2, 4, 3, 5, 4], "6": [2, 3, 4, 2, 2, 5, 3],
        ...     "7": [2, 3, 2, 2, 3, 1, 3, 2, 3],
        ... })
        >>> score = accord.pi_star(data)
        >>> print(f"{score.value:.4f} = ({score.observed:.4f} - {score.expected:.4f}) / (1 - {score.expected:.4f})")
        0.4644 = (0.5301 - 0.1225) / (1 - 0.1225)
        >>> print(f"{score.details['bias']:.4f}")
        0.0014

    Source: Fournier & Inkpen 2012; Fournier 2013. The whole page: `accord measures pi_star`.
    """

def kappa_star(
    data: Any,
    *,
    reference: str | None = None,
    pooled: bool = True,
    on: SimilarityLike | None = None,
    rates: str = "pooled",
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """κ*, boundary similarity against chance.

    B, or S, of all annotators and documents, against the chance that two of them put a boundary at the
    same place: 1 is perfect, 0 is what chance gives. Every annotator has their own chance: their share
    of boundaries. Spec: `kappa_star`, `kappa_star(on=segmentation_similarity)`. Also known as
    `boundary_kappa`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: name of an annotator; the value is then the mean over the others, each compared with
      this one. Default: none.
    - `pooled`: true (the default) sums numerators and denominators of A_a before dividing; false takes
      the mean over comparisons.
    - `on`: the similarity: boundary_similarity (the default) or segmentation_similarity, each with its
      options, but without `reference` and `pooled`, which are set here.
    - `rates`: always pooled: each annotator's share is pooled over documents. `pi_star` has a choice.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> data = accord.Segmentations.from_masses({
        ...     "1": [2, 3, 3, 1, 3, 6, 3], "2": [2, 8, 2, 4, 2, 3], "3": [2, 1, 2, 3, 1, 3, 1, 3, 2, 2, 1],
        ...     "4": [2, 1, 4, 1, 1, 3, 1, 4, 3, 1], "5": [3, 2, 4, 3, 5, 4], "6": [2, 3, 4, 2, 2, 5, 3],
        ...     "7": [2, 3, 2, 2, 3, 1, 3, 2, 3],
        ... })
        >>> score = accord.kappa_star(data)
        >>> print(f"{score.value:.4f} = ({score.observed:.4f} - {score.expected:.4f}) / (1 - {score.expected:.4f})")
        0.4653 = (0.5301 - 0.1211) / (1 - 0.1211)
        >>> print(f"{score.details['bias']:.4f}")
        0.0014

    Source: Fournier & Inkpen 2012; Fournier 2013. The whole page: `accord measures kappa_star`.
    """

def alpha_boundaries(
    data: Any,
    *,
    weights: DistanceLike | None = None,
    distance: DistanceLike | None = None,
    ends: bool = False,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """α over potential boundaries.

    Every place between two atoms is an item, and every annotator labels it: boundary, or no boundary.
    On these items, `alpha` is computed. 1 is perfect, 0 is what chance gives. Spec: `alpha_boundaries`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `weights`: partial credit for another set of types: linear or other weights of `alpha`. They
      matter only where boundaries have several types. Default: identity, no partial credit. Not
      together with `distance`.
    - `distance`: how far two sets of types at a place are apart: nominal (the default); jaccard, dice,
      passonneau, masi, masi_nltk, which compare sets; or another distance of `alpha` that takes words.
      Not together with `weights`.
    - `ends`: whether the begin and the end of each text count as two further places, which everybody
      marked: true or false (the default). Only for boundaries of one type.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> data = accord.Segmentations.from_masses({
        ...     "1": [2, 3, 3, 1, 3, 6, 3], "2": [2, 8, 2, 4, 2, 3], "3": [2, 1, 2, 3, 1, 3, 1, 3, 2, 2, 1],
        ...     "4": [2, 1, 4, 1, 1, 3, 1, 4, 3, 1], "5": [3, 2, 4, 3, 5, 4], "6": [2, 3, 4, 2, 2, 5, 3],
        ...     "7": [2, 3, 2, 2, 3, 1, 3, 2, 3],
        ... })
        >>> print(f"{accord.alpha_boundaries(data).value:.4f}")
        0.3350

    Source: Krippendorff 1980; Hearst 1997; Artstein & Poesio 2008, 4.3.1. The whole page: `accord
    measures alpha_boundaries`.
    """

def pi_boundaries(
    data: Any,
    *,
    weights: DistanceLike | None = None,
    distance: DistanceLike | None = None,
    ends: bool = False,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """K (multi-π) over potential boundaries.

    Every place between two atoms is an item, and every annotator labels it: boundary, or no boundary.
    On these items, `pi` is computed. 1 is perfect, 0 is what chance gives. Spec: `pi_boundaries`. Also
    known as `k_boundaries`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `weights`: partial credit for another set of types: linear or other weights of `pi`. They matter
      only where boundaries have several types. Default: identity, no partial credit. Not together with
      `distance`.
    - `distance`: how far two sets of types at a place are apart: nominal (the default); jaccard, dice,
      passonneau, masi, masi_nltk, which compare sets; or another distance of `pi` that takes words. Not
      together with `weights`.
    - `ends`: whether the begin and the end of each text count as two further places, which everybody
      marked: true or false (the default). Only for boundaries of one type.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> data = accord.Segmentations.from_masses({
        ...     "1": [2, 3, 3, 1, 3, 6, 3], "2": [2, 8, 2, 4, 2, 3], "3": [2, 1, 2, 3, 1, 3, 1, 3, 2, 2, 1],
        ...     "4": [2, 1, 4, 1, 1, 3, 1, 4, 3, 1], "5": [3, 2, 4, 3, 5, 4], "6": [2, 3, 4, 2, 2, 5, 3],
        ...     "7": [2, 3, 2, 2, 3, 1, 3, 2, 3],
        ... })
        >>> print(f"{accord.pi_boundaries(data).value:.4f}")
        0.3302

    Source: Siegel & Castellan 1988; Hearst 1997; Artstein & Poesio 2008, 4.3.1. The whole page: `accord
    measures pi_boundaries`.
    """

def kappa_boundaries(
    data: Any,
    *,
    weights: DistanceLike | None = None,
    distance: DistanceLike | None = None,
    ends: bool = False,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """κ over potential boundaries.

    Every place between two atoms is an item, and every annotator labels it: boundary, or no boundary.
    On these items, `kappa` is computed. 1 is perfect, 0 is what chance gives. Spec: `kappa_boundaries`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `weights`: partial credit for another set of types: linear or other weights of `kappa`. They
      matter only where boundaries have several types. Default: identity, no partial credit. Not
      together with `distance`.
    - `distance`: how far two sets of types at a place are apart: nominal (the default); jaccard, dice,
      passonneau, masi, masi_nltk, which compare sets; or another distance of `kappa` that takes words.
      Not together with `weights`.
    - `ends`: whether the begin and the end of each text count as two further places, which everybody
      marked: true or false (the default). Only for boundaries of one type.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> data = accord.Segmentations.from_masses({
        ...     "1": [2, 3, 3, 1, 3, 6, 3], "2": [2, 8, 2, 4, 2, 3], "3": [2, 1, 2, 3, 1, 3, 1, 3, 2, 2, 1],
        ...     "4": [2, 1, 4, 1, 1, 3, 1, 4, 3, 1], "5": [3, 2, 4, 3, 5, 4], "6": [2, 3, 4, 2, 2, 5, 3],
        ...     "7": [2, 3, 2, 2, 3, 1, 3, 2, 3],
        ... })
        >>> print(f"{accord.kappa_boundaries(data).value:.4f}")
        0.3344

    Source: Cohen 1960; Davies & Fleiss 1982; Artstein & Poesio 2008, 4.3.1. The whole page: `accord
    measures kappa_boundaries`.
    """

def text_gamma(
    data: Any,
    *,
    features: FeaturesLike | None = None,
    distance: DistanceLike | None = None,
    text: DistanceLike | None = None,
    gap_t: float = 1.0,
    gap_b: float = 1.0,
    p_t: float | None = None,
    p_s: float | None = None,
    prior_t: PairLike | None = None,
    prior_s: PairLike | None = None,
    gaps: bool = False,
    fold_unicode: bool = False,
    samples: int = 30,
    precision: float = 0.02,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """tγ, agreement on text, tokens and their labels.

    Annotators of historical texts, tweets or speech correct the transcription and the tokens while they
    label them. So each of them ends up with a text of their own, and positions in one mean nothing in
    the other. tγ aligns the texts first, letter by letter, and then compares the tokens that cover the
    same stretch of that alignment: their text and their labels. tγ = 1 − observed/expected disorder. 1
    is perfect, 0 is what chance gives, below 0 is worse than chance. Spec: `text_gamma`,
    `text_gamma(features=[pos,lemma(levenshtein)],p_s=0.04)`. Also known as `tgamma`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `features`: names of the features to compare; `lemma(levenshtein)` gives one a distance of its
      own. Default: all.
    - `distance`: distance of the features that have none of their own: nominal (the default), ordinal,
      levenshtein or another distance of `gamma`.
    - `text`: how the texts of two tokens are compared: nominal (the default) or levenshtein.
    - `gap_t`: cost of a gap at a letter in the sequence alignment, a number above 0. Default 1.
    - `gap_b`: cost of a gap at a boundary in the sequence alignment, a number above 0. Default 1.
    - `p_t`: share of tokens whose text an annotator changes by chance, from 0 to 1. Default: none, it
      is estimated.
    - `p_s`: share of tokens whose boundaries an annotator changes by chance, from 0 to 1. Default:
      none, it is estimated.
    - `prior_t`: `[0.04,1000]`: a known rate for the estimate of `p_t`, and the number of tokens it
      counts for. Default: none.
    - `prior_s`: `[0.04,1000]`: the same for the estimate of `p_s`. Default: none.
    - `gaps`: true also compares text outside of tokens, unless blank, as units of a type of their own.
      Default false.
    - `fold_unicode`: true treats composed and decomposed letters as the same. Default false.
    - `samples`: random texts to begin with, a whole number from 2. Default 30.
    - `precision`: relative precision of D_e wanted at 95%, between 0 and 1; more samples are drawn
      until it is met. Default 0.02.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> texts = accord.read({
        ...     "annotator": ["Ana"] * 4 + ["Ben"] * 5,
        ...     "start": [0, 6, 12, 28, 0, 6, 12, 27, 30],
        ...     "end": [5, 11, 27, 38, 5, 11, 26, 30, 37],
        ...     "pos": ["APPR", "PI", "NA", "VVPP", "APPR", "PI", "NA", "AVD", "VVPP"],
        ... }, texts={"Ana": "sambt aller vin̄stendicheit vthgelacht", "Ben": "sambt aller vm̄stendicheit vthgelacht"})
        >>> print(accord.align(texts, "text_gamma"))
        document: Ana and Ben
        Ana               Ben              difference    pos
        sambt             sambt                          APPR
        aller             aller                          PI
        v[in̄]stendicheit  v[m̄]stendicheit  text          NA
        vthgelacht        –                segmentation  VVPP
        –                 vth              segmentation  AVD
        –                 gelacht          segmentation  VVPP
        <BLANKLINE>
        >>> score = accord.text_gamma(texts, p_t=0.25, p_s=0.04)
        >>> print(f"{score.observed:.3f}")  # (½ for the text + 3 tokens alone) / 4.5
        0.778
        >>> print(f"{score.parts['kind']['segmentation'].details['share']:.3f}")  # 3 of 3.5
        0.857

    Source: Barteld, Schröder & Zinsmeister 2016. The whole page: `accord measures text_gamma`.
    """

def chain_alpha(
    data: Any,
    *,
    distance: str = "passonneau",
    unmarked: str = "differs",
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Krippendorff's α on chains of coreference.

    Do annotators put mentions into the same chains, beyond chance? Mentions are the items, and the
    label of a mention is the set of all mentions of its chain (Passonneau 2004). Sets that overlap
    agree in part. 1 is perfect, 0 is chance. Spec: `chain_alpha`, `chain_alpha(distance=jaccard)`,
    `chain_alpha(unmarked=absent)`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `distance`: between two chains as sets of mentions: passonneau (the default), jaccard, dice, masi,
      masi_nltk or nominal.
    - `unmarked`: what an annotator who looked at a document says about a mention that only others
      marked: differs (the default), that it is no mention, which is 1 from any chain; singleton, that
      it is a chain of its own; absent, nothing: labels are compared where they are.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> print(accord.chain_alpha("examples/fables/chains.csv", interval="none"))
        α of chains = 0.580

    Source: Passonneau 2004; Artstein & Poesio 2008. The whole page: `accord measures chain_alpha`.
    """

def link_alpha(
    data: Any,
    *,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Krippendorff's α on links of coreference.

    Do annotators link the same mentions, beyond chance? Items are all pairs of mentions of a document,
    and a label says whether the two are in one chain. 1 is perfect, 0 is chance. Spec: `link_alpha`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> print(accord.link_alpha("examples/fables/chains.csv", interval="none"))
        α of links = 0.639

    Source: Krippendorff 2004; Artstein & Poesio 2008. The whole page: `accord measures link_alpha`.
    """

def muc(
    data: Any,
    *,
    reference: str | None = None,
    singletons: bool = True,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """MUC F1 between annotators.

    What share of the links that make up the chains of one annotator does the other have? A chain of n
    mentions needs n − 1 links. 1 is perfect, 0 is no link in common. It does not depend on who is the
    reference. Spec: `muc`, `muc(reference=Ana)`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: name of an annotator; only pairs with this one are compared. Default: none, all
      pairs.
    - `singletons`: false takes chains of one mention away before anything is compared, as the
      CoNLL-2012 data have none. Default true: they count.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> print(accord.muc("examples/fables/chains.csv", interval="none"))
        MUC = 0.778

    Source: Vilain, Burger, Aberdeen, Connolly & Hirschman 1995. The whole page: `accord measures muc`.
    """

def b_cubed(
    data: Any,
    *,
    reference: str | None = None,
    singletons: bool = True,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """B³ F1 between annotators.

    Of the chain of a mention, how much is in the chain that the other annotator gives it? The mean over
    mentions is precision or recall, and B³ is their harmonic mean. 1 is perfect, 0 is no mention in
    common. Spec: `b_cubed` (or `b3`), `b_cubed(singletons=false)`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: name of an annotator; only pairs with this one are compared. Default: none, all
      pairs.
    - `singletons`: false takes chains of one mention away before anything is compared, as the
      CoNLL-2012 data have none. Default true: they count.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> print(accord.b_cubed("examples/fables/chains.csv", interval="none"))
        B³ = 0.773

    Source: Bagga & Baldwin 1998. The whole page: `accord measures b_cubed`.
    """

def ceaf_e(
    data: Any,
    *,
    reference: str | None = None,
    singletons: bool = True,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Entity CEAF (φ₄) F1 between annotators.

    How alike are the chains of two annotators, if each chain of one is matched with one of the other at
    most, as well as possible? 1 is perfect, 0 is no mention in common. It is CEAF with φ₄, which counts
    every chain alike, whatever its size. Spec: `ceaf_e`, `ceaf_e(reference=Ana)`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: name of an annotator; only pairs with this one are compared. Default: none, all
      pairs.
    - `singletons`: false takes chains of one mention away before anything is compared, as the
      CoNLL-2012 data have none. Default true: they count.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> print(accord.ceaf_e("examples/fables/chains.csv", interval="none"))
        CEAF_e = 0.748

    Source: Luo 2005. The whole page: `accord measures ceaf_e`.
    """

def conll(
    data: Any,
    *,
    reference: str | None = None,
    singletons: bool = True,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """CoNLL score between annotators.

    The mean of the F1 of MUC, B³ and entity CEAF, the score by which coreference systems are ranked
    since CoNLL-2011. 1 is perfect, 0 is nothing in common. Spec: `conll`, `conll(singletons=false)`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: name of an annotator; only pairs with this one are compared. Default: none, all
      pairs.
    - `singletons`: false takes chains of one mention away before anything is compared, as the
      CoNLL-2012 data have none. Default true: they count. Published scores on OntoNotes are
      `conll(singletons=false)`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> print(accord.conll("examples/fables/chains.csv", interval="none"))
        CoNLL = 0.766

    Source: Pradhan, Moschitti, Xue, Uryupina & Zhang 2012. The whole page: `accord measures conll`.
    """

def blanc(
    data: Any,
    *,
    reference: str | None = None,
    singletons: bool = True,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """BLANC between annotators.

    Every two mentions are linked or not. BLANC is the mean of two F1: of the links, and of the pairs
    that are not linked. 1 is perfect, 0 is nothing in common. Spec: `blanc`, `blanc(reference=Ana)`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: name of an annotator; only pairs with this one are compared. Default: none, all
      pairs.
    - `singletons`: false takes chains of one mention away before anything is compared, as the
      CoNLL-2012 data have none. Default true: they count.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> print(accord.blanc("examples/fables/chains.csv", interval="none"))
        BLANC = 0.732

    Source: Recasens & Hovy 2011; Luo, Pradhan, Recasens & Hovy 2014. The whole page: `accord measures
    blanc`.
    """

def links_f1(
    data: Any,
    *,
    reference: str | None = None,
    singletons: bool = True,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """F1 of coreference links.

    What share of the links of two annotators do both have? A link is any two mentions of a chain,
    wherever they stand in it, so that it does not matter which antecedent was marked. 1 is perfect, 0
    is nothing in common. Spec: `links_f1`, `links_f1(reference=Ana)`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: name of an annotator; only pairs with this one are compared. Default: none, all
      pairs.
    - `singletons`: false takes chains of one mention away before anything is compared, as the
      CoNLL-2012 data have none. Default true: they count. They have no link: it makes no difference
      here.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.

    Returns a `Score`: `value`, `interval`, `observed`, `expected`, `p`, `n`, `parts` (breakdowns),
    `details`, and `signature`, the line for the footnote.

    Example:

        >>> import accord
        >>> print(accord.links_f1("examples/fables/chains.csv", interval="none"))
        F1 of links = 0.703

    Source: Popescu-Belis 2000; Recasens & Hovy 2011. The whole page: `accord measures links_f1`.
    """

def icc_forms(
    data: Any,
    second: Any = None,
    *,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    null: float | str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> NamedScores:
    """All six forms of the intraclass correlation, by name: `icc_forms(data)["3k"].value`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `second`: the labels of a second annotator, where `data` are those of the first: a list, an array,
      a Series.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
    - `null`: the value that p tests, by the interval's own error; or "permutation", for no agreement,
      as often as `replicates` says. Default: no agreement, by the test that holds for the data.
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.
    """
