"""The adjudicator: cards and cases as they are typed in, put to the rules, and what the rules say of them."""
