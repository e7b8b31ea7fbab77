"""The hall: where the tables of an event stand."""
