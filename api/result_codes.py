"""Result codes: two phones agreed without a network."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from referee.hands.result_codes import facts_of_fields
from tournaments.acts.leaves import promised
from tournaments.ledger import result_codes
from tournaments.ledger.result_code_text import read_code_text

from .answers.base import Answer, a_text, a_time
from .answers.ledger import RecordedAnswer, recorded_answer
from .common.describe import written
from .common.strict import Body, Words
from .common.views import Endpoint


class KeyForm(Body):
    public_key = Words(100, help_text="a point of P-256, uncompressed, as base64url")


class KeyAnswer(Answer):
    public_key = a_text()
    enrolled_at = a_time()


class CodeForm(Body):
    code = Words(4_096, help_text="the code as text, or the address that a camera read")


class Key(Endpoint):
    @written("A phone says by which key it signs result codes; once", body=KeyForm, status=201, answer=KeyAnswer)
    def post(self, request: Request, sitting_id: int) -> Response:
        key = self.act(result_codes.enrol_key, KeyForm, sitting_id=sitting_id)
        return Response({"public_key": key.public_key, "enrolled_at": key.enrolled_at.isoformat()}, status=201)


class Agreed(Endpoint):
    @written("Hand in a result code that two phones signed", body=CodeForm, answer=RecordedAnswer)
    def post(self, request: Request, sitting_id: int) -> Response:
        code = read_code_text(self.body(CodeForm)["code"])
        with promised() as made:
            recorded = result_codes.agree_by_result_code(
                sitting_id=sitting_id, actor=self.actor, at=self.now, code=code, read=facts_of_fields
            )
        return Response(recorded_answer(recorded, made))
