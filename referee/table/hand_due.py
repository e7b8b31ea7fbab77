"""The hand that a table of two sides is to enter: which it is, who deals it at which level, and what that asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from referee.hands.forms import without_trump_suit
from scoring.cards.auction_state import around
from scoring.values import FLAG, Seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from referee.hands.forms import HandForm
    from scoring.profiles import Profile
    from scoring.sittings.states import FixedHand, SittingState


@dataclass(frozen=True, slots=True)
class Deal:
    """A fixed hand at the table: the number of its board (None: the regulation fixes it), its place, what it fixes, and
    who declares in which order where all do so in turn."""

    board: int | None
    number: int
    of: int
    fixed: FixedHand
    dealer: Seat | None
    speakers: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class HandDue:
    """The hand as it is due, or as `typed` where the form says otherwise; `boards` are those of the table, in order."""

    state: SittingState
    profile: Profile
    typed: HandForm | None
    boards: Sequence[int] | None

    @property
    def deal(self) -> Deal | None:
        """The fixed hand that is due, or the last one: its board, which of how many it is. None: no hand is fixed."""
        fixed = self.state.fixed
        if not fixed:
            return None
        at = min(self.state.hands_played, len(fixed) - 1)
        dealer, due = self.state.next_dealer, fixed[at]
        in_turn = self.profile.declare_order == "partner_first" and due.trump is None
        speakers = around(dealer.partner) if in_turn and dealer is not None else ()
        return Deal(None if self.boards is None else self.boards[at], at + 1, len(fixed), due, dealer, speakers)

    @property
    def dealer(self) -> str:
        """The seat that deals, as due or as chosen on the form; "" while the deal is contested."""
        chosen, declarer = (self.typed.get(name) if self.typed else "" for name in ("dealer", "declared_by"))
        if chosen in Seat.__members__:
            return chosen
        due = self.state.next_dealer
        if self.profile.joker_declare != "none" and not self.state.fixed and declarer in Seat.__members__:
            takes_it = due is None or Seat(declarer).side is not due.side
            return declarer if takes_it else str(due)
        return str(due or "")

    @property
    def attackers(self) -> str:
        """The side that attacks; "" while nobody knows who deals."""
        return str(Seat(self.dealer).side.other) if self.dealer else ""

    @property
    def level(self) -> str:
        """The level that is due for who deals; "" while nobody knows."""
        return str(self.state.levels[Seat(self.dealer).side] if self.dealer else self.state.next_level or "")

    @property
    def counted_level(self) -> str:
        """The level at which the hand counts: as due, whatever was chosen; as chosen while nobody knows."""
        return self.level or (self.typed.get("level") if self.typed else "")

    @property
    def at_flag(self) -> bool:
        return self.counted_level == FLAG.rank

    @property
    def without_suit(self) -> bool:
        """Whether the hand is played without a trump suit, so that nobody is asked for it."""
        return without_trump_suit(self.counted_level)

    @property
    def flag_line(self) -> str:
        """What the attackers need at the flag, and how often the side that deals has failed running."""
        if not self.at_flag or not self.dealer:
            return ""
        words = {
            "n": self.profile.flag_line,
            "failed": self.state.flag_failures[Seat(self.dealer).side],
            "most": self.profile.flag_failures,
        }
        need = _("All cards are dealt, no kitty; the attackers need %(n)s. Failed running: %(failed)s of %(most)s.")
        return need % words

    @property
    def hook_levels(self) -> tuple[str, ...]:
        return tuple(str(level) for level in self.profile.hook_levels)

    @property
    def hook_due(self) -> bool:
        """Whether the hook can happen at the level at which this hand counts."""
        return self.counted_level in self.hook_levels
