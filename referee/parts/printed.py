"""The addresses that go out on paper as codes, and whether the phones that scan them can reach them."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from django.conf import settings

from referee.tls.authority import fingerprint

if TYPE_CHECKING:
    from django.http import HttpRequest

    from scoring.values import Text

ONLY_HERE: Final[Text] = MappingProxyType(
    {
        "en": "The codes on paper would open {host}, which only this computer reaches: no phone can use them. Start "
        "Referee with HOST=lan, or set PUBLIC_URL to the address that phones reach; then print.",
        "zh": "纸上的二维码会指向 {host}，只有这台电脑能打开，手机扫了没有用。请用 HOST=lan 启动，"
        "或把 PUBLIC_URL 设为手机能访问的地址，然后再打印。",
    }
)


def public_address(request: HttpRequest, path: str) -> str:
    """A full address for other people's devices: the desk's own browser may know this machine as localhost."""
    return f"{settings.PUBLIC_URL}{path}" if settings.PUBLIC_URL else request.build_absolute_uri(path)


def seal() -> str:
    """The fingerprint of the installation's own authority (``TLS=own``), to compare; empty where there is none."""
    if settings.TLS != "own":
        return ""
    try:
        return fingerprint((Path(settings.DATA_DIR) / "authority" / "authority.pem").read_bytes())
    except FileNotFoundError:
        return ""


def trusted_first() -> dict[str, str]:
    """What a card says of that authority: its fingerprint, and where phones come to trust it."""
    found = seal()
    host = urlsplit(settings.PUBLIC_URL).hostname or ""
    return {"seal": found, "door": f"http://{host}:{settings.PORT}/trust/"} if found else {}


def reached_only_here(address: str) -> bool:
    """Whether an address means this machine to whoever opens it, so that on a phone it opens nothing."""
    host = urlsplit(address).hostname or ""
    try:
        named = ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return named.is_loopback or named.is_unspecified


def codes_warning(request: HttpRequest) -> dict[str, str] | None:
    """What to read before codes are printed; None where phones reach their address."""
    address = public_address(request, "/")
    if not reached_only_here(address):
        return None
    return {language: text.format(host=urlsplit(address).netloc) for language, text in ONLY_HERE.items()}
