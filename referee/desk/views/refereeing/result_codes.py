"""A result code that a referee scans: two phones agreed without a network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from referee.desk.act_views import OwnPage
from referee.hands.result_codes import facts_of_fields
from tournaments.acts.access import Act
from tournaments.acts.errors import NotFound, Refusal
from tournaments.ledger import result_codes
from tournaments.ledger.result_code_text import read_code_text
from tournaments.models import Sitting

if TYPE_CHECKING:
    from tournaments.ledger.recorded import Recorded


class ResultCode(OwnPage):
    """A field for the code, which a camera fills where the browser can read one."""

    right = Act.AGREE_BY_CODE
    done = gettext_lazy("Two phones have agreed by result code: the hand counts.")
    template, current = "desk/result_code.html", "board"
    sitting: Sitting | None = None

    def act(self) -> Recorded:
        code = read_code_text(self.typed("code"))
        rows = Sitting.objects.select_related("round__tournament", "table")
        self.sitting = rows.filter(pk=code.sitting, round__tournament=self.desk.tournament).first()
        if self.sitting is None:
            raise Refusal("code_elsewhere", field="code")
        return result_codes.agree_by_result_code(**self.by, sitting_id=self.sitting.pk, code=code, read=facts_of_fields)

    def tell(self, done: Recorded) -> None:
        if done.entry.confirmed_at == self.desk.now:
            super().tell(done)
        else:
            hand = {"n": done.entry.hand_no}
            messages.info(self.request, _("Hand %(n)s is on the record already: this code changed nothing.") % hand)

    def is_error(self, refusal: Refusal) -> bool:
        return isinstance(refusal, NotFound)

    def back(self) -> str:
        assert self.sitting is not None
        at = {"number": self.sitting.round.number, "table": self.sitting.table.number}
        return reverse("desk:table", kwargs={"event": self.desk.tournament.slug, **at})

    def shown(self) -> dict[str, Any]:
        return {"code": self.typed("code")}
