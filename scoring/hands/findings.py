"""Findings: coded problems of an entry, each with a sentence a referee can read out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from scoring import messages
from scoring.profiles import Profile
from scoring.values import Text
from scoring.wording import both


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem: `field` is where (dotted path), `blocking` says that it cannot be accepted as it is.

    `clause` is the id of the profile's clause it rests on, if any; `params` are the values of the sentence.
    """

    code: str
    field: str
    blocking: bool
    clause: str | None
    message: Text
    params: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "field": self.field,
            "blocking": self.blocking,
            "clause": self.clause,
            "message": dict(self.message),
            "params": {
                name: dict(value) if isinstance(value, Mapping) else value for name, value in self.params.items()
            },
        }


class Refused(Exception):
    """What was asked cannot be accepted; `findings` say why, all at once, the first one is the headline."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = tuple(findings)
        super().__init__("; ".join(one.message["en"] for one in self.findings))

    @property
    def code(self) -> str:
        return self.findings[0].code

    @property
    def field(self) -> str:
        return self.findings[0].field

    @property
    def message(self) -> Text:
        return self.findings[0].message


def finding(
    code: str,
    field: str,
    *,
    profile: Profile | None = None,
    topic: str | None = None,
    blocking: bool = True,
    wording_code: str | None = None,
    **words: Any,
) -> Finding:
    """Make a finding: `words` fill its sentence, `topic` names the clause of the profile it rests on."""
    clause = profile.topics.get(topic) if profile is not None and topic is not None else None
    return Finding(
        code=code,
        field=field,
        blocking=blocking,
        clause=None if clause is None else clause.id,
        message=messages.message(wording_code or code, {"field": field, **words}),
        params=words,
    )


def refusal(code: str, field: str, en: str, zh: str, **params: Any) -> Finding:
    """A blocking finding with its own sentence."""
    return Finding(
        code=code, field=field, blocking=True, clause=None, message=both(en, zh), params=MappingProxyType(params)
    )
