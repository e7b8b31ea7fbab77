"""The officials' desk (裁判台): events, rounds, tables, corrections, publishing. Thin views over services and queries."""
