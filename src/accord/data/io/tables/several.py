"""Several files of a study: headers in another case, tables that only describe, labels in lines, items named alike.

The files of a study also contain its codebook and the texts that were labelled. Files of other documents, languages or
splits number their items from 1 again, so that `1` in de.csv and `1` in en.csv are different items.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from accord.data.io.tables.columns import Column, cells_of
from accord.data.io.tables.roles import ANNOTATOR, LABEL, first_of, is_called, plain_name
from accord.data.io.tables.sources import MemorySource, Source, View
from accord.data.model.data import Fact

# Tables that explain labels, or describe items.
_EXPLAINS = re.compile(r"(?:.*[\W_])?(?:code_?book|data_?dictionary|guidelines?|legend|label_?names?|scheme)s?")
_DESCRIBES = re.compile(r"(?:.*[\W_])?(?:items?|texts?|documents?|docs|sentences?|stimuli|meta_?data|sources?)")
_MOST_BYTES, _LONGEST_LABEL, _MOST_WORDS = 1 << 22, 30, 3  # of files and lines with a label each
_FEW_LABELS, _REPEATED = 50, 5  # different labels, and how often each occurs on average
_MOST_ROWS = 100_000  # of a table whose descriptions are compared
_DIFFERENT = 0.5  # share of items of the same name that files describe differently, if they are different items
_FEW_TABLES = 30  # tables that are compared with each other


# -- headers --


@dataclass
class _Renamed(View):
    """A table with other names of columns."""

    names: dict[str, str]  # old names by new name

    @property
    def header(self) -> tuple[str, ...]:
        return tuple(self.names)

    def load(self, wanted: Sequence[str], cells: Sequence[str] = ()) -> tuple[dict[str, Column], Column | None]:
        columns, inside = self.source.load([self.names[name] for name in wanted], [self.names[name] for name in cells])
        return {name: columns[self.names[name]] for name in wanted}, inside


def with_equal_headers(sources: Sequence[Source]) -> tuple[list[Source], tuple[str, ...]]:
    """Return tables whose headers differ only by case or spaces with the names of the first, and a note."""
    found: list[Source] = []
    renamed = 0
    for source in sources:
        names = _names_in(sources[0].header, source.header)
        renamed += names is not None
        found.append(source if names is None else _with_names(source, names))
    first = sources[0].name if sources else ""
    notes = (Fact(f"names of columns that differ only by case are read as in {first}"),) if renamed else ()
    return found, notes


def _names_in(header: Sequence[str], other: Sequence[str]) -> dict[str, str] | None:
    """Return the names of one header with those of another that differs only by case or spaces."""
    mine = {name.strip().casefold(): name for name in header}
    if tuple(header) == tuple(other) or len(mine) < len(header) or len(header) != len(other):
        return None
    names = {mine.get(name.strip().casefold(), ""): name for name in other}
    return names if set(names) == set(header) and set(header) != set(other) else None


def _with_names(source: Source, names: dict[str, str]) -> Source:
    if isinstance(source, MemorySource):
        return replace(source, columns={new: source.columns[old] for new, old in names.items()})
    return _Renamed(source, names)


# -- tables beside those with labels --


def without_descriptions(sources: Sequence[Source]) -> tuple[list[Source], list[str]]:
    """Return the tables without those that explain labels or describe items, and the names of these files.

    Their names say so, and their columns differ from those of all other tables.
    """
    left, passed = list(sources), []
    for source in sources:
        others = [other for other in sources if other is not source]
        if others and all(set(other.header) != set(source.header) for other in others) and _describes(source):
            left.remove(source)
            passed.append(Path(source.name).name)
    return (left, passed) if left else (list(sources), [])


def _describes(source: Source) -> bool:
    stem = plain_name(Path(source.name).stem)
    if _EXPLAINS.fullmatch(stem):
        return True
    labelled = any(is_called(name, LABEL) for name in source.header) or first_of(source.header, ANNOTATOR) is not None
    return _DESCRIBES.fullmatch(stem) is not None and not labelled


# -- files with a label per line --


def labels_by_line(paths: Sequence[Path]) -> list[list[str]] | None:
    """Return the lines of text files without a header row, if they are labels: few short words that often repeat.

    All files have as many lines, so that a line is an item.
    """
    if len(paths) < 2 or any(path.suffix.lower() != ".txt" or path.stat().st_size > _MOST_BYTES for path in paths):
        return None
    try:
        lines = [path.read_text(encoding="utf-8-sig").splitlines() for path in paths]
    except (OSError, UnicodeError):
        return None
    n = len(lines[0])
    used = {line for given in lines for line in given}
    short = all(0 < len(line.strip()) <= _LONGEST_LABEL and len(line.split()) <= _MOST_WORDS for line in used)
    few = len(used) <= _FEW_LABELS and _REPEATED * len(used) <= n
    # Names of columns would be in the first line of all files, and nowhere else.
    headed = len({given[0] for given in lines if given}) == 1 and lines[0][0] not in {x for g in lines for x in g[1:]}
    return lines if n and short and few and not headed and {len(given) for given in lines} == {n} else None


def open_labels_by_line(files: Sequence[tuple[Path, str]]) -> list[Source] | None:
    """Return a table per file with a label per line, or None."""
    lines = labels_by_line([path for path, _ in files])
    if lines is None:
        return None
    note = Fact("each line of a file is the label of an item")
    return [
        MemorySource({"item": list(range(1, len(given) + 1)), "label": given}, name, row_word="line", is_file=True,
                     notes=(note,)) for (_, name), given in zip(files, lines, strict=True)
    ]  # fmt: skip


# -- items that several files name alike --


def describe_other_items(sources: Sequence[Source], item: str | None, labels: Sequence[str]) -> bool:
    """Whether items of the same name are different in each file, because their texts or other descriptions differ.

    Without a column of items, rows are items. Raters and their labels do not describe items.
    """
    if not 1 < len(sources) <= _FEW_TABLES:
        return False
    common = [
        name
        for name in sources[0].header
        if name != item and name not in labels and all(name in source.header for source in sources)
    ]
    described = [_descriptions(source, item, common) for source in sources]
    shared = [_share_of_different(a, b) for a, b in combinations(described, 2)]
    known = [share for share in shared if share is not None]
    return bool(known) and min(known) > _DIFFERENT


def _descriptions(source: Source, item: str | None, names: Sequence[str]) -> dict[str, dict[str, str]]:
    """Return the cells of columns with one value per item, by column and item. Constants do not describe items."""
    columns = source.load(list(dict.fromkeys([*names, *([item] if item else [])])))[0] if names else {}
    if not columns or len(next(iter(columns.values())).codes) > _MOST_ROWS:
        return {}
    cells = {name: cells_of(column) for name, column in columns.items()}
    items = cells[item] if item else [str(k) for k in range(len(cells[names[0]]))]
    found = {}
    for name in names:
        by_item = dict(zip(items, cells[name], strict=True))
        single = all(by_item[i] == cell for i, cell in zip(items, cells[name], strict=True))
        if single and 2 * len(set(by_item.values())) > len(by_item) > 1:
            found[name] = by_item
    return found


def _share_of_different(a: dict[str, dict[str, str]], b: dict[str, dict[str, str]]) -> float | None:
    """Return the largest share of items of the same name that a column describes differently; None if none does."""
    shares = []
    for name in a.keys() & b.keys():
        both = a[name].keys() & b[name].keys()
        if both:
            shares.append(sum(a[name][i] != b[name][i] for i in both) / len(both))
    return max(shares, default=None)


def named_by_file(item: Column, file: str) -> Column:
    """Return names of items that begin with the file."""
    stem = Path(file).stem
    return Column(item.codes, [f"{stem} {name}" if name != "" else "" for name in map(str, item.names)])


__all__ = [
    "describe_other_items",
    "labels_by_line",
    "named_by_file",
    "open_labels_by_line",
    "with_equal_headers",
    "without_descriptions",
]
