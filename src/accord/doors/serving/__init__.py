"""The page: agreement in a browser, computed by the same plans as on the command line (`accord serve`)."""
