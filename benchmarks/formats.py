"""Read files of annotation tools, compared with parsing alone: a thousand documents of three annotators."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

from benchmarks.measure import DATA, alone, say, tell

DOCUMENTS, ANNOTATORS, TOKENS, SENTENCE = 1_000, ("ana", "ben", "cat"), 400, 20
LABELS = ("PER", "ORG", "LOC", "OTH")
_LAYER = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
_XMI = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" '
    'xmlns:cas="http:///uima/cas.ecore" xmlns:type="http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore" '
    'xmlns:type2="http:///de/tudarmstadt/ukp/dkpro/core/api/ner/type.ecore" xmi:version="2.0">\n'
)
Spans = dict[int, tuple[int, str]]  # by first token: tokens, label


def native() -> None:
    """Compare processor seconds: the minimum of three alternating runs, because other processes disturb times."""
    for name, bare, wanted in (("xmi", "parsed_xmi", "lxml"), ("tsv", "parsed_tsv", "a plain parser")):
        folder = made(name)
        runs = [(alone(bare, folder), alone("read_native", folder, 1)) for _ in range(3)]
        theirs, ours = (min(costs, key=lambda cost: cost.processor) for costs in zip(*runs, strict=True))
        ratio = ours.processor / theirs.processor
        what = f"read {DOCUMENTS:,} documents × {len(ANNOTATORS)} in {name.upper()}, {ours.value:,.0f} units"
        say(what, f"{ours.processor:.2f} s, {ratio:.1f}× {wanted} alone ({theirs.processor:.2f} s)", "2×", ratio <= 2)
        say("  peak memory", f"{ours.megabytes:.0f} MB", "1 GB", ours.megabytes < 1024)
        if name == "tsv":
            lines = min(alone("split_tsv", folder).processor for _ in range(3))
            tell("  compared with splitting lines at tabs", f"{ours.processor / lines:.1f}× ({lines:.2f} s)")
        shutil.rmtree(folder)


def several_times() -> None:
    """Read five times as many documents, enough to start workers."""
    folder = made("xmi", 5 * DOCUMENTS)
    one, two = alone("read_native", folder, 1), alone("read_native", folder, 2)
    assert one.value == two.value
    faster = one.seconds / two.seconds
    what = f"read {5 * DOCUMENTS:,} documents × {len(ANNOTATORS)} in XMI with two workers"
    say(what, f"{two.seconds:.1f} s, {faster:.1f}× faster than one ({one.seconds:.1f} s)", "1.4×", faster >= 1.4)
    say("  peak memory", f"{two.megabytes:.0f} MB", "2 GB", two.megabytes < 2048)
    shutil.rmtree(folder)


def made(name: str, documents: int = DOCUMENTS) -> Path:
    """Write a folder per document with a file of each annotator."""
    rng = random.Random(0)  # test data, not cryptography
    folder = DATA / f"native-{name}"
    write = {"xmi": _as_xmi, "tsv": _as_tsv}[name]
    for doc in range(documents):
        words = ["".join(rng.choices("abcdefghij", k=rng.randint(2, 9))) for _ in range(TOKENS)]
        truth = {at: (rng.randint(1, 3), rng.choice(LABELS)) for at in range(0, TOKENS - 3, 16)}
        inside = folder / f"doc{doc:04}"
        inside.mkdir(parents=True, exist_ok=True)
        for who in ANNOTATORS:
            marked = {
                at: (length, label if rng.random() < 0.8 else rng.choice(LABELS))
                for at, (length, label) in truth.items()
                if rng.random() < 0.9
            }
            (inside / f"{who}.{name}").write_text(write(words, marked), encoding="utf-8")
    return folder


def _places(words: list[str]) -> list[tuple[int, int]]:
    places, at = [], 0
    for word in words:
        places.append((at, at + len(word)))
        at += len(word) + 1
    return places


def _as_xmi(words: list[str], marked: Spans) -> str:
    places = _places(words)
    lines = [
        f'  <type:Token xmi:id="{k + 10}" sofa="1" begin="{b}" end="{e}" order="0"/>' for k, (b, e) in enumerate(places)
    ]
    for k, at in enumerate(range(0, len(words), SENTENCE)):
        begin, end = places[at][0], places[min(at + SENTENCE, len(words)) - 1][1]
        lines.append(f'  <type:Sentence xmi:id="{k + 5_000}" sofa="1" begin="{begin}" end="{end}"/>')
    for k, (at, (length, label)) in enumerate(marked.items()):
        begin, end = places[at][0], places[at + length - 1][1]
        lines.append(
            f'  <type2:NamedEntity xmi:id="{k + 9_000}" sofa="1" begin="{begin}" end="{end}" value="{label}"/>'
        )
    keys = [*range(10, 10 + len(words)), *range(5_000, 5_000 + len(words) // SENTENCE)]
    members = " ".join(map(str, [*keys, *range(9_000, 9_000 + len(marked))]))
    text = " ".join(words)
    lines.append(f'  <cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="{text}"/>')
    return f'{_XMI}{chr(10).join(lines)}\n  <cas:View sofa="1" members="{members}"/>\n</xmi:XMI>\n'


def _as_tsv(words: list[str], marked: Spans) -> str:
    places = _places(words)
    cells = ["_\t_"] * len(words)
    for number, (at, (length, label)) in enumerate(marked.items(), 1):
        behind = f"[{number}]" if length > 1 else ""
        cells[at : at + length] = [f"*{behind}\t{label}{behind}"] * length
    lines = ["#FORMAT=WebAnno TSV 3.3", f"#T_SP={_LAYER}|identifier|value", "", ""]
    for at in range(0, len(words), SENTENCE):
        lines.append(f"#Text={' '.join(words[at : at + SENTENCE])}")
        for k in range(at, min(at + SENTENCE, len(words))):
            begin, end = places[k]
            lines.append(f"{at // SENTENCE + 1}-{k - at + 1}\t{begin}-{end}\t{words[k]}\t{cells[k]}\t")
        lines.append("")
    return "\n".join(lines)
