"""The pages that need no event: the rules, a hand explained, the adjudicator."""
