"""A tournament, its stages and rounds."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import cached_property, lru_cache
from typing import Any, Final, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from scoring import profiles
from scoring.penalties import Schedule, load_for, with_limit
from scoring.sittings.states import FixedHand
from scoring.standings.scales import SCALES
from scoring.values import Text

from ..plans.boards import points_of_field, points_of_teams
from ..plans.plan import Plan
from .terms import Elsewhere

APPEAL_MINUTES = 30
#: Signs of a reason as acts keep it.
REASON_LENGTH = 300
#: The case of the schedule whose minutes a stage's regulation may state.
LATE_FORFEIT = "late.forfeit"

Made = TypeVar("Made")
#: Where a row keeps what was made of its JSON.
_MADE: Final = "_made_of"


@lru_cache(maxsize=64)
def _profile(canonical: str) -> profiles.Profile:
    return profiles.build(json.loads(canonical), individual=True)


@lru_cache(maxsize=64)
def _plan(canonical: str) -> Plan:
    return Plan.from_json(json.loads(canonical))


def _remembered(row: models.Model, document: Any, make: Callable[[str], Made]) -> Made:
    """What a row's JSON says, as a value, kept beside the very object that it was made of: acts give a column another
    one and never write into it."""
    known, made = row.__dict__.get(_MADE, (None, None))
    if known is not document or made is None:
        made = make(json.dumps(document, sort_keys=True))
        row.__dict__[_MADE] = (document, made)
    return made


class Tournament(models.Model):
    """An event. Its profile changes only by a RuleChange; its numbers drive recalculation (stale, covered)."""

    slug = models.SlugField(_("address"), max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=120)
    name_latin = models.CharField(_("Latin name"), max_length=120, blank=True)
    place = models.CharField(_("place"), max_length=120, blank=True)
    starts_on = models.DateField(_("day"), null=True, blank=True)
    language = models.CharField(_("language on paper"), max_length=8, choices=settings.LANGUAGES)
    timezone = models.CharField(_("time zone"), max_length=40, default="Asia/Shanghai")
    profile_spec = models.JSONField(help_text="a profile id, or {base, set}")
    profile_digest = models.CharField(max_length=64)
    single_official = models.BooleanField(_("one official does everything"), default=False)
    second_factor = models.BooleanField(_("organisers and chief referees need a second factor"), default=False)
    live_public = models.BooleanField(_("live standings are public"), default=True)
    penalties = models.JSONField(_("penalties"), null=True, help_text="a spec of scoring.penalties; none: standard")
    appeal_minutes = models.PositiveSmallIntegerField(
        _("minutes to appeal against a ruling"), null=True, blank=True, help_text="none: 30"
    )
    demo = models.BooleanField(default=False, editable=False)
    lot_seed = models.CharField(max_length=64, help_text="secret until published; its commitment is public")
    lot_commitment = models.CharField(max_length=64)
    stale_number = models.PositiveBigIntegerField(
        default=0, help_text="raised by acts of the desk that may move standings"
    )
    built_number = models.PositiveBigIntegerField(default=0, help_text="raised by acts that build on closed rounds")
    created_at = models.DateTimeField()
    created_by = models.ForeignKey("User", null=True, on_delete=models.PROTECT, related_name="+")
    closed_at = models.DateTimeField(null=True)
    imported_at = models.DateTimeField(null=True, help_text="read from a file: kept as it was, not gone on with")
    elsewhere = models.CharField(max_length=12, choices=Elsewhere.choices, blank=True, default="", editable=False)
    moved_to = models.CharField(max_length=200, blank=True, default="", editable=False)

    def __str__(self) -> str:
        return self.name

    @property
    def profile(self) -> profiles.Profile:
        return _remembered(self, self.profile_spec, _profile)

    @property
    def penalty_schedule(self) -> Schedule:
        """Its penalties as it chose them; the usual ones where it chose none, or plays another kind of game since."""
        return load_for(self.penalties, self.profile.division)

    @cached_property
    def verdicts(self) -> Mapping[str, Text]:
        """The verdicts of its rulings in both languages, by what acts of a ruling keep as their reason; read once."""
        verdicts = self.rulings.values_list("verdict", flat=True)
        return {text[:REASON_LENGTH]: verdict for verdict in verdicts for text in verdict.values()}

    @property
    def appeal_time(self) -> timedelta:
        """How long a decided ruling can be appealed against."""
        return timedelta(minutes=APPEAL_MINUTES if self.appeal_minutes is None else self.appeal_minutes)

    @property
    def individual(self) -> bool:
        """Whether every player plays for himself (三打一, 二百四, 找朋友)."""
        return self.profile.division != "sides"


class StageFormat(models.TextChoices):
    SWISS_TIMED = "swiss_timed", _("timed Swiss")
    DANISH = "danish", _("Danish")
    ROUND_ROBIN = "rr", _("round robin")
    GROUPS = "groups_rr", _("round robin in groups")
    KO_TIMED = "ko_timed", _("knockout")
    DUPLICATE_TEAMS = "dup_teams", _("duplicate, teams of four")
    DUPLICATE_PAIRS = "dup_pairs", _("duplicate, pairs")
    INDIVIDUAL = "individual", _("evening of single players")


class TieRule(models.TextChoices):
    ON_STAGE = "on_stage", _("the side on stage wins")
    DRAW = "draw", _("drawn")
    FIRST_TO_REACH = "first_to_reach", _("who reached the level first wins")
    EXTRA_HAND = "extra_hand", _("one more hand")
    LOTS = "lots", _("lots")


class Stage(models.Model):
    """One part of an event with one format, one match score and one chain of tie-breaks."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="stages")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(_("name"), max_length=80, blank=True)
    format = models.CharField(_("format"), max_length=16, choices=StageFormat.choices)
    match_score = models.CharField(
        _("match score"),
        max_length=16,
        blank=True,
        help_text="a scale of scoring.match_scores; none: players' own scores",
    )
    match_score_assumed = models.BooleanField(default=False, help_text="the regulation does not state the scale")
    tie_rule = models.CharField(_("equal levels at time"), max_length=16, choices=TieRule.choices)
    minutes = models.PositiveSmallIntegerField(_("minutes a round"), null=True, blank=True)
    hands = models.PositiveSmallIntegerField(_("hands a match"), null=True, blank=True)
    lead_levels = models.PositiveSmallIntegerField(_("levels ahead that win at once"), null=True, blank=True)
    rounds_planned = models.PositiveSmallIntegerField(_("rounds"))
    chain = models.JSONField(help_text="tie-break codes in order")
    plan = models.JSONField(default=dict, help_text="a tournaments.plans.Plan, what is usual left out")
    # the `joined_at` of its field but for late entrants; kept because every look at the chain of stages asks for it
    begun_at = models.DateTimeField(null=True, help_text="when its field of entrants was fixed")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="stage_number_once"),
            models.CheckConstraint(condition=Q(minutes__isnull=True) | Q(minutes__gt=0), name="stage_minutes_positive"),
            models.CheckConstraint(condition=Q(rounds_planned__gt=0), name="stage_has_rounds"),
        ]

    def __str__(self) -> str:
        return self.name or f"{self.tournament} {self.number}"

    @cached_property
    def deals(self) -> Mapping[int, FixedHand]:
        """Its boards by number, as the kernel's fixed hands; read once."""
        return {board.number: board.fixed for board in self.boards.all()}

    @property
    def directing(self) -> Plan:
        """Its plan as a value."""
        return _remembered(self, self.plan, _plan)

    @property
    def penalty_schedule(self) -> Schedule:
        """The event's penalties, with the minutes after which this stage's own regulation says that a side forfeits."""
        event, late = self.tournament, self.directing.late
        whole = event.penalty_schedule
        return whole if late is None else load_for(with_limit(whole.spec, LATE_FORFEIT, late), event.profile.division)

    @property
    def may_be_drawn(self) -> bool:
        """Whether a match can end in a draw; of pairs compared with the whole field it can whatever the tie rule."""
        if self.format == StageFormat.DUPLICATE_PAIRS:
            return True
        return self.format != StageFormat.KO_TIMED and self.tie_rule == TieRule.DRAW

    @property
    def points_are(self) -> str | None:
        """What its points are, where they have a name of their own; None: match scores.

        Pairs count what their boards come to, teams IMPs or what is made of them.
        """
        scale = SCALES.get(self.match_score)
        if self.format == StageFormat.DUPLICATE_PAIRS:
            return points_of_field(self.directing, scale) if scale is not None and scale.by_hands else None
        return None if scale is None else points_of_teams(self.directing, scale)


