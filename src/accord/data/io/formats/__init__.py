"""Files as annotation tools write them → tables that accord reads: one file per format, and a catalogue of them."""
