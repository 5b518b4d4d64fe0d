"""Small valid inputs of every kind, as a starting point of mutations.

This module makes tables. Files of annotation tools are in tests/data/formats, a folder for each format, and in
../shared/corpora/native-samples, if present.
"""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[1] / "data" / "formats"
BOOKS = Path(__file__).parent / "books"
SHARED = Path(__file__).resolve().parents[3] / "shared" / "corpora" / "native-samples"
LARGEST = 5_000  # bytes of a file in SHARED
MOST = 12  # files of a folder in SHARED


@dataclass(frozen=True)
class Sample:
    """Files, the paths to read, the kind of data, and the options of reading."""

    name: str
    files: Mapping[str, bytes]
    given: tuple[str, ...]
    kind: str
    options: tuple[str, ...] = ()

    def call(self, beginning: str = "", with_options: bool = True) -> str:
        """Return the call that reads the sample, or `beginning` with its options."""
        pairs = zip(self.options[::2], self.options[1::2], strict=True) if with_options else ()
        options = "".join(f", {name[2:].replace('-', '_')}={value!r}" for name, value in pairs)
        return f"{beginning or f'accord.read_all({list(self.given)!r}'}{options})"


ITEMS = "item,annotator,label,round\n" + "".join(
    f"i{k},{who},{'abc'[(k + (g == k % 5)) % 3]},{k // 4}\n" for k in range(9) for g, who in enumerate("ABC")
)
WIDE = "item,A,B,C\n" + "".join(f"i{k},{k % 3},{(k + k % 2) % 3},{k % 3 if k % 4 else ''}\n" for k in range(9))
NUMBERS = "item,A,B\n" + "".join(f"i{k},{k / 2},{k / 2 + k % 3}\n" for k in range(8))
TWICE = "item,annotator,label,trial\n" + "".join(
    f"i{k},{who},{(k + t) % 2},{t}\n" for k in range(4) for who in "AB" for t in (0, 1)
)
SETS = "item,A,B\n1,a|b,a\n2,b,b|c\n3,a,a\n4,,c\n"
SEVERAL = "item,A_tone,B_tone,A_topic,B_topic\n" + "".join(f"{k},{k % 2},{k % 3},x,{'xy'[k % 2]}\n" for k in range(6))
COUNTS = "item,x,y,z\n1,2,0,1\n2,1,1,1\n3,0,3,0\n"
CONFUSION = "A,x,y\nx,5,1\ny,2,7\n"
UNITS = "doc,annotator,start,end,label\n" + "".join(
    f"d{d},{who},{9 * k + g},{9 * k + 6},{'xy'[k % 2]}\n"
    for d in (1, 2)
    for g, who in enumerate("AB")
    for k in range(3)
)
DOCS = "doc,begin,end,text\nd1,0,40,the old mill stood by the river for long\nd2,0,40,\n"
JUDGED = "doc,annotator\nd1,A\nd1,B\nd2,A\nd2,B\nd2,C\n"
PYGAMMA = "A,x,0,6\nA,y,9,15\nB,x,1,6\nB,y,9,14\n"
MASSES = "doc,annotator,masses\nd1,A,3 4 5\nd1,B,3 5 4\nd2,A,6 6\nd2,B,5 7\n"
BOUNDARIES = "doc,annotator,boundaries,length\nd1,A,3 7,12\nd1,B,3 8,12\n"
TEXTS = "doc,annotator,text\nd1,A,the cat sat\nd1,B,the cat sits\nd2,A,a dog\nd2,B,a dog ran\n"
TOKENS = (
    "doc,annotator,start,end,pos,text\nd1,A,0,3,D,the cat\nd1,A,4,7,N,the cat\nd1,B,0,3,D,the cat\nd1,B,4,7,V,the cat\n"
)
EDITS = "doc,annotator,start,end,source_text,correction\nd1,A,0,3,the cat,a\nd1,B,4,7,the cat,dog\n"
CHAINS = "doc,annotator,start,end,chain\n" + "".join(
    f"d1,{who},{5 * k},{5 * k + 3},{'ab'[(k + g * (k == 2)) % 2]}\n" for g, who in enumerate("AB") for k in range(5)
)
CONLLU = (
    "# newdoc id = d\n# sent_id = 1\n# text = the cat\n1\tthe\tthe\tDET\t_\t_\t2\tdet\t_\t_\n"
    "2\tcat\tcat\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
)
CONLL_2012 = (
    "#begin document (d); part 000\n"
    "d\t0\t0\tthe\tDT\t*\t-\t-\t-\t-\t*\t(1\nd\t0\t1\tcat\tNN\t*\t-\t-\t-\t-\t*\t1)\n\n#end document\n"
)
COMPOSITE = "system,segment,rater,quality\n" + "".join(
    f"{s},{k},{who},{(k + (g == k % 3)) % 4}\n" for s in "XY" for k in range(6) for g, who in enumerate("AB")
)
QUESTIONS = "patient,rater,item1,item2\n" + "".join(
    f"P{k},{who},{k % 3},{(k + (g == k % 3)) % 4}\n" for k in range(9) for g, who in enumerate(("R1", "R2", "R3"))
)
VOTES = "tweet,votes_no,votes_1,votes_2,class\nt1,2,1,0,no\nt2,0,3,0,1\nt3,0,1,2,2\nt4,3,0,0,no\n"
NAMED = "post,annotator1,label1,annotator2,label2\n" + "".join(
    f"p{k},{'ABC'[k % 3]},{'xy'[k % 2]},{'BCA'[k % 3]},{'xyx'[k % 3]}\n" for k in range(9)
)
JOINED = "post,annotators,labels\n" + "".join(f"p{k},A;B;C,{'xy'[k % 2]};x;{'yx'[k % 2]}\n" for k in range(6))
# Tables with several header rows, rows of totals, lists and JSON in cells, and exports of platforms.
ODD: dict[str, str] = {
    "two_headers.csv": ",coder 1,,coder 2,\nid,tone,topic,tone,topic\n"
    + "".join(f"s{k},{k % 2},{'pq'[k % 2]},{k % 3 % 2},{'ppq'[k % 3]}\n" for k in range(8)),
    "repeated.csv": "id,tone,tone\n" + "".join(f"s{k},{'xy'[k % 2]},{'xyy'[k % 3]}\n" for k in range(8)),
    "totals.csv": "item,Ana,Ben\n1,yes,no\n2,no,no\n3,yes,yes\n4,no,yes\nTotal,2.5,2.25\n",
    "lists.csv": 'item,votes\n1,"[1, 1, 2]"\n2,"[2, 2, 2]"\n3,"[1, 2, 1]"\n4,"[3, 3, 3]"\n5,"[1, 1, 1]"\n',
    "objects.csv": 'item,labels\n1,"{""Ana"": ""x"", ""Ben"": ""y""}"\n2,"{""Ana"": ""x"", ""Ben"": ""x""}"\n',
    "commas.csv": 'post,annotators,labels\np1,"Ann1,Ann2","yes,no"\np2,"Ann1,Ann2,Ann3","no,no,yes"\n',
    "appen.csv": "_unit_id,_created_at,_trust,_worker_id,_country,tone,text\n"
    + "".join(f"{u},1/2/2020,.9,{w},DE,{'xy'[(u + w) % 3 % 2]},text {u}\n" for u in range(6) for w in (11, 12, 13)),
    "mturk.csv": "HITId,HITTypeId,AssignmentId,WorkerId,AssignmentStatus,WorkTimeInSeconds,Input.text,Answer.tone\n"
    + "".join(
        f"h{u},t,a{u}{w},w{w},Approved,{9 + u},text {u},{'xy'[(u + w) % 3 % 2]}\n" for u in range(6) for w in range(3)
    ),
    "zooniverse.csv": "classification_id,user_name,workflow_id,created_at,annotations,subject_ids\n"
    + "".join(
        f'{3 * u + w},user{w},7,2020,"[{{""task"": ""T0"", ""value"": ""{"xy"[(u + w) % 3 % 2]}""}}]",{u}\n'
        for u in range(6) for w in range(3)
    ),
}  # fmt: skip
NESTED: dict[str, Any] = {
    "by_annotator.json": {f"annotator_{a}": {f"q{k}": "xy"[(k + a) % 3 % 2] for k in range(6)} for a in range(3)},
    "by_item.json": {
        f"i{k}": {"text": "t", "annotations": {f"Ann{a}": k % 2 for a in range(3)}, "soft_label": {"0": 0.5}}
        for k in range(6)
    },
    "joined.json": {
        f"{k}": {"annotators": "Ann1,Ann2,Ann3", "annotations": f"{k % 2},0,{k % 3 % 2}", "hard_label": "0"}
        for k in range(6)
    },
    "listed.json": [
        {"id": k, "annotators": [{"annotator_id": a, "label": "xy"[(k + a) % 3 % 2]} for a in range(3)]}
        for k in range(6)
    ],
    "counted.json": {f"u{k}": {"label_counter": {"e": 90 - k, "n": 10 + k}, "majority_label": "e"} for k in range(6)},
    "parallel.json": [{"id": k, "worker_ids": ["a", "b"], "labels": ["x", "xy"[k % 2]]} for k in range(6)],
    "deep.json": {
        "dataset": "d",
        "instances": [
            {"id": k, "annotations": {"tone": {"individual_human_scores": [1 + k % 3, 2, 1 + k % 2]}}} for k in range(8)
        ],
    },
}
BY_FILE = {
    f"coded/{doc}_0{a}.csv": f"item,label\n{doc[0]}1,x\n{doc[0]}2,{'xy'[a % 2]}\n{doc[0]}3,y\n".encode()
    for doc in ("goethe", "kleist") for a in (1, 2)
}  # fmt: skip
PROSE = "The old mill stood by the river.\nIt was quiet.\n"

