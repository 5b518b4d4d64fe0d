"""Whether small whole numbers below names are labels of annotators, or how often something was counted.

A matrix of documents and codes looks like a table of annotators who give 0, 1 and 2. Names tell first: coder1 and Ana
are annotators, Code A and positive are not. Where they do not tell, columns do: annotators of the same items agree,
and categories that share a number of raters exclude each other. Who knows better says it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from accord.core.errors import DataError, quoted
from accord.data.io.tables.columns import Column
from accord.data.io.tables.counts import are_counts, as_count, is_total
from accord.data.io.tables.evidence import Seen, coded_together, interval_alpha, nominal_alpha
from accord.data.io.tables.names import calls_codes, is_category, is_code, is_document, is_person, may_be_code
from accord.data.io.tables.roles import listed
from accord.data.io.tables.variables import calls_an_annotator, forms_a_grid

_MOST_LABELS, _MOST_ROWS = 1000, 100_000  # of a table that is looked at
_ENOUGH, _A_FEW = 10, 3  # rows that add up to the same are no accident; of three columns and more
_AGREE, _HARDLY, _SLIGHTLY = 0.4, 0.1, 0.2  # beyond chance
_LARGEST = 1e12  # larger numbers count nothing
_LARGE = 3  # a count, where zeros are the most frequent
_ERRORS = 3.5  # standard errors that are no accident
_SOME = 1 / 3  # of the names: the others are of the same sort


def refuse_counts(item: str | None, columns: Sequence[Seen], beside: Sequence[Seen], where: str) -> None:
    """Refuses columns that are counts by their names, by their sums, or by how they go together.

    `beside`: what is not taken as an annotator, a total, say.
    """
    counted = [(one.name, numbers) for one in columns if (numbers := _counts(one.column)) is not None]
    if len(counted) < max(2, len(columns) / 2) or all(calls_an_annotator(name) for name, _ in counted):
        return
    names, table = [name for name, _ in counted], np.stack([numbers for _, numbers in counted], axis=1)
    if len(table) < 2 or len(table) > _MOST_ROWS:
        return
    grid = forms_a_grid(names)  # of variables, which hardly agree
    why = _by_sums(table, names) or _by_names(table, names, item)
    if why := why or (None if grid else _by_columns(table, names, beside)):
        raise DataError(
            f"{where}: {why}: say --layout counts if these are counts per category, or --layout wide if columns are "
            "annotators"
        )


def sums_noted(cells: Column, n: int) -> str | None:
    """A note where every row adds up to the same."""
    numbers = _counts(cells)
    if numbers is None or n < 2 or n > _MOST_ROWS or not _add_up(numbers.reshape(n, -1)):
        return None
    return "every row adds up to the same: if these are counts per category, say --layout counts"


def _counts(cells: Column) -> NDArray[np.float64] | None:
    """Whole numbers, NaN where a cell is empty; None where something else stands there."""
    if len(cells.names) > _MOST_LABELS:
        return None
    known = np.array([as_count(lab) for lab in cells.names] + [0.0])
    if not are_counts(known).all() or known.max() > _LARGEST:
        return None
    nothing = cells.is_empty()
    return known[cells.codes] if nothing is None else np.where(nothing, np.nan, known[cells.codes])


def _add_up(numbers: NDArray[np.float64]) -> bool:
    """Whether all rows have the same sum, and some cells are 0."""
    total = np.nansum(numbers, axis=1)
    return bool((np.nan_to_num(numbers) == 0).any() and total[0] >= 2 and (total == total[0]).all())


def _by_sums(numbers: NDArray[np.float64], names: Sequence[str]) -> str | None:
    """As many raters for each item; two columns that add up to the same may be an accident."""
    n, columns = numbers.shape
    shown = n >= _ENOUGH or (n >= _A_FEW and columns > 2) or all(map(is_category, names))
    return f"every row adds up to {np.nansum(numbers[0]):g}" if shown and _add_up(numbers) else None


def _by_names(numbers: NDArray[np.float64], names: Sequence[str], item: str | None) -> str | None:
    """Categories, codes, or documents beside a column of codes; Code 1 and Code 2 may be those of two annotators."""
    categories = [name for name in names if is_category(name)]
    if len(categories) == len(names) or (len(categories) > 1 and 2 * len(categories) >= len(names)):
        return f"columns are called as categories ({listed(categories)})"
    if item is not None and calls_codes(item) and 2 * sum(map(is_document, names)) >= len(names):
        return f"columns are called as documents ({listed(names)}), and rows are codes"
    sure = 2 * sum(map(is_code, names)) >= len(names)
    zeros = bool((np.nan_to_num(numbers) == 0).any())
    if sure or (zeros and 2 * sum(map(may_be_code, names)) >= len(names) and _agreement_of_labels(numbers) < _AGREE):
        return f"columns are called as codes ({listed(names)})"
    return None


def _by_columns(numbers: NDArray[np.float64], names: Sequence[str], beside: Sequence[Seen]) -> str | None:
    """Numbers from 0 on that exclude each other, or hardly agree below names that are nobody's."""
    if not (numbers == 0).any() or len(numbers) < _A_FEW:
        return None
    if _exclude_each_other(numbers):
        return f"columns exclude each other, as categories do ({listed(names)})"
    if sum(map(is_person, names)) >= _SOME * len(names):
        return None
    total = np.nansum(numbers, axis=1)
    if summed := next((one.name for one in beside if is_total(one.name) and _is_sum(one.column, total)), None):
        return f"column {quoted(summed)} is the sum of the others ({listed(names)})"
    if len(names) > 2 and _agreement(numbers) < _least(numbers):  # two columns are two annotators, mostly: a note
        return f"columns of small numbers that hardly agree ({listed(names)})"
    return None