class RoundStatus(models.TextChoices):
    DRAFT = "draft", _("being paired")
    PUBLISHED = "published", _("pairing published")
    RUNNING = "running", _("running")
    CLOSED = "closed", _("closed")


class Round(models.Model):
    """A round (轮), numbered through the event. Hands may be entered while it is running."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="rounds")
    stage = models.ForeignKey(Stage, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=12, choices=RoundStatus.choices, default=RoundStatus.DRAFT)
    started_at = models.DateTimeField(null=True)
    ends_at = models.DateTimeField(null=True, help_text="when the hand in progress is the last one")
    stopped_at = models.DateTimeField(null=True, help_text="since when the clock of the hall stands")
    closed_at = models.DateTimeField(null=True)
    stood_since = models.DateTimeField(null=True, help_text="since when the clock stood as it was closed")
    built_before = models.PositiveBigIntegerField(null=True, help_text="what the event had built as it was closed")
    extra = models.BooleanField(default=False, help_text="only decides ties (加赛): gives no points, plans no round")
    grounds = models.PositiveIntegerField(
        default=0, db_default=0, help_text="raised when what entries at all its tables rest on changes"
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="round_number_once"),
            models.CheckConstraint(
                condition=Q(status__in=["draft", "published"], started_at__isnull=True)
                | Q(status="running", started_at__isnull=False, closed_at__isnull=True)
                | Q(status="closed", started_at__isnull=False, closed_at__isnull=False),
                name="round_times_match_status",
            ),
            models.UniqueConstraint(fields=["tournament"], condition=Q(status="running"), name="one_round_runs"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} R{self.number}"


#: Formats of boards, whose results wait until nobody has to play the board any more.
ON_BOARDS = frozenset({StageFormat.DUPLICATE_TEAMS, StageFormat.DUPLICATE_PAIRS})
