"""Addresses that let in whoever knows them: a code of a card, an entrant's own code, a sign-in link.

No page behind one tells it to anybody; that they stand in no log of ours, `referee.logs` sees to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

    Response = TypeVar("Response", bound=HttpResponseBase)


def tell_no_address(response: Response) -> Response:
    """What the page loads, and where it leads, learns the site only: not even our own log of addresses gets more.

    "no-referrer" would also take the origin off a plain form, and the check against forged posts refuses such forms.
    """
    response["Referrer-Policy"] = "strict-origin"
    return response
