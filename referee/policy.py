"""The Content-Security-Policy of every answer, put together once: only a page that asked for a nonce has its own."""

from __future__ import annotations

from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from csp.constants import HEADER
from csp.middleware import CheckableLazyObject, CSPMiddleware, PolicyParts
from csp.utils import build_policy
from django.conf import settings

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponseBase

#: What a view may have set on its answer to have another policy, or none.
_OWN: Final = ("_csp_config", "_csp_update", "_csp_replace", "_csp_exempt")


class Policy(CSPMiddleware):
    """As the middleware that it builds on. That one puts the same words together for each answer."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        of_its_own = getattr(request, "_csp_nonce", None) is not None or HEADER in response
        if of_its_own or settings.DEBUG or any(name in response.__dict__ for name in _OWN):
            return super().process_response(request, response)
        response.headers[HEADER] = _policy()
        request.csp_nonce = CheckableLazyObject(self._csp_nonce_post_response)  # type: ignore[attr-defined]
        return response


@lru_cache(maxsize=1)
def _policy() -> str:
    """The words of the policy in the settings."""
    return str(build_policy(**asdict(PolicyParts())))
