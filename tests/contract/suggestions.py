"""Refused commands, one or more for each code of an error, with the repair that the message suggests."""

from __future__ import annotations

import io
import sqlite3
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import accord

# Options without a value in these commands.
SWITCHES = frozenset(
    ("--marginals", "--latex", "--markdown", "--cite", "--explain", "--wide", "--paired", "--unpaired", "--crossing",
     "--fit", "--bibtex", "--input", "--no-browser", "--notes", "--notess")
)  # fmt: skip
Content = str | bytes | None | Callable[[Path], object]


@dataclass(frozen=True)
class Case:
    """A command that is refused with a code, and its repair: another command, other files, or both."""

    code: str
    command: str
    repaired: str = ""  # the corrected command, if it differs
    files: Mapping[str, Content] = field(default_factory=dict)  # besides COMMON
    edited: Mapping[str, Content] = field(default_factory=dict)  # what the repair writes
    says: tuple[str, ...] = ()  # what the message must contain about an edit
    without: tuple[str, ...] = ()  # packages that are missing until the repair
    broken: Mapping[str, object] = field(default_factory=dict)  # what fails until the repair
    patched: Mapping[str, object] = field(default_factory=dict)  # what is replaced in both runs

    def __str__(self) -> str:
        return f"{self.code}: {self.command}"


def table(header: str, *columns: Sequence[object]) -> str:
    """A table with these columns; the names are separated by commas."""
    rows = [header.split(","), *zip(*columns, strict=True)]
    return "".join(",".join(map(str, row)) + "\n" for row in rows)


def workbook(**sheets: str) -> Callable[[Path], object]:
    """Writes an Excel file with these tables."""

    def write(path: Path) -> None:
        import openpyxl

        book = openpyxl.Workbook()
        book.remove(book.active)
        for name, rows in sheets.items():
            sheet = book.create_sheet(name)
            for row in rows.splitlines():
                sheet.append(row.split(","))
        book.save(path)

    return write


def spread(path: Path) -> None:
    """An Excel file with a cell far from the others."""
    import openpyxl

    book = openpyxl.Workbook()
    for row in WIDE.splitlines():
        book.active.append(row.split(","))
    book.active["XFD1048576"] = "x"
    book.save(path)


def spss(path: Path) -> None:
    import polars
    import pyreadstat

    pyreadstat.write_sav(polars.DataFrame({"item": [1, 2, 3], "Ana": [1, 2, 1], "Ben": [1, 2, 2]}).to_pandas(), path)


