"""Builtin in every template: the token of a form with the key that makes it one act, however often it is sent."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

if TYPE_CHECKING:
    from django.template.context import Context

register = template.Library()


@register.simple_tag(takes_context=True)
def csrf_token(context: Context) -> SafeString:
    """In place of Django's tag of this name, so that no form can forget its key."""
    token = context.get("csrf_token")
    if not token or token == "NOTPROVIDED":  # noqa: S105
        return SafeString("")
    return format_html(
        '<input type="hidden" name="csrfmiddlewaretoken" value="{}"><input type="hidden" name="key" value="{}">',
        token,
        secrets.token_urlsafe(12),
    )
