"""Signals between partners (双升信号): the card they are agreed on, what an answer says, the duty to return a lead."""
