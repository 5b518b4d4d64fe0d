"""Run the peer in its own virtual environment on one file: python peer.py whole|one FILE.

`whole` is γ with 30 samples, `one` is one alignment. The process ends after two minutes or at 8 GB. Before, it runs the
compiled functions once on a few units. The last line is JSON with the seconds and the observed disorder.
"""

from __future__ import annotations

import json
import logging
import resource
import signal
import sys
import time
from itertools import islice
from pathlib import Path

import numpy as np
from pygamma_agreement import CombinedCategoricalDissimilarity, Continuum

if __name__ == "__main__":
    what, path = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    logging.disable()
    np.random.seed(0)  # noqa: NPY002
    continuum, dissimilarity = Continuum.from_csv(Path(path)), CombinedCategoricalDissimilarity()
    few = Continuum()
    for annotator in continuum.annotators:
        for unit in islice(continuum.iterunits(annotator), 3):
            few.add(annotator, unit.segment, unit.annotation)
    few.get_best_alignment(dissimilarity)
    signal.alarm(120)
    begin = time.perf_counter()
    if what == "whole":
        best = continuum.compute_gamma(dissimilarity, n_samples=30, precision_level=None).best_alignment
    else:
        best = continuum.get_best_alignment(dissimilarity)
    print("\n" + json.dumps({"seconds": time.perf_counter() - begin, "observed": float(best.disorder)}))
