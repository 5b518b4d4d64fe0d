"""The page (`accord serve`): accord in a browser. It runs the same plans as the command line."""
