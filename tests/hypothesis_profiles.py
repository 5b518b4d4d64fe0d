"""The number of random examples of a property: few by default, ten times as many in `make papers`.

The examples are the same in every run and on every machine.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings

TIMES = {"default": 1, "thorough": 10}
PROFILE = os.environ.get("ACCORD_HYPOTHESIS", "default")

settings.register_profile(
    "default",
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("thorough", settings.get_profile("default"))
settings.load_profile(PROFILE)


def examples(many: int) -> settings:
    """Return settings with this number of examples by default."""
    return settings(settings.get_profile(PROFILE), max_examples=many * TIMES[PROFILE])
