"""Run crowd-kit in its own virtual environment: python crowd_peer.py dawid_skene|mace LABELS.npz STEPS.

The last line is JSON with the seconds, and the share of its labels that equal the labels in the file.
"""

from __future__ import annotations

import json
import sys
import time

import numpy as np
import pandas as pd
from crowdkit.aggregation import MACE, DawidSkene

if __name__ == "__main__":
    what, path, steps = sys.argv[1:]
    given = np.load(path)
    data = pd.DataFrame({"task": given["item"], "worker": given["annotator"], "label": given["label"]})
    if what == "dawid_skene":
        model = DawidSkene(n_iter=int(steps), tol=-np.inf)
    else:
        model = MACE(n_iter=int(steps), n_restarts=1)
    begin = time.perf_counter()
    found = model.fit_predict(data)
    seconds = time.perf_counter() - begin
    same = float((found.sort_index().to_numpy() == given[what]).mean())
    print("\n" + json.dumps({"seconds": seconds, "same": same}))
