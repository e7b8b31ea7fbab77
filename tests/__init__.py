"""The tests; the layout follows the packages. `make test` and `make test-long` share them out."""
