"""Every refusal to read a table ends with options that work, or with the edit that the file needs.

Each case is a small table and the place in the source that refuses it. The test applies what the message says: it types
every group of options, fills in words such as COLUMN, or edits the file. tests/contract/suggestions.py has further
cases.
"""

from __future__ import annotations

import ast
import csv
import io
import json
import shlex
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord.core.errors import AccordError, suggestions

from ..command_line import Cli, Outcome, refused
from ..contract import suggestions as contract
from ..contract.suggestions import Content, workbook
from ..contract.test_suggestions import with_options, write

NOTHING: Mapping[str, Content] = {}
SOURCES = Path(accord.__file__).parent / "data" / "io"
MODULES = (
    *(f"tables/{name}.py" for name in ("long_rules", "wide_rules", "grid_rules", "doubt_rules", "attribute_rules",
      "counts", "nested", "shapes", "levels", "records", "header", "packed", "platforms", "zooniverse", "exports",
      "parts", "by_file")),
    "copies.py",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A command that is refused at a site, and what the message says to do."""

    site: str  # module.function, with a number if the function refuses for several reasons
    title: str
    code: str
    files: Mapping[str, Content]
    command: str = "score t.csv"
    repaired: tuple[str, ...] = ()  # commands with a name for COLUMN, without an option, or with the files to give
    edited: Mapping[str, Content] = field(default_factory=dict)  # the files as the message says
    says: tuple[str, ...] = ()  # the words about the edit or the command


# -- small tables ---------------------------------------------------------------------------------------------------


def table(header: str, *columns: Sequence[object]) -> str:
    """Return a table with these columns; the names are separated by commas."""
    return rows_of(header, zip(*columns, strict=True))


def rows_of(header: str, rows: Any) -> str:
    made = io.StringIO()
    csv.writer(made, lineterminator="\n").writerows([header.split(","), *rows])
    return made.getvalue()


def draw(seed: int, annotators: int, scale: Sequence[object], wrong: float = 0.3, n: int = 40) -> list[list[object]]:
    """Return labels of items: all annotators know the true label and are sometimes wrong."""
    rng = np.random.default_rng(seed)
    truth, guessed = rng.integers(len(scale), size=(n, 1)), rng.integers(len(scale), size=(n, annotators))
    codes = np.where(rng.random((n, annotators)) < wrong, guessed, truth)
    return [[scale[int(code)] for code in line] for line in codes]


def across(rows: Sequence[Sequence[object]]) -> list[list[object]]:
    return [list(column) for column in zip(*rows, strict=True)]


def records(rows: Sequence[Mapping[str, Any]] | Mapping[str, Any]) -> str:
    return json.dumps(rows)


def dicts(rows: Sequence[Mapping[str, object]]) -> str:
    """Return a table with the keys as header row."""
    return rows_of(",".join(rows[0]), ([*row.values()] for row in rows))


def packed(*files: tuple[str, str]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files:
            archive.writestr(name, content)
    return made.getvalue()


N = 12
IDS = [f"d{k}" for k in range(N)]
ANA, BEN = across(draw(0, 2, ("pos", "neg", "neu"), n=N))
LONG = table("item,annotator,label", sorted([*range(6)] * 2), ["Ana", "Ben"] * 6, ANA)
WIDE = table("item,Ana,Ben", IDS, ANA, BEN)
WHO = ("annotator_1", "annotator_2")
LABELS = [{"id": k, "labels": dict(zip(WHO, x, strict=True))} for k, x in enumerate(zip(ANA, BEN, strict=True))]
IN_OBJECTS = records(LABELS)
LONG_RECORDS = records([{"item": k, "annotator": who, "label": label}
                        for k, row in enumerate(zip(ANA, BEN, strict=True))
                        for who, label in zip(WHO, row, strict=True)])  # fmt: skip
ONE_EACH = "item,label\n1,a\n2,b\n3,a\n4,b\n"
STUDY = "item,Ana,Ben\n1,a,a\n2,b,a\n3,b,b\n4,a,b\n5,a,a\n6,b,b\n"


def entries(seed: int, people: Sequence[str], scale: Sequence[object], n: int = 40) -> list[tuple[int, str, object]]:
    """Return rows of item, annotator and label."""
    return [(k, who, x) for k, line in enumerate(draw(seed, len(people), scale, n=n))
            for who, x in zip(people, line, strict=True)]  # fmt: skip


LONG_CASES = [
    Case("long_rules.take_anonymous 1", "anonymous labels beside a column of annotators", "option-not-for-data",
         {"t.csv": LONG}, "score t.csv --anonymous --annotator annotator",
         ("score t.csv --anonymous --item item --label label", "score t.csv --annotator annotator"),
         says=("leave out --anonymous, or --annotator",)),
    Case("long_rules.take_anonymous 2", "anonymous labels without a name of an item", "column-missing",
         {"t.csv": table("motif,label", sorted([*range(6)] * 2), ANA)}, "score t.csv --anonymous"),
    Case("long_rules._refuse_no_labels", "anonymous rows without labels", "column-missing",
         {"t.csv": table("item,url", sorted([*range(6)] * 2), IDS)}, "score t.csv --anonymous"),
    Case("long_rules._refuse_no_labels", "items without a name among anonymous labels", "column-missing",
         {"t.csv": "item\n1\n1\n"}, "score t.csv --anonymous", edited={"t.csv": "item,label\n1,x\n1,y\n"},
         says=("add a column with the labels",)),
    Case("long_rules._refuse_no_labels", "annotators without labels", "column-missing",
         {"t.csv": table("item,annotator", sorted([*range(6)] * 2), ["Ana", "Ben"] * 6)}, edited={"t.csv": LONG},
         says=("add a column with the labels",)),
    Case("long_rules._named_key", "two names of items", "roles-unclear",
         {"t.csv": table("item_id,sentence_id,annotator,label", [k // 2 for k in range(N)], "abbccddeeffa",
                         ["Ana", "Ben"] * 6, ANA)}),
    Case("long_rules._take_rows_or_refuse 2", "annotators with traits", "roles-unclear",
         {"t.csv": table("Rater,color,size,shape", "ABC", ("red", "blue", "red"), (1, 2, 2),
                         ("round", "flat", "flat"))},
         repaired=("score t.csv --item color",), says=("--item COLUMN",)),
    Case("long_rules._take_rows_or_refuse 1", "one subject and a row per rater", "roles-unclear",
         {"t.csv": rows_of("Patient,Rater,Item1,Item2,Item3,Item4,Item5,Item6",
                           [[1, who, *x] for who, x in zip("ABC", draw(6, 6, range(5), n=3), strict=True)])}),
    Case("long_rules._refuse_benchmark", "models beside the correct answer", "roles-unclear",
         {"t.csv": rows_of("sample_id,model,prediction,gold_answer",
                           [(*row, "ABCD"[row[0] % 4]) for row in entries(9, ("gpt", "llama", "qwen"), "ABCD")])}),
    Case("long_rules._refuse_rated_models", "scales for the output of models", "roles-unclear",
         {"t.csv": rows_of("prompt_id,model,prompt,fluency,style",
                           [(k, who, f"Write about {k}", x, y) for (k, who, x), (*_, y) in zip(
                               entries(9, ("gpt", "llama", "qwen"), (1, 2, 3)),
                               entries(10, ("gpt", "llama", "qwen"), (1, 2, 3)), strict=True)])}),
    Case("long_rules._refuse_without_item", "annotators with several rows, and no item", "column-missing",
         {"t.csv": rows_of("Rater,part,tone", [(who, k % 3, x) for k, who, x in entries(1, "AB", "xyz", n=30)])},
         edited={"t.csv": rows_of("Rater,part,sentence,tone", [
             (who, k % 3, f"s{k}", x) for k, who, x in entries(1, "AB", "xyz", n=30)])},
         repaired=("score t.csv",), says=("--item COLUMN+COLUMN",)),
    Case("long_rules._refuse_repeated_item 2", "systems of an item with one annotator", "nothing-shared",
         {"t.csv": rows_of("id,annotator,model,score", [(k, f"a{k % 3}", m, k * j % 3) for k in range(30)
                                                        for j, m in enumerate(("gpt", "llama"))])},
         edited={"t.csv": rows_of("id,annotator,model,score", [(k, f"a{j}", "gpt", k * j % 3) for k in range(30)
                                                               for j in range(3)])},
         says=("add the labels of other annotators for these items",)),
    Case("long_rules._refuse_repeated_item 1", "versions of an item", "roles-unclear",
         {"t.csv": rows_of("id,version,judge,winner", [
             *((k, "plain", who, x) for k, who, x in entries(2, "AB", "xy", n=20) if who == "A" or k < 3),
             *((k, "bold", "A", "xy"[k % 2]) for k in range(20))])}),
    Case("long_rules._refuse_without_labels", "a column of grades with the name of remarks", "column-missing",
         {"t.csv": rows_of("Aufsatz,Korrektor,Note,Bemerkung",
                           [(*row, "gut") for row in entries(8, "AB", ("A", "B", "C"))])}),
    Case("long_rules.refuse_numbers_of_rows", "items are numbers of rows", "roles-unclear",
         {"t.csv": rows_of("id,source,annotator,label",
                           [(n, f"u{k}", who, x) for n, (k, who, x) in enumerate(entries(1, "AB", "xyz"))])}),
]  # fmt: skip

LONG_NAME = "whether most people who read this newspaper would see the comment as offensive"
PAIRS = entries(9, [f"p{k}" for k in range(6)], (0, 1), n=8)
WIDE_CASES = [
    Case("wide_rules.take_rows 1", "several rows per annotator", "roles-unclear",
         {"t.csv": rows_of("Rater,Patient,q1,q2", [(who, k, x, y) for (k, who, x), (_, _, y) in
                                                    zip(entries(1, "AB", range(4), 8), entries(2, "AB", range(4), 8),
                                                        strict=True)])},
         "score t.csv --annotators-in rows"),
    Case("wide_rules.take_rows 1", "annotators in rows that repeat without an item", "roles-unclear",
         {"t.csv": rows_of("Rater,q1,q2", [(who, *x) for who, x in zip("AABB", draw(1, 2, "xyz", n=4), strict=True)])},
         "score t.csv --annotators-in rows --annotator Rater", ("score t.csv --annotator Rater --item Patient",),
         edited={"t.csv": rows_of("Rater,Patient,q1,q2", [(who, k, *x) for who, k, x in zip(
             "AABB", "1212", draw(1, 2, "xyz", n=4), strict=True)])}, says=("add a column that names what was rated",)),
    Case("wide_rules.take_rows 2", "annotators once, and columns with different labels", "column-missing",
         {"t.csv": table("Rater,q1,q2,q3", "ABC", ("red", "blue", "red"), (1, 2, 2), ("round", "flat", "flat"))},
         repaired=("score t.csv --item q1",), says=("--item COLUMN",)),
    Case("wide_rules.find_long_in_three_columns", "three columns without names", "roles-unclear",
         {"t.csv": "".join(f"{who},{k},{x}\n" for k, who, x in PAIRS)}),
    Case("wide_rules.refuse_rows_of_annotators", "case and item of an experiment", "roles-unclear",
         {"t.csv": rows_of("case_id,item,condition,rating,RT",
                           [[a, k, "ab"[k % 2], x, 400 + 7 * k] for k, line in enumerate(draw(12, 6, range(1, 8)))
                            for a, x in enumerate(line)])}),
    Case("wide_rules._name_annotators", "an annotator twice in a row", "roles-unclear",
         {"t.csv": table("id,annotator1,label1,annotator2,label2", IDS, ["Ana", "Ben", "Cleo"] * 4, ANA,
                         ["Ben", "Cleo", "Cleo"] * 4, BEN)},
         edited={"t.csv": table("id,annotator1,label1,annotator2,label2", IDS, ["Ana", "Ben", "Cleo"] * 4, ANA,
                                ["Ben", "Cleo", "Ana"] * 4, BEN)}, says=("correct these rows",)),
]  # fmt: skip

TEAMS = [("Woojin", "Eunsu", "Rian"), ("Rian", "Woojin", "Eunsu")]
RNG = np.random.default_rng(5)
FOURS = [RNG.choice(40, size=4, replace=False) for _ in range(40)]
CHOICES = [(k, *(f"s{i}" for i in four), *(f"s{i}" for i in RNG.choice(four, size=2, replace=False)))
           for k, four in enumerate(FOURS)]  # fmt: skip
NEWSROOM = [[k // 2, f"m{k % 2}", f"what {k} other people say about it", *RNG.integers(1, 6, 3)]
            for k in range(40) for _ in range(3)]  # fmt: skip
WIDE_CASES += [
    Case("wide_rules.refuse_choices", "choices of the best and the worst", "export-not-usable",
         {"t.csv": rows_of("set,item1,item2,item3,item4,best,worst", CHOICES)},
         edited={"t.csv": rows_of("item,annotator,label", [(row[0], who, row[5 + (k + n) % 2]) for k, row in
                                  enumerate(CHOICES) for n, who in enumerate(("Ana", "Ben"))])},
         says=("write one row per annotator and compared set with the columns item, annotator, label",)),
    Case("wide_rules.keep_series_of_annotators", "coders beside a column with their labels", "roles-unclear",
         {"t.csv": rows_of("id,coder1,coder2,True", [(k, *x) for k, x in enumerate(draw(1, 3, "abc"))])}),
    Case("wide_rules.find_annotators_in_rows 1", "a single row", "annotators-needed",
         {"t.json": records({f"{name}gual": [k / 7] for k, name in enumerate("jzdgcikmsp")})},
         "score t.json",
         edited={"t.json": LONG_RECORDS}, says=("give a table with the labels of several items",)),
    Case("wide_rules.find_annotators_in_rows 2", "few rows and many columns", "roles-unclear",
         {"t.csv": rows_of("photo," + ",".join(f"w{k}" for k in range(12)),
                           [(f"p{k}", *RNG.integers(0, 3, 12)) for k in range(3)])}),
    Case("wide_rules.refuse_double_entry", "two entries of a REDCap record", "export-not-usable",
         {"t.csv": "study,dx,tx\n1--1,a,b\n1--2,a,a\n2--1,b,b\n2--2,a,a\n"},
         edited={"t.csv": "item,annotator,dx,tx\n1,1,a,b\n1,2,a,a\n2,1,b,b\n2,2,a,a\n"},
         says=("split it into two columns, item for the record and annotator",)),
    Case("wide_rules.find_computed", "the agreement of two of three letters", "roles-unclear",
         {"t.csv": rows_of("id,A,B,C", [(k, *x, int(x[0] == x[1])) for k, x in enumerate(draw(1, 2, (0, 1)))])}),
    Case("wide_rules.find_computed", "the agreement of two of three letters, beside words", "roles-unclear",
         {"t.csv": rows_of("id,word,A,B,C", [(k, f"w{k % 9}", *x, int(x[0] == x[1])) for k, x in
                                             enumerate(draw(1, 2, (0, 1)))])}),
    Case("wide_rules._with_other_labels 1", "a column with other labels among annotators", "roles-unclear",
         {"t.csv": rows_of("id,Ana,Ben,Cleo", [(k, *x, "abcpqrstuv"[k % 10]) for k, x in
                                               enumerate(draw(1, 2, "abc"))])}),
    Case("wide_rules._with_other_labels 1", "a column with other labels beside a text", "roles-unclear",
         {"t.csv": rows_of("id,text,Ana,Ben,Cleo", [(k, f"a text about {k}", *x, "abcpqrstuv"[k % 10]) for k, x in
                                                    enumerate(draw(1, 2, "abc"))])}),
    Case("wide_rules._with_other_labels 1", "a column with other labels among two variables", "roles-unclear",
         {"t.csv": rows_of("id,Ana,Ben,Cleo,Dora,Emil", [(k, *x, *y, "abcpqrstuv"[k % 10]) for k, (x, y) in
                                                         enumerate(zip(draw(1, 2, "abc"), draw(2, 2, "xyz"),
                                                                       strict=True))])}),
    Case("wide_rules._with_other_labels 2", "few labels of several columns occur in others", "roles-unclear",
         {"t.csv": table("id,Ana,Ben,Cleo,Dora", "vwxyz", "aabba", "abbaa", "apqrs", "btuvw")}),
    Case("wide_rules._with_other_labels 2", "few labels of several columns beside a text", "roles-unclear",
         {"t.csv": table("id,text,Ana,Ben,Cleo,Dora", "vwxyz", [f"a text about {k}" for k in range(5)], "aabba",
                         "abbaa", "apqrs", "btuvw")}),
    Case("grid_rules.find_variables 1", "variables of annotators beside a text", "roles-unclear",
         {"t.csv": table("id,text,A_Costs,A_Trust,B_Costs,B_Trust", IDS, [f"a text about {k}" for k in IDS],
                         [0, 1, 1] * 4, [0, 0, 1, 1] * 3, [1, 0, 1, 0, 0, 1] * 2, [1, 1, 0, 0] * 3)}),
    Case("grid_rules.find_variables 2", "two groups of columns with different labels", "roles-unclear",
         {"t.csv": rows_of("id,Ana,Ben,Cleo,Dora",
                           [(k, *x, *y) for k, (x, y) in
                            enumerate(zip(draw(1, 2, "abc"), draw(2, 2, "xyz"), strict=True))])}),
    Case("grid_rules._refuse_items_as_annotators", "many numbered names with two endings", "roles-unclear",
         {"t.csv": rows_of(",".join(f"img{k:02}x_{v}" for k in range(12) for v in ("tone", "size")),
                           [[x for a, b in zip(*two, strict=True) for x in (a, b)] for two in
                            zip(draw(1, 12, "abc", n=14), draw(2, 12, "xyz", n=14), strict=True)])},
         edited={"t.csv": LONG}, says=("write one row per label with the columns item, annotator",)),
    Case("grid_rules.refuse_variables 1", "questions", "roles-unclear",
         {"t.csv": rows_of("ResponseKey," + ",".join(f"Q{k}" for k in range(1, 9)),
                           [(f"R_{k}x", *x) for k, x in enumerate(draw(10, 8, range(1, 6), n=12))])}),
    Case("grid_rules.refuse_variables 1", "questions beside a remark", "roles-unclear",
         {"t.csv": rows_of("ResponseKey," + ",".join(f"Q{k}" for k in range(1, 9)) + ",remark",
                           [(f"R_{k}x", *x, f"I think that {k}") for k, x in
                            enumerate(draw(10, 8, range(1, 6), n=12))])}),
    Case("grid_rules.refuse_variables 2", "variables beside a text", "roles-unclear",
         {"t.csv": table("item,text,tone,frame", IDS, [f"a text about {k}" for k in IDS], ANA, BEN)}),
    Case("doubt_rules.refuse_repeated_item 2", "three rows per summary", "roles-unclear",
         {"t.csv": rows_of("ArticleID,System,Summary,Coherence,Fluency,Relevance", NEWSROOM)}),
    Case("doubt_rules._refuse_if_never_equal", "names of the people who were assigned", "roles-unclear",
         {"t.csv": rows_of("image,annotator1,annotator2,reviewer1", [(k, *TEAMS[k % 2]) for k in range(40)])}),
    Case("doubt_rules._refuse_if_never_equal", "names of the people who were assigned, beside labels", "roles-unclear",
         {"t.csv": rows_of("image,annotator1,annotator2,reviewer1,person,verdict",
                           [(k, *TEAMS[k % 2], "AB"[k % 2], "xyz"[k % 3]) for k in range(40)])},
         repaired=("score t.csv --item image --annotator person --label verdict",),
         edited={"t.csv": rows_of("image,annotator1,annotator2,reviewer1,person,verdict",
                                  [(k // 2, *TEAMS[k % 2], "AB"[k % 2], "xyz"[k % 3]) for k in range(40)])},
         says=("--item COLUMN --annotator COLUMN --label COLUMN if other columns contain them",)),
    Case("doubt_rules._refuse_systems", "systems beside people", "roles-unclear",
         {"t.csv": rows_of("id,Ana,Ben,gpt4", [(k, *x) for k, x in enumerate(draw(4, 3, "abc"))])}),
    Case("doubt_rules._refuse_systems", "systems beside people and a text", "roles-unclear",
         {"t.csv": rows_of("id,text,Ana,Ben,gpt4", [(k, f"a text about {k}", *x) for k, x in
                                                    enumerate(draw(4, 3, "abc"))])}),
    Case("doubt_rules._refuse_if_no_annotator 1", "shares of annotators per category", "roles-unclear",
         {"t.csv": rows_of("hash,RelE,EntE,CircE,OutE", [(f"h{k}", *RNG.choice([0, 0.33, 0.67, 1], size=4))
                                                         for k in range(40)])}),
    Case("doubt_rules._refuse_if_no_annotator 2", "columns that hardly agree", "roles-unclear",
         {"t.csv": rows_of("id,Lorem,Ipsum,Dolor", [(k, *RNG.integers(1, 6, 3)) for k in range(40)])}),
    Case("doubt_rules._without_majority", "a label that may be final", "roles-unclear",
         {"t.csv": rows_of("id,Ana,Ben,label", [(k, *x) for k, x in enumerate(draw(1, 3, "abc"))])}),
    Case("wide_rules.find_identifiers", "a first column that numbers rows and has labels of others", "roles-unclear",
         {"t.csv": rows_of("Ana,Ben,Cho", [(k + 1, *x) for k, x in enumerate(draw(3, 2, range(1, 6), n=5))])}),
    Case("doubt_rules._refuse_results", "agreement of pairs of annotators", "export-not-usable",
         {"t.csv": rows_of("rater1,rater2,n,kappa", [(a, b, 40, k / 10) for k, (a, b) in enumerate(
             ("xy", "xz", "yz", "zx", "wx", "wy"))])}, says=("give the table with the labels",)),
    Case("doubt_rules._refuse_gaps", "a word for items that others labelled", "roles-unclear",
         {"t.csv": rows_of("R1,R2,R3,R4", [(*x, "o", "o") if k % 2 else ("o", *x, "o")
                                          for k, x in enumerate(draw(2, 2, (0, 1, 2)))])}),
    Case("doubt_rules._refuse_grades", "grades of a course", "roles-unclear",
         {"t.csv": rows_of("ids,exam,midterm,A1,A2", [(k, k / 40, 1 - k / 50, *x) for k, x in enumerate(
             draw(4, 2, (0.6, 0.8, 1)))])}),
    Case("grid_rules._refuse_slots", "columns of judges beside columns of their scores", "roles-unclear",
         {"t.csv": rows_of("fight,judge1,judge1_score,judge1_out,judge2,judge2_score,judge2_out", [
             (f"f{k}", "ABCD"[k % 4], x, "rb"[x > 9], "ABCD"[(k + 1) % 4], y, "rb"[y > 9])
             for k, (x, y) in enumerate(draw(5, 2, (8, 9, 10)))])}, says=("write one row per label",)),
    Case("grid_rules._refuse_unnumbered", "a column without a number beside two with numbers", "roles-unclear",
         {"t.csv": rows_of("id,tone,tone1,tone2,frame,frame1,frame2", [
             (f"d{k}", *x, *y) for k, (x, y) in enumerate(zip(draw(6, 3, "abc"), draw(7, 3, "pqr"), strict=True))])}),
    Case("wide_rules._refuse_lesser_series", "two groups, of which one agrees", "roles-unclear",
         {"t.csv": rows_of("q_x,q_y,picked_x_when_x_first,picked_x_when_y_first", [
             (*x, *y) for x, y in zip(draw(8, 2, range(1, 6), wrong=1), draw(9, 2, (0, 1)), strict=True)])}),
    Case("doubt_rules._refuse_criteria", "criteria with one time of labelling", "roles-unclear",
         {"t.csv": rows_of("id,faithful,relevant,labeled_at", [
             (k, *x, f"2026-09-25T15:{k:02}:54Z") for k, x in enumerate(draw(6, 2, ("pass", "fail"), wrong=0.1))])}),
    Case("counts.refuse_counts 1", "votes that add up to the number of users", "layout-unclear",
         {"t.csv": rows_of("song,key,num_users,1,2,3", [
             (f"s{k}", k % 7, sum(v), *v) for k, v in enumerate(RNG.integers(0, 4, (40, 3)).tolist())])}),
    Case("long_rules._refuse_choices_of_rows", "choices of annotators among the items of a row", "roles-unclear",
         {"t.csv": rows_of("AnnotatorId,Item1,Item2,Item3,Item4,BestItem,WorstItem", [
             (who, *row[1:5], row[1 + (k + n) % 4], row[1 + (k + n + 1) % 4]) for k, row in enumerate(CHOICES)
             for n, who in enumerate((1, 2, 3))])}),
    Case("long_rules._refuse_one_label_each", "a text of its own in each row", "roles-unclear",
         {"t.csv": rows_of("text_id,text,label,target,annotator", [
             (f"acl{k}", f"what {k} other people say", "hn"[k % 2], "xyz"[k % 3], "ABCD"[k % 4]) for k in range(48)])},
         edited={"t.csv": LONG}, says=("Add rows with the labels of other annotators",),
         repaired=("score t.csv",)),
    Case("long_rules._refuse_traits", "annotators and their traits", "column-missing",
         {"t.csv": rows_of("worker_id,gender,age_group,education", [
             (k, "fm"[k % 2], ("18-30", "30-45")[k % 2], "abc"[k % 3]) for k in range(40)])},
         edited={"t.csv": LONG}, says=("give the table with the labels",)),
    Case("wide_rules._refuse_other_variables", "aspects with different labels", "roles-unclear",
         {"t.csv": rows_of("id,review,Service,Environment,Price,Food", [
             (k, f"what {k} other people say about it", *x, "good" if k % 5 else "cheap", y)
             for k, (x, y) in enumerate(zip(draw(1, 2, ("good", "bad")), ("poor", "fine", "dear", "bad") * 10,
                                            strict=True))])}),
    Case("wide_rules.find_long_in_three_columns", "a subject and another name", "roles-unclear",
         {"t.csv": rows_of("subject,doctor_id,score", [
             (who, k, x) for k, who, x in entries(9, "ABCDEF", (1, 2, 3), n=8)])}),
    Case("wide_rules.find_long_in_three_columns", "patients and images", "roles-unclear",
         {"t.csv": rows_of("patient,image,grade", [
             (who, k, x) for k, who, x in entries(9, "ABCDEF", (1, 2, 3), n=12)])}),
    Case("wide_rules._refuse_categories", "words and emotions of a lexicon", "roles-unclear",
         {"t.csv": rows_of("a,b,c", entries(3, ("joy", "fear", "anger"), (0, 1)))},
         edited={"t.csv": LONG}, says=("add a column annotator",)),
    Case("grid_rules._refuse_descriptions", "files in each row", "roles-unclear",
         {"t.csv": rows_of("url_R1,eye_R1,url_R2,eye_R2", [(f"http://x/{k}1.jpg", x, f"http://x/{k}2.jpg", y) for k, (
             x, y) in enumerate(draw(4, 2, ("open", "closed")))])}, edited={"t.csv": LONG},
         says=("write one row per thing",)),
    Case("attribute_rules.refuse_norms", "means of raters", "export-not-usable",
         {"t.csv": rows_of("Word,V.Mean.Sum,V.SD.Sum,A.Mean.Sum,A.SD.Sum", [
             (f"w{k}", k % 7 + 0.5, 1.25, k % 5 + 0.75, 1.5) for k in range(40)])},
         edited={"t.csv": LONG}, says=("give the table with the ratings of each rater",)),
    Case("attribute_rules.refuse_attributes", "domains of studies", "roles-unclear",
         {"t.csv": rows_of("Study,D1,D2,D3", [(k, *x) for k, x in enumerate(draw(1, 3, ("low", "high")))])}),
    Case("attribute_rules.refuse_attributes", "findings in studies of patients", "roles-unclear",
         {"t.csv": rows_of("subject_id,study_id,Edema,Fracture,Lesion", [
             (k // 2, 100 + k, *x) for k, x in enumerate(draw(28, 3, (0, 1)))])}),
    Case("attribute_rules.refuse_attributes", "faces that participants rated", "roles-unclear",
         {"t.csv": rows_of("ParticipantID,age,face_1,face_2,face_3", [
             (k, 20 + k % 9, *x) for k, x in enumerate(draw(1, 3, (1, 2, 3)))])}),
    Case("doubt_rules.refuse_repeated_item 1", "one row per text and system", "roles-unclear",
         {"t.csv": rows_of("ArticleID,System,Coherence,Fluency,Relevance", [
             (k // 4, f"m{k % 4}", *x) for k, x in enumerate(draw(23, 3, (1, 2, 3, 4, 5), wrong=0.8))])}),
    Case("attribute_rules._refuse_times_of_variables", "two variables at two times", "roles-unclear",
         {"t.csv": rows_of("subject,T1_mood,T2_mood,T1_sleep,T2_sleep", [
             (k, *x, *y) for k, (x, y) in enumerate(zip(draw(1, 2, "abc"), draw(2, 2, "xyz"), strict=True))])}),
    Case("attribute_rules.refuse_aspects", "aspects of a review", "roles-unclear",
         {"t.csv": rows_of("id,review,food,service,price", [
             (k, f"what {k} other people say about it", *x) for k, x in enumerate(draw(1, 3, ("good", "bad")))])}),
    Case("doubt_rules._refuse_before_and_after", "tests before and after a course", "roles-unclear",
         {"t.csv": rows_of("student,pretest,posttest,grade", [(f"s{k}", 30 + k * 13 % 37, 32 + k * 17 % 39, "AB"[k % 2])
                                                              for k in range(40)])}),
    Case("doubt_rules._refuse_names", "names of items in two orders", "roles-unclear",
         {"t.csv": rows_of("Round1,Round2", [(f"en{k}", f"en{40 - k}") for k in range(41)])}),
    Case("doubt_rules._refuse_if_no_annotator 2", "numbers that hardly agree", "roles-unclear",
         {"t.csv": rows_of("id,width,height,depth", [(f"b{k}", *RNG.integers(1, 6, 3)) for k in range(60)])}),
    Case("doubt_rules._refuse_measurements", "measurements of two words", "roles-unclear",
         {"t.csv": rows_of("word1,word2,POS,SimLex999,conc(w1),conc(w2)",
                           [(f"w{k}", f"v{k}", "ANV"[k % 3], round(RNG.uniform(0, 10), 2),
                             *RNG.uniform(1, 5, 2).round(2)) for k in range(80)])}),
    Case("doubt_rules._refuse_a_stranger", "a column that never differs from the consensus", "roles-unclear",
         {"t.csv": rows_of("id,Ana,Ben,ours", [(k, *x, x[k % 2]) for k, x in enumerate(draw(1, 2, "abc"))])}),
    Case("wide_rules.keep_series_of_annotators", "coders beside a column with a long name", "roles-unclear",
         {"t.csv": rows_of(f"id,coder1,coder2,{LONG_NAME}", [(k, *x) for k, x in enumerate(draw(1, 3, "abc"))])}),
    Case("doubt_rules._refuse_a_stranger", "a name of a column with quotes", "roles-unclear",
         {"t.csv": rows_of('id,Ana,Ben,the "final" category', [(k, *x, x[k % 2]) for k, x in
                                                               enumerate(draw(1, 2, "abc"))])}),
    Case("doubt_rules._refuse_a_stranger", "a column that hardly agrees", "roles-unclear",
         {"t.csv": rows_of("id,Ana,Ben,treated", [(k, *x, k % 2) for k, x in enumerate(draw(2, 2, (0, 1), 0.2))])}),
    Case("wide_rules.take_annotators 1", "one column of labels", "roles-unclear",
         {"t.csv": rows_of("motif,tone,page", [(f"m{k}", x[0], k) for k, x in enumerate(draw(2, 1, "abc"))])}),
    Case("wide_rules.take_annotators 2", "a reference and a prediction", "roles-unclear",
         {"t.csv": rows_of("id,gold,prediction", [(k, *x) for k, x in enumerate(draw(2, 2, "abc"))])}),
    Case("wide_rules.take_rows_as_items", "two rows per item in a wide table", "repeated-label",
         {"t.csv": rows_of("id,Ana,Ben", [(k // 2, *x) for k, x in enumerate(draw(2, 2, "abc"))])}),
]  # fmt: skip

COUNT_CASES = [
    Case("counts._counted 1", "counts with one column", "column-missing", {"t.csv": "item\na\nb\n"},
         "score t.csv --layout counts", edited={"t.csv": contract.COUNTS}, says=("has one column per category",)),
    Case("counts._counted 1", "counts separated by another sign", "column-missing",
         {"t.csv": "item/x/y\na/2/1\nb/0/3\n"}, "score t.csv --layout counts",
         ("score t.csv --layout counts --delimiter /",), says=("--delimiter SIGN",)),
    Case("counts._with_header_or_not", "numbers above counts", "header-row", {"t.csv": "0,1,2\n1,2,0\n0,2,1\n"},
         "score t.csv --layout counts"),
    Case("counts._without_totals 1", "a total that is no sum", "invalid-counts",
         {"t.csv": ",a,b,Total\na,20,5,25\nb,10,15,26\nTotal,30,20,50\n"}, "score t.csv --layout confusion",
         edited={"t.csv": ",a,b,Total\na,20,5,25\nb,10,15,25\nTotal,30,20,50\n"}, says=("correct it, delete it",)),
    Case("counts._without_totals 2", "sums with the name of a category", "invalid-counts",
         {"t.csv": ",a,b,c\na,20,5,25\nb,10,15,25\nc,30,20,50\n"}, "score t.csv --layout confusion",
         edited={"t.csv": ",a,b,Total\na,20,5,25\nb,10,15,25\nTotal,30,20,50\n"}, says=("rename them to Total",)),
    Case("counts._order", "counts of a category that is not declared", "undeclared-category",
         {"t.csv": contract.COUNTS}, "score t.csv --layout counts --categories yes"),
    Case("counts._confusion 2", "a row of a confusion matrix without a name", "invalid-counts",
         {"t.csv": ",a,b\na,5,1\n,2,7\n"}, "score t.csv --layout confusion", edited={"t.csv": ",a,b\na,5,1\nb,2,7\n"},
         says=("t.csv:3", "write its category into the first column")),
    Case("counts._confusion 3", "two rows of a confusion matrix with one name", "invalid-counts",
         {"t.csv": ",a,b\na,5,1\na,2,7\n"}, "score t.csv --layout confusion", edited={"t.csv": ",a,b\na,5,1\nb,2,7\n"},
         says=("rename one",)),
    Case("counts.refuse_counts 2", "counts beside other columns", "layout-unclear",
         {"t.csv": rows_of("item,text,positive,negative",
                           [(k, f"a text about {k}", k % 4, 3 - k % 4) for k in range(N)])}),
]  # fmt: skip

ORDERS = (["a", "b", "c"], ["b", "a", "c"])
PAIRED = [{"id": k, "annotators": list(WHO), "labels": [a, b]} for k, (a, b) in enumerate(zip(ANA, BEN, strict=True))]


def all_records(**fields: Any) -> str:
    return records([{"id": k, **fields} for k in range(6)])


VOTES = records([{"item": k, "yes": k % 4, "no": 3 - k % 4} for k in range(N)])
AS_ROWS = ("write one row per", "item", "annotator")
JSON = "score t.json"
JSON_CASES = [
    Case("nested._refuse_rankings", "rankings", "roles-unclear",
         {"t.json": records([{"id": k, "rankings": {who: ORDERS[(k + n) % 2] for n, who in enumerate(WHO)}}
                             for k in range(6)])}, JSON, says=AS_ROWS,
         edited={"t.json": records([{"item": f"{k} {what}", "annotator": who, "label": ORDERS[(k + n) % 2].index(what)}
                                    for k in range(6) for n, who in enumerate(WHO) for what in "abc"])}),
    Case("nested._votes_side_by_side", "fewer labels than annotators", "invalid-record",
         {"t.json": records([{**PAIRED[0], "labels": ["pos"]}, *PAIRED[1:]])}, JSON, edited={"t.json": records(PAIRED)},
         says=("2 names", "1 label", "correct this record")),
    Case("nested._refuse_binary", "lists of 0 and 1", "roles-unclear",
         {"t.json": records([{"id": k, "labels": [k % 2, 1, (k + 1) % 2]} for k in range(6)])}, JSON,
         edited={"t.json": LONG_RECORDS}, says=AS_ROWS),
    Case("nested._counted_votes", "more votes than fit in memory", "file-too-large",
         {"t.json": all_records(votes={"yes": 10**9, "no": 10**9})}, JSON, ("score t.json --layout counts",),
         edited={"t.json": VOTES}, says=("a column per category",)),
    Case("nested._refuse_both_orders", "pairs judged in both orders", "roles-unclear",
         {"t.json": all_records(judgments={"order_ab": "A", "order_ba": "B"})}, JSON, edited={"t.json": LONG_RECORDS},
         says=AS_ROWS),
    Case("nested._refuse_empty", "records without labels", "nothing-annotated",
         {"t.json": all_records(annotators="ann1,ann2", annotations={})}, JSON, edited={"t.json": IN_OBJECTS},
         says=("give a file with labels",)),
    Case("nested._refuse_sums 1", "shares per category", "annotators-needed",
         {"t.json": all_records(labels={"1": 0.25, "2": 0.75})}, JSON, edited={"t.json": IN_OBJECTS},
         says=("give a file with the labels of each annotator",)),
    Case("nested._refuse_sums 2", "lists with the same sum", "roles-unclear",
         {"t.json": records([{"id": k, "label": [k % 6, 5 - k % 6]} for k in range(6)])}, JSON,
         ("score t.json --layout counts",), edited={"t.json": VOTES}, says=("a column per category",)),
    Case("nested._refuse_single", "lists with one label", "annotators-needed",
         {"t.json": all_records(annotator_labels=["x"])}, JSON,
         edited={"t.json": records([{"id": k, "annotator_labels": x} for k, x in enumerate(draw(1, 2, "xy"))])},
         says=("give a file with the labels of several annotators",)),
    Case("nested._source 1", "objects of annotators without labels", "nothing-annotated",
         {"t.json": all_records(annotations={"annotator_1": "", "annotator_2": ""})}, JSON,
         edited={"t.json": IN_OBJECTS}, says=("give a file with labels",)),
    Case("nested._source 2", "one label per item", "annotators-needed",
         {"t.json": records([{"id": k, "ratings": [1 + k % 2, None, None]} for k in range(8)])}, JSON,
         edited={"t.json": IN_OBJECTS}, says=("give a file with the labels of several annotators",)),
    Case("levels._refuse_results", "results of systems", "roles-unclear",
         {"t.json": records({system: {"arc": 0.1 * k + 0.05, "mmlu": 0.1 * k + 0.07}
                             for k, system in enumerate(("gpt-4", "llama"))})}, JSON),
    Case("levels._which_are_annotators", "two levels of unknown names", "roles-unclear",
         {"t.json": records({f"o{k}": {f"i{n}": "xy"[(k + n) % 2] for n in range(6)} for k in range(6)})}, JSON),
    Case("records._look_inside", "labels in several parts of a file", "roles-unclear",
         {"t.json": records({"train": LABELS, "other": [{"sentence": k, "votes": x} for k, x in
                                                        enumerate(draw(1, 3, "xy"))]})}, JSON,
         edited={"t.json": IN_OBJECTS}, says=("save each part in a file of its own",)),
    Case("nested._refuse_people_by_label", "annotators of each label, in lists that overlap", "roles-unclear",
         {"t.json": records([{"id": k, "annotators_toxic": [1, 2], "annotators_insult": [1, 2], "annotators_other": [3]}
                             for k in range(8)])}, JSON, says=("write one row per label",)),
    Case("nested._refuse_rated", "scores of models without raters", "annotators-needed",
         {"t.json": records([{"id": k, "outputs": [{"model": "gpt-4", "score": k % 3}, {"model": "llama", "score": 2}]}
                             for k in range(8)])}, JSON, edited={"t.json": LONG_RECORDS},
         says=("write one row per label with the columns item, annotator, label",)),
    Case("nested._refuse_siblings", "a list per label with judgments inside", "roles-unclear",
         {"t.json": records([{"id": k, **{name: [{"annotator": who, "judgments": [{"annotator": b, "good": b > who}
                                                                                  for b in range(3)]} for who in people]
                                          for name, people in (("yes", (0, 1)), ("no", (2,)))}} for k in range(8)])},
         JSON,
         edited={"t.json": LONG_RECORDS}, says=("write one row per label with the columns item, annotator, label",)),
    Case("records._refuse_selection", "items on which annotators disagree", "export-not-usable",
         {"t.json": records({"raw_agreement": 0.94, "disagreements": [{"id": k, "Ana": "x", "Ben": "y"}
                                                                      for k in range(3)]})}, JSON,
         says=("give a file with all items",)),
    Case("records._rows_of_object", "an object without records", "format-unknown",
         {"t.json": records({"version": "1.0", "name": "x", "size": 3})}, JSON, edited={"t.json": LONG_RECORDS},
         says=("write one object per label with the fields item, annotator, label",)),
    Case("records._flat_table 1", "records without fields", "column-missing", {"t.json": "[{}, {}]"}, JSON,
         edited={"t.json": LONG_RECORDS}, says=("write one object per row",)),
    Case("records._flat_table 2", "thousands of fields", "file-too-large",
         {"t.json": records([{f"f{k}": 1 for k in range(2_001)}, {"f1": 2}])}, JSON, edited={"t.json": LONG_RECORDS},
         says=("write one object per row with the fields item, annotator, label",)),
    Case("records._flat_table 3", "two lists of records in each record", "roles-unclear",
         {"t.json": records([{"id": k, "label": [{"a": 1}], "labels": [{"b": 2}]} for k in range(3)])}, JSON,
         edited={"t.json": LONG_RECORDS}, says=("write one object per label with the fields item, annotator, label",)),
    Case("records._columns 1", "two objects per record", "roles-unclear",
         {"t.json": records([{"id": k, "human": {"label": "x"}, "other": {"label": "y"}} for k in range(3)])}, JSON,
         edited={"t.json": LONG_RECORDS}, says=("write one object per label with the fields item, annotator, label",)),
    Case("records._columns 1", "one object of columns beside another field", "roles-unclear",
         {"t.json": records([{"id": k, "zeta": "abc"[k % 3], "given": {"first_one": x, "second_one": y}} for k, (x, y)
                             in enumerate(zip(ANA, BEN, strict=True))])}, JSON),
    Case("records._columns 1", "a field of annotators beside an object", "roles-unclear",
         {"t.json": records([{"id": k // 2, "annotator": WHO[k % 2], "meta": {"x": 1, "y": ANA[k]}, "z": 1}
                             for k in range(N)])}, JSON,
         ("score t.json --item id --annotator annotator --label meta.y",), says=("--item COLUMN --annotator",)),
    Case("records._columns 2", "names in an object that may be variables", "roles-unclear",
         {"t.json": records([{"id": k, "given": {"tone": x, "size": y}} for k, (x, y) in
                             enumerate(zip(ANA, BEN, strict=True))])}, JSON),
    Case("packed._parsed", "a cell that is no list", "invalid-record",
         {"t.csv": table("id,labels", range(6), ["[1, 1, 2]"] * 5 + ["[1, 1"])},
         edited={"t.csv": table("id,labels", range(6), ["[1, 1, 2]"] * 5 + ["[1, 1, 1]"])},
         says=("correct this cell",)),
]  # fmt: skip

HEADER_CASES = [
    Case("header.name_columns", "two header rows", "header-row",
         {"t.csv": "item,tone,,topic,\n,A,B,A,\n1,x,y,p,p\n2,y,y,q,p\n3,x,x,p,p\n"},
         edited={"t.csv": "item,tone_A,tone_B,topic_A,topic_B\n1,x,y,p,p\n2,y,y,q,p\n3,x,x,p,p\n"},
         says=("write one header row",)),
    Case("header._number_names 1", "a name twice in the first row", "header-row",
         {"t.csv": "item,x,x\ne,x,y\nf,y,y\n"}, edited={"t.csv": "item,Ana,Ben\ne,x,y\nf,y,y\n"}, says=("rename one",)),
    Case("header._number_names 3", "tables side by side", "header-row",
         {"t.csv": "item,label,item,label\n1,x,2,y\n2,y,3,x\n3,x,1,x\n"}, repaired=("score one.csv two.csv",),
         edited={"one.csv": "item,label\n1,x\n2,y\n3,x\n", "two.csv": "item,label\n2,y\n3,x\n1,x\n"},
         says=("save each of them as a file of its own",)),
]  # fmt: skip

ANSWERS = [{"_unit_id": k, "_worker_id": who, "tone": k > 3, "kind": k < 3} for k in range(6) for who in ("w1", "w2")]
TOLOKA = [{"INPUT:text": f"t{k}", "OUTPUT:tone": label, "ASSIGNMENT:worker_id": who} for k, who, label in
          entries(1, ("w1", "w2"), "xy", n=8)]  # fmt: skip
CLASSIFIED = [{"classification_id": n, "user_name": who, "workflow_id": 1, "subject_ids": k,
               "annotations": json.dumps([{"task": "T0", "value": label}])}
              for n, (k, who, label) in enumerate(entries(1, ("ana", "ben"), ("yes", "no"), n=8))]  # fmt: skip


def classified(**changed: object) -> str:
    return dicts([{key: changed.get(key, value) for key, value in row.items() if changed.get(key, 1) is not None}
                  for row in CLASSIFIED])  # fmt: skip


def export_of(header: str) -> str:
    names = header.split(",")
    return rows_of(header, [[f"{name[0]}{k % 3}" for name in names] for k in range(N)])


EXPORT_CASES = [
    Case("platforms.read_judgments", "judgments in which no column varies", "export-not-usable",
         {"t.csv": dicts(ANSWERS)}),
    Case("platforms._item_of", "judgments without items", "export-not-usable",
         {"t.csv": dicts([{"OUTPUT:tone": row["OUTPUT:tone"], "ASSIGNMENT:worker_id": row["ASSIGNMENT:worker_id"],
                           "picture": row["INPUT:text"]} for row in TOLOKA])}),
    Case("zooniverse.read_classifications 1", "classifications without volunteers", "column-missing",
         {"t.csv": classified(user_name=None)}, edited={"t.csv": classified()}, says=("export it with user_name",)),
    Case("zooniverse.read_classifications 2", "classifications without answers", "export-not-usable",
         {"t.csv": classified(annotations="[]")}, edited={"t.csv": classified()}, says=("export it again",)),
    Case("zooniverse.read_classifications 3", "drawings", "export-not-usable",
         {"t.csv": classified(annotations=json.dumps([{"task": "T0", "value": [{"x": 1.0, "y": 2.0, "tool": 0}]}]))},
         edited={"t.csv": classified()}, says=("give a workflow with questions",)),
    Case("zooniverse._answers_of", "a classification that is no list of tasks", "invalid-record",
         {"t.csv": classified(annotations="T0 yes")}, edited={"t.csv": classified()},
         says=("t.csv:2", "export the table again")),
    Case("zooniverse._read_results", "reductions of drawings", "export-not-usable",
         {"t.csv": dicts([{"subject_id": k, "task": "T0", "reducer": "polygon_reducer", "data.frame0.x": "[1.0, 2.0]"}
                          for k in range(6)])},
         edited={"t.csv": dicts([{"subject_id": k, "task": "T0", "reducer": "question_reducer", "data.yes": k % 4,
                                  "data.no": 3 - k % 4} for k in range(6)])}, says=("of a question",)),
    Case("exports.refuse_exports", "a coding comparison of NVivo", "export-not-usable",
         {"t.csv": export_of("Code,Kappa,Agreement (%),Disagreement (%)")}, edited={"t.csv": LONG}, says=("REFI-QDA",)),
    Case("exports.refuse_exports", "coded segments of MAXQDA", "export-not-usable",
         {"t.csv": rows_of("Document name,Code,Beginning,End,Segment,Created by",
                           [("d", "x", k * 10, k * 10 + 5, "s", who) for k in range(4) for who in ("Ana", "Ben")])},
         "score t.csv -m gamma"),
    Case("exports.refuse_exports", "coded segments of MAXQDA in German", "export-not-usable",
         {"t.csv": rows_of("Dokumentname,Code,Anfang,Ende,Segment,Erstellt von",
                           [("d", "x", k * 10, k * 10 + 5, "s", who) for k in range(4) for who in ("Ana", "Ben")])},
         "score t.csv -m gamma"),
    Case("exports.refuse_exports", "responses of LimeSurvey", "export-not-usable",
         {"t.csv": rows_of("submitdate,lastpage,startlanguage,q1,q2,q3",
                           [("2024-01-01", 3, "de", *x) for x in draw(1, 3, "xyz", n=8)])},
         repaired=("score t.csv --annotators-in rows",), edited={"t.csv": rows_of("q1,q2,q3", draw(1, 3, "xyz", n=8))},
         says=("keep only the respondents",)),
    Case("exports.refuse_exports", "responses of SoSci Survey", "export-not-usable",
         {"t.csv": rows_of("CASE,QUESTNNR,STARTED,q1,q2,q3",
                           [(k, "base", "2024-01-01", *x) for k, x in enumerate(draw(1, 3, "xyz", n=8))])},
         repaired=("score t.csv --annotators-in rows",),
         edited={"t.csv": rows_of("CASE,q1,q2,q3", [(k, *x) for k, x in enumerate(draw(1, 3, "xyz", n=8))])},
         says=("keep only the respondents",)),
    Case("exports.refuse_exports", "excerpts of Dedoose", "export-not-usable",
         {"t.csv": export_of("Excerpt Creator,Excerpt Range,Code A applied")}, "score t.csv -m gamma",
         edited={"t.csv": contract.UNITS},
         says=("write one row per excerpt and code (doc,annotator,start,end,label)",)),
    Case("exports.refuse_exports", "quotations of ATLAS.ti", "export-not-usable",
         {"t.csv": export_of("Quotation Name,Codes,Document")}, "score t.csv -m gamma",
         edited={"t.csv": contract.UNITS},
         says=("write one row per quotation and code (doc,annotator,start,end,label)",)),
    Case("exports.refuse_exports", "an aggregated report of Appen", "export-not-usable",
         {"t.csv": dicts([{"_unit_id": k, "_trusted_judgments": 3, "tone": "a", "tone:confidence": 0.7}
                          for k in range(4)])},
         edited={"t.csv": dicts([{"_unit_id": k, "_worker_id": who, "tone": label} for k, who, label in
                                 entries(1, ("w1", "w2"), "xy", n=8)])}, says=("download the full report",)),
    Case("exports._without_helpers", "responses of Qualtrics", "export-not-usable",
         {"t.csv": rows_of("StartDate,EndDate,Status,Progress,ResponseId,Q1,Q2,Q3",
                           [("2024-01-01", "2024-01-01", "IP", 100, f"R_{k}", *x) for k, x in
                            enumerate(draw(1, 3, "xyz", n=8))])}),
    Case("exports._without_helpers", "an export of ODK with a submitter", "export-not-usable",
         {"t.csv": rows_of("SubmissionDate,KEY,SubmitterName,FormVersion,photo,tone",
                           [("2024-01-01", f"u{n}", who, 1, k, x) for n, (k, who, x) in
                            enumerate(entries(1, ("Ana", "Ben"), "xy", n=8))])}),
]  # fmt: skip


def sheets(**content: str) -> dict[str, Content]:
    return {"t.xlsx": workbook(**content)}


def files_of(**content: str) -> dict[str, Content]:
    return {f"{name}.csv": text for name, text in content.items()}


def wide_of(header: str, seed: int, scale: str, first: int = 0) -> str:
    people = len(header.split(",")) - 1
    return rows_of(header, [(f"i{k + first}", *x) for k, x in enumerate(draw(seed, people, scale, n=8))])


def by_row(seed: int, scale: str, n: int = 6, start: str = "") -> str:
    return rows_of("item,label", [(f"{start}{k}", x[0]) for k, x in enumerate(draw(seed, 1, scale, n=n))])


IN_FILES = files_of(one=wide_of("item,x,y", 1, "12"), two=wide_of("item,x,y", 2, "12"))
FILE_CASES = [
    Case("parts.arrange_tables 3", "annotators in files and in a column", "roles-unclear",
         files_of(one=LONG, two=LONG.replace("Ana", "Cleo").replace("Ben", "Dora")),
         "score one.csv two.csv --annotators-in files", ("score one.csv two.csv",),
         says=("leave out --annotators-in",)),
    Case("parts._unclear", "files with the same columns and items", "roles-unclear", IN_FILES, "score one.csv two.csv",
         ("score one.csv",), says=("give only one file",)),
    Case("parts._unclear", "sheets with the same columns and items", "roles-unclear",
         sheets(one=wide_of("item,x,y", 1, "12"), two=wide_of("item,x,y", 2, "12")), "score t.xlsx"),
    Case("parts._unclear", "sheets with one label each that share no label", "roles-unclear",
         sheets(one=by_row(1, "xy"), two=by_row(2, "pq")), "score t.xlsx"),
    Case("parts._unclear_items", "sheets with one label each that share no item", "roles-unclear",
         sheets(one=by_row(1, "xy", start="a"), two=by_row(2, "xy", start="b")), "score t.xlsx",
         edited=sheets(one=by_row(1, "xy"), two=by_row(2, "xy")), says=("write the same names of items",)),
    Case("parts._unclear", "files whose columns differ", "roles-unclear",
         files_of(one=wide_of("item,Ana,Ben", 1, "xy"), two=wide_of("item,Ana,Cleo", 2, "xy")), "score one.csv two.csv",
         ("score one.csv",), says=("give only one file",)),
    Case("by_file._joined_by_file", "a pattern with one annotator", "annotators-needed",
         {"d1_Ana.csv": by_row(1, "xy"), "d2_Ana.csv": by_row(2, "xy")},
         "score d1_Ana.csv d2_Ana.csv --names '{doc}_{annotator}'",
         ("score d1_Ana.csv d2_Ana.csv --names '{annotator}_{doc}'",), says=("use --names with a pattern",)),
    Case("by_file.refuse_studies", "a folder of studies", "file-empty",
         {"all/de/labels.csv": LONG, "all/en/labels.csv": LONG}, "score all", ("score all/de",), says=("e.g. all/de",)),
    Case("by_file._refuse_other_lengths", "files of a document with different numbers of rows", "roles-unclear",
         {f"{doc}_{who}.csv": table("label,page", ("abc" * 3)[:size], range(size)) for doc in ("d1", "d2")
          for who, size in (("Ana", 8), ("Ben", 9))},
         "score d1_Ana.csv d1_Ben.csv d2_Ana.csv d2_Ben.csv --names '{doc}_{annotator}'"),
    Case("by_file.refuse_variables", "a folder per annotator and a file per variable", "roles-unclear",
         {f"all/{who}/{name}.csv": by_row(k, scale) for k, who in enumerate(("Ana", "Ben"))
          for name, scale in (("tone", "+-"), ("topic", "xyz"))}, "score all",
         ("score all/Ana/tone.csv all/Ben/tone.csv",), says=("read one of them: all/Ana/tone.csv all/Ben/tone.csv",)),
    Case("by_file.unclear_folders", "folders of tables with a column per annotator", "roles-unclear",
         {"all/round1/x.csv": STUDY, "all/round2/x.csv": STUDY.replace("2,b", "2,a")}, "score all",
         ("score all/round1",), says=("e.g. all/round1",)),
    Case("by_file.unclear_names", "names of files that may contain documents", "roles-unclear",
         {f"all/{a}_{b}.csv": by_row(n, "abc") for n, (a, b) in
          enumerate((a, b) for a in ("alpha", "beta") for b in ("run", "take"))}, "score all"),
    Case("copies.refuse_copies", "a copy of a file", "repeated-document",
         {"all/Ana.csv": by_row(1, "xy"), "all/Ana - Copy.csv": by_row(1, "xy"), "all/Ben.csv": by_row(2, "xy")},
         "score all", ("score all/Ana.csv all/Ben.csv",), says=("give only all/Ana.csv all/Ben.csv",)),
    Case("copies.refuse_copies", "a copy of a file in a folder below", "repeated-document",
         {"all/Ana/t.csv": by_row(1, "xy"), "all/Ana/t (1).csv": by_row(1, "xy"), "all/Ben/t.csv": by_row(2, "xy")},
         "score all", edited={"all/Ana/t (1).csv": None}, says=("remove it",)),
    Case("copies.refuse_copies", "a copy in a folder of many files", "repeated-document",
         {**{f"all/{who}.csv": by_row(k, "xy") for k, who in enumerate(("Ana (1)", *"ABCDEFG"))},
          "all/Ana.csv": by_row(0, "xy")},
         "score all", edited={"all/Ana (1).csv": None}, says=("remove it",)),
    Case("copies.refuse_copies", "an archive beside its folder", "repeated-document",
         {"all/Ana.zip": packed(("Ana/x.csv", by_row(1, "xy"))), "all/Ana/x.csv": by_row(1, "xy"),
          "all/Ben/x.csv": by_row(2, "xy")},
         "score all", ("score all/Ana all/Ben",), says=("give only all/Ana all/Ben",)),
]  # fmt: skip

CASES = [*LONG_CASES, *WIDE_CASES, *COUNT_CASES, *JSON_CASES, *HEADER_CASES, *EXPORT_CASES, *FILE_CASES]


# -- the places that refuse tables -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Site:
    """A call of DataError in the source."""

    name: str
    path: str
    first: int
    last: int


def sites() -> list[Site]:
    """Return the places in the source that refuse tables, named by module and function."""
    found: list[Site] = []
    for module in MODULES:
        path = SOURCES / module
        calls = list(_calls(ast.parse(path.read_text(encoding="utf-8")), ""))
        several = Counter(name for name, _ in calls)
        number: Counter[str] = Counter()
        for name, call in calls:
            number[name] += 1
            title = f"{path.stem}.{name}" + (f" {number[name]}" if several[name] > 1 else "")
            found.append(Site(title, str(path), call.lineno, call.end_lineno or call.lineno))
    return found


def _calls(node: ast.AST, function: str) -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls of DataError with the name of the function around them, in the order of the source."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call) and isinstance(child.func, ast.Name) and child.func.id == "DataError":
            yield function, child
        yield from _calls(child, child.name if isinstance(child, ast.FunctionDef) else function)


SITES = sites()


@contextmanager
def raised_at() -> Iterator[list[str]]:
    """Collect the sites that make an error."""
    made: list[str] = []
    usual = AccordError.__init__

    def record(self: AccordError, code: str, message: str) -> None:
        usual(self, code, message)
        frame = sys._getframe(1)
        place = frame.f_code.co_filename, frame.f_lineno
        made.extend(site.name for site in SITES if site.path == place[0] and site.first <= place[1] <= site.last)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AccordError, "__init__", record)
        yield made


# -- the tests ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_message_names_what_reads_the_table(
    case: Case, tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(words: list[str], edited: Mapping[str, Content] = NOTHING) -> Outcome:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        write(folder, case.files)
        write(folder, edited)
        monkeypatch.chdir(folder)
        return cli(*words, *([] if "-m" in words else ["-m", "percent"]), "--interval", "none")

    argv = shlex.split(case.command)
    with raised_at() as made:
        outcome = run(argv)
    refused(outcome)
    message = outcome.err.removesuffix(f" [{case.code}]\n")
    assert message != outcome.err, outcome.err
    assert made[-1:] == [case.site], message
    for fact in case.says:
        assert fact in message, message

    groups = [given for given in suggestions(message) if sorted(with_options(argv, given, set())) != sorted(argv)]
    assert groups or case.says, f"no options and no edit: {message}"
    for given in groups:
        done = run(with_options(argv, given, set()))
        if done.code and case.edited:  # options for the edited file
            done = run(with_options(argv, given, set()), case.edited)
        assert done.code == 0, f"{given}: {done.err}"
    if case.repaired or case.edited:
        assert case.says, "name the words of the message that describe the command or the edit"
    for command in case.repaired or ([case.command] if case.edited else []):
        done = run(shlex.split(command), case.edited)
        assert done.code == 0, f"{command}: {done.err}"


# Sites without a case, with the reason.
WITHOUT_CASE = {
    "counts._confusion 1": "tables in files without rows are refused earlier, so only data frames reach it",
}
CODES = {case.code for case in CASES} | {"header-row", "layout-unclear", "option-not-for-data"}


def test_every_refusal_has_a_case(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    with raised_at() as elsewhere:
        for k, case in enumerate(contract.CASES):
            if case.command.startswith("score") and case.code in CODES and not (case.without or case.broken):
                folder = tmp_path / str(k)
                folder.mkdir()
                write(folder, {**contract.COMMON, **case.files})
                monkeypatch.chdir(folder)
                cli(*shlex.split(case.command))
    names = {site.name for site in SITES}
    covered = {case.site for case in CASES}
    assert covered <= names
    assert not covered & set(WITHOUT_CASE)
    assert names - covered - set(elsewhere) == set(WITHOUT_CASE), "add a case, or a reason to WITHOUT_CASE"
