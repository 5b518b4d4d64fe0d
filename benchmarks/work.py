"""The measured tasks. accord and its peers get the same simulated data."""

from __future__ import annotations

import json
import sys
import warnings
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.measure import Cost, peak, timed, warmed

if TYPE_CHECKING:
    import accord

LABELS = ("Adj", "Noun", "Prep", "Verb")
GAMMA = "gamma(samples=30, precision=0.99)"  # always 30 samples, as the peer: 31 alignments


def table(items: int, annotators: int, categories: int) -> np.ndarray:
    """Simulate annotators who give the true label with probability 0.7, else a random one."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, categories, items)
    noise = rng.integers(0, categories, (items, annotators))
    return np.where(rng.random((items, annotators)) < 0.7, truth[:, None], noise)


def accord_score(spec: str, items: int, annotators: int, categories: int) -> Cost:
    import accord
    import accord.doors.functions  # import before the measurement

    rows = table(items, annotators, categories)
    accord.score(rows[:100], spec)
    return warmed(lambda: accord.score(rows, spec).value)


def krippendorff_alpha(items: int, annotators: int, categories: int) -> Cost:
    import krippendorff

    rows = table(items, annotators, categories).T.astype(np.float64)
    return warmed(lambda: float(krippendorff.alpha(rows, level_of_measurement="nominal")))


def nltk(method: str, items: int, annotators: int, categories: int) -> Cost:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from nltk.metrics.agreement import AnnotationTask

    rows = table(items, annotators, categories).tolist()
    triples = [(f"A{g}", i, label) for i, row in enumerate(rows) for g, label in enumerate(row)]
    return timed(lambda: float(getattr(AnnotationTask(triples), method)()))


def continuous(items: int) -> Cost:
    import accord

    rng = np.random.default_rng(0)
    rows = rng.normal(size=items)[:, None] + rng.normal(size=(items, 2))
    accord.score(rows[:100], "alpha(distance=interval)")
    return timed(lambda: accord.score(rows, "alpha(distance=interval)").value)


def bootstrap(items: int, annotators: int, categories: int) -> Cost:
    import accord

    rows = table(items, annotators, categories)
    accord.score(rows[:100], "alpha", interval="bootstrap", replicates=100)
    return timed(lambda: accord.score(rows, "alpha", interval="bootstrap", replicates=2000).value)


def csv_duckdb(path: str) -> Cost:
    import duckdb

    query = f"select count(*) from (select item, label, count(*) from read_csv('{path}') group by item, label)"
    return timed(lambda: float(duckdb.connect().execute(query).fetchall()[0][0]))


def csv_accord(path: str) -> Cost:
    """Measure reading and scoring a CSV file, including imports."""

    def work() -> float:
        import accord

        return accord.score(path, "alpha").value

    return timed(work)


def marked(annotators: int, units: int, kind: str = "even", seed: int = 0) -> dict[str, np.ndarray]:
    """Simulate noisy copies of a reference, like the peer's files: a unit of length 10 every 20, four labels.

    uneven: log-uniform lengths from 1 to 2,000, so that about thirty units can align with each. astray: 10% of the
    units have random positions, so that the reference is not the optimal alignment.
    """
    rng = np.random.default_rng(seed)
    shape = (annotators, units)
    begin = 20.0 * np.arange(units) + 5
    length = np.exp(rng.uniform(0, np.log(2000), units)) if kind == "uneven" else np.full(units, 10.0)
    truth = rng.integers(0, len(LABELS), units)
    away = rng.uniform(-1, 1, shape) * 10 * units * (rng.random(shape) < 0.1) if kind == "astray" else 0.0
    start = np.rint(begin + away + rng.normal(size=shape) * 0.3 * length)
    end = np.maximum(start + 1, np.rint(begin + away + length + rng.normal(size=shape) * 0.3 * length))
    label = np.where(rng.random(shape) < 0.6, truth, rng.integers(0, len(LABELS), shape))
    who = np.repeat(np.arange(1, annotators + 1), units)
    return {"annotator": who, "label": label.ravel(), "start": start.ravel(), "end": end.ravel()}


def disorder(corpus: accord.Corpus) -> float:
    """Compute the best alignment. Return its gap to the proven bound; 0 is optimal."""
    from accord.core.context import Run
    from accord.measures.units.gamma import Gamma

    return Gamma().compare(corpus, Run()).alignment.overall_gap


def corpus_of(data: Any) -> accord.Corpus:
    import accord

    corpus = accord.read(data)
    assert isinstance(corpus, accord.Corpus)
    return corpus


def observed(annotators: int, units: int, kind: str = "even") -> Cost:
    """Measure the task. The memory of the process includes the data."""
    disorder(corpus_of(marked(annotators, min(units, 1000), kind, seed=1)))
    corpus = corpus_of(marked(annotators, units, kind))
    return replace(timed(lambda: disorder(corpus)), megabytes=peak())


def observed_corpus(path: str) -> Cost:
    corpus = corpus_of(path)
    disorder(corpus.only_docs(np.arange(len(corpus.docs)) < 100))
    return timed(lambda: disorder(corpus))


def documents(path: str, annotators: int) -> list[accord.Corpus]:
    """Return the documents with at least this many annotators, sorted by number of units."""
    alone = [continuum.alone for continuum in corpus_of(path) if len(continuum.annotators) >= annotators]
    return sorted(alone, key=len)


def observed_documents(path: str, annotators: int) -> list[Cost]:
    disorder(documents(path, annotators)[0])
    return [timed(partial(disorder, one)) for one in documents(path, annotators)]


def gamma_document(path: str, annotators: int) -> Cost:
    """Measure γ with shifts on a document of median size. The value is the larger gap, observed or of the samples."""
    import accord

    def whole(corpus: accord.Corpus) -> float:
        details = accord.score(corpus, "gamma(chance=shift)").details
        return float(max(details["gap"], details["chance_gap"]))

    found = documents(path, annotators)
    disorder(found[0])
    return timed(lambda: whole(found[len(found) // 2]))


def gamma_file(path: str) -> Cost:
    """Measure γ of a file in memory: the median of three runs after a first. The value is the observed disorder."""
    import accord

    def whole(corpus: accord.Corpus) -> float:
        return accord.score(corpus, GAMMA).observed or 0.0

    costs = [timed(partial(whole, corpus_of(path))) for _ in range(4)]
    return sorted(costs[1:], key=lambda cost: cost.seconds)[1]


def abutting(units: int) -> dict[str, np.ndarray]:
    """Simulate two annotators who mark units of length 2 to 14, with gaps and without overlaps."""
    rng = np.random.default_rng(0)
    gap, length = rng.integers(0, 12, (2, units)), rng.integers(2, 15, (2, units))
    end = np.cumsum(gap + length, axis=1)
    label = rng.integers(0, len(LABELS), (2, units))
    who = np.repeat([1, 2], units)
    return {"annotator": who, "label": label.ravel(), "start": (end - length).ravel(), "end": end.ravel()}


def unitizing(spec: str, units: int) -> Cost:
    """Measure the task. The memory of the process includes the data."""
    import accord

    accord.score(corpus_of(abutting(1000)), spec)
    corpus = corpus_of(abutting(units))
    return replace(timed(lambda: accord.score(corpus, spec).value), megabytes=peak())


WINDOW = 10


def boundaries(atoms: int) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    return [np.flatnonzero(rng.random(atoms - 1) < 0.05) + 1 for _ in range(2)]


def window_diff(atoms: int) -> Cost:
    import accord

    def cut(found: list[np.ndarray], length: int) -> accord.Segmentations:
        return accord.Segmentations.from_boundaries(dict(zip("AB", found, strict=True)), length=length)

    spec = f"window_diff(k={WINDOW},reference=A)"
    accord.score(cut(boundaries(1000), 1000), spec)
    data = cut(boundaries(atoms), atoms)
    return timed(lambda: accord.score(data, spec).value)


def window_diff_nltk(atoms: int) -> Cost:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from nltk.metrics.segmentation import windowdiff

    texts = []
    for found in boundaries(atoms):
        marks = np.full(atoms - 1, ord("0"), dtype=np.uint8)
        marks[found - 1] = ord("1")
        texts.append(marks.tobytes().decode())
    # nltk counts the k boundaries of a window of length k, which equals the definition with the same k.
    return timed(lambda: float(windowdiff(texts[0], texts[1], WINDOW)))


def window_diff_segeval(atoms: int) -> Cost:
    import segeval

    masses = [tuple(np.diff(np.concatenate([[0], found, [atoms]])).tolist()) for found in boundaries(atoms)]
    return timed(lambda: float(segeval.window_diff(masses[1], masses[0], window_size=WINDOW)))


def written(characters: int, changes: int, seed: int = 0) -> tuple[Any, Any]:
    """Simulate a text with Zipfian words and labels, and a changed version.

    Three of four changes are letters. The fourth splits or merges tokens.
    """
    from accord.measures.alignment.sequences import LETTERS
    from accord.measures.chance.text_edits import TextPool, TextVersion, segmented, text_changed

    rng = np.random.default_rng(seed)
    lengths = rng.integers(2, 9, 2000)
    spelling = rng.integers(ord("a"), ord("z") + 1, (2000, 8))
    word = np.minimum(rng.zipf(1.3, characters // 6), 2000) - 1
    end = np.cumsum(lengths[word] + 1) - 1
    start = end - lengths[word]
    letters = np.full(int(end[-1]), ord(" "))
    inside = np.arange(8) < lengths[word][:, None]
    letters[(start[:, None] + np.arange(8))[inside]] = spelling[word][inside]
    none = np.zeros(len(word), dtype=bool)
    base = TextVersion((letters + LETTERS).astype(np.int32), start, end, rng.integers(0, 20, (len(word), 1)), none)
    other = text_changed(base, TextPool.of([base]), changes * 3 // 4, rng)
    start, end = segmented(other.start, other.end, changes // 4, rng)
    labels = rng.integers(0, 20, (len(start), 1))
    return base, TextVersion(other.letters, start, end, labels, np.zeros(len(start), dtype=bool))


def versions(characters: int, changes: int) -> Cost:
    """Measure the task. The memory of the process includes the data."""
    from accord.measures.alignment.sequences import EditCosts, align_sequences

    costs = EditCosts(tables=(None,))
    align_sequences(*(version.bounded() for version in written(20_000, 100, seed=1)), costs)
    first, second = (version.bounded() for version in written(characters, changes))
    return replace(timed(lambda: align_sequences(first, second, costs).cost), megabytes=peak())


def corrected() -> accord.Texts:
    """Return a text of about 3,700 characters and 600 tokens, and its corrected version."""
    import accord
    from accord.measures.alignment.sequences import LETTERS

    texts, columns = {}, {"annotator": [], "start": [], "end": [], "pos": []}
    for who, version in zip("AB", written(3_600, 120), strict=True):
        texts[who] = "".join(map(chr, (version.letters - LETTERS).tolist()))
        for name, values in (("start", version.start), ("end", version.end), ("pos", version.labels[:, 0])):
            columns[name] += values.tolist()
        columns["annotator"] += [who] * len(version.start)
    found = accord.read(columns, texts=texts)
    assert isinstance(found, accord.Texts)
    return found


def pairs_of(samples: int) -> list[tuple[Any, Any]]:
    """Return the pairs that tγ aligns: the two annotators, and random samples."""
    from accord.measures.chance.text_edits import EditRates, Versions, edited_each
    from accord.measures.texts.text_gamma import TextGamma

    ready = TextGamma().prepared(corrected())
    rng, base = np.random.default_rng(0), Versions.alone(ready.versions[0])
    made = [edited_each(base, ready.pool, EditRates(0.15, 0.05), rng).bounded()[0] for _ in range(2 * samples)]
    return [(ready.bounded[0], ready.bounded[1]), *zip(made[::2], made[1::2], strict=True)]


def text_gamma(samples: int) -> Cost:
    """Measure tγ: the median of three runs after a first. The value is the cost of gaps of the same pairs."""
    import accord
    from accord.measures.alignment.sequences import EditCosts, align_sequences

    spec = f"text_gamma(samples={samples},precision=0.99,p_t=0.15,p_s=0.05)"
    texts = corrected()
    costs = [timed(lambda: accord.score(texts, spec, interval="none").value) for _ in range(4)]
    gaps = sum(align_sequences(*pair, EditCosts(tables=(None,))).cost for pair in pairs_of(samples))
    return replace(sorted(costs[1:], key=lambda cost: cost.seconds)[1], value=gaps)


def text_gamma_plain(samples: int) -> Cost:
    from benchmarks.plain_texts import plain_alignment

    pairs = pairs_of(samples)
    return timed(lambda: float(sum(plain_alignment(*pair)[0] for pair in pairs)))


def _erring(documents: int) -> Any:
    """Simulate three annotators of documents with ten units each."""
    import accord
    from accord.answers.simulate.generate import generate

    gold = generate(units=10, categories=3, documents=documents, seed=1)
    return accord.shuffle(gold, "combination([shift,category])", magnitude=0.4, seed=1)


def gamma_documents(documents: int, replicates: int) -> list[Cost]:
    """Measure γ without an interval, and with a bootstrap over documents."""
    import accord

    accord.gamma(_erring(3))  # compile and import before the measurement
    corpus, again = _erring(documents), _erring(documents)
    plain = timed(lambda: accord.gamma(corpus, interval="none").value)
    return [plain, timed(lambda: accord.gamma(again, interval="bootstrap", replicates=replicates).value)]


def gamma_without_each(documents: int) -> list[Cost]:
    """Measure γ, and its influence analysis by document."""
    import accord

    accord.influence(_erring(3), "gamma", of=["document"])
    corpus, again = _erring(documents), _erring(documents)
    plain = timed(lambda: accord.gamma(corpus, interval="none").value)
    return [plain, timed(lambda: float(len(accord.influence(again, "gamma", of=["document"]).units)))]


def alpha_without_each(items: int, annotators: int) -> Cost:
    import accord

    rng = np.random.default_rng(0)
    truth = rng.integers(0, 5, items)
    shape = (items, annotators)
    rows = np.where(rng.random(shape) < 0.7, truth[:, None], rng.integers(0, 5, shape))
    ratings = accord.Ratings.from_rows(rows)
    return timed(lambda: float(len(accord.influence(ratings, "alpha").annotators)))


def xray_gamma() -> Cost:
    import accord
    from accord.answers.simulate.generate import generate

    gold = generate(units=50, categories=4, seed=0)
    return timed(lambda: float(len(accord.xray(gold, "shift", ["gamma"]).curves)))


def parsed_xmi(folder: str) -> Cost:
    """Parse every file with lxml."""
    from lxml import etree

    paths = sorted(Path(folder).rglob("*.xmi"))
    return timed(lambda: float(sum(len(etree.fromstring(path.read_bytes())) for path in paths)))


def split_tsv(folder: str) -> Cost:
    """Split every line of every file at tabs."""
    paths = sorted(Path(folder).rglob("*.tsv"))

    def work() -> float:
        lines = 0
        for path in paths:
            lines += len([line.split("\t") for line in path.read_text(encoding="utf-8").split("\n")])
        return float(lines)

    return timed(work)


def parsed_tsv(folder: str) -> Cost:
    """Find the units of every file with a plain parser without checks."""
    paths = sorted(Path(folder).rglob("*.tsv"))

    def work() -> float:
        units = 0
        for path in paths:
            found: dict[str, tuple[int, int]] = {}
            for line in path.read_text(encoding="utf-8").split("\n"):
                if not line or line.startswith("#"):
                    continue
                number, place, _, _, label, *_ = line.split("\t")
                begin, end = map(int, place.split("-"))
                if label != "_":
                    key = label if label.endswith("]") else f"{label} {number}"
                    found[key] = (found.get(key, (begin, end))[0], end)
            units += len(found)
        return float(units)

    return timed(work)


def read_native(folder: str, jobs: int) -> Cost:
    import accord
    import accord.data.io.formats.assembling  # import before the measurement

    corpus_of(next(Path(folder).iterdir()))
    return timed(lambda: float(len(accord.read(folder, jobs=jobs))))


def crowd_model(name: str, labels: int, annotators: int, categories: int, path: str) -> Cost:
    """Fit a model to five labels per item. Store the labels and the result in the file."""
    from accord.answers.gold import models as dawid_skene
    from accord.answers.gold import models as mace

    def made(items: int, people: int) -> dawid_skene.Labelled:
        rng = np.random.default_rng(0)
        truth, right = rng.integers(0, categories, items), rng.uniform(0.3, 0.95, people)
        item = np.repeat(np.arange(items), 5)
        who = (
            rng.integers(0, people, len(item)) // 5 * 5 + np.tile(np.arange(5), items)
        ) % people  # each annotator at most once per item
        wrong = (truth[item] + rng.integers(1, categories, len(item))) % categories
        label = np.where(rng.random(len(item)) < right[who], truth[item], wrong)
        return dawid_skene.Labelled(item, who, label, items, people, categories)

    model = {"dawid_skene": dawid_skene.dawid_skene, "mace": mace.mace}[name]
    model(made(100, 10))  # compiles
    data, found = made(labels // 5, annotators), []

    def work() -> float:
        found.append(model(data))
        return float(found[0].steps)

    cost = timed(work)
    columns = {"item": data.item, "annotator": data.annotator, "label": data.label}
    np.savez(path, **columns, **{name: found[0].posterior.argmax(axis=1)})
    return cost


def grown_alpha(items: int, annotators: int) -> Cost:
    return accord_score("alpha", items, annotators, 10)


def grown_annotators(annotators: int, items: int) -> Cost:
    """Measure alpha with complete data."""
    return accord_score("alpha", items, annotators, 10)


def grown_gamma(documents: int, annotators: int, units: int) -> Cost:
    """Measure γ with its interval on many documents, with one worker."""
    import accord

    def made(docs: int) -> accord.Corpus:
        one = marked(annotators, docs * units)
        place = np.tile(np.arange(docs * units), annotators)
        shift = place // units * 20 * units
        start, end = (np.maximum(one[name] - shift, 0) for name in ("start", "end"))
        rows = {"doc": place // units, **one, "start": start, "end": np.maximum(end, start + 1)}
        return corpus_of(rows)

    accord.score(made(20), "gamma", jobs=1)
    corpus = made(documents)
    return timed(lambda: accord.score(corpus, "gamma", jobs=1).value)


def grown_units(units: int, annotators: int) -> Cost:
    return observed(annotators, units)


def grown_texts(words: int) -> Cost:
    """Align two unrelated texts with the same vocabulary."""
    import accord

    rng = np.random.default_rng(0)

    def versions(many: int) -> dict[str, list[str]]:
        texts = [" ".join(f"w{k}" for k in rng.integers(0, 5000, many)) for _ in range(2)]
        return {"doc": ["d", "d"], "annotator": ["Ana", "Ben"], "text": texts}

    accord.align(versions(100), "text_gamma")
    given = versions(words)
    return timed(lambda: float(len(accord.align(given, "text_gamma").tables())))


def yardstick() -> Cost:
    numbers = np.random.default_rng(0).random(10_000_000)
    return timed(lambda: float(np.sort(numbers)[0]))


def crowded(annotators: int, units: int) -> Cost:
    """Measure one alignment of units that all overlap."""
    rng = np.random.default_rng(0)
    shape = (annotators, units)
    start = rng.integers(0, 100, shape)
    columns = {
        "annotator": np.repeat(np.arange(annotators), units),
        "label": rng.integers(0, len(LABELS), shape).ravel(),
        "start": start.ravel(),
        "end": (start + rng.integers(100, 200, shape)).ravel(),
    }
    disorder(corpus_of(marked(annotators, 50)))
    corpus = corpus_of(columns)
    return timed(lambda: disorder(corpus))


def equal_units(annotators: int, units: int) -> Cost:
    import accord

    who = np.repeat(np.arange(annotators), units)
    at = np.tile(np.arange(units), annotators)
    corpus = corpus_of({"annotator": who, "start": 10 * at, "end": 10 * at + 5, "label": np.zeros(len(at), dtype=int)})
    accord.gamma(corpus_of(marked(2, 20)))
    return timed(lambda: accord.gamma(corpus).value)


def write_counts(path: str, items: int) -> Cost:
    rng = np.random.default_rng(0)
    rows = rng.multinomial(5, [0.4, 0.3, 0.2, 0.1], size=items)

    def work() -> float:
        with Path(path).open("w", encoding="utf-8") as file:
            file.write("item,a,b,c,d\n")
            file.writelines(f"i{k},{','.join(map(str, row))}\n" for k, row in enumerate(rows.tolist()))
        return 0.0

    return timed(work)


def read_plainly(path: str) -> Cost:
    import polars

    polars.DataFrame({"a": [1]}).sum()
    return timed(lambda: float(polars.read_csv(path).height))


def score_counts(path: str) -> Cost:
    import accord

    accord.alpha({"item": [1, 1, 2, 2], "annotator": ["A", "B"] * 2, "label": ["x", "y", "x", "x"]})
    return timed(lambda: accord.score(path, "alpha", layout="counts").value)


def _labelled(items: int, annotators: int, categories: int, share: float) -> accord.Ratings:
    import accord

    labels = table(items, annotators, categories)
    item, who = np.nonzero(np.random.default_rng(1).random(labels.shape) < share)
    found = accord.read({"item": item, "annotator": who, "label": labels[item, who]})
    assert isinstance(found, accord.Ratings)
    return found


def unconditional(annotators: int) -> list[Cost]:
    """Measure α with the default and the unconditional interval, with about twenty labels per annotator."""
    import accord

    accord.alpha(_labelled(20, 4, 3, 1.0), interval="unconditional")
    data, again = (_labelled(2_000, annotators, 5, 0.01) for _ in range(2))
    plain = timed(lambda: accord.alpha(data).value)
    return [plain, timed(lambda: accord.alpha(again, interval="unconditional").value)]


def many_categories(categories: int) -> list[Cost]:
    """Measure κ of five annotators on 20,000 items, its breakdowns, and tests of marginals."""
    import accord
    from accord.answers.marginals import marginals

    accord.kappa(_labelled(20, 4, 3, 1.0))
    data, again = (_labelled(20_000, 5, categories, 1.0) for _ in range(2))
    plain = timed(lambda: accord.kappa(data).value)
    score = accord.kappa(again)
    parts = [timed(partial(lambda by: float(len(score.parts[by])), by)) for by in ("category", "pair")]
    return [plain, *parts, timed(lambda: marginals(again).bias)]


def many_pairs(annotators: int) -> list[Cost]:
    """Measure α of 2,000 items, of which each annotator labels 10%, and its breakdowns."""
    import accord

    spec = "alpha(distance=ordinal)"
    accord.score(_labelled(20, 4, 3, 1.0), spec)
    data = _labelled(2_000, annotators, 10, 0.1)
    plain = timed(lambda: accord.score(data, spec).value)
    score = accord.score(data, spec)
    return [plain, *(timed(partial(lambda by: float(len(score.parts[by])), by)) for by in ("pair", "annotator"))]


def everybody(annotators: int) -> list[Cost]:
    """Measure κ of 3,000 items with complete data, and its breakdown by pair."""
    import accord

    accord.kappa(_labelled(20, 4, 3, 1.0))
    data = _labelled(3_000, annotators, 5, 1.0)
    plain = timed(lambda: accord.kappa(data).value)
    score = accord.kappa(data)
    return [plain, timed(lambda: float(len(score.parts["pair"])))]


def many_units(categories: int) -> list[Cost]:
    """Measure cuα of five annotators with 40,000 units each, and its breakdown."""
    import accord

    def made(size: int) -> accord.Corpus:
        rng = np.random.default_rng(0)
        label = np.where(
            rng.random((5, size)) < 0.7, rng.integers(0, categories, size), rng.integers(0, categories, (5, size))
        )
        begin = np.tile(20 * np.arange(size), 5) + rng.integers(0, 5, 5 * size)
        who = np.repeat(np.arange(5), size)
        return corpus_of({"start": begin, "end": begin + 10, "annotator": who, "label": label.ravel()})

    accord.score(made(20), "cu_alpha")
    data = made(40_000)
    plain = timed(lambda: accord.score(data, "cu_alpha").value)
    score = accord.score(data, "cu_alpha")
    return [plain, timed(lambda: float(len(score.parts["category"])))]


def many_sets(categories: int) -> Cost:
    """Measure α with sets, where all labels differ."""
    import accord

    labels = [f"{one}|common|{one % 50} and more" for one in range(categories)]
    data = accord.Ratings.from_rows(list(zip(labels[::2], labels[1::2], strict=True)))
    accord.score([["a|b", "b"], ["a", "b"]], "alpha(distance=masi)")
    return timed(lambda: accord.score(data, "alpha(distance=masi)").value)


def long_texts(spec: str, many: int) -> Cost:
    """Measure three annotators with many units or boundaries in one document."""
    import accord

    def made(size: int) -> Any:
        rng = np.random.default_rng(0)
        if spec == "theta":
            begin = 20 * np.tile(np.arange(size), 3) + 5
            moved = rng.integers(-2, 3, (2, 3 * size))
            where = {"start": begin + moved[0], "end": begin + 10 + moved[1]}
            return corpus_of({**where, "annotator": np.repeat([1, 2, 3], size), "label": rng.integers(0, 4, 3 * size)})
        cuts = {name: np.flatnonzero(rng.random(10 * size - 1) < 0.1) + 1 for name in "ABC"}
        return accord.Segmentations.from_boundaries(cuts, length=10 * size)

    accord.score(made(100), spec)
    data = made(many)
    return timed(lambda: accord.score(data, spec).value)


if __name__ == "__main__":
    name, *arguments = sys.argv[1:]
    cost = globals()[name](*(int(a) if a.isdigit() else a for a in arguments))
    costs = cost if isinstance(cost, list) else [cost]
    sys.stdout.write(json.dumps([asdict(each) for each in costs]) + "\n")
