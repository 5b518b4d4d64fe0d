"""accord: how well annotators agree, where they do not, and what the number means.

Read data, then score them; every measure of the catalogue is also a function. `__init__.pyi`, beside this file, is the
list of the public names: type checkers read it, and so does accord, which imports each name when it is first used. A
start costs next to nothing, and a name is written once.

`dir(accord)` lists all public names. `from accord import *` leaves out those that would replace a builtin or a name of
`math`: `accord.map`, `accord.pi` and `accord.gamma`.
"""

from __future__ import annotations

import builtins
import math

import lazy_loader

__getattr__, __dir__, _public = lazy_loader.attach_stub(__name__, __file__)
__all__ = [name for name in _public if not hasattr(builtins, name) and not hasattr(math, name)]
