"""`check`: compare measures with thresholds and with an earlier run."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from accord.answers import options
from accord.answers.options import LEVEL, REPLICATES
from accord.answers.question import question
from accord.answers.scoring import at_level, score_data
from accord.core.context import Run, silent
from accord.core.errors import (
    CheckFailed,
    DataError,
    SpecError,
    UnknownName,
    counted,
    for_interface,
    printable,
    quoted,
)
from accord.core.figures.bars import Forest, ForestRow
from accord.core.options import Option
from accord.core.probability import normal_below, normal_quantile
from accord.core.result import Score, Several
from accord.core.spec import without_quotes
from accord.core.tables import Drawing, Interval, Table, p_in_words, percent, plain
from accord.core.typed import is_number
from accord.data.door import is_data, names_of, opened
from accord.data.io.opening import stream_of
from accord.data.io.reading import DOCUMENT, PARTS
from accord.data.model.data import Data
from accord.data.model.ratings import NO_VALUE
from accord.measures.catalogue import measure
from accord.measures.intervals.methods import Settings
from accord.measures.measure import Measure

Bound = Literal["min", "max"]
USES = ("value", "lower")
_NOISE = 1e-12


@dataclass(frozen=True)
class Threshold:
    """A bound for a measure."""

    measure: Measure
    bound: Bound
    limit: float


@dataclass(frozen=True)
class Checked:
    """The outcome of a threshold; `held_against` is the value, or the end of the interval, that was compared."""

    threshold: Threshold
    score: Score
    held_against: float
    passed: bool
    reason: str
    by: str = ""  # what defines the part: category, pair or a column; empty for all data
    name: str = ""  # of the part
    against: str = "threshold"  # or "baseline" if the limit is from an earlier run

    @property
    def sign(self) -> str:
        return "≥" if self.threshold.bound == "min" else "≤"

    def to_dict(self) -> dict[str, Any]:
        fields = {
            "measure": str(self.threshold.measure),
            self.threshold.bound: self.threshold.limit,
            "held_against": self.held_against,
            "passed": self.passed,
            "reason": self.reason,
            "score": self.score.brief(),
            "by": self.by or None,
            "name": self.name or None,
            "against": self.against,
        }
        return plain(fields)


@dataclass(frozen=True, repr=False)
class Checks(Several[Checked]):
    """The outcome of each threshold, on all data and on parts."""

    notes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether all thresholds are met."""
        return all(c.passed for c in self.each)

    def __bool__(self) -> bool:
        """Whether all thresholds are met: `assert accord.check(data, min={"alpha": 0.8})` fails if one is not."""
        return self.passed

    def raise_if_failed(self) -> None:
        """Raise `CheckFailed` with the thresholds that are not met."""
        if not self.passed:
            raise CheckFailed("check-failed", "; ".join(one.reason for one in self.each if not one.passed))

    def summary(self) -> str:
        failed = [c.reason for c in self.each if not c.passed]
        return (
            f"{len(failed)} of {len(self.each)} failed: {'; '.join(failed)}" if failed else f"{len(self.each)} passed"
        )

    def in_words(self, color: bool = False, width: int = 80) -> str:  # noqa: ARG002
        """One line per threshold; lists the parts that fail and counts the others."""
        lines = [
            f"{'ok' if c.passed else 'FAILED'}  {printable(c.reason)}" for c in self.each if not c.by or not c.passed
        ]
        for by in dict.fromkeys((str(c.threshold.measure), c.by) for c in self.each if c.by):
            parts = [c.passed for c in self.each if (str(c.threshold.measure), c.by) == by]
            state = "ok" if all(parts) else "FAILED"
            lines.append(f"{state}  {by[0]} by {printable(by[1])}: {sum(parts):,} of {len(parts):,} met")
        return "".join(f"{line}\n" for line in [*lines, *(f"note: {printable(note)}" for note in self.notes)])

    def drawings(self) -> Mapping[str, Callable[[], Drawing]]:
        return {"forest": self._forest} if self.each else {}

    def _forest(self) -> Forest:
        """Values and thresholds."""
        rows: list[ForestRow] = []
        for c in self.each:
            part = f", {c.by} {c.name}" if c.by else ""
            name = f"{c.threshold.measure}{part} {c.sign} {c.threshold.limit:.6g}"
            rows.append(ForestRow(name, c.score.value, c.score.interval, "found", c.score.n))
            rows.append(ForestRow(name, c.threshold.limit, None, "threshold"))
        return Forest("", tuple(rows), "check", "value", reference=None)

    def tables(self) -> list[Table]:
        rows = tuple(
            (
                str(c.threshold.measure),
                f"{c.by} {c.name}".strip(),
                f"{c.sign} {c.threshold.limit:.6g}",
                c.held_against,
                "ok" if c.passed else "FAILED",
                c.reason,
            )
            for c in self.each
        )
        return [Table("", ("measure", "part", "threshold", "compared value", "", "reason"), rows, self.notes)]

    def to_dict(self) -> dict[str, Any]:
        return {"passed": self.passed, "checks": [c.to_dict() for c in self.each], "notes": list(self.notes)}

    def flat(self) -> Table:
        columns = ("measure", "bound", "limit", "held_against", "value", "passed", "reason", "signature", "by",
                   "name", "against")  # fmt: skip
        rows = tuple(
            (
                str(c.threshold.measure),
                c.threshold.bound,
                c.threshold.limit,
                c.held_against,
                c.score.value,
                c.passed,
                c.reason,
                c.score.signature,
                c.by,
                c.name,
                c.against,
            )
            for c in self.each
        )
        return Table("", columns, rows)


