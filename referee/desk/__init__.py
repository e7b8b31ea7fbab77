"""The officials' desk (裁判台): events, rounds, tables, corrections, publishing; thin views over acts."""
