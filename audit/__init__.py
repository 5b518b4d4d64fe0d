"""Checks of dependencies and releases: vulnerabilities, licences, versions (`make audit`)."""
