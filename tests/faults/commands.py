"""Commands that write files, with their arguments and outputs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

LABELS = "item,annotator,label\n1,Ana,x\n1,Ben,x\n2,Ana,y\n2,Ben,x\n3,Ana,y\n3,Ben,y\n4,Ana,x\n4,Ben,y\n"
UNITS = "doc,annotator,start,end,label\nd,Ana,0,5,x\nd,Ben,1,5,x\nd,Ana,8,9,y\nd,Ben,8,9,x\n"
ROUNDS = "item,annotator,label,round\n" + "".join(
    f"{i},{who},{'xy'[(i * k) % 2]},{1 + i % 2}\n" for i in range(6) for k, who in enumerate(("Ana", "Ben"), 1)
)
_QUICK = ("-m", "alpha", "--interval", "none")
_FEW = ("--reference", "Ana", "--sets", "2", "--step", "0.5", "--jobs", "1")


@dataclass(frozen=True)
class Command:
    """`words` are arguments; those that begin with `@` are written."""

    words: tuple[str, ...]
    content: str = LABELS

    @property
    def name(self) -> str:
        return " ".join(word for word in self.words if word.isalpha() or word.startswith(("@", "-")))

    @property
    def places(self) -> list[str]:
        return [word[1:] for word in self.words if word.startswith("@")]

    def typed(self, given: Path, out: Path) -> list[str]:
        words = [str(out / word[1:]) if word.startswith("@") else word for word in self.words]
        return [words[0], str(given), *words[1:], "--force"]


def _of(words: str, *more: str, content: str = LABELS) -> Command:
    return Command((*words.split(), *more), content)


FILES = _of("score", *_QUICK, "-o", "@a.txt", "--save", "@run.toml")
WORKBOOK = _of("gold -o @a.csv --adjudicate @todo.xlsx --soft @soft.parquet")
FOLDER = _of("shuffle --reference Ana --error shift -o @out --save @run.toml", content=UNITS)
REPORT = _of("report -m f1 --interval none -o @out --save @run.toml", content=UNITS)
JOURNAL = _of("xray -m percent --resume -o @a.csv", *_FEW)
COMMANDS = (
    FILES,
    _of("score", *_QUICK, "--json", "-o", "@a.json"),
    _of("score", *_QUICK, "--latex", "-o", "@a.tex"),
    _of("check --min alpha=0 --interval none --junit @a.xml -o @a.txt"),
    _of("align -o @a.csv", content=UNITS),
    _of("align --json -o @a.json --save @run.toml", content=UNITS),
    _of("convert @out"),
    _of("convert @a.csv"),
    _of("convert @a.parquet"),
    _of("gold -o @a.csv --adjudicate @todo.csv --soft @soft.jsonl"),
    WORKBOOK,
    _of("gold -o @out"),
    _of("shuffle --reference Ana -o @a.csv --keep-reference @gold.csv"),
    FOLDER,
    _of("report -m f1 --interval none -o @a.html", content=UNITS),
    REPORT,
    _of("xray -m percent -o @a.csv --plot @a.svg", *_FEW),
    JOURNAL,
    _of("meaning -m percent --sets 2 --step 0.5 --jobs 1 -o @a.csv --plot @a.png"),
    _of("plot --kind confusion -o @a.svg"),
    _of("influence -m alpha --plot @a.pdf -o @a.csv --csv"),
    _of("trend --by round -m alpha --plot @a.svg -o @a.md --markdown", content=ROUNDS),
    _of("cite --bibtex -o @a.bib"),
    _of("disagreements --csv -o @a.csv"),
)
EMPTY_ONLY = ("convert @out", "gold -o @out")  # these never write into an existing folder
