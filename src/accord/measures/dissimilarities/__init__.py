"""Dissimilarities between units (Mathet et al. 2015, 4.4)."""

from __future__ import annotations

from accord.measures.dissimilarities.base import Dissimilarity, Positioned
from accord.measures.dissimilarities.combined import Combined
from accord.measures.dissimilarities.custom import Custom, dissimilarity
from accord.measures.dissimilarities.labels import LABEL_DISTANCES, label_distance, label_table

__all__ = [
    "LABEL_DISTANCES",
    "Combined",
    "Custom",
    "Dissimilarity",
    "Positioned",
    "dissimilarity",
    "label_distance",
    "label_table",
]
