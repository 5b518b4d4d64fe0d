"""All claims of the papers about their curves."""

from __future__ import annotations

from accord.simulate.checks import Claim
from accord.simulate.claims_2012 import IN_2012
from accord.simulate.claims_2015 import IN_2015

CLAIMS: tuple[Claim, ...] = (*IN_2012, *IN_2015)
