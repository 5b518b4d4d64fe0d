"""Two texts of a document side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

from accord.data.door import checks_options, opened
from accord.data.kinds import TEXTS
from accord.data.model.texts import Texts
from accord.measures.texts.joint import Joint
from accord.measures.texts.side_by_side import Row, rows_of
from accord.measures.texts.text_gamma import TextGamma, check_texts


@checks_options
def side_by_side(data: Any, doc: str, a: str, b: str, measure: TextGamma | None = None, **reading: Any) -> list[Row]:
    """The tokens of two annotators of a document in the order of the alignment."""
    texts = opened(data, reading, (TEXTS.name,))
    check_texts(texts, "side_by_side")
    assert isinstance(texts, Texts)  # noqa: S101 - others are refused
    texts.version_of(doc, a)  # complains about names
    texts = texts.only_docs(np.array([name == doc for name in texts.docs]))
    ready = (measure or TextGamma()).prepared(texts)
    return rows_of(Joint(ready, (texts.version_of(doc, a), texts.version_of(doc, b))))
