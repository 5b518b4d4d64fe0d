"""Numbers: each annotator has a bias and a noise of their own; true values vary around a mean. Found by EM."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from accord.core.arrays import Floats, Ints

_STEPS = 1000
_SETTLED = 1e-9


@dataclass(frozen=True, eq=False)
class Measured:
    """True values with their standard deviations, and the bias and noise of each annotator."""

    value: Floats
    sd: Floats
    bias: Floats
    noise: Floats  # a standard deviation


def bias_and_noise(item: Ints, annotator: Ints, number: Floats, items: int, annotators: int) -> Measured:
    """Biases sum to 0, weighted by labels: all annotators together are right on average."""
    several = np.bincount(annotator, minlength=annotators).astype(np.float64)
    spread = max(float(number.var()), 1e-12)
    bias, noise = np.zeros(annotators), np.full(annotators, spread / 2)
    mean, variance = float(number.mean()), spread / 2
    value, error = np.full(items, mean), np.full(items, variance)
    for _ in range(_STEPS):
        weight = 1 / noise[annotator]
        precision = np.bincount(item, weights=weight, minlength=items) + 1 / variance
        value = (
            np.bincount(item, weights=weight * (number - bias[annotator]), minlength=items) + mean / variance
        ) / precision
        error = 1 / precision
        left = number - value[item]
        new_bias = np.divide(np.bincount(annotator, weights=left, minlength=annotators), several, where=several > 0,
                             out=np.zeros(annotators))  # fmt: skip
        new_bias -= float((new_bias * several).sum() / several.sum())
        squares = (left - new_bias[annotator]) ** 2 + error[item]
        noise_now = np.bincount(annotator, weights=squares, minlength=annotators) / np.maximum(several, 1)
        noise_now = np.maximum(noise_now, spread * 1e-6)
        mean, variance = float(value.mean()), max(float(((value - value.mean()) ** 2 + error).mean()), spread * 1e-6)
        change = float(np.abs(new_bias - bias).max() + np.abs(noise_now - noise).max() / spread)
        bias, noise = new_bias, noise_now
        if change < _SETTLED * np.sqrt(spread):
            break
    return Measured(value, np.sqrt(error), bias, np.sqrt(noise))