def _is_sum(column: Column, total: NDArray[np.float64]) -> bool:
    numbers = _counts(column)
    return numbers is not None and bool((numbers == total).all())


def _least(numbers: NDArray[np.float64]) -> float:
    """What columns agree, at least, if they are annotators: more, where there are mostly zeros and large numbers."""
    if 2 * int((numbers == 0).sum()) > int(np.isfinite(numbers).sum()) and np.nanmax(numbers) >= _LARGE:
        return _SLIGHTLY
    return _HARDLY if len(numbers) >= _ENOUGH else 0.0


def agreement_of(columns: Sequence[Seen]) -> float:
    """The same of columns, whatever they hold."""
    codes, size = coded_together([one.column for one in columns])
    if len(np.unique(codes[codes >= 0])) < 2:
        return 1.0
    numbers = [x for one in columns if (x := one.calculable) is not None]
    by_number = interval_alpha(np.stack(numbers, axis=1)) if len(numbers) == len(columns) else -1.0
    return max(nominal_alpha(codes.T, size), by_number)


def _agreement(numbers: NDArray[np.float64]) -> float:
    """α of the columns, of labels or of numbers, whichever is larger: a glance, no measure."""
    if len(np.unique(numbers[np.isfinite(numbers)])) < 2:
        return 1.0  # all say the same
    return max(_agreement_of_labels(numbers), interval_alpha(numbers))


def _agreement_of_labels(numbers: NDArray[np.float64]) -> float:
    codes = np.where(np.isnan(numbers), -1, np.nan_to_num(numbers)).astype(np.int64)
    known, small = np.unique(codes, return_inverse=True)
    return nominal_alpha(small.reshape(codes.shape) - int(known[0] == -1), len(known))


def _exclude_each_other(numbers: NDArray[np.float64]) -> bool:
    """Whether columns are less alike than chance has it: where one is large, others are small."""
    if np.isnan(numbers).any() or np.nanmax(numbers) < 2:
        return False  # what is empty says nothing; of 0 and 1, few annotators may disagree as much
    spread = numbers.std(axis=0) > 0
    if spread.sum() < 2:
        return False
    varied = numbers[:, spread].T
    pairs = [np.corrcoef(a, b)[0, 1] for a, b in combinations(varied, 2)]
    return bool(np.mean(pairs) < -_ERRORS / np.sqrt(len(numbers) * len(pairs)))
