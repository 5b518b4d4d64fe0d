"""The mix of inputs. An input depends only on the seed and its number."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from random import Random

from . import samples
from .asking import HEAVY, commands, drawn, measure_of
from .calls import call
from .cases import Case
from .mutating import gently, mutated
from .samples import CHEAP, Sample
from .specs import spec
from .words import CELLS, NONSENSE, NUMBERS, some, surrogate_free

LIGHT = tuple(name for name in commands() if name not in HEAVY)
_OWN = b"def f(data):\n    return 0.5\n"


def case(seed: int, number: int) -> Case:
    """Return the input with this number."""
    rng = Random(f"{seed}:{number}")  # noqa: S311 - no secrets
    family = rng.choices(tuple(FAMILIES), weights=[share for share, _ in FAMILIES.values()])[0]
    made = FAMILIES[family][1](rng)
    return dataclasses.replace(made, family=family)


def _tables(rng: Random) -> Case:
    return _asked(rng, _changed(rng, rng.choice(samples.tables())))


def _formats(rng: Random) -> Case:
    """Files in formats of other tools: those of the tests, and those of ../shared if present."""
    own = rng.random() < 0.6 or not samples.strangers()
    return _asked(rng, _changed(rng, rng.choice(samples.formats() if own else samples.strangers())))


def _changed(rng: Random, sample: Sample) -> Sample:
    """Mutate, replace, rename or remove one file."""
    files = dict(sample.files)
    name = rng.choice(sorted(files))
    what = rng.random()
    if what < 0.3:
        files[name] = gently(rng, files[name])
    elif what < 0.92:
        files[name] = mutated(rng, files[name], name)
    elif what < 0.95 and len(files) > 1:
        del files[name]
    elif what < 0.97:
        files[name] = rng.choice([content for one in samples.tables() for content in one.files.values()])
    elif "/" in name:
        files[
            f"{name.rpartition('/')[0]}/{rng.choice(('x.csv', 'x', 'x.json', '.x', 'é.xml', 'x.y.z', 'Ana.tsv'))}"
        ] = files.pop(name)
    return dataclasses.replace(sample, files=files)


def _asked(rng: Random, sample: Sample) -> Case:
    """Read or score a sample, in Python or by a command."""
    what = rng.random()
    given = list(sample.given)
    with_options = rng.random() < 0.9
    if what < 0.4:
        return Case("", call=sample.call(with_options=with_options), files=sample.files)
    if what < 0.65:
        measure = rng.choice(CHEAP[sample.kind])
        return Case(
            "",
            call=sample.call(f"accord.score({given!r}, {measure!r}, replicates=100", with_options),
            files=sample.files,
        )
    stated = list(sample.options) if with_options else []
    if what < 0.83:
        more = drawn(rng, "read", sample.kind, 2) if rng.random() < 0.2 else rng.choice(([], ["--json"], ["--csv"]))
        if len(given) == 1 and len(sample.files) == 1 and "/" not in given[0] and rng.random() < 0.1:
            return Case("", argv=("read", "-", *stated, *more), stdin=sample.files.get(given[0], b""))
        return Case("", argv=("read", *given, *stated, *more), files=sample.files)
    measures = ["-m", rng.choice(CHEAP[sample.kind])]
    more = rng.choice(
        ([], ["--interval", "none"], ["--json"], ["--by", "category"], ["--matrix"], ["--explain"], ["--markdown"])
    )
    return Case(
        "",
        argv=("score", *given, *stated, *measures, *more, "--jobs", "1", "--replicates", "100"),
        files=sample.files,
    )


def _options(rng: Random) -> Case:
    return _command(rng, rng.choice(LIGHT))


def _heavy(rng: Random) -> Case:
    return _command(rng, rng.choice(sorted(HEAVY)))


def _command(rng: Random, command: str) -> Case:
    if not commands()[command]:
        return Case("", argv=(command, *([some(rng, NONSENSE)] if rng.random() < 0.5 else [])))
    simple = [one for one in samples.tables() if one.name.endswith("/table.csv")]
    sample = rng.choice(simple if rng.random() < 0.9 else samples.tables())
    files = {
        **sample.files,
        "old.json": b"{}",
        "own.py": _OWN,
        "docs.csv": samples.DOCS.encode(),
        "gold.csv": samples.UNITS.encode(),
    }
    kind = sample.kind if rng.random() < 0.9 else rng.choice(tuple(CHEAP))
    words = drawn(rng, command, kind)
    if kind != sample.kind and "-m" in commands()[command] and not {"-m", "--measure"} & set(words):
        words += ["-m", rng.choice(CHEAP[kind])]
    if command == "measures":
        given = [rng.choice((*CHEAP["items"], "gamma", "kappam.fleiss", "irr::icc", "irr", "x", "", "\0"))]
    elif command == "schema":
        given = [rng.choice(("score", "Score", "x", "", "\0"))]
    elif command in {"papers", "formats"}:
        given = []
    else:
        given = [*sample.given, *(sample.options if rng.random() < 0.9 else ())]
        if command == "convert":
            given = [
                *sample.given,
                rng.choice(("out", "out.csv", "out.json", "out.parquet", "table.csv", "nowhere/x", "")),
            ]
        elif command == "plan" and rng.random() < 0.5:
            given = []
            words += rng.choice(([], ["--width", "0.3"], ["--documents", "4", "--team", "3"], ["--null", "0.5"]))
        elif command == "replace":
            words += ["--models", "C"]
        elif command == "check" and rng.random() < 0.7:
            words += ["--min", f"{rng.choice(CHEAP[kind])}=0.1"]
        elif command == "trend":
            words += ["--by", "round"]
    if rng.random() < 0.03:
        given.append(some(rng, NONSENSE, CELLS))
    return Case("", argv=(command, *given, *words), files=files)


def _specs(rng: Random) -> Case:
    return Case("", call=f"accord.measure({spec(rng)!r})")


def _memory(rng: Random) -> Case:
    return Case("", call=call(rng))


def _plans(rng: Random) -> Case:
    """Saved runs with manual edits."""
    command = rng.choice([name for name in TOML if name not in HEAVY or rng.random() < 0.2])
    text = TOML[command]
    if rng.random() < 0.5:
        text = text.replace('"alpha"', _quoted(measure_of(rng, "items")))
    for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
        text = _edited(rng, text)
    files = {
        "run.toml": surrogate_free(text).encode(),
        "table.csv": samples.ITEMS.encode(),
        "units.csv": samples.UNITS.encode(),
    }
    if rng.random() < 0.15:
        files["run.toml"] = mutated(rng, files["run.toml"], "run.toml")
    asked = command if rng.random() < 0.95 else rng.choice(LIGHT)
    return Case(
        "",
        argv=(asked, "--run", "run.toml", *rng.choice(((), (), ("--json",), ("-o", "out"), ("--save", "again.toml")))),
        files=files,
    )


_VALUES = (
    "3", "-1", "0.5", "nan", "inf", "true", '""', '"x"', "[]", "[[]]", "{}", '["a"]', "[1]", "1979-05-27", "07:32:00",
    "[nan]", '"\\u0000"',
    "99999999999999999999", "1" * 5_000, "[" * 60 + "]" * 60, "{a = {b = {}}}", '["nowhere.csv"]', '"table.csv"', "''",
    '[""]', "[true]",
)  # fmt: skip
_KEYS = (
    "paths", "measures", "measure", "seed", "by", "interval", "reading.layout", "reading.sets", "reading.categories",
    "settings.level",
    "settings.replicates", "settings.method", "matrix", "explain", "command", "accord", "x", '""', "reading",
    "settings", "target", "jobs",
    "reading.missing", "reading.fold", "reading.only", "reading.encoding", "reading.delimiter", "level", "replicates",
    "scales", "null",
)  # fmt: skip


def _edited(rng: Random, text: str) -> str:
    lines = text.splitlines()
    what = rng.random()
    at = rng.randrange(len(lines)) if lines else 0
    if what < 0.35 and lines and "=" in lines[at]:
        lines[at] = f"{lines[at].partition('=')[0]}= {rng.choice(_VALUES)}"
    elif what < 0.75:
        lines.insert(0, f"{rng.choice(_KEYS)} = {rng.choice(_VALUES)}")
    elif what < 0.85 and lines:
        del lines[at]
    else:
        lines.insert(
            at, some(rng, CELLS, NUMBERS, ("[reading]", "[settings]", "[[x]]", "=", "a.b.c = 1", "#", '"', "'''"))
        )
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "").replace("\n", "").replace("\0", "") + "'"


# A saved run of each fast command.
TOML = {
    "score": 'command = "score"\npaths = ["table.csv"]\nmeasures = ["alpha"]\nby = ["category"]\n'
    '[settings]\nlevel = 0.9\n[reading]\nmissing = ["NA"]\n',
    "read": 'command = "read"\npaths = ["table.csv"]\n[reading]\ncategories = ["a", "b", "c"]\n',
    "convert": 'command = "convert"\npaths = ["table.csv"]\ntarget = "out.csv"\n',
    "compare": 'command = "compare"\npaths = ["table.csv"]\nmeasures = ["alpha"]\n'
    'annotators_a = "A,B"\nannotators_b = "B,C"\n',
    "influence": 'command = "influence"\npaths = ["table.csv"]\nmeasures = ["alpha"]\nreplicates = 100\n',
    "check": 'command = "check"\npaths = ["table.csv"]\nleast = ["alpha=0.1"]\n',
    "plan": 'command = "plan"\nmeasure = "alpha"\nwidth = 0.3\nsimulations = 0\n',
    "gold": 'command = "gold"\npaths = ["units.csv"]\nthreshold = 0.4\n',
    "disagreements": 'command = "disagreements"\npaths = ["table.csv"]\nmeasure = "alpha"\n',
    "shuffle": 'command = "shuffle"\npaths = ["units.csv"]\nerrors = ["shift"]\nreference = "A"\nmagnitudes = [0.2]\n',
}  # fmt: skip

# The share of each family, and the function that makes its inputs.
FAMILIES: dict[str, tuple[float, Callable[[Random], Case]]] = {
    "tables": (0.16, _tables),
    "formats": (0.12, _formats),
    "options": (0.07, _options),
    "memory": (0.36, _memory),
    "specs": (0.24, _specs),
    "plans": (0.04, _plans),
    "heavy": (0.01, _heavy),
}