def threshold(text: str, bound: Bound) -> Threshold:
    """Parse `gamma=0.7` or `alpha(distance=ordinal)=0.8`."""
    spec, equals, limit = without_quotes(text).rpartition("=")
    try:
        number = float(limit)
    except ValueError:
        number = math.nan
    if not equals or not spec or not math.isfinite(number):
        raise SpecError(
            "option-value",
            f"--{bound} takes a measure and a number, for example --{bound} gamma=0.7; not {quoted(text)}",
        )
    return Threshold(measure(spec), bound, number)


def _thresholds(given: Mapping[str, float] | str | Sequence[str] | None, bound: Bound) -> list[Threshold]:
    """Parse `{"gamma": 0.7}`, or `["gamma=0.7"]` as typed."""
    if not isinstance(given, Mapping):
        return [threshold(text, bound) for text in options.texts_in(given)]
    for spec, limit in given.items():
        if not is_number(limit):
            raise SpecError(
                "option-value", f"the threshold of {spec} must be a number, not {quoted(limit)}, as in --min alpha=0.7"
            )
    return [Threshold(measure(spec), bound, float(limit)) for spec, limit in given.items()]


def _as_mapping(given: Sequence[str]) -> dict[str, float]:
    return {spec: float(limit) for spec, _, limit in (text.rpartition("=") for text in given)}


_bound = partial(Option, metavar="SPEC=VALUE", shape="texts", heading="Thresholds", in_python=_as_mapping)


@question(
    "corpus/ --min gamma=0.7 --min 'alpha(distance=ordinal)=0.8' --use lower",
    "labels.csv --min alpha=0.7 --by category --baseline last.json",
)
def check(
    data: options.Data,
    min: Annotated[  # noqa: A002 - as on the command line
        Mapping[str, float] | str | Sequence[str] | None,
        _bound("Minimum value of a measure, e.g. `gamma=0.7`; repeatable.", formerly=("minimum",)),
    ] = None,
    max: Annotated[  # noqa: A002 - as on the command line
        Mapping[str, float] | str | Sequence[str] | None,
        _bound("Maximum value of an error measure, e.g. `ser=0.2`; repeatable.", formerly=("maximum",)),
    ] = None,
    *,
    by: Annotated[
        str | Sequence[str],
        Option(
            "Also check each part: by category, annotator, pair, document, or value of a COLUMN; repeatable.",
            metavar="WHAT",
            complete="by",
            shape="texts",
            heading="Thresholds",
        ),
    ] = (),
    baseline: Annotated[
        Any,
        Option(
            "JSON of an earlier `accord score` or `accord check`; fails if a value is worse beyond sampling error.",
            metavar="FILE",
            shape="file",
            heading="Thresholds",
        ),
    ] = None,
    use: Annotated[
        str,
        Option(
            "What to compare with the threshold: value, or lower (the end of the interval closest to failing).",
            choices=USES,
            heading="Thresholds",
        ),
    ] = "value",
    interval: options.Interval = "default",
    level: options.Level = LEVEL,
    replicates: options.Replicates = REPLICATES,
    seed: options.Seed = 0,
    progress: options.Progress = None,
    jobs: options.Jobs = None,
    **reading: Any,
) -> Checks:
    """Check thresholds in continuous integration; exit code 1 if one fails.

    In Python the result is true if all thresholds are met, and `raise_if_failed()` raises `CheckFailed` if one is not.
    `baseline` may also be the result of `to_dict()`.

    Returns
    -------
    Checks
        One result per threshold; true if all are met.

    Examples
    --------
    >>> rows = [["a", "a"], ["a", "b"], ["b", "b"], ["b", "a"]]
    >>> bool(accord.check(rows, min={"alpha": 0.9}))
    False
    """  # fmt: skip
    asked = [*_thresholds(min, "min"), *_thresholds(max, "max")]
    settings, run = Settings(interval, level, replicates), Run(seed, progress or silent, jobs)
    parts = names_of(by)
    before = () if baseline is None else read_baseline(baseline)
    if not is_data(data) and (columns := columns_in(parts)):
        reading = {**reading, "by": columns}
    kinds = [*(one.measure.data for one in asked), *(one.measure.data for one in before)]
    return check_data(opened(data, reading, kinds, run), asked, use, settings, run, parts, before)


