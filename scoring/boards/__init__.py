"""Duplicate: the results of one board at many tables, compared and scored for each pair (复式成绩)."""
