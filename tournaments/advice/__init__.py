"""Advice before an event is played: the organiser's own form, tried many times with made-up strengths."""
