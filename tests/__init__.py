"""The tests; the layout follows the packages. `make test` runs them all."""
