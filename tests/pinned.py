"""What must stay byte for byte: answers to the worked examples, and all that is made of the committed exports.

`python -m tests.write_pins` writes `tests/cases/pinned.json` anew. Do so only for a change that is meant, and say in
the changelog what changed and why.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2

from scoring.profiles import individual_ids, load, profile_ids
from scoring.questions.protocol import OPS, answer
from tests.tournaments.factories import AT, user
from tournaments.acts.admission import Actor
from tournaments.audit.audit import certify
from tournaments.audit.record import event_json
from tournaments.models import Draw, Pairing, Publication, Round, Stage, Tournament
from tournaments.transfer.imports import import_event
from tournaments.transfer.paper.certificate import Heading, certificate_pdf
from tournaments.transfer.paper.lists import finder_pdf, pairing_pdf, publication_pdf, standings_pdf
from tournaments.transfer.paper.sheets import score_sheets_pdf
from tournaments.transfer.standings import standings_csv

CASES = Path(__file__).parent / "cases"
FILE = CASES / "pinned.json"
#: Official exports of played events, one of each mode; `event-1.json` is of the format before and is only audited.
EXPORTS = sorted(path.stem for path in (CASES / "exports").glob("*.json") if path.stem != "event-1")


def digest(value: str | bytes) -> str:
    return hashlib.sha256(value.encode() if isinstance(value, str) else value).hexdigest()[:32]


def written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def answers() -> dict[str, str]:
    """Every worked example whose op is known: the digest of the whole answer, its reasons with both texts included."""
    found = {}
    for name in ("vectors", "vectors-2"):
        for one in json.loads((CASES / f"{name}.json").read_text("utf-8")):
            if one["input"]["op"] in OPS:
                question = {"id": one["id"], "profile": one["profile"], "input": one["input"]}
                found[one["id"]] = digest(written(answer(question)))
    return found


def profiles() -> dict[str, str]:
    """The digest of every profile. An export of an event that changed some options cannot be audited after it moves."""
    return {name: load(name, individual=True).digest for name in (*profile_ids(), *individual_ids())}


def text_of(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    text = "\f".join(page.get_textpage().get_text_range() for page in document)
    document.close()
    return re.sub(r"\s+", " ", text)


def made_of(name: str) -> dict[str, str]:
    """What is made of one export after it was taken into this database: by name, the digest of its bytes or text."""
    data = (CASES / "exports" / f"{name}.json").read_bytes()
    slug = f"pinned-{name}"
    import_event(data=data, actor=Actor(user=user(f"pinned-{name}")), at=AT, slug=slug)
    event = Tournament.objects.get(slug=slug)
    return {what: digest(made) for what, made in _documents(event, json.loads(data))}


def _documents(event: Tournament, document: dict[str, Any]) -> Iterator[tuple[str, str | bytes]]:
    certificate = certify(document)
    heading = Heading(event="Event", event_latin="", first="zh")
    yield "certificate", written(certificate.to_json())
    yield "certificate paper", text_of(certificate_pdf(certificate.to_json(), heading, AT))
    for official in (True, False):
        again = json.loads(event_json(event, official=official, names=official, at=AT))
        again["tournament"]["slug"] = ""
        del again["digest"], again["file_digest"]
        yield f"export, official {official}", written(again)
    for draw in Draw.objects.filter(round__tournament=event).order_by("pk"):
        yield f"draw {draw.round.number}.{draw.number}", draw.document
    for pairing in Pairing.objects.filter(round__tournament=event).order_by("pk"):
        yield f"pairing {pairing.round.number}.{pairing.number}", pairing.document
    for publication in Publication.objects.filter(tournament=event).order_by("number"):
        yield f"publication {publication.number}", publication.document
        yield f"publication {publication.number} csv", standings_csv(publication)
        yield f"publication {publication.number} paper", text_of(publication_pdf(publication))
    for stage in Stage.objects.filter(tournament=event).order_by("number"):
        yield f"stage {stage.number} paper", text_of(standings_pdf(stage))
    for round_ in Round.objects.filter(tournament=event).order_by("number"):
        for kind, make in (("sheets", score_sheets_pdf), ("pairing", pairing_pdf), ("finder", finder_pdf)):
            yield f"round {round_.number} {kind} paper", text_of(make(round_))


def pins() -> dict[str, Any]:
    return {"answers": answers(), "profiles": profiles(), "exports": {name: made_of(name) for name in EXPORTS}}
