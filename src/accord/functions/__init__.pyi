# ruff: noqa: E501 - examples are as wide as on their pages
"""Written by `python -m accord.functions.stub`: change the measures and their pages, not this file."""

from collections.abc import Callable, Mapping
from typing import Any

from accord.dissimilarities import Custom
from accord.functions.accepted import DistanceLike, FeaturesLike, PairLike, SimilarityLike
from accord.functions.scoring import score as score
from accord.result import Score

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
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Percent agreement.

    How often do two annotators give the same item the same label? That is all this number says. 0.88
    means: take an item at random and two of its labels at random, and the two are equal in 88 of 100
    cases. Nothing is taken off for agreement that comes about by luck. Spec: `percent`. Also known as
    `percentage`, `percent_agreement`, `observed_agreement`, `a_o`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `second`: the labels of a second annotator, where `data` are those of the first: a list, an array,
      a Series.
    - `weights`: see `accord measures percent`.
    - `distance`: see `accord measures percent`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Bennett's S (Brennan–Prediger).

    Agreement beyond chance, where chance means: a guesser who picks every category equally often. The
    value is 1 when all labels agree, 0 when they agree as often as such guessers would, below 0 when
    less. Chance depends on the number of categories and on nothing else in the data. Spec: `s`. Also
    known as `bennett`, `bennett_s`, `brennan_prediger`, `bp`, `pabak` (two categories), `randolph`,
    `g_index`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `second`: the labels of a second annotator, where `data` are those of the first: a list, an array,
      a Series.
    - `weights`: see `accord measures s`.
    - `distance`: see `accord measures s`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    - `weights`: see `accord measures pi`.
    - `distance`: see `accord measures pi`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Cohen's κ (Davies–Fleiss, Conger).

    Agreement beyond chance, where chance means: every annotator guesses with his or her own habits. The
    habits are the shares of the categories in that annotator's labels. 1 is perfect, 0 is what such
    guessing gives, below 0 is less than that. With weights a near miss counts in part: that is weighted
    κ. For more than two annotators it is multi-κ: expected agreement is the mean over all pairs of
    annotators. Spec: `kappa`. Also known as `cohen`, `cohen_kappa`, `conger`, `davies_fleiss`,
    `hubert`, `multi_kappa`, `kappa_w`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `second`: the labels of a second annotator, where `data` are those of the first: a list, an array,
      a Series.
    - `weights`: see `accord measures kappa`.
    - `distance`: see `accord measures kappa`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    - `weights`: see `accord measures alpha`.
    - `distance`: see `accord measures alpha`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Gwet's AC1/AC2.

    Agreement beyond chance, where chance means: an annotator guesses only on items that are hard, and
    how many these can be depends on how even the categories are. If nearly all labels are one category,
    there was little to guess, and little is taken off. So AC stays high where π, κ and α fall because
    one category is frequent. Without weights it is AC1, with weights AC2. Spec: `ac`,
    `ac(weights=linear)`. Also known as `ac1`, `ac2`, `gwet`, `gwet_ac1`, `gwet_ac2`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `second`: the labels of a second annotator, where `data` are those of the first: a list, an array,
      a Series.
    - `weights`: see `accord measures ac`.
    - `distance`: see `accord measures ac`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Cronbach's α, consistency of a sum.

    How far several measurements (annotators, or questions of a test) go together, when their sum or
    mean is what is used in the end. It is not agreement: two annotators who always differ by 10 are
    perfectly consistent. Spec: `cronbach`, `cronbach(standardised=true)`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `second`: the labels of a second annotator, where `data` are those of the first: a list, an array,
      a Series.
    - `standardised`: see `accord measures cronbach`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """intraclass correlation, six forms.

    Numbers on a scale, given by the same annotators to the same items: how much of their variance is
    between items? The six forms of Shrout & Fleiss (1979) differ in who the annotators are and in what
    is used. Spec: `icc` (form 2: annotators are a sample, single labels, absolute agreement),
    `icc(form=1)`, `icc(form=3)`, and `icc(form=1k)`, `2k`, `3k` for the mean of the annotators. In
    Python `accord.icc_forms(data)` gives all six.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `second`: the labels of a second annotator, where `data` are those of the first: a list, an array,
      a Series.
    - `form`: see `accord measures icc`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Lin's concordance correlation.

    Two annotators who give numbers: how close are the pairs to the line of equality? It is a
    correlation that also punishes a shift and a different scale. For more annotators, the
    generalisation by mean squares. Spec: `lin`.

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
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Kendall's W, the same order.

    Annotators who rank: how far do their orders agree? 1 is the same order, 0 none at all. Only ranks
    count. Spec: `kendall_w`.

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
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
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
    - `positional`: see `accord measures gamma`.
    - `categorical`: see `accord measures gamma`.
    - `delta`: see `accord measures gamma`.
    - `distance`: see `accord measures gamma`.
    - `f_cat`: see `accord measures gamma`.
    - `chance`: see `accord measures gamma`.
    - `samples`: see `accord measures gamma`.
    - `precision`: see `accord measures gamma`.
    - `soft`: see `accord measures gamma`.
    - `dissimilarity`: see `accord measures gamma`.
    - `reference`: see `accord measures gamma`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    - `positional`: see `accord measures gamma_cat`.
    - `categorical`: see `accord measures gamma_cat`.
    - `delta`: see `accord measures gamma_cat`.
    - `distance`: see `accord measures gamma_cat`.
    - `f_cat`: see `accord measures gamma_cat`.
    - `chance`: see `accord measures gamma_cat`.
    - `samples`: see `accord measures gamma_cat`.
    - `precision`: see `accord measures gamma_cat`.
    - `soft`: see `accord measures gamma_cat`.
    - `dissimilarity`: see `accord measures gamma_cat`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """γ_k, the same for one category.

    γ_k says how well annotators agree on one category, among the units that were aligned: the pairs
    count in which at least one unit has it. `gamma_k(category=PLANT)` gives the value of one category;
    `gamma_k` without one is `gamma_cat`. All categories at once: `accord score spans.csv -m gamma_cat
    --by category`, or `score.parts["category"]`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `positional`: see `accord measures gamma_k`.
    - `categorical`: see `accord measures gamma_k`.
    - `delta`: see `accord measures gamma_k`.
    - `distance`: see `accord measures gamma_k`.
    - `f_cat`: see `accord measures gamma_k`.
    - `chance`: see `accord measures gamma_k`.
    - `samples`: see `accord measures gamma_k`.
    - `precision`: see `accord measures gamma_k`.
    - `soft`: see `accord measures gamma_k`.
    - `dissimilarity`: see `accord measures gamma_k`.
    - `category`: see `accord measures gamma_k`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """α_U, agreement on the boundaries of units, by category.

    Annotators mark where units of a category begin and end. α_U compares the boundaries of units that
    overlap, by the squares of their differences, and charges a unit that the other annotator does not
    have with the square of its length: α_U = 1 − observed/expected, for each category and for all
    together. 1 is perfect, 0 is what units laid down at random give, below 0 is worse. Spec: `alpha_u`,
    `alpha_u(overlaps=merge)`. Also known as `krippendorff_alpha_u`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `grain`: see `accord measures alpha_u`.
    - `overlaps`: see `accord measures alpha_u`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """uα, agreement on where units and gaps are.

    Every place of the continuum has a label, or lies in a gap. uα asks at how many places annotators
    have the same, and compares that with all the places shuffled: uα = 1 − observed/expected. 1 is
    perfect, 0 is what shuffling gives, below 0 is worse. It is the member of Krippendorff's later
    family that judges unitizing and labels together. Spec: `u_alpha`, `u_alpha(grain=0.04)`,
    `u_alpha(form=2013)`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `grain`: see `accord measures u_alpha`.
    - `overlaps`: see `accord measures u_alpha`.
    - `form`: see `accord measures u_alpha`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    - `grain`: see `accord measures bar_u_alpha`.
    - `overlaps`: see `accord measures bar_u_alpha`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """cuα, agreement on the labels of common stretches.

    Where two annotators both marked something, did they give it the same label? cuα looks at these
    places only. Gaps do not count: cuα = 1 − observed/expected. 1 is perfect, 0 is labels shuffled
    among the units, below 0 is worse. Labels may be nearly right: `distance=` says how far they are
    apart. Spec: `cu_alpha`, `cu_alpha(distance=ordinal)`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `grain`: see `accord measures cu_alpha`.
    - `overlaps`: see `accord measures cu_alpha`.
    - `distance`: see `accord measures cu_alpha`.
    - `form`: see `accord measures cu_alpha`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """(k)uα, the same for one category.

    cuα for one label: of what annotators marked in common, how well do they agree on `category`? With
    it comes the coverage: how much of what was called so was marked by the others at all. Spec:
    `ku_alpha(category=PERSON)`, `ku_alpha(distance=ordinal,category="3")`. Without a category the value
    is that of `cu_alpha`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `grain`: see `accord measures ku_alpha`.
    - `overlaps`: see `accord measures ku_alpha`.
    - `distance`: see `accord measures ku_alpha`.
    - `form`: see `accord measures ku_alpha`.
    - `category`: see `accord measures ku_alpha`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    zones: str = "auto",
    unpaired: str = "gap",
    grain: float | None = None,
    overlaps: str = "error",
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """θ_G, agreement on zones and their labels.

    Two annotators cut a continuum into zones: where both marked the same, where one marked and the
    other did not. θ_G sums the disagreement over the zones, by the squares of their lengths, and
    removes the agreement on labels that random labelling would give: θ_G = 1 − observed/expected. 1 is
    perfect. Spec: `theta`, `theta(scale=ordinal)`, `theta(random=0.2)`. Also known as `theta_g`,
    `gwet_theta`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `random`: see `accord measures theta`.
    - `scale`: see `accord measures theta`.
    - `zones`: see `accord measures theta`.
    - `unpaired`: see `accord measures theta`.
    - `grain`: see `accord measures theta`.
    - `overlaps`: see `accord measures theta`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
        180  60 ['2'] ['2'] 0
        220   5 [] ['1'] 1
        225  70 ['1'] ['1'] 0
        295   5 [] ['1'] 1
        300  50 ['2'] ['2'] 0
        355  15 [] ['1'] 1
        370   5 ['1'] ['1'] 0
        375  25 ['1'] [] 1
        400  20 [] ['1'] 1
        >>> print(f"{score.value:.4f}, P(not A) {score.observed:.4f}, P(not C|R) {score.details['random_disagreement']:.4f}")
        0.9638, P(not A) 0.0200, P(not C|R) 0.1048
        >>> print(f"{accord.theta(columns, extents=(150, 450), zones='atomic').value:.4f}")
        0.9568

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
    - `reference`: see `accord measures ser`.
    - `per`: see `accord measures ser`.
    - `overlap`: see `accord measures ser`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """F1 between annotators.

    Which share of the units of two annotators do both have? F1 is the harmonic mean of precision and
    recall, and does not depend on who is the reference. 1 is perfect, 0 is nothing in common. Spec:
    `f1`, `f1(match=overlap)`, `f1(match=token)`, `f1(reference=Ana)`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: see `accord measures f1`.
    - `match`: see `accord measures f1`.
    - `labels`: see `accord measures f1`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    - `atom`: see `accord measures kappa_d`.
    - `overlaps`: see `accord measures kappa_d`.
    - `coefficient`: see `accord measures kappa_d`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    - `atom`: see `accord measures alpha_d`.
    - `overlaps`: see `accord measures alpha_d`.
    - `coefficient`: see `accord measures alpha_d`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """P_k, error of segmentations.

    Two atoms of a text, k apart: does a segmentation put them into the same segment? P_k is how often
    another segmentation answers that otherwise than the reference. 0 is perfect, it is an error, not an
    agreement. Spec: `pk`, `pk(k=3,reference=Ana)`. Also known as `p_k`, `beeferman`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: see `accord measures pk`.
    - `pooled`: see `accord measures pk`.
    - `k`: see `accord measures pk`.
    - `window`: see `accord measures pk`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """WindowDiff, error of segmentations.

    A window slides over the text. WindowDiff is how often it holds another number of boundaries than in
    the reference. 0 is perfect, it is an error, not an agreement. Spec: `window_diff`,
    `window_diff(reference=Ana,lamprier=true)`. Also known as `windowdiff`, `wd`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: see `accord measures window_diff`.
    - `pooled`: see `accord measures window_diff`.
    - `k`: see `accord measures window_diff`.
    - `window`: see `accord measures window_diff`.
    - `weighted`: see `accord measures window_diff`.
    - `lamprier`: see `accord measures window_diff`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    normalised: bool = False,
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Generalised Hamming distance.

    What does it cost to turn one segmentation into another, if boundaries may be inserted, deleted and
    shifted? A shift costs by its length, so a near miss is cheap. 0 is perfect, it is an error, not an
    agreement. Spec: `ghd`, `ghd(shift=0.5,normalised=true)`. Also known as `generalised_hamming`,
    `generalized_hamming_distance`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: see `accord measures ghd`.
    - `pooled`: see `accord measures ghd`.
    - `insertion`: see `accord measures ghd`.
    - `deletion`: see `accord measures ghd`.
    - `shift`: see `accord measures ghd`.
    - `normalised`: see `accord measures ghd`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Boundary edit distance.

    Which boundaries must be added or deleted, moved a little, or given another type, so that two
    segmentations are the same, and what do these edits cost? 0 is perfect, it is an error, not an
    agreement. Spec: `boundary_edit_distance`, `boundary_edit_distance(n_t=3)`. Also known as `bed`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: see `accord measures boundary_edit_distance`.
    - `pooled`: see `accord measures boundary_edit_distance`.
    - `n_t`: see `accord measures boundary_edit_distance`.
    - `weight`: see `accord measures boundary_edit_distance`.
    - `substitution`: see `accord measures boundary_edit_distance`.
    - `matching`: see `accord measures boundary_edit_distance`.
    - `types`: see `accord measures boundary_edit_distance`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    - `reference`: see `accord measures boundary_similarity`.
    - `pooled`: see `accord measures boundary_similarity`.
    - `n_t`: see `accord measures boundary_similarity`.
    - `weight`: see `accord measures boundary_similarity`.
    - `substitution`: see `accord measures boundary_similarity`.
    - `matching`: see `accord measures boundary_similarity`.
    - `types`: see `accord measures boundary_similarity`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """Segmentation similarity S.

    Of all places where a boundary can be, how many are the same in both segmentations, near misses
    taken in part? 1 is perfect. Spec: `segmentation_similarity`, `segmentation_similarity(weight=te)`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: see `accord measures segmentation_similarity`.
    - `pooled`: see `accord measures segmentation_similarity`.
    - `n_t`: see `accord measures segmentation_similarity`.
    - `weight`: see `accord measures segmentation_similarity`.
    - `substitution`: see `accord measures segmentation_similarity`.
    - `matching`: see `accord measures segmentation_similarity`.
    - `types`: see `accord measures segmentation_similarity`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    - `reference`: see `accord measures pi_star`.
    - `pooled`: see `accord measures pi_star`.
    - `on`: see `accord measures pi_star`.
    - `rates`: see `accord measures pi_star`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """κ*, boundary similarity against chance.

    B, or S, of all annotators and documents, against the chance that two of them put a boundary at the
    same place: 1 is perfect, 0 is what chance gives. Every annotator has a chance of his own: his share
    of boundaries. Spec: `kappa_star`, `kappa_star(on=segmentation_similarity)`. Also known as
    `boundary_kappa`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `reference`: see `accord measures kappa_star`.
    - `pooled`: see `accord measures kappa_star`.
    - `on`: see `accord measures kappa_star`.
    - `rates`: see `accord measures kappa_star`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """α over potential boundaries.

    Every place between two atoms is an item, and every annotator labels it: boundary, or no boundary.
    On these items it is `alpha`. 1 is perfect, 0 is what chance gives. Spec: `alpha_boundaries`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `weights`: see `accord measures alpha_boundaries`.
    - `distance`: see `accord measures alpha_boundaries`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """K (multi-π) over potential boundaries.

    Every place between two atoms is an item, and every annotator labels it: boundary, or no boundary.
    On these items it is `pi`. 1 is perfect, 0 is what chance gives. Spec: `pi_boundaries`. Also known
    as `k_boundaries`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `weights`: see `accord measures pi_boundaries`.
    - `distance`: see `accord measures pi_boundaries`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    interval: str = "default",
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    items_population: int | None = None,
    annotators_population: int | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Score:
    """κ over potential boundaries.

    Every place between two atoms is an item, and every annotator labels it: boundary, or no boundary.
    On these items it is `kappa`. 1 is perfect, 0 is what chance gives. Spec: `kappa_boundaries`.

    - `data`: a path, a folder, a DataFrame, a dict of columns, rows with a label per annotator:
      anything that `accord.read` takes, or what it gave.
    - `weights`: see `accord measures kappa_boundaries`.
    - `distance`: see `accord measures kappa_boundaries`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    - `features`: see `accord measures text_gamma`.
    - `distance`: see `accord measures text_gamma`.
    - `text`: see `accord measures text_gamma`.
    - `gap_t`: see `accord measures text_gamma`.
    - `gap_b`: see `accord measures text_gamma`.
    - `p_t`: see `accord measures text_gamma`.
    - `p_s`: see `accord measures text_gamma`.
    - `prior_t`: see `accord measures text_gamma`.
    - `prior_s`: see `accord measures text_gamma`.
    - `gaps`: see `accord measures text_gamma`.
    - `fold_unicode`: see `accord measures text_gamma`.
    - `samples`: see `accord measures text_gamma`.
    - `precision`: see `accord measures text_gamma`.
    - `interval`: the method of the confidence interval, one of `accord.INTERVALS`; none for no
      interval. Default: that of the measure.
    - `level`: the confidence level, between 0 and 1. Default 0.95.
    - `seed`: the seed of everything random, a whole number from 0: the same seed, the same result.
      Default 0.
    - `replicates`: how often an interval that resamples does so, 100 at least. Default 2000.
    - `items_population`: how many items the sample was drawn from. Default: so many that it does not
      matter.
    - `annotators_population`: the same for annotators, with the interval unconditional.
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
    progress: Callable[[str, int, int], None] | None = None,
    jobs: int | None = None,
    **reading: Any,
) -> Mapping[str, Score]:
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
    - `progress`: a function of a task, how much is done and how much there is, called during long work.
      Default: none.
    - `jobs`: how many processes work at once, 1 at least; it changes no number. Default: one for each
      core.
    - `**reading`: options of `accord.read`, such as `missing`, `categories` or `annotators`, where data
      are still to be read.
    """
