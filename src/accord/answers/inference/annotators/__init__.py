"""Who is reliable: every annotator held against the others."""