TABLES: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("long", ITEMS, "items", ()),
    ("wide", WIDE, "items", ()),
    ("numbers", NUMBERS, "items", ()),
    ("twice", TWICE, "items", ("--repeats", "trials")),
    ("sets", SETS, "items", ("--sets", "|")),
    ("several", SEVERAL, "items", ()),
    ("composite", COMPOSITE, "items", ()),
    ("questions", QUESTIONS, "items", ()),
    ("votes", VOTES, "items", ()),
    ("named", NAMED, "items", ()),
    ("joined", JOINED, "items", ()),
    ("counts", COUNTS, "items", ("--layout", "counts")),
    ("confusion", CONFUSION, "items", ("--layout", "confusion")),
    ("units", UNITS, "units", ()),
    ("pygamma", PYGAMMA, "units", ("--layout", "pygamma")),
    ("masses", MASSES, "segmentations", ()),
    ("boundaries", BOUNDARIES, "segmentations", ()),
    ("texts", TEXTS, "texts", ("--layout", "texts")),
    ("tokens", TOKENS, "texts", ("--layout", "texts")),
    ("edits", EDITS, "texts", ()),
    ("chains", CHAINS, "chains", ()),
)
CHEAP = {
    "items": ("alpha", "kappa", "pi", "percent", "ac", "s", "alpha(ordinal)", "icc", "lin", "cronbach", "kendall_w"),
    "units": ("f1", "ser", "u_alpha", "theta", "alpha_d", "kappa_d", "gamma(samples=2,precision=0.5)"),
    "segmentations": ("boundary_similarity", "pk", "window_diff", "ghd", "pi_star", "alpha_boundaries"),
    "texts": ("text_gamma(samples=2,precision=0.5)",),
    "chains": ("chain_alpha", "link_alpha", "conll", "muc", "blanc"),
}