def columns_in(by: Sequence[str]) -> tuple[str, ...]:
    """Return the names that are columns of the data, not breakdowns of a score."""
    return tuple(name for name in by if name not in PARTS)


def check_data(
    data: Data,
    asked: Sequence[Threshold],
    use: str,
    settings: Settings,
    run: Run,
    by: Sequence[str] = (),
    before: Sequence[Earlier] = (),
) -> Checks:
    """Check thresholds on all data and on parts, then compare with an earlier run."""
    if use not in USES:
        raise UnknownName("value of --use", use, USES)
    if not asked and not before:
        raise SpecError(
            "option-missing",
            "no threshold given; add, for example, --min alpha=0.7 for labels of items, --min gamma=0.7 for units, or "
            "--baseline FILE",
        )
    if by and not asked and not any(one.by for one in before):
        raise SpecError(
            "option-missing",
            "--by needs a threshold for the parts, or a baseline with parts; add --min or --max",
        )
    _check_level_known(data, [one.measure for one in asked])
    asked = [replace(one, measure=at_level(one.measure, data)) for one in asked]
    columns = {name: _parts(data, name) for name in by if name in data.columns}
    breakdowns = ["document" if name in DOCUMENT else name for name in by if name not in columns]
    if use == "lower" and breakdowns:
        raise SpecError(
            "option-conflict",
            f"--use lower needs intervals, and parts by {breakdowns[0]} have none; leave it out, or use --by COLUMN",
        )
    scores: dict[tuple[str, str, str], Score] = {}

    def score(of: Measure, column: str = "", value: str = "") -> Score:
        key = str(of), column, value
        if key not in scores:
            part = columns[column][value] if column else data
            try:
                scores[key] = score_data(part, of, settings, run).score
            except DataError as error:
                if not column:
                    raise
                scores[key] = Score(math.nan, str(of), undefined=str(error))
        return scores[key]

    results: list[Checked] = []
    notes = data.doubts()
    for one in asked:
        whole = score(one.measure)
        results.append(_one(whole, one, use, hint_on_prevalence(data, one.measure, whole, run)))
        for name in breakdowns:
            results += _by_part(whole, one, name, notes)
        results += [_one(score(one.measure, c, v), one, use, by=c, name=v) for c, some in columns.items() for v in some]
    known = [one for one in before if not one.by or one.name in columns.get(one.by, {})]
    fitting = [one for one in known if one.measure.data == data.kind.name]
    if before and not fitting:
        raise DataError(
            "undefined-value",
            f"the baseline has no value that can be compared with these {data.kind.words}; make a new one from the "
            "JSON of accord score",
        )
    results += [compare_with_baseline(one, score(one.measure, one.by, one.name), settings.level) for one in fitting]
    if left := len(before) - len(fitting):
        notes.append(
            f"{counted(left, 'value')} of the baseline not compared: other kind of data, or parts missing here"
        )
    return Checks(tuple(results), tuple(notes))


def _check_level_known(data: Data, measures: Sequence[Measure]) -> None:
    """Refuse a threshold whose value depends on a level of measurement that is only assumed."""
    level = data.measurement
    open_ = [str(one) for one in measures if one.on_items and not one.by_degrees]
    if level is None or level.known or not open_:
        return
    others = f" (or {' or '.join(level.others)})" if level.others else ""
    raise DataError(
        "level-unknown",
        f"{level.reason}, and the value of {', '.join(open_)} depends on it; state the level of measurement: "
        f"--measurement {level.level}{others}",
    )


def _parts(data: Data, column: str) -> dict[str, Data]:
    """Split the data by a column; an item that occurs in several parts is the same item."""
    return {value or NO_VALUE: part.without_ending(f" ({value})") for value, part in data.by(column).items()}


