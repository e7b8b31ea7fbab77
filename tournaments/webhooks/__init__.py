"""Webhooks: what is public of an event's feed, sent on to addresses that the organiser named, signed and in order."""
