"""Draws (编排): pure functions from entrants and earlier rounds to the next pairing. No Django, no clock, no chance.

Entrants are ids in an order of their own (numbers, seeding or standings), which alone decides between equals. Whatever
made a pairing, `checker.check_pairing` says what is wrong with it and `swiss.judged` what it costs.
"""