def _by_part(whole: Score, asked: Threshold, by: str, notes: list[str]) -> list[Checked]:
    """Check each part of a breakdown; count and skip pairs without common items."""
    if by not in whole.parts:
        raise UnknownName(f"part of {whole.measure}, or column,", by, whole.parts)
    parts = whole.parts[by]
    empty = [name for name, part in parts.items() if part.n == 0 and math.isnan(part.value)]
    if empty:
        notes.append(f"{whole.measure} by {by}: {counted(len(empty), 'part')} left out because nothing can be compared")
    return [
        _one(replace(part, kind=whole.kind), asked, "value", by=by, name=name)
        for name, part in parts.items()
        if name not in set(empty)
    ]


def _one(score: Score, asked: Threshold, use: str, hint: str | None = None, *, by: str = "", name: str = "") -> Checked:
    where = f"{by} {name}: " if by else ""
    what = f"{where}{asked.measure} {'≥' if asked.bound == 'min' else '≤'} {asked.limit:g}"
    place = {"by": by, "name": name}
    if score.undefined is not None or math.isnan(score.value):
        why = f"{what} cannot be checked: the value is undefined, {score.undefined}"
        return Checked(asked, score, math.nan, False, why, **place)
    held_against, finding = score.value, f"the value is {score.value:z.4f}"
    if use == "lower":
        if score.interval is None:
            reason = score.details.get("interval") or for_interface(
                "--interval none computes no interval; choose another --interval"
            )
            return Checked(asked, score, math.nan, False, f"{what} cannot be checked: no interval; {reason}", **place)
        held_against = score.interval.low if asked.bound == "min" else score.interval.high
        end = "lower" if asked.bound == "min" else "upper"
        chance = ", Monte Carlo error only" if score.interval.method == "monte_carlo" else ""
        interval = f"{percent(score.interval.level)} interval ({score.interval.method}{chance})"
        finding = f"the {end} end of the {interval} is {held_against:z.4f}, {finding}"
        if "interval" in score.details:
            finding += f"; {score.details['interval']}"
    if hint is not None:
        finding += f"; {hint}"
    passed = held_against >= asked.limit if asked.bound == "min" else held_against <= asked.limit
    reason_given = f"{what} {'is met' if passed else 'is not met'}: {finding}"
    return Checked(asked, score, float(held_against), bool(passed), reason_given, **place)


def compare_with_baseline(before: Earlier, now: Score, level: float) -> Checked:
    """Check that a value is not worse than in an earlier run beyond sampling error.

    The standard error of the difference treats both runs as independent. Runs that share items have a smaller error, so
    the check raises fewer false alarms than nominal. The test is one-sided and normal.
    """
    better = 1 if now.kind == "agreement" else -1
    where = f"{before.by} {before.name}: " if before.by else ""
    bound: Bound = "min" if better > 0 else "max"
    error_now = standard_error(now.se, now.interval)
    if now.undefined is not None or math.isnan(now.value) or error_now is None:
        asked = Threshold(before.measure, bound, before.value)
        unknown = for_interface("its standard error is unknown, choose another --interval")
        reason = f"the value is undefined, {now.undefined}" if math.isnan(now.value) else unknown
        why = f"{where}{before.measure} cannot be compared with the baseline: {reason}"
        return Checked(asked, now, math.nan, False, why, before.by, before.name, "baseline")
    error = math.hypot(before.error, error_now)
    limit = before.value - better * normal_quantile(level) * error
    worse = better * (before.value - now.value)
    passed = worse <= normal_quantile(level) * error + _NOISE
    asked = Threshold(before.measure, bound, limit)
    p = 1 - normal_below(worse / error) if error > 0 else float(worse <= _NOISE)
    sentence = (
        f"{where}{before.measure} is {'not worse' if passed else 'worse'} than the baseline: {now.value:z.4f} now, "
        f"{before.value:z.4f} in the baseline; the change {'is within' if passed else 'exceeds'} sampling error "
        f"(standard error of the difference {error:.4f}, one-sided {p_in_words(p)}; fails below {1 - level:.3g})"
    )
    if now.interval is not None and now.interval.method == "monte_carlo":
        sentence += "; the present standard error covers Monte Carlo error only, not the sampling of documents"
    return Checked(asked, now, float(now.value), bool(passed), sentence, before.by, before.name, "baseline")


# -- The baseline: values of an earlier run, from the JSON of `accord score` or `accord check` --


