"""One table in one round: its hands with reasons, entering from slips, rulings, the end, its devices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from referee.desk import find
from referee.desk.act_views import ActView, OwnPage, number_or_none
from referee.desk.guard import official
from referee.desk.presenters import sheet_form
from referee.desk.presenters.players import Sheet, posted_sheet, sheet_of
from referee.desk.presenters.refusals import refusal as shown_refusal
from referee.desk.presenters.refusals import shown_findings
from referee.desk.presenters.sitting import table as shown_table
from referee.desk.presenters.sitting_words import players_at
from referee.desk.views.board import board_address, board_page
from referee.parts.numbers import whole_number as whole
from referee.parts.rulings import scheduled_otherwise
from tournaments.acts.access import Act
from tournaments.acts.errors import Refusal
from tournaments.acts.text import row_number
from tournaments.ledger import devices, officials_entries, previewing, scorekeeping, sheet_lines
from tournaments.models import Basis, SittingPhase
from tournaments.rounds.acts import add_time, move_sitting, set_scored_by, swap_tables
from tournaments.rulings import given_penalties

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.http import HttpRequest, HttpResponse

    from referee.desk.guard import Desk
    from tournaments.models import Sitting
    from tournaments.rulings.acts import Done

LONGEST_LINE: Final = 80


@official(Act.SEE_DESK)
def table(request: HttpRequest, desk: Desk, number: int, table: int) -> HttpResponse:
    return table_page(request, desk, number, table)


def table_page(request: HttpRequest, desk: Desk, number: int, table: int) -> HttpResponse:
    sitting = find.sitting_at(desk.tournament, number, table, request.GET.get("game"))
    return render(request, "desk/table.html", page(desk, sitting) | shown_table(desk, sitting))


@official(Act.SEE_DESK)
def live(request: HttpRequest, desk: Desk, number: int, table: int) -> HttpResponse:
    """The inside of the page that changes while the table plays."""
    sitting = find.sitting_at(desk.tournament, number, table, request.GET.get("game"))
    return render(request, "desk/_table.html", page(desk, sitting) | shown_table(desk, sitting))


@official(Act.ENTER_HAND, "POST")
def preview(request: HttpRequest, desk: Desk, number: int, table: int) -> HttpResponse:
    """What the sheet as typed would give: total, outcome, levels, next dealer, and every finding. Reads only."""
    sitting = find.sitting_at(desk.tournament, number, table)
    desk.require(Act.ENTER_HAND, sitting)
    form = posted_sheet(request.POST, desk.tournament.profile)
    try:
        seen = previewing.preview(sitting_id=sitting.pk, actor=desk.actor, facts=form.facts())
    except Refusal as refusal:
        if refusal.status in (403, 404):
            raise
        return render(request, "desk/_preview.html", shown_refusal(refusal))
    return render(
        request,
        "desk/_preview.html",
        {"findings": shown_findings(seen.findings)} | sheet_form.preview_words(sitting, seen),
    )


@official(Act.ENTER_HAND)
def sheet_line(request: HttpRequest, desk: Desk) -> HttpResponse:
    """A row of a signed sheet typed in one line leads to its form, filled in; what cannot be read comes back."""
    typed = request.GET.get("line", "")[:LONGEST_LINE]
    refusal = None
    if typed:
        try:
            line = sheet_lines.read_line(typed, desk.tournament.slug)
            sitting = find.sitting_at(desk.tournament, line.round, line.table)
        except Refusal as refused:
            refusal = refused
        else:
            known = {"event": desk.tournament.slug, "number": line.round, "table": sitting.table.number}
            return redirect(f"{reverse('desk:enter_hand', kwargs=known)}?{urlencode({'line': typed})}")
    status = refusal.status if refusal else 200
    known = {"desk": desk, "tournament": desk.tournament, "line": typed, "refusal": refusal}
    return render(request, "desk/sheet_line.html", known, status=status)


class AtTable(ActView):
    """An act at a table; its form stands on the page of the table, or on the board."""

    sitting: Sitting

    def look_up(self) -> None:
        self.sitting = find.sitting_at(self.desk.tournament, self.kwargs["number"], self.kwargs["table"])

    def back(self) -> str:
        if self.typed("to") == "calls":
            return reverse("desk:calls", kwargs={"event": self.desk.tournament.slug})
        on_board = self.typed("to") == "board"
        return board_address(self.desk) if on_board else table_address(self.desk, self.sitting)

    def page(self) -> HttpResponse:
        if self.typed("to") == "board":
            return board_page(self.request, self.desk)
        return table_page(self.request, self.desk, self.kwargs["number"], self.kwargs["table"])

    @property
    def of_sitting(self) -> dict[str, Any]:
        """An act on the sitting as the form showed it."""
        return self.by | {"sitting_id": self.sitting.pk, "expected_revision": self.revision}


class Enter(OwnPage, AtTable):
    """A hand from a slip, an annulled or an adjusted one; where a hand waits or is disputed, this settles it."""

    right = Act.ENTER_HAND
    template, current = "desk/enter_hand.html", "board"
    row: int | None = None

    def look_up(self) -> None:
        super().look_up()
        self.desk.require(Act.ENTER_HAND, self.sitting)
        self.form = self._form(self.request)

    def _form(self, request: HttpRequest) -> Sheet:
        """The sheet as typed, else empty or as one side claims it."""
        profile = self.desk.tournament.profile
        if request.method == "POST":
            return posted_sheet(request.POST, profile)
        scorekeeping.look_whether_open(sitting_id=self.sitting.pk)
        if line := request.GET.get("line", ""):
            row = sheet_lines.read_line(line[:LONGEST_LINE], self.desk.tournament.slug)
            self.row = row.hand
            return sheet_of(row.facts, profile)
        if claim := request.GET.get("from"):
            return sheet_of(find.entry(self.desk.tournament, row_number(claim) or 0).facts, profile)
        return sheet_of({}, profile).turned_to(request.GET.get("kind"))

    def act(self) -> object:
        sheet: dict[str, Any] = {"facts": self.form.facts(), "hand_no": whole(self.typed("hand_no"))}
        if self.typed("settles"):
            return scorekeeping.settle(**self.of_sitting, **sheet, reason=self.reason)
        of = self.by | {"sitting_id": self.sitting.pk}
        return scorekeeping.record_hand(**of, **sheet, basis=self.typed("basis"), reason=self.reason)

    def shown(self) -> dict[str, Any]:
        sitting = self.sitting
        shown = page(self.desk, sitting) | sheet_form.sheet_context(self.desk) | self.by_field
        return shown | {
            "players": players_at(sitting.match, sitting.state),
            "form": self.form,
            "settles": sitting.phase in (SittingPhase.WAITING, SittingPhase.DISPUTED),
            "hand_no": self.typed("hand_no") or self.row or sheet_form.hand_to_enter(sitting),
            "revision": self.typed("revision") or sitting.revision,
            "bases": [(Basis.WATCHED.value, Basis.WATCHED.label), (Basis.SIGNED_SHEET.value, Basis.SIGNED_SHEET.label)],
            "rests_on": Basis.SIGNED_SHEET.value if self.row else "",
            "due": sheet_form.due(sitting),
        }


class Settle(AtTable):
    """Settle a dispute by taking one of the two claims as it stands ("Set 95")."""

    right = Act.SETTLE
    done = gettext_lazy("Settled.")

    def act(self) -> object:
        claim = find.entry(self.desk.tournament, row_number(self.request.GET.get("entry", "")) or 0)
        return scorekeeping.settle(
            **self.by,
            sitting_id=self.sitting.pk,
            expected_revision=number_or_none(self.request.GET.get("revision", "")),
            facts=claim.facts,
            reason=self.reason or _("settled at the table"),
            hand_no=claim.hand_no or 0,
        )


class Confirm(AtTable):
    """An official confirms what one side entered."""

    right = Act.CONFIRM_HAND
    done = gettext_lazy("Confirmed.")

    def act(self) -> object:
        waiting = find.entry(self.desk.tournament, self.kwargs["entry"])
        return scorekeeping.confirm_hand(
            **self.by, sitting_id=self.sitting.pk, entry_id=waiting.pk, version=waiting.version
        )


class ScoredBy(AtTable):
    right = Act.SET_SCORED_BY
    done = gettext_lazy("Changed who scores this table.")

    def act(self) -> object:
        return set_scored_by(**self.by, sitting_id=self.sitting.pk, scored_by=self.typed("scored_by"))


class ExtraTime(AtTable):
    """Extra time for this table alone."""

    right = Act.EXTRA_TIME
    done = gettext_lazy("The table sees its extra time.")

    def act(self) -> object:
        minutes = whole(self.typed("minutes"))
        return add_time(**self.by, sitting_id=self.sitting.pk, minutes=minutes, reason=self.reason)


class Move(AtTable):
    """They sit at another table: the match moves there with its entries; who plays there comes here instead."""

    right = Act.SWAP_TABLES
    done = gettext_lazy("The tables are changed. Both sides use the code of the table they now sit at.")
    fields: ClassVar[Mapping[str, str]] = {"sitting_ids": "table"}

    def act(self) -> None:
        to = whole(self.typed("table"))
        there = find.sitting_or_none(self.desk.tournament, self.kwargs["number"], to if isinstance(to, int) else 0)
        if there is None:
            move_sitting(**self.by, sitting_id=self.sitting.pk, table=to)
        else:
            swap_tables(**self.by, round_id=self.sitting.round_id, sitting_ids=[self.sitting.pk, there.pk])
        self.sitting.refresh_from_db()


class Penalty(AtTable):
    right = Act.PENALISE
    fields: ClassVar[Mapping[str, str]] = {"amount": "levels", "place": "side"}

    def act(self) -> Done:
        why: dict[str, Any] = {"reason": self.reason, "clause": self.typed("clause")}
        who, amount = self.typed("side"), whole(self.typed("levels"))
        if self.sitting.match.individual:
            return given_penalties.penalise_player(**self.of_sitting, **why, place=who, amount=amount)
        return given_penalties.penalise_level(**self.of_sitting, **why, side=who, levels=amount)

    def tell(self, done: Done) -> None:
        said = _("The penalty stands in the record, as ruling no. %(n)s.")
        messages.success(self.request, said % {"n": done.ruling.number})
        if otherwise := scheduled_otherwise(done.ruling):
            messages.warning(self.request, otherwise)


class End(AtTable):
    right = Act.END_SITTING
    done = gettext_lazy("The match at this table is over.")
    fields: ClassVar[Mapping[str, str]] = {"reason": "end"}

    def act(self) -> object:
        return officials_entries.end_sitting(
            **self.of_sitting,
            reason=self.typed("end"),
            by=self.typed("by") or None,
            why=self.typed("why"),
            award=whole(self.typed("award")) if self.typed("award") else None,
        )

    def words(self) -> Mapping[str, str]:
        alone = self.sitting.match.individual
        by = _("Who has left or forfeits") if alone else _("Side (for a lead or giving up)")
        return {"by": by, "award": _("Score for each of the others")}


class Forfeit(AtTable):
    right = Act.FORFEIT
    done = gettext_lazy("The forfeit stands.")

    def act(self) -> object:
        return officials_entries.forfeit(
            **self.by, match_id=self.sitting.match_id, outcome=self.typed("outcome"), reason=self.reason
        )


class Reopen(AtTable):
    """Take back an end or a forfeit that was ruled by mistake."""

    right = Act.REOPEN_SITTING
    done = gettext_lazy("The match goes on where it stood.")

    def look_up(self) -> None:
        at, game = self.kwargs, self.request.GET.get("game")
        self.sitting = find.sitting_at(self.desk.tournament, at["number"], at["table"], game)

    def act(self) -> object:
        return officials_entries.reopen_sitting(**self.of_sitting, reason=self.reason)

    def at(self) -> str:
        return f"{self.back()}?{self.request.GET.urlencode()}"


class Decide(AtTable):
    """Decide a match that ended level: by the lots committed before play, or by a draw made by hand."""

    right = Act.DECIDE_BY_LOT
    done = gettext_lazy("The match is decided.")
    fields: ClassVar[Mapping[str, str]] = {"winner_side": "winner"}

    def act(self) -> object:
        winner = self.typed("winner") or None
        return officials_entries.decide_by_lot(
            **self.by, match_id=self.sitting.match_id, reason=self.reason, winner_side=winner
        )


class Release(AtTable):
    right = Act.RELEASE_DEVICE
    done = gettext_lazy("The phone is signed out. The code lets another one in.")

    def act(self) -> object:
        held = find.device(self.desk.tournament, self.kwargs["device"])
        return devices.release(**self.by, device_id=held.pk, why="desk")


class Reissue(AtTable):
    """A new code for one side; the old one stops working. It is shown here until the card is printed again."""

    right = Act.ISSUE_CODES
    done = gettext_lazy("A new code is made; print the card again.")

    def act(self) -> object:
        return devices.reissue(**self.by, table_id=self.sitting.table_id, side=self.kwargs["side"])


def table_address(desk: Desk, sitting: Sitting) -> str:
    known = {"event": desk.tournament.slug, "number": sitting.round.number, "table": sitting.table.number}
    return reverse("desk:table", kwargs=known)


def page(desk: Desk, sitting: Sitting) -> dict[str, Any]:
    return {
        "desk": desk,
        "tournament": desk.tournament,
        "current": "board",
        "sitting": sitting,
        "round": sitting.round,
        "home": sitting.match.home,
        "away": sitting.match.away,
        "here": table_address(desk, sitting),
    }
