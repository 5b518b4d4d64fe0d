"""Readers and writers of the files of annotation tools: one module per format, and a catalogue of them."""
