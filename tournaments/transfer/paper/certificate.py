"""The certificate of an event on paper: what was worked out again, what was judged, what is only recorded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scoring.values import Text

from .cards import qr_svg
from .typesetting import set_pages


@dataclass(frozen=True, slots=True)
class Heading:
    """Of which event a certificate is: its names, the first language of its paper, and the public page (or "")."""

    event: str
    event_latin: str
    first: str
    address: str = ""


def certificate_pdf(certificate: Mapping[str, Any], heading: Heading, at: datetime) -> bytes:
    """A certificate in JSON as PDF; `at` is the time that stands in the file, so that the same gives the same bytes."""
    verdicts: Mapping[str, Text] = certificate["verdicts"]
    picture = qr_svg(heading.address)[0] if heading.address else ""
    data = {
        "first": heading.first,
        "event": heading.event,
        "event_latin": heading.event_latin,
        "time": "",
        "digest": certificate["record_digest"],
        "address": heading.address,
        "qr": picture,
        "clean": certificate["clean"],
        "logged": any(line["kind"] == "log" for line in certificate["lines"]),
        "differences": sum(len(line["differences"]) for line in certificate["lines"]),
        "counts": [{"verdict": dict(verdicts[name]), "count": count} for name, count in certificate["counts"].items()],
        "lines": [
            {
                "title": line["title"],
                "digest": line["digest"],
                "verdict": dict(verdicts[line["verdict"]]),
                "bad": bool(line["differences"]),
                "note": line["note"],
                "differences": [dict(one["sentence"]) for one in line["differences"]],
            }
            for line in certificate["lines"]
        ],
    }
    return set_pages("certificate.typ", data, at)
