"""All claims of the papers about their curves."""

from __future__ import annotations

from accord.studies.checks import Claim
from accord.studies.claims_2012 import IN_2012
from accord.studies.claims_2015 import IN_2015
from accord.studies.claims_2016 import IN_2016

CLAIMS: tuple[Claim, ...] = (*IN_2012, *IN_2015, *IN_2016)
