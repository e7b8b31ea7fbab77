"""Thin views: find what is asked for, let a presenter make it readable."""