def _records(table: str) -> list[dict[str, str]]:
    head, *lines = table.splitlines()
    return [dict(zip(head.split(","), line.split(","), strict=False)) for line in lines]


def _json(table: str) -> bytes:
    return json.dumps(_records(table)).encode()


def _json_lines(table: str) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in _records(table)).encode()


def _frame(table: str) -> Any:
    import polars as pl

    return pl.read_csv(io.StringIO(table))


def _parquet(table: str) -> bytes:
    made = io.BytesIO()
    _frame(table).write_parquet(made)
    return made.getvalue()


def _xlsx(table: str) -> bytes:
    import openpyxl

    book = openpyxl.Workbook()
    sheet: Any = book.active
    for line in table.splitlines():
        sheet.append([float(cell) if cell.replace(".", "", 1).isdecimal() else cell for cell in line.split(",")])
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def _sav(table: str) -> bytes:
    import pyreadstat

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.sav"
        pyreadstat.write_sav(_frame(table).to_pandas(), str(path))
        return path.read_bytes()


def _zip(table: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(zipfile.ZipInfo("table.csv"), table)  # without the current time
    return made.getvalue()


def _text(sign: str, encoding: str) -> Callable[[str], bytes]:
    return lambda table: table.replace(",", sign).encode(encoding)


# Options of reading by file name.
WRITTEN: tuple[tuple[str, Callable[[str], bytes]], ...] = (
    ("table.csv", _text(",", "utf-8")),
    ("table.tsv", _text("\t", "utf-8")),
    ("semicolons.csv", _text(";", "utf-8-sig")),
    ("table.txt", _text("\t", "utf-16")),
    ("table.json", _json),
    ("table.jsonl", _json_lines),
    ("table.parquet", _parquet),
    ("table.xlsx", _xlsx),
    ("table.sav", _sav),
    ("table.zip", _zip),
)


_ALSO = {"texts": (".tsv",), "units": (".tsv",)}  # other table files for each layout


@cache
def tables() -> tuple[Sample, ...]:
    """Return every layout as CSV and in other table files, and tables with additional files."""
    made = []
    for layout, table, kind, options in TABLES:
        for name, write in WRITTEN:
            if (
                name == "table.csv"
                or layout in {"long", "wide", "units"}
                or name.endswith(_ALSO.get(kind, (".tsv", ".jsonl")))
            ):
                made.append(Sample(f"{layout}/{name}", {name: write(table)}, (name,), kind, options))
    beside = {"units.csv": UNITS.encode(), "docs.csv": DOCS.encode(), "judged.csv": JUDGED.encode()}
    made.append(Sample("units with docs", beside, ("units.csv",), "units"))
    apart = {f"work/{who}.csv": WIDE.replace("A,B,C", "x,y,z").encode() for who in ("Ana", "Ben")}
    made.append(Sample("folder of tables", apart, ("work",), "items", ("--annotators-in", "files")))
    made += [Sample(name, {name: table.encode()}, (name,), "items") for name, table in ODD.items()]
    made += [Sample(name, {name: json.dumps(value).encode()}, (name,), "items") for name, value in NESTED.items()]
    made.append(Sample("documents and coders in names of files", BY_FILE, ("coded",), "items"))
    made.append(
        Sample(
            "two tables",
            {"a.csv": ITEMS.encode(), "b.csv": ITEMS.replace("A", "D").encode()},
            ("a.csv", "b.csv"),
            "items",
            ("--repeats", "first"),
        )
    )
    made += [  # the table `long` in formats that no installed library writes
        Sample(f"long/{path.name}", {path.name: path.read_bytes()}, (path.name,), "items")
        for path in sorted(BOOKS.iterdir())
    ]
    words = {"texts/d.A.txt": PROSE.encode(), "texts/d.B.txt": PROSE.replace("old", "odd").encode()}
    made.append(Sample("folder of texts", words, ("texts",), "texts"))
    made.append(
        Sample(
            "CoNLL-U",
            {"A/d.conllu": CONLLU.encode(), "B/d.conllu": CONLLU.replace("NOUN", "VERB").encode()},
            ("A", "B"),
            "texts",
        )
    )
    made.append(
        Sample("CoNLL 2012", {"A/d.conll": CONLL_2012.encode(), "B/d.conll": CONLL_2012.encode()}, ("A", "B"), "chains")
    )
    return tuple(made)


@cache
def formats() -> tuple[Sample, ...]:
    """Return samples of annotation tools."""
    made = []
    for folder in sorted(HERE.glob("*/*")):
        files = {f"in/{p.relative_to(folder)}": p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
        made.append(Sample(f"{folder.parent.name}/{folder.name}", files, ("in",), "units"))
    return tuple(made)


@cache
def strangers() -> tuple[Sample, ...]:
    """Return samples in SHARED; accord cannot read all of them."""
    made = []
    for folder in sorted({p.parent for p in SHARED.rglob("*") if p.is_file()}) if SHARED.exists() else []:
        small = [p for p in sorted(folder.iterdir()) if p.is_file() and 20 < p.stat().st_size <= LARGEST]
        stems = sorted({p.stem for p in small if p.suffix not in {".md", ".conf", ".dtd"}})
        for stem in stems[:MOST]:
            mine = [p for p in small if p.stem == stem]
            for group in ([p for p in mine if p.suffix != ".xmi"], [p for p in mine if p.suffix == ".xmi"]):
                if group:  # data in two formats are two samples
                    files = {f"in/{p.name}": p.read_bytes() for p in group}
                    made.append(Sample(f"{folder.relative_to(SHARED)}/{group[0].name}", files, ("in",), "units"))
    return tuple(made)
