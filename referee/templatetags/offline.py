"""`{% load offline %}`: what a page says of its worker."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.urls import reverse

register = template.Library()


@register.simple_tag
def offline_worker() -> str:
    """The address of the worker that keeps the page; empty where it is switched off."""
    return reverse("parts:worker") if settings.OFFLINE else ""
