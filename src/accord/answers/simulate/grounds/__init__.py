"""The references that an error type may meet: units, boundaries, labels of items, tokens of texts."""

from __future__ import annotations

from accord.answers.simulate.grounds.columns import Ground, TextGround
from accord.answers.simulate.grounds.items import ItemGround
from accord.answers.simulate.grounds.tokens import TokenGround

AnyGround = Ground | TextGround | ItemGround | TokenGround
THINGS = {Ground: "units", TextGround: "boundaries", ItemGround: "labels of items", TokenGround: "texts"}
