"""What accord rests on: known weaknesses, licences, versions. `make audit`."""
