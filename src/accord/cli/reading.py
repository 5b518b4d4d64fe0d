"""The options that say what the data are: every command that reads has the same ones."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints

from accord.cli import options

# By their names in accord.io.Reading; their types stand in options.py.
OPTIONS: dict[str, tuple[Any, Any]] = {
    "layout": (options.Layout, None),
    "item": (options.Item, None),
    "annotator": (options.Annotator, None),
    "label": (options.Label, None),
    "missing": (options.Missing, None),
    "keep_empty": (options.KeepEmpty, False),
    "fold": (options.Fold, None),
    "sets": (options.Sets, None),
    "categories": (options.Categories, None),
    "repeats": (options.Repeats, "error"),
    "only": (options.Only, None),
    "annotators": (options.Annotators, None),
    "merge": (options.Merge, None),
    "encoding": (options.Encoding, None),
    "delimiter": (options.Delimiter, None),
    "sheet": (options.Sheet, None),
    "doc": (options.Doc, None),
    "start": (options.Start, None),
    "end": (options.End, None),
    "end_is_length": (options.EndIsLength, False),
    "docs": (options.Docs, None),
    "judged": (options.Judged, None),
    "base": (options.Base, None),
    "texts": (options.Texts, None),
    "merge_symbol": (options.MergeSymbol, "#"),
    "split_symbol": (options.SplitSymbol, "|"),
}


def reads(command: Callable[..., None]) -> Callable[..., None]:
    """A command with these options: it gets them as `reading`. One of its own of the same name goes first."""
    hints = get_type_hints(command, include_extras=True)
    mine = [p for p in signature(command).parameters.values() if p.name != "reading"]
    own = [p.replace(annotation=hints[p.name], kind=Parameter.KEYWORD_ONLY) for p in mine]
    taken = {p.name for p in own}
    more = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, (kind, default) in OPTIONS.items()
        if name not in taken
    ]

    def run(**given: Any) -> None:
        usual = {name: default for name, (_, default) in OPTIONS.items()}
        command(**{p.name: given.pop(p.name) for p in own}, reading={**usual, **given})

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__signature__ = Signature([*own, *more])  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in (*own, *more)}
    return run