def database(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("create table labels (item, annotator, label)")
        connection.execute("create table people (name)")
        rows = [line.split(",")[:3] for line in LONG.splitlines()[1:]]
        connection.executemany("insert into labels values (?, ?, ?)", rows)
    connection.close()


def zipped(name: str, content: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(name, content)
    return made.getvalue()


def for_all(path: Path) -> None:
    """A folder in which all users can write."""
    path.mkdir()
    path.chmod(0o777)


def password(path: Path) -> None:
    path.write_text("long enough\n", encoding="utf-8")
    path.chmod(0o600)


def fails(error: BaseException) -> Callable[..., Any]:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


def unsolved(*_: object, **__: object) -> SimpleNamespace:
    """What a solver returns if it finds no solution."""
    return SimpleNamespace(x=None, message="limit")


WIDE = "item,Ana,Ben\n1,good,good\n2,bad,good\n3,bad,bad\n4,good,good\n"
THREE = "item,Ana,Ben,Cleo\n1,x,x,y\n2,y,y,y\n3,x,y,x\n4,x,x,x\n5,y,y,y\n"
NUMBERS = "item,Ana,Ben,Cleo\n1,3,4,4\n2,1,1,2\n3,5,4,5\n4,2,2,2\n5,4,4,3\n"
LONG = "item,annotator,label,round\n" + "".join(
    f"{k},{who},{'yes' if (k + (who == 'Ben') * (k == 3)) % 2 else 'no'},{'first' if k < 5 else 'second'}\n"
    for k in range(1, 9)
    for who in ("Ana", "Ben")
)
UNITS = "doc,annotator,start,end,label\n" + "".join(
    f"{doc},{who},{start + shift},{start + 4},{label}\n"
    for doc in ("d1", "d2")
    for who, shift in (("Ana", 0), ("Ben", 1))
    for start, label in ((0, "x"), (10, "y"), (20, "x"))
)
CROWDED = table("doc,annotator,start,end,label", ["d"] * 9, sorted(["Ana", "Ben", "Cleo"] * 3),
                [0, 2, 10, 1, 3, 10, 1, 2, 11], [4, 6, 14, 4, 7, 14, 5, 8, 14], list("xyy") * 3)  # fmt: skip
MANY = table("item,annotator,label", [k % 2 for k in range(501)], [f"a{k}" for k in range(501)], ["x"] * 501)
COUNTS = "item,yes,no\n1,3,0\n2,1,2\n3,0,3\n4,2,1\n"
CUTS = 'doc,annotator,masses\nd1,Ana,"3 4 3"\nd1,Ben,"3 5 2"\nd2,Ana,"5 5"\nd2,Ben,"4 6"\n'
BOUNDARIES = 'annotator,boundaries,length\nAna,"3 7",10\nBen,"3 8",10\n'
CHAINS = "doc,annotator,start,end,chain\nd1,Ana,0,3,1\nd1,Ana,5,8,1\nd1,Ben,0,3,1\nd1,Ben,5,8,1\nd1,Ben,9,10,2\n"
SCORE = '{"scores": [{"measure": "alpha", "value": 0.5, "se": 0.1}]}'
COMMON: dict[str, Content] = {
    "wide.csv": WIDE, "long.csv": LONG, "three.csv": THREE, "numbers.csv": NUMBERS, "units.csv": UNITS,
    "counts.csv": COUNTS, "cuts.csv": CUTS, "chains.csv": CHAINS,
}  # fmt: skip

N = 12
IDS = [f"d{k}" for k in range(N)]
ONE, TWO = [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 1], [1, 2, 3, 2, 2, 3, 1, 1, 3, 1, 2, 3]
ANA, BEN = ([("pos", "neg", "neu")[code - 1] for code in codes] for codes in (ONE, TWO))
YES = ["Yes", "No", "Yes", "Yes"]
TIMES = [f"2024-01-01 10:0{k}" for k in range(4)]
FORM = table("Timestamp,Is it good?,Is it new?,Is it long?", TIMES, YES, YES[::-1], YES)
TWICE = LONG + "1,Ana,no,first\n"
LATIN = "item,Ana,Ben\n1,schön,schön\n2,gut,schön\n3,gut,gut\n".encode("latin-1")
BRAT_TEXT, BRAT = "Ana met Ben.\n", "T1\tPER 0 3\tAna\n"
BRATS: dict[str, Content] = {f"brat/{who}/d.{suffix}": content for who in ("Ana", "Ben")
                             for suffix, content in (("ann", BRAT), ("txt", BRAT_TEXT))}  # fmt: skip
AUDACITY = "1\t2\tx\n3\t4\ty\n"
CONLL = "#begin document (d); part 000\nd 0 0 Ana - (1)\nd 0 1 met - -\nd 0 2 her - (1)\n#end document\n"
SURVEY = "tone,frame,_id,_uuid,_submission_time\n1,2,5,a,2024\n2,2,6,b,2024\n"
SHEETS = {
    "one": "motif,Ana,Ben\n1,x,y\n2,y,y\n",
    "two": "item,annotator,label\n1,Cleo,x\n1,Dora,x\n2,Cleo,y\n2,Dora,y\n",
}
VARIABLES = table("item,annotator,tone,frame", sorted([*range(6)] * 2), ["Ana", "Ben"] * 6, ANA, BEN)
TOKENS = "doc,annotator,token,pos,{}\n" + "".join(
    f"d{k},{who},{word},{'N' if k else 'V'},x\n" for k in range(2) for who in ("Ana", "Ben") for word in ("a", "b", "c")
)
MODELS = table("item,annotator,label,kind", sorted([*range(40)] * 4), ["Ana", "Ben", "Cleo", "gpt"] * 40,
               [k // 4 % 2 if k % 5 else 1 for k in range(160)], ["human", "human", "human", "model"] * 40)  # fmt: skip

FILES = [
    Case("file-missing", "score wyde.csv", "score wide.csv", says=("wyde.csv", "check the path")),
    Case("file-missing", "score brat", files={k: v for k, v in BRATS.items() if k != "brat/Ana/d.txt"}, edited=BRATS,
         says=("d.txt is missing", "copy it")),
    Case("file-missing", "score --run no.toml", "score wide.csv", says=("no.toml", "check the path")),
    Case("file-unreadable", "score /dev/zero", "score wide.csv", says=("/dev/zero", "name a file")),
    Case("file-unreadable", "check wide.csv --baseline folder", "check wide.csv --baseline folder/last.json",
         files={"folder/last.json": SCORE}),
    Case("file-damaged", "score t.jsonl", files={"t.jsonl": '{"item": 1, "annotator": "A", "label": "x"}\n{"item": \n'},
         edited={"t.jsonl": "".join(f'{{"item": 1, "annotator": "{who}", "label": "x"}}\n' for who in "AB")},
         says=("t.jsonl:2", "correct it")),
    Case("file-damaged", "score t.xlsx", files={"t.xlsx": zipped("a.txt", "x")}, edited={"t.xlsx": workbook(one=WIDE)},
         says=("t.xlsx", "save it again")),
    Case("file-damaged", "check wide.csv --baseline b.json", files={"b.json": "{"}, edited={"b.json": SCORE},
         says=("b.json", "accord score")),
    Case("file-empty", "score empty.csv", files={"empty.csv": ""}, edited={"empty.csv": WIDE},
         says=("empty.csv", "save or export the data again")),
    Case("file-empty", "score empty.csv", files={"empty.csv": "item,Ana,Ben\n"}, edited={"empty.csv": WIDE},
         says=("no data rows", "add rows")),
    Case("file-empty", "score t.xlsx -m percent", "score t.xlsx -m percent --no-header",
         {"t.xlsx": workbook(one="x,y")}),
    Case("file-too-large", "score t.xlsx", files={"t.xlsx": spread}, edited={"t.xlsx": workbook(one=WIDE)},
         says=("XFD1048576", "delete cells far from the table")),
    Case("file-name", "score wide.csv -o loop", files={"loop": lambda path: path.symlink_to(path)},
         edited={"loop": None}, says=("loop", "remove the link")),
    Case("encoding", "score latin.csv", "score latin.csv --encoding latin-1", {"latin.csv": LATIN}),
    Case("encoding", "score latin.csv", "score latin.csv --encoding cp1252", {"latin.csv": LATIN}),
    Case("encoding", "score wide.csv --encoding klingon", "score wide.csv --encoding utf-8"),
    Case("encoding", "score wide.csv --encoding utf-16", "score wide.csv --encoding latin-1"),
    Case("unsafe-file", "score t.zip", files={"t.zip": zipped("../t.csv", WIDE)},
         edited={"t.zip": zipped("t.csv", WIDE)}, says=("leads out of the archive", "relative paths")),
    Case("unsafe-file", "score units.csv --checkpoint kept", files={"kept": for_all},
         edited={"kept": lambda path: path.chmod(0o700)}, says=('"kept"', "chmod go-w")),
    Case("format-unknown", "score t.csv", "score wide.csv", files={"t.csv": b"\x00\x01\x02\xff" * 50},
         says=("accord formats",)),
    Case("format-unknown", "score t.csv", files={"t.csv": "| item | Ana | Ben |\n|---|---|---|\n| 1 | x | y |\n"},
         edited={"t.csv": WIDE}, says=("Markdown", "save the table as CSV")),
    Case("format-ambiguous", "score Ana.txt Ben.txt", "score Ana.txt Ben.txt --format audacity",
         {"Ana.txt": AUDACITY, "Ben.txt": AUDACITY}),
    Case("export-not-usable", "score t.csv", "score t.csv --annotators-in rows", {"t.csv": SURVEY}),
    Case("invalid-record", "score brat", files={**BRATS, "brat/Ana/d.ann": "T1\tPER 0 x\tAna\n"}, edited=BRATS,
         says=("brat/Ana/d.ann:1", "expected: Type start end")),
    Case("missing-package", "score t.sav", files={"t.sav": spss}, without=("pyreadstat",),
         says=("pip install 'accord[spss]' (in a checkout: pip install '.[spss]')",)),
    Case("missing-package", "gold wide.csv --adjudicate todo.xlsx", without=("xlsxwriter",),
         says=("pip install 'accord[excel]' (in a checkout: pip install '.[excel]')",)),
    Case("missing-package", "gold wide.csv --adjudicate todo.xlsx", "gold wide.csv --adjudicate todo.csv",
         without=("xlsxwriter",), says=("name a .csv file",)),
    Case("database", "score t.db", "score t.db --table labels", {"t.db": database}),
    Case("database", "score t.db --table label", "score t.db --table labels", {"t.db": database}),
]  # fmt: skip

TABLES = [
    Case("header-row", "score t.csv", files={"t.csv": "item,Ana,Ana\n1,x,x\n2,y,x\n"},
         edited={"t.csv": "item,Ana,Ben\n1,x,x\n2,y,x\n"}, says=("t.csv:1", '"Ana"', "rename these cells")),
    Case("header-row", "score t.csv", "score t.csv --no-header", {"t.csv": table("1,2", ONE, TWO)}),
    Case("header-row", "score t.csv", "score t.csv --annotators-in columns", {"t.csv": table("1,2", ONE, TWO)}),
    Case("uneven-rows", "score t.csv", files={"t.csv": WIDE + "5,good\n"}, edited={"t.csv": WIDE + "5,good,bad\n"},
         says=("t.csv:6", "correct the row")),
    Case("uneven-rows", "score t.csv --delimiter ,", "score t.csv --delimiter ';'",
         {"t.csv": WIDE.replace(",", ";").replace("2;bad", "2,2;bad")}),
    Case("uneven-rows", "score t.csv", "score t.csv --delimiter ' '", {"t.csv": WIDE.replace(",", " ")}),
    Case("uneven-rows", "score t.csv", files={"t.csv": 'item,Ana,Ben\n1,"good,good\n2,bad,good\n'},
         edited={"t.csv": WIDE}, says=("t.csv:2", "close it")),
    Case("uneven-rows", "score t.csv -m percent", "score t.csv -m percent --fold space",
         {"t.csv": 'item,annotator,label\n1,A,x\n1,B,"a\n1,B,b"\n1,C,"a\n1,B,b"\n'}),
    Case("column-missing", "score t.csv", "score t.csv --annotator speaker",
         {"t.csv": UNITS.replace("annotator", "speaker")}),
    Case("column-missing", "score wide.csv --layout long", "score wide.csv --layout wide"),
    Case("column-missing", "score t.csv", "score t.csv --item place",
         {"t.csv": table("annotator,place,label", ["Ana"] * 7 + ["Ben"] * 5, [*range(7), *range(5, 10)], ANA)}),
    Case("column-missing", "score t.csv", "score t.csv --label comment",
         {"t.csv": "item,annotator,comment\n1,Ana,x\n1,Ben,x\n"}),
    Case("column-missing", "score t.csv --layout chains", "score t.csv --layout chains --label who",
         {"t.csv": CHAINS.replace("chain", "who")}),
    Case("column-missing", "score t.csv --layout segmentations", files={"t.csv": CUTS.replace("masses", "segments")},
         edited={"t.csv": CUTS}, says=("masses", "Rename the columns")),
    Case("column-missing", "score t.csv", files={"t.csv": 'annotator,boundaries\nAna,"3 7"\nBen,"3 8"\n'},
         edited={"t.csv": BOUNDARIES}, says=("column length",)),
    Case("column-missing", "score units.csv --docs docs.csv", files={"docs.csv": "name,from,to\nd1,0,30\nd2,0,30\n"},
         edited={"docs.csv": "doc,begin,end\nd1,0,30\nd2,0,30\n"}, says=("rename its columns to doc, begin, end",)),
    Case("column-missing", "score units.csv --judged seen.csv", files={"seen.csv": "text,who\nd1,Ana\nd2,Ben\n"},
         edited={"seen.csv": "doc,annotator\nd1,Ana\nd1,Ben\nd2,Ana\nd2,Ben\n"}, says=("rename its columns",)),
    Case("roles-unclear", "score t.csv", "score t.csv --annotators-in columns",
         {"t.csv": table("item,tone,frame", IDS, ANA, BEN)}),
    Case("roles-unclear", "score t.csv", "score t.csv --annotators-in rows --annotator Timestamp", {"t.csv": FORM}),
    Case("roles-unclear", "score t.csv", "score t.csv --item Timestamp --annotators-in columns", {"t.csv": FORM}),
    Case("roles-unclear", "score t.csv", "score t.csv --item email --annotators-in columns",
         {"t.csv": table("email,q1,q2", IDS, ANA, BEN)}),
    Case("roles-unclear", "score t.csv", "score t.csv --annotators-in rows --annotator email",
         {"t.csv": table("email,q1,q2", IDS, ANA, BEN)}),
    Case("roles-unclear", "score t.xlsx", "score t.xlsx --annotators-in sheets",
         {"t.xlsx": workbook(Ana="item,tone\n1,x\n2,y\n3,x\n", Ben="item,tone\n1,p\n2,q\n3,q\n")}),
    Case("roles-unclear", "score t.csv", "score t.csv --item place",
         {"t.csv": table("place,A,B,C", range(1, 5), [2, 2, 1, 4], [2, 2, 1, 4], [2, 3, 1, 4])}),
    Case("roles-unclear", "score t.csv", "score t.csv --columns '{annotator}_{label}'",
         {"t.csv": table("id,A_Costs,A_Trust,B_Costs,B_Trust", IDS, [0, 1, 1] * 4, [0, 0, 1, 1] * 3,
                         [1, 0, 1, 0, 0, 1] * 2, [1, 1, 0, 0] * 3)}),
    Case("roles-unclear", "score t.csv", files={"t.csv": table("item,Ana,Ben", IDS, ANA, list("pqpqpqpqpqpq"))},
         edited={"t.csv": table("item,Ana,Ben", IDS, ANA, BEN)}, says=("spell equal labels alike",)),
    Case("roles-unclear", "score t.csv", "score t.csv --annotator coder",
         {"t.csv": table("item,annotator,coder,label", sorted([*range(6)] * 2), "ABBCCAABBCCA", "PQPQPQPQPQPQ", ANA)}),
    Case("roles-unclear", "score t.csv", "score t.csv --item first",
         {"t.csv": table("annotator,first,second,label", ["A", "B"] * 6, [k // 2 for k in range(N)],
                         "abbccddeeffa", ANA)}),
    Case("roles-unclear", "score t.csv", "score t.csv --item id --annotator notes --label tone",
         {"t.csv": table("id,notes,tone", sorted([*range(6)] * 2), ["Ana", "Ben"] * 6, ANA)}),
    Case("roles-unclear", "score long.csv --annotators-in files", "score long.csv"),
    Case("roles-unclear", "score wide.csv --annotators-in files", "score wide.csv --annotators-in columns"),
    Case("roles-unclear", "score wide.csv --columns '{annotator}_{label}'", "score wide.csv --columns '{annotator}'",
         says=("correct the pattern", "Ana, Ben")),
    Case("roles-unclear", "score t.csv", edited={"t.csv": 'doc,annotator,masses\nd,Ana,"3 7"\nd,Ben,"3 7"\n'},
         files={"t.csv": 'doc,annotator,masses,boundaries\nd,Ana,"3 7",3\nd,Ben,"3 7",3\n'},
         says=("delete one of the columns",)),
    Case("layout-unclear", "score counts.csv", "score counts.csv --layout counts"),
    Case("layout-unclear", "score counts.csv", "score counts.csv --layout wide"),
    Case("layout-unclear", "score t.csv", "score t.csv --layout confusion", {"t.csv": ",x,y\nx,5,1\ny,2,7\n"}),
    Case("layout-unclear", "score t.csv", "score t.csv --layout wide", {"t.csv": ",x,y\nx,5,1\ny,2,7\n"}),
    Case("layout-unclear", "score t.csv --layout confusion --no-header", "score t.csv --layout counts --no-header",
         {"t.csv": "5,1,0\n2,4,0\n"}),
    Case("layout-unclear", "score counts.csv t.csv --layout counts", "score counts.csv --layout counts",
         {"t.csv": COUNTS}, says=("read each file separately",)),
    Case("several-sheets", "score t.xlsx", "score t.xlsx --annotators-in sheets",
         {"t.xlsx": workbook(Ana="item,label,x\n1,a,u\n2,b,u\n", Ben="item,label,y\n1,a,u\n2,a,u\n")}),
    Case("several-sheets", "score t.xlsx", "score t.xlsx --sheet one", {"t.xlsx": workbook(**SHEETS)}),
    Case("several-sheets", "score t.xlsx --sheet three", "score t.xlsx --sheet one", {"t.xlsx": workbook(**SHEETS)}),
    Case("missing-unclear", "score t.csv", "score t.csv --missing 99",
         {"t.csv": "item,A,B\n1,1,2\n2,3,99\n3,4,4\n4,2,2\n"}),
    Case("level-unknown", "check t.csv --min alpha=0.7", "check t.csv --min alpha=0.7 --measurement ordinal",
         {"t.csv": "item,A,B\n1,1,2\n2,3,3\n3,4,5\n4,2,2\n"}),
    Case("level-unknown", "compare t.csv u.csv", "compare t.csv u.csv --measurement nominal",
         {"t.csv": "item,A,B\n1,low,medium\n2,high,high\n3,low,low\n4,medium,medium\n",
          "u.csv": "item,A,B\n1,low,none\n2,odd,odd\n3,none,odd\n4,odd,low\n"}),
    Case("level-not-scored", "score t.csv -m alpha", "score t.csv -m alpha --measurement nominal",
         {"t.csv": "item,A,B\n1,x>y>z,y>x>z\n2,x>z>y,x>z>y\n3,z>y>x,x>y>z\n"}),
    Case("several-variables", "gold t.csv", "gold t.csv --label tone", {"t.csv": VARIABLES}),
    Case("mixed-inputs", "score units.csv wide.csv", "score units.csv", says=("units.csv", "wide.csv", "separately")),
    Case("empty-cell", "score t.csv", files={"t.csv": "item,annotator,label\n1,Ana,x\n,Ben,x\n1,Ben,x\n"},
         edited={"t.csv": "item,annotator,label\n1,Ana,x\n2,Ben,x\n1,Ben,x\n"}, says=("t.csv:3", "fill in the item")),
    Case("empty-cell", "score t.csv", files={"t.csv": UNITS + "d2,,1,3,x\n"}, edited={"t.csv": UNITS},
         says=("t.csv:14", "delete the row")),
    Case("invalid-counts", "score t.csv --layout counts", files={"t.csv": COUNTS.replace("3,0\n", "3,o\n", 1)},
         edited={"t.csv": COUNTS}, says=("t.csv:2", '"o"', "write a whole number")),
    Case("invalid-counts", "score t.csv --layout counts", "score t.csv --layout counts --item letter",
         {"t.csv": "yes,no,letter\n1,2,a\n3,0,b\n0,3,c\n"}),
    Case("invalid-counts", "score t.csv --layout confusion", "score t.csv --layout counts",
         {"t.csv": "item,x,y\na,5,1\nb,2,7\n"}),
]  # fmt: skip

ANNOTATIONS = [
    Case("repeated-label", "score t.csv", "score t.csv --repeats first", {"t.csv": TWICE}),
    Case("repeated-label", "score t.csv", "score t.csv --repeats last", {"t.csv": TWICE}),
    Case("repeated-label", "score t.csv", "score t.csv --repeats trials", {"t.csv": TWICE}),
    Case("repeated-label", "score t.csv", "score t.csv --repeats last", {"t.csv": CHAINS + "d1,Ana,0,3,2\n"}),
    Case("repeated-document", "score units.csv --docs docs.csv", says=('"d1"', "docs.csv:3", "delete one of the rows"),
         files={"docs.csv": "doc,begin,end\nd1,0,30\nd1,0,40\nd2,0,30\n"},
         edited={"docs.csv": "doc,begin,end\nd1,0,30\nd2,0,30\n"}),
    Case("repeated-document", "score t.csv", files={"t.csv": CUTS + 'd1,Ana,"5 5"\n'}, edited={"t.csv": CUTS},
         says=("t.csv:6", '"Ana"', "remove one")),
    Case("invalid-label", "score t.csv", files={"t.csv": 'item,annotator,label\n1,A,"[{""start"": 1}]"\n1,B,"[]"\n'},
         edited={"t.csv": LONG}, says=("t.csv:2", "write its fields into columns")),
    Case("invalid-label", "score wide.csv --categories good,bad,good", "score wide.csv --categories good,bad"),
    Case("undeclared-category", "score wide.csv --categories good", "score wide.csv --categories good,bad",
         says=('"bad"',)),
    Case("undeclared-category", "score wide.csv --categories good -m percent",
         "score wide.csv --categories good --missing bad -m percent"),
    Case("not-a-number", "score wide.csv -m 'alpha(distance=interval)'", "score wide.csv -m 'alpha(distance=nominal)'",
         says=("nominal",)),
    Case("not-a-number", "score t.csv -m 'alpha(distance=interval)'", files={"t.csv": NUMBERS + "6,many,4,3\n"},
         repaired="score t.csv -m 'alpha(distance=interval)' --missing many"),
    Case("not-a-number", "score t.csv -m icc", "score t.csv -m icc --missing many",
         {"t.csv": NUMBERS + "6,many,4,3\n"}),
    Case("not-a-number", "score units.csv -m 'gamma(distance=numeric)'", "score units.csv -m 'gamma(distance=ordinal)'",
         says=("distance=ordinal",)),
    Case("invalid-position", "score t.csv", files={"t.csv": UNITS.replace("d1,Ana,0,4", "d1,Ana,nan,4")},
         edited={"t.csv": UNITS}, says=("t.csv:2", '"nan"', "write a number")),
    Case("invalid-position", "score t.csv --end-is-length", "score t.csv",
         {"t.csv": UNITS.replace("d1,Ana,0,4", "d1,Ana,-9,-4")}),
    Case("invalid-position", "score t.csv", files={"t.csv": UNITS.replace("end", "duration").replace("0,4", "0,-4")},
         edited={"t.csv": UNITS.replace("end", "duration")}, says=("t.csv:2", "-4", "correct it")),
    Case("invalid-position", "score t.csv", files={"t.csv": CUTS.replace("3 4 3", "3 x 3")}, edited={"t.csv": CUTS},
         says=("t.csv:2", '"x"')),
    Case("invalid-position", "score t.csv", files={"t.csv": CUTS.replace("3 4 3", "3 4 4")}, edited={"t.csv": CUTS},
         says=("t.csv:3", '"d1"', "10 atoms", "same text")),
    Case("invalid-position", "score t.csv", files={"t.csv": BOUNDARIES.replace("3 7", "3 12")},
         edited={"t.csv": BOUNDARIES}, says=("boundary 12", "from 1", "9")),
    Case("invalid-position", "score t.csv", files={"t.csv": BOUNDARIES.replace("3 7", "7 3")},
         edited={"t.csv": BOUNDARIES}, says=("sort the boundaries",)),
    Case("end-before-start", "score t.csv", "score t.csv --end-is-length",
         {"t.csv": UNITS.replace("d1,Ana,10,14", "d1,Ana,10,4")}),
    Case("end-before-start", "score t.csv", files={"t.csv": UNITS.replace("d1,Ana,10,14", "d1,Ana,14,10")},
         edited={"t.csv": UNITS}, says=("t.csv:3", "correct the row")),
    Case("overlapping-units", "score t.csv -m u_alpha", "score t.csv -m 'u_alpha(overlaps=merge)'",
         {"t.csv": UNITS + "d1,Ana,1,3,x\n"}, says=("overlaps=merge",)),
    Case("overlapping-units", "score t.csv -m u_alpha", "score t.csv -m gamma", {"t.csv": UNITS + "d1,Ana,1,3,x\n"}),
    Case("invalid-chain", "score Ana Ben", files={"Ana/d.conll": CONLL.replace("(1)", "(1", 1), "Ben/d.conll": CONLL},
         edited={"Ana/d.conll": CONLL}, says=("d.conll:2", "add 1)")),
    Case("features-differ", "compare a.csv b.csv --layout texts",
         "compare a.csv b.csv --layout texts --measure 'text_gamma(features=[pos])'",
         {"a.csv": TOKENS.format("lemma"), "b.csv": TOKENS.format("morph")}),
]  # fmt: skip

COMPARISONS = [
    Case("annotators-needed", "score wide.csv --annotators Ana", "score wide.csv --annotators Ana,Ben"),
    Case("annotators-needed", "score units.csv --annotators Ana", "score units.csv --annotators Ana,Ben"),
    Case("annotators-needed", "score cuts.csv --annotators Ana", "score cuts.csv --annotators Ana,Ben"),
    Case("annotators-needed", "score chains.csv --annotators Ana", "score chains.csv --annotators Ana,Ben"),
    Case("annotators-needed", "meaning wide.csv --annotators Ana --sets 2 --step 0.5",
         "meaning wide.csv --annotators Ana,Ben --sets 2 --step 0.5"),
    Case("annotators-needed", "score Ana.csv", "score Ana.csv Ben.csv", says=("add the file of another annotator",),
         files={who + ".csv": table("item,annotator,label", IDS, [who] * N, ANA) for who in ("Ana", "Ben")}),
    Case("nothing-shared", "score t.csv", files={"t.csv": "item,annotator,label\n1,Ana,x\n2,Ana,x\n3,Ben,x\n4,Ben,x\n"},
         edited={"t.csv": LONG}, says=("item names match",)),
    Case("nothing-shared", "compare wide.csv t.csv --paired", "compare wide.csv t.csv --unpaired",
         {"t.csv": WIDE.replace("\n", "\nx").removesuffix("x")}, says=("--unpaired",)),
    Case("nothing-shared", "intra long.csv", edited={"long.csv": LONG + LONG.partition("\n")[2]},
         says=("repeats the same item",)),
    Case("nothing-shared", "trend t.csv --by doc", "trend t.csv --by round",
         {"t.csv": LONG.replace("round\n", "round,doc\n").replace("st\n", "st,d\n").replace("nd\n", "nd,d\n")}),
    Case("nothing-shared", "compare t.csv --by doc", "compare t.csv --by round",
         {"t.csv": LONG.replace("round\n", "round,doc\n").replace("st\n", "st,d\n").replace("nd\n", "nd,d\n")}),
    Case("nothing-shared", "replace t.csv --models Ben,Cleo,gpt", "replace t.csv --models gpt", {"t.csv": MODELS}),
    Case("nothing-annotated", "score wide.csv --missing good --missing bad", "score wide.csv --missing bad -m percent",
         says=("--missing",)),
    Case("counts-without-annotators", "gold counts.csv --layout counts", "gold three.csv",
         says=("one column per annotator",)),
    Case("counts-without-annotators", "score counts.csv --layout counts --marginals",
         "score counts.csv --layout counts"),
    Case("counts-without-annotators", "score counts.csv --layout counts -m icc", "score numbers.csv -m icc",
         says=("a column per annotator",)),
    Case("too-few", "compare t.csv wide.csv -m percent", files={"t.csv": "item,Ana,Ben\n1,x,y\n"},
         edited={"t.csv": WIDE}, says=("add data",)),
    Case("undefined-value", "influence t.csv -m pi", "influence t.csv --measure percent",
         {"t.csv": "item,Ana,Ben\n1,x,x\n2,x,x\n"}),
    Case("models-unclear", "replace t.csv --family kind", files={"t.csv": MODELS.replace("model\n", "robot\n", 1)},
         edited={"t.csv": MODELS}, says=('"robot"', '"kind"', "model or human")),
    Case("models-unclear", "replace t.csv --models Ana,gpt --family kind", "replace t.csv --models gpt --family kind",
         {"t.csv": MODELS}),
]  # fmt: skip

QUESTIONS = [
    Case("unknown-name", "score wide.csv -m alhpa", "score wide.csv -m alpha"),
    Case("unknown-name", "score wide.csv --item itm", "score wide.csv --item item"),
    Case("unknown-name", "score wide.csv --annotators Ana,Bob", "score wide.csv --annotators Ana,Ben",
         says=("Ana, Ben",)),
    Case("unknown-name", "score wide.csv --interval bootstap", "score wide.csv --interval bootstrap"),
    Case("unknown-name", "score wide.csv --layout tall", "score wide.csv --layout wide"),
    Case("not-in-accord", "score wide.csv -m kappam.light", "score wide.csv -m kappa --by pair"),
    Case("measure-for-other-data", "score wide.csv -m gamma", "score wide.csv -m alpha"),
    Case("measure-for-other-data", "score units.csv -m kappa", "score units.csv -m gamma"),
    Case("measure-for-other-data", "gold wide.csv --method mean", "gold wide.csv --method vote"),
    Case("measure-for-other-data", "gold units.csv --method median", "gold units.csv --method dawid_skene"),
    Case("measure-for-other-data", "plot wide.csv --kind alignment -o x.svg",
         "plot wide.csv --kind confusion -o x.svg"),
    Case("measure-for-other-data", "plot wide.csv --kind pairs -o x.svg", "plot wide.csv --kind forest -o x.svg"),
    Case("measure-for-other-data", "disagreements cuts.csv", "report cuts.csv", says=("accord report",)),
    Case("measure-for-other-data", "convert cuts.csv out --to brat", "convert cuts.csv out --to table"),
    Case("measure-for-other-data", "compare units.csv t.csv --method linearised",
         "compare units.csv t.csv --method bootstrap", {"t.csv": UNITS.replace(",y\n", ",x\n")}),
    Case("measure-for-other-data", "compare wide.csv units.csv", "compare wide.csv three.csv", says=("accord read",)),
    Case("measure-for-other-data", "xray wide.csv --reference Ana --error shift -m alpha --sets 2 --step 0.5",
         "xray wide.csv --reference Ana --error category -m alpha --sets 2 --step 0.5"),
    Case("measure-for-other-data", "annotators cuts.csv", "influence cuts.csv", says=("accord influence",)),
    Case("measure-option", "score wide.csv -m 'kappa(weights=linear,distance=ordinal)'", "score wide.csv -m kappa",
         says=("weights", "distance", "remove one")),
    Case("measure-option", "score units.csv -m 'gamma(delta=0)'", "score units.csv -m 'gamma(delta=1)'",
         says=("above 0",)),
    Case("measure-option", "score t.csv -m 'gamma(chance=mix)'", "score t.csv -m 'gamma(chance=shift)'",
         {"t.csv": UNITS.replace("d2", "d1")}, says=("chance=shift",)),
    Case("measure-option", "score numbers.csv -m 'kappa(weights=power(-1))'",
         "score numbers.csv -m 'kappa(weights=power(2))'", says=("a number from 0",)),
    Case("spec-syntax", "score wide.csv -m 'alpha(distance=ordinal'", "score wide.csv -m 'alpha(distance=nominal)'",
         says=('expected ")"', "character")),
    Case("spec-syntax", "score wide.csv -m 'alpha)'", "score wide.csv -m alpha",
         says=("write name or name(option=value)",)),
    Case("spec-syntax", "score numbers.csv -m 'alpha(distance=linear)'", "score numbers.csv -m 'kappa(weights=linear)'",
         says=("weights=linear",)),
    Case("option-missing", "score", "score wide.csv", says=("no data given", "name a table")),
    Case("option-missing", "check wide.csv", "check wide.csv --min alpha=0.7"),
    Case("option-missing", "check units.csv", "check units.csv --min gamma=0.7"),
    Case("option-missing", "limits numbers.csv", "limits numbers.csv --annotators Ana,Ben"),
    Case("option-missing", "plot numbers.csv --kind bland_altman -o x.svg",
         "plot numbers.csv --kind bland_altman -o x.svg --annotators Ana,Ben"),
    Case("option-missing", "plot long.csv --kind trend -o x.svg", "plot long.csv --kind trend -o x.svg --by round"),
    Case("option-missing", "replace t.csv", "replace t.csv --models gpt", {"t.csv": MODELS}),
    Case("option-missing", "replace t.csv", "replace t.csv --family kind", {"t.csv": MODELS}),
    Case("option-missing", "replace t.csv --family kind", "replace t.csv --models gpt",
         {"t.csv": MODELS.replace("model", "human")}, says=("annotators: Ana, Ben, Cleo, gpt",)),
    Case("option-missing", "compare wide.csv", "compare wide.csv --measure-b pi"),
    Case("option-missing", "compare wide.csv", "compare wide.csv three.csv", says=("add a second table",)),
    Case("option-missing", "compare three.csv --group people=Ana,Ben",
         "compare three.csv --group people=Ana,Ben --group models=Cleo"),
    Case("option-missing", "convert units.csv out.xyz", "convert units.csv out.xyz --to table"),
    Case("option-missing", "trend long.csv", "trend long.csv --by round"),
    Case("option-missing", "plan", "plan --documents 4 --team Ana,Ben"),
    Case("option-missing", "plan --simulations 0", "plan --width 0.4 --simulations 0"),
    Case("option-missing", "plan --documents 4", "plan --documents 4 --team Ana,Ben"),
    Case("option-missing", "plan --replace gpt --simulations 0", "plan --advantage 0.9 --simulations 0"),
    Case("option-missing", "plan --crossing", "plan three.csv --crossing -m ac", says=("needs a table",)),
    Case("option-missing", "advise t.csv --say order=sets", "advise t.csv --say order=sets --sets '|'",
         files={"t.csv": THREE.replace("x", "x|y")}),
    Case("option-missing", "shuffle wide.csv --error category -o out",
         "shuffle wide.csv --error category -o out --reference Ana"),
    Case("option-missing", "gold units.csv --to table", "gold units.csv --to table -o gold"),
    Case("option-missing", "score wide.csv -m 'kappa(weights=power)'",
         "score numbers.csv -m 'kappa(weights=power(exponent=2))'", says=("exponent=",)),
    Case("option-missing", "schema --input", "schema score --input"),
    Case("option-missing", "gold t.csv --method members", "gold t.csv --method members --sets '|'",
         {"t.csv": THREE.replace("x", "x|y")}),
    Case("option-missing", "plan --documents 20 --team 3 --per-document 1",
         "plan --documents 20 --team 3 --per-document 2"),
    Case("option-missing", "plan --documents 20 --team 3 --per-document 1",
         "plan --documents 20 --team 3 --per-document 1 --everybody 10"),
    Case("option-missing", "meaning wide.csv --reference Ana --sets 2 --step 0.5",
         "meaning wide.csv --reference Ana --gold three.csv --sets 2 --step 0.5"),
    Case("option-missing", "shuffle --error shift -o out", "shuffle --error shift -o out --generate units=5"),
    Case("option-missing", "xray units.csv --reference Ana --error shift --resume --sets 2 --step 0.5",
         "xray units.csv --reference Ana --error shift --resume -o x.json --sets 2 --step 0.5"),
    Case("option-missing", "check long.csv --by round", "check long.csv --by round --min alpha=0.7"),
    Case("option-missing", "advise wide.csv --say reference=yes",
         "advise wide.csv --say reference=yes --reference Ana"),
    Case("option-value", "annotators wide.csv --replicates 5", "annotators wide.csv --replicates 0"),
    Case("option-value", "score wide.csv --sets ''", "score wide.csv --sets '|'"),
    Case("option-value", "compare three.csv --group a=Ana --group b=Ana,Ben",
         "compare three.csv --group a=Ana,Cleo --group b=Ben", says=('"Ana"', "remove it from one")),
    Case("option-value", "shuffle wide.csv --reference Ana --error category --magnitude 2 -o out",
         "shuffle wide.csv --reference Ana --error category --magnitude 0.5 -o out", says=("between 0 and 1",)),
    Case("option-value", "score wide.csv --null 3", "score wide.csv --null 0.4"),
    Case("option-value", "plan --difference 0.1 --value 3 --simulations 0",
         "plan --difference 0.3 --value 0.5 --simulations 0", says=("between 0 and 1",)),
    Case("option-value", "plan --documents 2 --team 2 --per-document 3",
         "plan --documents 2 --team 2 --per-document 2"),
    Case("option-value", "plan --documents 2 --team Ana", "plan --documents 2 --team Ana,Ben"),
    Case("option-value", "score wide.csv --level 95", "score wide.csv --level 0.95"),
    Case("option-value", "score wide.csv --replicates 5 --interval bootstrap",
         "score wide.csv --replicates 100 --interval bootstrap"),
    Case("option-value", "score wide.csv --seed -1", "score wide.csv --seed 0"),
    Case("option-value", "score wide.csv -m percent --merge good,bad",
         "score wide.csv -m percent --merge good,bad=other"),
    Case("option-value", "score wide.csv --delimiter ,,", "score wide.csv --delimiter ,", says=("one character",)),
    Case("option-value", "score wide.csv --columns abc", "score wide.csv --columns '{annotator}'",
         says=("{annotator}",)),
    Case("option-value", "score wide.csv --label Ana --label Ana", "score wide.csv --label Ana --label Ben",
         says=("each column once",)),
    Case("option-value", "check wide.csv --min alpha", "check wide.csv --min alpha=0.7"),
    Case("option-value", "compare three.csv --group Ana,Ben",
         "compare three.csv --group people=Ana,Ben --group x=Cleo"),
    Case("option-value", "limits numbers.csv --annotators Ana,Ana", "limits numbers.csv --annotators Ana,Ben"),
    Case("option-value", "plot wide.csv -o x.doc", "plot wide.csv -o x.svg"),
    Case("option-value", "gold units.csv --threshold 2", "gold units.csv --threshold 0.5"),
    Case("option-value", "meaning wide.csv --sets 1 --step 0.5", "meaning wide.csv --sets 20 --step 0.5"),
    Case("option-value", "plan --width 3 --simulations 0", "plan --width 0.4 --simulations 0",
         says=("between 0 and 2",)),
    Case("option-value", "replace t.csv --models gpt --epsilon 2", "replace t.csv --models gpt --epsilon 0.2",
         {"t.csv": MODELS}),
    Case("option-conflict", "score wide.csv --json --csv", "score wide.csv --json"),
    Case("option-conflict", "score units.csv --explain --csv -m gamma", "score units.csv --explain --json -m gamma"),
    Case("option-conflict", "score wide.csv --show se", "score wide.csv --latex --show se"),
    Case("option-conflict", "score wide.csv --null 0.3 --interval none", "score wide.csv --null 0.3"),
    Case("option-conflict", "score wide.csv --items-population 9 --interval bootstrap",
         "score wide.csv --items-population 9 --interval linearised"),
    Case("option-conflict", "score three.csv --annotators-population 9",
         "score three.csv --annotators-population 9 --interval unconditional"),
    Case("option-conflict", "compare wide.csv wide.csv",
         "compare three.csv --annotators-a Ana,Ben --annotators-b Ben,Cleo"),
    Case("option-conflict", "compare wide.csv three.csv --by round", "compare long.csv --by round",
         says=("give one table",)),
    Case("option-conflict", "influence wide.csv -m alpha -m pi", "influence wide.csv -m alpha"),
    Case("option-conflict", "plot wide.csv --kind confusion --by item -o x.svg",
         "plot wide.csv --kind confusion -o x.svg"),
    Case("option-conflict", "plot units.csv --kind disorder --by annotator -o x.svg",
         "plot units.csv --kind disorder --by category -o x.svg"),
    Case("option-conflict", "plan --width 0.4 --null 0.3 --simulations 0", "plan --width 0.4 --simulations 0"),
    Case("option-conflict", "plan --documents 4 --team 2 --power 0.9", "plan --documents 4 --team 2"),
    Case("option-conflict", "intra t.csv --repeats first", "intra t.csv", {"t.csv": LONG + LONG.partition("\n")[2]}),
    Case("option-conflict", "replace t.csv --models gpt --people gpt,Ana,Ben",
         "replace t.csv --models gpt --people Cleo,Ana,Ben", {"t.csv": MODELS}),
    Case("option-conflict", "check wide.csv --min alpha=0.1 --use lower --by item",
         "check wide.csv --min alpha=0.1 --by item"),
    Case("option-conflict", "annotators wide.csv --replicates 100 --no-fit", "annotators wide.csv --no-fit"),
    Case("option-conflict", "shuffle wide.csv --reference Ana --error category --generate units=5 -o out",
         "shuffle wide.csv --reference Ana --error category -o out"),
    Case("option-conflict", "compare three.csv --group a=Ana,Ben --group b=Cleo --method bootstrap",
         "compare three.csv --group a=Ana,Ben --group b=Cleo"),
    Case("option-conflict", "compare a.csv b.csv c.csv", "compare wide.csv three.csv", says=("at most 2 tables",)),
    Case("option-conflict", "score --run run.toml wide.csv", "score --run run.toml",
         {"run.toml": 'paths = ["wide.csv"]\n'}, says=("remove the paths",)),
    Case("option-renamed", "influence wide.csv --of annotator", "influence wide.csv --by annotator"),
    Case("option-renamed", "plan --documents 4 --people 2", "plan --documents 4 --team 2"),
    Case("option-not-for-data", "score wide.csv --annotators-in tiers", "score wide.csv --annotators-in columns"),
    Case("option-not-for-data", "score units.csv -m f1 --marginals", "score units.csv -m f1"),
    Case("option-not-for-data", "score wide.csv --end-is-length", "score wide.csv"),
    Case("option-not-for-data", "score wide.csv --sheet one", "score wide.csv"),
    Case("option-not-for-data", "score wide.csv --table one", "score wide.csv"),
    Case("option-not-for-data", "score wide.csv --explain", "score wide.csv"),
    Case("option-not-for-data", "score units.csv -m f1 --explain", "score units.csv -m f1 --explain -m gamma"),
    Case("option-not-for-data", "score wide.csv -m percent --scale altman",
         "score wide.csv -m percent --scale altman -m s"),
    Case("option-not-for-data", "score units.csv --repeats first", "score units.csv"),
    Case("option-not-for-data", "score counts.csv --layout counts --annotators Ana",
         "score counts.csv --layout counts"),
    Case("option-not-for-data", "align wide.csv", "disagreements wide.csv", says=("accord disagreements",)),
    Case("option-not-for-data", "align units.csv -m f1", "align units.csv -m gamma"),
    Case("option-not-for-data", "convert units.csv out --to elan --wide", "convert units.csv out --to elan"),
    Case("option-not-for-data", "align units.csv -m 'gamma(reference=Ana)'",
         "align units.csv -m gamma --annotators Ana,Ben", says=("leave out reference",)),
    Case("option-not-for-data", "score chains.csv --sheet x", "score chains.csv"),
    Case("option-not-for-data", "influence wide.csv --by feature", "influence wide.csv"),
    Case("option-not-for-data", "advise wide.csv --say unit=thing", "advise wide.csv", says=("leave out unit",)),
    Case("usage", "score wide.csv --notess", "score wide.csv --notes"),
    Case("usage", "score wide.csv --jobs 0", "score wide.csv --jobs 1", says=("greater than or equal to 1",)),
    Case("usage", "qqq wide.csv", "score wide.csv", says=("accord --help",)),
    Case("matrix-invalid", "score wide.csv -m 'alpha(distance=matrix(m.csv))'",
         files={"m.csv": ",good,bad\ngood,0,1\n"}, edited={"m.csv": ",good,bad\ngood,0,1\nbad,1,0\n"},
         says=("m.csv", "make the matrix square")),
    Case("matrix-invalid", "score t.csv -m 'alpha(distance=matrix(m.csv))'",
         "score t.csv -m 'alpha(distance=matrix(m.csv))' --missing ugly",
         {"t.csv": WIDE + "5,ugly,bad\n", "m.csv": ",good,bad\ngood,0,1\nbad,1,0\n"}),
    Case("hierarchy-invalid", "score wide.csv -m 'alpha(distance=geertzen_bunt(t.csv))'",
         files={"t.csv": "label,parent\ngood,\n"}, edited={"t.csv": "label,parent\nany,\ngood,any\nbad,any\n"},
         says=('"bad"', "add a row")),
    Case("hierarchy-invalid", "score wide.csv -m 'alpha(distance=geertzen_bunt(t.csv))'",
         files={"t.csv": "good,any\nbad,any\n"}, edited={"t.csv": "label,parent\nany,\ngood,any\nbad,any\n"},
         says=("t.csv:1", "label,parent")),
    Case("dissimilarity-invalid",
         "xray units.csv --reference Ana --error shift --function f.py:nearness --sets 2 --step 0.5",
         "xray units.csv --reference Ana --error shift --function f.py:near --sets 2 --step 0.5",
         {"f.py": "def near(data):\n    return 0.5\n"}, says=('"nearness"', "after the colon")),
    Case("dissimilarity-invalid",
         "xray units.csv --reference Ana --error shift --function f.py:near --sets 2 --step 0.5",
         files={"f.py": "def near(data):\n    return 1 / 0\n"}, edited={"f.py": "def near(data):\n    return 0.5\n"},
         says=("ZeroDivisionError", "correct the function")),
    Case("target-unreachable", "plan --width 0.0000001 --simulations 0", "plan --width 0.4 --simulations 0",
         says=("relax the target",)),
    Case("too-large-to-compute", "score t.csv --by pair -m percent", "score t.csv --by annotator -m percent",
         files={"t.csv": MANY}),
    Case("saved-file-invalid", "check wide.csv --baseline b.json", files={"b.json": "[]"},
         says=("accord score",), edited={"b.json": SCORE}),
    Case("saved-file-invalid", "score --run run.toml", "check --run run.toml",
         {"run.toml": 'command = "check"\npaths = ["wide.csv"]\nmin = ["alpha=0.1"]\n'}),
    Case("saved-file-invalid", "score --run run.toml", files={"run.toml": 'paths = "wide.csv"\n'},
         edited={"run.toml": 'paths = ["wide.csv"]\n'}, says=('paths = ["wide.csv"]',)),
    Case("saved-file-invalid", "score --run run.toml", files={"run.toml": 'paths = ["wide.csv"]\nmesure = ["alpha"]\n'},
         edited={"run.toml": 'paths = ["wide.csv"]\nmeasure = ["alpha"]\n'}, says=('"mesure"', '"measure"')),
    Case("saved-file-invalid", "score wide.csv --reading r.toml", files={"r.toml": "layot = 'wide'\n"},
         edited={"r.toml": "layout = 'wide'\n"}, says=('"layot"', '"layout"')),
    Case("saved-file-invalid", "gold wide.csv --decisions d.csv", files={"d.csv": "key,item,decision\nk1,99,good\n"},
         edited={"d.csv": "key,item,decision\nke9e43f773800,2,good\n"},
         says=("d.csv:2", "write the file again with --adjudicate")),
]  # fmt: skip

RESOURCES = [
    Case("output-exists", "score wide.csv -o mine.txt", "score wide.csv -o mine.txt --force", {"mine.txt": "mine"}),
    Case("output-exists", "score wide.csv -o wide.csv", "score wide.csv -o other.csv", says=("choose another path",)),
    Case("output-exists", "convert wide.csv out", "convert wide.csv new", {"out/a.txt": "mine"},
         says=("choose a new folder",)),
    Case("output-exists", "score units.csv --checkpoint kept", "score units.csv --checkpoint new",
         {"kept/a.txt": "mine"}, says=("name a new folder",)),
    Case("output-not-writable", "score wide.csv -o no/a.txt", files={}, edited={"no/x": ""},
         says=('"no"', "create it first")),
    Case("output-name", "score wide.csv -o a.txt --save a.txt", "score wide.csv -o a.txt --save b.txt",
         says=("choose another name",)),
    Case("output-name", "report wide.csv -o report.docx", "report wide.csv -o report.html"),
    Case("output-name", "gold wide.csv --adjudicate todo.doc", "gold wide.csv --adjudicate todo.csv", says=(".csv",)),
    Case("output-name", "convert units.csv out.x --to elan", "convert units.csv out --to elan", says=('"out"',)),
    Case("not-representable", "convert units.csv out --to brat", "convert units.csv out --to textgrid"),
    Case("not-representable", "convert t.csv out.csv --wide", "convert t.csv out.csv --wide --label tone",
         {"t.csv": VARIABLES}),
    Case("not-representable", "convert t.csv out --to elan", "convert t.csv out --to elan --decimals 3",
         {"t.csv": UNITS.replace("d1,Ana,0,4", "d1,Ana,0.00001,4")}),
    Case("checkpoint", "score units.csv --checkpoint wide.csv", "score units.csv --checkpoint new",
         says=("name a new folder",)),
    Case("page-server", "serve --name example.org --no-browser",
         "serve --name example.org --no-browser --password-file pass.txt",
         {"pass.txt": password},
         patched={"accord.doors.serving.server._run": lambda *_: None,
                  # A server sets NUMBA_CACHE_DIR for its process, which here also runs other tests.
                  "accord.doors.serving.jobs._folder_of_machine_code": str,
                  "accord.doors.serving.jobs._process_context": lambda: None}),
    Case("out-of-memory", "score wide.csv -m percent", "score wide.csv --only good -m percent",
         broken={"accord.doors.cli.commands.Ask.answered": fails(MemoryError())}),
    Case("solver-failed", "score t.csv", "score t.csv --annotators Ana,Ben", {"t.csv": CROWDED},
         broken={"scipy.optimize.milp": unsolved, "scipy.optimize.linprog": unsolved}),
]  # fmt: skip

CASES = [*FILES, *TABLES, *ANNOTATIONS, *COMPARISONS, *QUESTIONS, *RESOURCES]
IN_PYTHON: list[tuple[str, Callable[[], object], Callable[[], object], tuple[str, ...]]] = [
    ("invalid-python-data", lambda: accord.percent([[1, 1], 2]), lambda: accord.percent([[1, 1], [1, 2]]),
     ("one list per item", "[[1, 1], [1, 2]]")),
    ("invalid-python-data", lambda: accord.percent("Ana.csv", "Ben.csv"), lambda: accord.percent([1, 2], [1, 1]),
     ("labels of two annotators",)),
]  # fmt: skip
WITHOUT_CASE = {
    "check-failed": "a threshold that is not met is an answer with exit code 1, not a refusal",
    "cluster": "a Dask cluster takes seconds to start; tests/cluster",
    "page-upload": "only the page of `accord serve` has uploads; tests/serving",
}
