"""Addresses outside the public pages."""

from __future__ import annotations

from typing import Any

from django.urls import NoReverseMatch, reverse


def api_address(name: str, **known: Any) -> str:
    """An address of the JSON front end; empty while it is not served."""
    try:
        return reverse(f"api:{name}", kwargs=known)
    except NoReverseMatch:
        return ""
