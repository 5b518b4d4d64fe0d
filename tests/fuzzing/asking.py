"""Random command lines: options of all commands, with valid, almost valid and invalid values."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from tests.planned import commands as every_command

from accord.data.io.formats.catalogue import FORMATS
from accord.measures.intervals.methods import INTERVALS

from .specs import WORDS, right, spec
from .words import CELLS, LABELS, NONSENSE, NUMBERS, some

HEAVY = {
    "report",
    "plot",
    "xray",
    "meaning",
    "annotators",
    "trend",
    "cite",
    "influence",
}  # half a second or more each
NEVER = {"papers"}  # takes minutes, so it gets an invalid option
_HUGE = ("99999999999999999999", "-99999999999999999999")
_LEVELS = ("0.95", "0.9", "0.5", "0", "1", "-1", "0.9999999999999999", "1e-300", "nan", "inf", "95", "x", "")
_SHARES = ("0", "0.1", "0.3", "0.5", "1", "-1", "2", "nan", "inf", "1e-300", "x")
_NAMES = ("A", "B", "C", "A,B", "A,C", "B,C", "nobody", "A,nobody", "A,A", ",", "", "A,B,C")
_COLUMNS = ("label", "item", "annotator", "doc", "start", "end", "round", "A", "B", "x", "nowhere", "", "text", "chain")
_FEW = ("100", "101", "0", "1", "2", "-1", "x", "2.5", *_HUGE)
_OUT = (
    "out.csv",
    "out.json",
    "out.txt",
    "out",
    "nowhere/out.csv",
    "table.csv",
    ".",
    "out.xlsx",
    "/dev/null",
    "\0",
    "x" * 300,
    "",
)
_PICTURES = ("out.svg", "out.png", "out.pdf", "out.txt", "out", "nowhere/out.svg", "table.csv", "")
# Valid and almost valid values by option. Other options get numbers and nonsense.
VALUES: dict[str, tuple[str, ...]] = {
    "--interval": (*INTERVALS, "default", "none", "x", ""),
    "--level": _LEVELS,
    "--replicates": _FEW,
    "--simulations": ("0", "2", "20", "-1", "x", *_HUGE),
    "--items-population": ("9", "10", "100", "1", "0", "-1", "x", *_HUGE),
    "--annotators-population": ("3", "10", "1", "0", "-1", "x", *_HUGE),
    "--null": ("0", "0.5", "1", "-1", "nan", "inf", "permutation", "x", "1e400"),
    "--seed": ("0", "1", "7", "-1", "x", "4294967296", *_HUGE),
    "--jobs": ("1", "1", "1", "0", "-1", "x"),
    "--by": ("category", "annotator", "pair", "item", "document", "doc", "round", "kind", "label", "nowhere", ""),
    "--scale": ("landis_koch", "krippendorff", "neuendorf", "altman", "fleiss", "x", ""),
    "--show": ("se", "p", "se,p", "x", "", "alpha", "pi"),
    "--style": ("plain", "apa", "x", ""),
    "--layout": ("long", "wide", "counts", "confusion", "units", "pygamma", "segmentations", "texts", "chains", "x",
    ""),
    "--role": ("label=label", "A=ignore", "A=annotator", "item+round=item", "x=votes", "start=start", "x", "=", "a=b",
    "+=item"),
    "--item": (*_COLUMNS, "item+round", "+"),
    "--annotator": _COLUMNS, "--label": _COLUMNS, "--doc": _COLUMNS, "--start": _COLUMNS,
    "--end": _COLUMNS, "--time": _COLUMNS, "--duration": _COLUMNS, "--text": _COLUMNS,
    "--missing": ("NA", "a", "", "0", "x", "\0"), "--fold": ("case", "space", "x", ""),
    "--sets": ("|", ",", ";", "", "||", "\n", "a", "1", "2", "0", "-1"),
    "--categories": ("a,b,c", "0,1,2", "c,b,a", "a,a", "", ",", "x", "a,b,c,d,e", "x,y"),
    "--repeats": ("error", "first", "last", "trials", "x", ""),
    "--only": ("a", "a,b", "label=a", "doc=d1", "round=0", "annotator=A", "=", "a=", "=a", "nowhere=1", "item=i1,i2",
    ""),
    "--annotators": (*_NAMES, "2", "1", "0", "-1", "3"), "--annotators-a": _NAMES, "--annotators-b": _NAMES,
    "--leave-out": _NAMES, "--models": _NAMES, "--replace": _NAMES, "--reference": (*_NAMES, "consensus"),
    "--base": _NAMES,
    "--merge": ("a,b=c", "a=b", "a,b=", "=c", "a", "a,b=a", ",=,", "x,y=z", "nowhere=a"),
    "--format": (*(one.name for one in FORMATS), "x", ""),
    "--annotators-in": ("columns", "rows", "files", "folders", "sheets", "tiers", "x", ""),
    "--columns": ("{annotator}_{label}", "{label}_{annotator}", "{annotator}", "{", "{}", "", "{x}", "x",
    "{annotator}{label}"),
    "--names": ("{doc}_{annotator}", "{annotator}/{doc}", "{doc}.{annotator}", "{annotator}", "{", "{}", "", "{x}",
    "*"),
    "--encoding": ("utf-8", "latin-1", "utf-16", "cp1252", "undefined", "punycode", "idna", "rot13", "zlib", "x", "",
    "\0"),
    "--delimiter": (",", ";", "tab", "\t", "", ",,", "|", "\n", "\"", "é", "😀", "\0"),
    "--sheet": ("Sheet", "Sheet1", "1", "0", "-1", "x", ""),
    "--docs": ("docs.csv", "table.csv", "nowhere.csv", "", "."), "--judged": ("judged.csv", "table.csv", "nowhere.csv",
    "", "."),
    "--texts": ("texts", ".", "nowhere", "", "table.csv"),
    "--merge-symbol": ("#", "", "##", "|", "é"), "--split-symbol": ("|", "", "||", "#", "é"),
    "-o": _OUT, "--save": ("run.toml", "nowhere/run.toml", "table.csv", "", "."), "--keep-reference": _OUT,
    "--junit": _OUT,
    "--plot": _PICTURES, "--figures": ("nowhere/x",),
    "--run": ("run.toml", "nowhere.toml", "table.csv", "", "."),
    "--to": (*(one.name for one in FORMATS if one.written), "x", ""),
    "--decimals": ("0", "1", "3", "-1", "x", "400", *_HUGE),
    "--group": ("x=A,B", "y=C", "x=A", "x=", "=A", "x", "x=nobody", ""),
    "--method": ("default", "linearised", "bootstrap", "permutation", "vote", "dawid_skene", "mace", "median", "mean",
    "x", ""),
    "--min": ("alpha=0.5", "f1=0.2", "alpha=-1", "alpha", "=1", "alpha=x", "alpha=nan", "x=1", "",
    "alpha(ordinal)=0.1"),
    "--max": ("ser=0.2", "pk=0.5", "alpha=0.5", "ser", "=1", "ser=x", "ser=inf", ""),
    "--use": ("value", "lower", "x", ""), "--baseline": ("old.json", "table.csv", "nowhere.json", "", "."),
    "--documents": ("4", "1", "0", "-1", "a,b", "a,a", "", "x", *_HUGE), "--team": ("3", "2", "1", "0", "A,B", "A,A",
    "", *_HUGE),
    "--per-document": ("2", "1", "0", "3", "9", "-1", "x", *_HUGE), "--everybody": ("0", "1", "2", "9", "-1", "x",
    *_HUGE),
    "--width": ("0.3", "0.5", "1", "0", "-1", "2", "nan", "1e-300", "one", "two", "x"),
    "--difference": _SHARES, "--power": _LEVELS, "--correlation": _SHARES, "--value": _SHARES, "--advantage": _SHARES,
    "--ties": _SHARES, "--q": _SHARES, "--threshold": _SHARES, "--magnitude": _SHARES,
    "--epsilon": ("0.2", "experts", "skilled", "crowd", "0", "-1", "nan", "x", ""),
    "--shares": ("0.5,0.5", "0.2,0.3,0.5", "1", "0.5", "0,1", "-1,2", "nan,1", "x", "", ",", "0.5,0.6"),
    "--raters": ("2", "3", "1", "0", "-1", "x", "50"), "--score": ("accuracy", "neg_rmse", "jaccard", "gamma", "x", ""),
    "--family": _COLUMNS, "--people": _NAMES, "--measure-b": ("alpha", "pi", "x", ""),
    "--reading": ("reading.toml", "nowhere.toml", "table.csv", ""),
    "--save-reading": ("reading.toml", "table.csv", ""),
    "--kind": ("alignment", "confusion", "pairs", "forest", "disorder", "differences", "bland_altman", "confused",
    "round", "x", ""),
    "--min-people": ("1", "2", "3", "0", "-1", "x", *_HUGE), "--min-items": ("1", "2", "5", "0", "-1", "x", *_HUGE),
    "--boundaries": ("median", "mode", "union", "intersection", "A", "x", ""),
    "--decisions": ("decided.csv", "table.csv", "nowhere.csv", "", "."),
    "--adjudicate": ("out.csv", "out.xlsx", "out.txt", "nowhere/x.csv", ""), "--soft": ("out.jsonl", "out.csv",
    "out.parquet", "x", ""),
    "--document": ("d1", "d2", "nowhere", ""), "--title": ("A title", "", "<b>", "\0", "é"),
    "--error": (
        "false_negative", "false_positive", "fragment", "shift", "category", "text", "token",
        "combination([shift,category])",
        "shift(form=2015,overlap=false)", "combination([])", "combination(shift)", "shift(form=x)", "x", "", "(",
    ),
    "--step": ("1", "0.5", "0.3", "2", "0", "-1", "nan", "inf", "1e-300", "x"),
    "--generate": (
        "units=5,categories=2", "units=5", "segmentation=true", "units=0", "units=-1", "units=x",
        "units=5,categories=0",
        "units=4,prevalence=[.5,.5],categories=2", "lengths=[5,1]", "lengths=[]", "gaps=[nan,1]", "overlap=2", "x=1",
        "", "(", "documents=2",
    ),
    "--function": ("own.py:f", "own.py:nothing", "own.py", "nowhere.py:f", "", ":", "table.csv:f"),
    "--gold": ("gold.csv", "table.csv", "nowhere.csv", ""),
}  # fmt: skip
NEEDED = {"--step": "1", "--simulations": "0", "--jobs": "1", "--replicates": "100"}  # slow by default


@cache
def commands() -> dict[str, dict[str, Any]]:
    """Return the options of each command by name."""
    return {
        name: {
            option.opts[0]
            if option.opts[0].startswith("--") or option.opts[0] in {"-m", "-o"}
            else option.opts[-1]: option
            for option in command.params
            if option.param_type_name == "option"
        }
        for name, command in every_command().items()
        if name != "serve"  # runs until it is stopped
    }


def measure_of(rng: Random, kind: str) -> str:
    return right(rng, kind) if rng.random() < 0.8 else spec(rng)


def value_of(rng: Random, option: str, kind: str) -> str:
    if option == "-m":
        return measure_of(rng, kind)
    if option in VALUES and rng.random() < 0.95:
        known = VALUES[option]
        return rng.choice(known[: (len(known) + 1) // 2] if rng.random() < 0.75 else known)
    if option in NEEDED:
        return NEEDED[option]
    return some(rng, NUMBERS, NONSENSE, CELLS, LABELS, WORDS) if option not in {"-o", "--save", "--plot"} else "out"


def drawn(rng: Random, command: str, kind: str, most: int = 5) -> list[str]:
    """Draw some options of a command, with values."""
    known = commands()[command]
    words: list[str] = []
    chosen = rng.sample(sorted(known), min(len(known), rng.choice((1, 1, 2, 2, 3, most))))
    for option in chosen:
        about = known[option]
        times = rng.choice((1, 1, 2)) if about.multiple else 1
        for _ in range(times):
            spelt = rng.choice(about.opts) if rng.random() < 0.2 else option
            words += [spelt] if about.is_flag else [spelt, value_of(rng, option, kind)]
    for option, usual in NEEDED.items():
        if option in known and option not in chosen:
            words += [option, usual]
    if command in NEVER:
        words += ["--seed", "-1"]
    if "-m" in known and not {"-m", "--measure"} & set(words) and kind != "items":
        words += ["-m", measure_of(rng, kind)]  # the default γ is slow
    return words
