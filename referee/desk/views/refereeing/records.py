"""The record of a hand: paste or upload it, and see it beside the entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext_lazy

from referee.desk import find
from referee.desk.act_views import OwnPage
from referee.desk.presenters.record import page, problems
from referee.parts.fields import Chooser
from tournaments.acts.access import Act
from tournaments.ledger import recorded_hands
from tournaments.ledger.hands_on_record import entry_of_hand, replayed

if TYPE_CHECKING:
    from django.http import HttpRequest

FILE_LIMIT: Final = 200_000
CHOOSER: Final = Chooser(attrs={"id": "file", "accept": ".txt,text/plain"})


class Record(OwnPage):
    """The record that stands, and a form for a better one. What was typed stays when it is refused."""

    right = Act.SEE_DESK
    done = gettext_lazy("The record is attached. The result stays as entered.")
    template, current = "desk/record.html", "board"
    text = ""

    def look_up(self) -> None:
        self.sitting = find.sitting_at(self.desk.tournament, self.kwargs["number"], self.kwargs["table"])

    def act(self) -> object:
        self.desk.require(Act.ATTACH_RECORD, self.sitting)
        self.text = _text(self.request)
        return recorded_hands.attach(**self.by, sitting_id=self.sitting.pk, hand_no=self.kwargs["hand"], text=self.text)

    def back(self) -> str:
        return reverse("desk:record", kwargs={"event": self.desk.tournament.slug, **self.kwargs})

    def shown(self) -> dict[str, Any]:
        sitting, hand = self.sitting, self.kwargs["hand"]
        entry = entry_of_hand(sitting, hand)
        if entry is None:
            raise Http404
        shown = page(self.desk, sitting, entry, replayed(sitting, hand)) | {
            "hand_no": hand,
            "text": self.text,
            "chooser": CHOOSER.render("file", None),
        }
        return shown if self.refusal is None else shown | {"problems": problems(self.refusal, self.text)}


def _text(request: HttpRequest) -> str:
    """The file where one was chosen, else what was typed. The notation is ASCII; its comments may be in any code."""
    file = request.FILES.get("file")
    if file is None:
        return request.POST.get("text", "")
    data = file.read(FILE_LIMIT)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("gb18030", errors="replace")
