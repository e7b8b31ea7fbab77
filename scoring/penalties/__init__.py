"""Penalty schedules (处罚表): what an event does about each irregularity, as data with its clauses."""

from scoring.penalties.schedule import (
    Case,
    Offence,
    Schedule,
    load,
    load_for,
    schedule_ids,
    usual_schedule,
    with_limit,
)
from scoring.penalties.steps import Step

__all__ = ["Case", "Offence", "Schedule", "Step", "load", "load_for", "schedule_ids", "usual_schedule", "with_limit"]