@dataclass(frozen=True)
class Earlier:
    """A value of an earlier run and its standard error; `by` and `name` are the column and value of a part."""

    measure: Measure
    value: float
    error: float
    by: str = ""
    name: str = ""


def read_baseline(given: str | os.PathLike[str] | Mapping[str, Any]) -> tuple[Earlier, ...]:
    """Read the defined values of an earlier run."""
    place, content = ("the baseline", given) if isinstance(given, Mapping) else (str(given), _loaded(given))
    listed = _listed(content, place)
    several = len({str(entry.get("variable", "")) for entry in listed}) > 1
    if several:
        raise DataError(
            "column-missing", f"{place} contains several variables; write the baseline for one variable with --label"
        )
    values = tuple(value for entry in listed if (value := _entry(entry, place)) is not None)
    if not values:
        raise DataError(
            "undefined-value", f"{place} contains no defined value; make a new one from the JSON of accord score"
        )
    return values


def standard_error(se: float | None, interval: Interval | Mapping[str, Any] | None) -> float | None:
    """Standard error, or the one implied by the width of the interval."""
    if se is not None:
        return float(se)
    if interval is None:
        return None
    facts = interval if isinstance(interval, Mapping) else vars(interval)
    return float(facts["high"] - facts["low"]) / (2 * normal_quantile((1 + float(facts["level"])) / 2))


def _loaded(path: Any) -> Mapping[str, Any]:
    if not isinstance(path, str | os.PathLike):
        raise SpecError(
            "option-value", f"a baseline must be a JSON file or the result of to_dict(), not {quoted(path)}"
        )
    try:
        with stream_of(Path(path)) as file:
            content = json.loads(file.read().decode())
    except OSError as error:
        raise DataError(
            "file-unreadable", f"{path}: {error.strerror}; name the JSON file of an earlier run with --baseline FILE"
        ) from None
    except ValueError as error:
        raise DataError("file-damaged", f"{path}: not JSON: {error}; make a new one with accord score") from None
    if not isinstance(content, Mapping):
        raise DataError(
            "saved-file-invalid",
            f"{path}: not the JSON of accord score or accord check; write it with accord score",
        )
    return content


def _listed(content: Mapping[str, Any], place: str) -> list[Mapping[str, Any]]:
    """Return the scores in the JSON of `score` or `check`, or a single score."""
    if isinstance(content.get("checks"), list):
        whole = [
            entry
            for entry in content["checks"]
            if isinstance(entry, Mapping) and isinstance(entry.get("score"), Mapping)
        ]
        return [{**entry["score"], "where": {entry["by"]: entry["name"]} if entry.get("by") else {}} for entry in whole]
    if isinstance(content.get("scores"), list) and all(isinstance(entry, Mapping) for entry in content["scores"]):
        return list(content["scores"])
    if "measure" in content and "value" in content:
        return [content]
    raise DataError(
        "saved-file-invalid",
        f"{place}: not the JSON of accord score or accord check: neither scores nor checks found; write it with accord "
        "score",
    )


def _entry(entry: Mapping[str, Any], place: str) -> Earlier | None:
    where = entry.get("where") or {}
    try:
        spec, value, part = str(entry["measure"]), entry["value"], next(iter(where.items()), ("", ""))
        if value is None:
            return None
        error = standard_error(entry.get("se"), entry.get("interval"))
        number = float(value)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise DataError(
            "saved-file-invalid",
            f"{place}: not the JSON of accord score or accord check: a score is malformed; make a new one with accord "
            "score",
        ) from None
    if error is None:
        if part[0]:  # parts of a breakdown have no standard error; only thresholds apply to them
            return None
        raise DataError(
            "undefined-value",
            f"{place}: {spec} has no standard error, so changes cannot be tested; write the baseline again with an "
            "--interval",
        )
    name = str(part[1]) or NO_VALUE if part[0] else ""
    return Earlier(measure(spec), number, error, str(part[0]), name)


_HIGH, _FAR = 0.6, 0.3


def hint_on_prevalence(data: Data, by: Measure, score: Score, run: Run) -> str | None:
    """A hint if a coefficient is high because of prevalence and κ on the same data is far lower."""
    if not by.on_items or by.by_shares or by.by_degrees or not score.value >= _HIGH:
        return None
    other = measure("kappa" if data.identified else "pi")
    value = other.value_of(other.observe(data, run))
    if math.isnan(value) or score.value - value < _FAR:
        return None
    return f"but {other} on the same data is {value:.4f}: nearly all labels are the same, so expected agreement is high"
