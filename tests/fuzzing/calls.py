"""Random Python expressions: public functions with tables in memory and options."""

from __future__ import annotations

from random import Random

from accord.measures.catalogue import MEASURES

from .samples import CHEAP
from .specs import spec

VALUES = (
    "0", "1", "2", "3", "-1", "0.5", "1.5", "nan", "inf", "-inf", "None", "True", "False", "''", "' '", "'a'", "'b'",
    "'c'", "'x'",
    "'1'", "'NA'", "'nan'", "'\\x00'", "'😀'", "'a|b'", "10**30", "1e308", "1e-320", "-0.0", "b'a'", "Decimal('1.5')",
    "(1, 2)",
    "frozenset('ab')", "{'a'}", "['a']", "{'a': 1}", "object()", "np.float32(1.5)", "np.int64(3)", "pd.NA", "pd.NaT",
    "float('nan')",
    "np.datetime64('2020-01-01')", "date(2020, 1, 1)", "1+2j", "10**400", "np.nan", "''.join(['é'])", "'\\ud800'",
)  # fmt: skip
_COLUMNS = (
    ("item", "annotator", "label"), ("item", "A", "B"), ("item", "A", "B", "C"), ("A", "B"), ("doc", "annotator",
    "start", "end", "label"),
    ("annotator", "start", "end", "label"), ("doc", "annotator", "masses"), ("doc", "annotator", "text"),
    ("doc", "annotator", "start", "end", "chain"), ("item", "annotator", "label", "round"), ("x", "y", "z"),
    ("annotator", "boundaries", "length"),
)  # fmt: skip
_SIGNS = {"start": "units", "masses": "segmentations", "boundaries": "segmentations", "text": "texts"}
_KINDS = {
    "start": "number",
    "end": "number",
    "annotator": "who",
    "doc": "doc",
    "item": "item",
    "masses": "masses",
    "text": "text",
    "length": "length",
    "boundaries": "boundaries",
}
_OPTIONS = (
    "layout='long'", "layout='wide'", "layout='counts'", "layout='confusion'", "layout='units'", "layout='texts'",
    "layout='chains'",
    "layout='segmentations'", "layout='x'", "layout=3", "item='item'", "item='x'", "label='label'", "label=['A', 'B']",
    "label=[]",
    "annotator='annotator'", "missing=['a']", "missing=3", "keep_empty=True", "fold=['case']", "fold='x'", "sets='|'",
    "sets=''",
    "categories=['a', 'b']", "categories=[[]]", "categories=[]", "categories=[1, '1']", "categories=[nan]",
    "repeats='first'",
    "repeats='trials'", "only=['a']", "only='label=a'", "annotators=['A', 'B']", "annotators={}", "merge=['a,b=c']",
    "merge='x'",
    "extents={'d1': (0, 50)}", "extents=(0, 50)", "extents={}", "extents=3", "judged={'d1': ['A']}", "judged=3",
    "texts={'A': 'a b'}",
    "texts={}", "texts=3", "base='A'", "by='round'", "by=[]", "keep='round'", "seed=-1", "seed='x'", "jobs=0",
    "level=0.9999999999999999",
    "level='x'", "replicates=10**30", "replicates=100", "interval='bca'", "interval='bootstrap'", "interval='none'",
    "interval='x'",
    "null='permutation'", "null=nan", "no_header=True", "columns='{annotator}_{label}'", "names='{'", "delimiter=','",
    "encoding='x'",
)  # fmt: skip
_SHAPES = ("dict", "dict", "dict", "rows", "lists", "pd", "pl", "np", "odd", "series", "index", "arrow", "records")
_ODD = (
    "{}", "[]", "()", "None", "3", "nan", "''", "b''", "object()", "[[]]", "[{}]", "{'': []}", "pd.DataFrame()",
    "pl.DataFrame()",
    "np.array([])", "np.zeros((0, 3))", "np.zeros((2, 2, 2))", "[1, 2, 3]", "{1: 2}", "{'a': 1}", "{'a': None}",
    "iter([])", "range(5)",
    "set()", "'nowhere.csv'", "Path('nowhere.csv')", "['a', 'b']", "[['a', 'b'], ['a']]", "{'A': 'aab', 'B': 'abb'}",
    "type", "accord",
    "pd.Series([1, 2])", "np.array([1, 'a', None], dtype=object)", "[None, None]", "{'A': range(3), 'B': range(2)}",
    "lambda: 1", "'\\x00'",
    "pl.DataFrame({'A': [[1], [2]], 'B': [[1], [1]]})",
    "pd.DataFrame({'A': pd.Categorical(['a', 'b']), 'B': ['a', 'b']})",
)  # fmt: skip
_FUNCTIONS = (
    "read",
    "read_all",
    "score",
    "score",
    "marginals",
    "influence",
    "gold",
    "disagreements",
    "compare",
    "check",
    "intra",
    "annotators",
)
_QUICK = tuple(name for name in _FUNCTIONS if name not in {"influence", "annotators"})
_SLOW = {"gamma", "gamma_cat", "gamma_k", "text_gamma"}


def call(rng: Random) -> str:
    """Return a call of a function with a table and options, or of a measure with two columns."""
    what = rng.random()
    if what < 0.25:
        return _measured(rng)
    if what < 0.32:
        cls = rng.choice([cls for cls in MEASURES if cls.data == "items"])
        return f"accord.{cls.name}({_list(rng)}, {_list(rng)}, replicates=100{_options(rng, 0.2)})"
    name = rng.choice(_FUNCTIONS if rng.random() < 0.15 else _QUICK)
    first, kind = _table(rng)
    more = {
        "score": lambda: f", {_measures(rng, kind)}, replicates=100",
        "check": lambda: f", {{{_measures(rng, kind)}: 0.5}}, replicates=100",
        "compare": lambda: f", {_table(rng)[0]}, {_measures(rng, kind)}, replicates=100",
        "influence": lambda: f", {_measures(rng, kind)}, replicates=100",
        "gold": lambda: "", "annotators": lambda: ", replicates=0",
    }.get(name, str)()  # fmt: skip
    return f"accord.{name}({first}{more}{_options(rng, 0.35)})"


def _measured(rng: Random) -> str:
    """Return a call of the function of a measure, mostly with data of its kind."""
    first, kind = _table(rng)
    cls = rng.choice([cls for cls in MEASURES if cls.data == kind] if rng.random() < 0.8 else MEASURES)
    few = ", samples=2, precision=0.5" if cls.name in _SLOW else ""
    return f"accord.{cls.name}({first}{few}, replicates=100{_options(rng, 0.2)})"


def _measures(rng: Random, kind: str) -> str:
    if rng.random() < 0.2:
        return repr(spec(rng))
    return repr(rng.choice(CHEAP[kind if rng.random() < 0.8 else rng.choice(tuple(CHEAP))]))


def _options(rng: Random, share: float) -> str:
    chosen = [] if rng.random() > share else rng.sample(_OPTIONS, rng.choice((1, 1, 2)))
    names = {one.partition("=")[0]: one for one in chosen}  # each keyword once
    return "".join(f", {one}" for name, one in names.items() if name != "replicates")


def _list(rng: Random, many: int | None = None) -> str:
    many = rng.choice((0, 1, 2, 3, 5, 8)) if many is None else many
    pool = rng.sample(VALUES, rng.choice((1, 2, 2, 3)))
    return f"[{', '.join(rng.choice(pool) for _ in range(many))}]"


def _table(rng: Random) -> tuple[str, str]:
    """Return a table, and the kind of its data."""
    shape = rng.choice(_SHAPES)
    if shape == "odd":
        return rng.choice(_ODD), "items"
    many = rng.choice((0, 1, 2, 4, 4, 4, 6, 6, 8, 9))
    names = rng.choice(_COLUMNS)
    kind = "chains" if "chain" in names else next((_SIGNS[name] for name in names if name in _SIGNS), "items")
    cells = {name: _column(rng, name, many, 1 if "annotator" not in names else 2) for name in names}
    table = "{" + ", ".join(f"{name!r}: {values}" for name, values in cells.items()) + "}"
    rows = f"list(zip({', '.join(cells.values())}))"
    made = {
        "dict": table,
        "pd": f"pd.DataFrame({table})",
        "index": f"pd.DataFrame({table}, index=range({many}))",
        "series": f"{{name: pd.Series(values) for name, values in {table}.items()}}",
        "pl": f"pl.DataFrame({table}, strict=False)",
        "arrow": f"pl.DataFrame({table}, strict=False).to_arrow()",
        "records": f"pd.DataFrame({table}).to_dict('records')",
        "np": f"np.array({rows}, dtype=object)",
        "rows": rows,
        "lists": f"[list(row) for row in {rows}]",
    }[shape]
    return made, kind


def _column(rng: Random, name: str, many: int, people: int) -> str:
    """Return the values of a column, mostly valid ones."""
    kind = _KINDS.get(name, "label")
    if rng.random() < 0.06:
        return _list(rng, many)
    usual = {
        "who": [repr("AB"[k % 2]) for k in range(many)],
        "item": [repr(f"i{k // people}") for k in range(many)],
        "doc": [repr(f"d{1 + k // people}") for k in range(many)],
        "number": [str(5 * (k // 2) + (4 if name == "end" else 0) + rng.choice((0, 0, 1))) for k in range(many)],
        "masses": [repr(rng.choice(("3 4", "7", "2 5", "1 1 5"))) for _ in range(many)],
        "boundaries": [repr(rng.choice(("3", "3 4", "", "1 5"))) for _ in range(many)],
        "length": ["7"] * many,
        "text": [repr(rng.choice(("the cat", "the cat sat", "a cat", ""))) for _ in range(many)],
        "label": [repr(rng.choice("ab")) for _ in range(many)]
        if rng.random() < 0.5
        else [str(rng.randint(1, 3)) for _ in range(many)],
    }[kind]
    for _ in range(rng.choice((0, 0, 0, 0, 0, 1, 2))):
        if usual:
            usual[rng.randrange(len(usual))] = rng.choice(VALUES)
    return f"[{', '.join(usual)}]"
