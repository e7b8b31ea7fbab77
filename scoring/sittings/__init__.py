"""A sitting: an opening and a ledger of entries, folded into a state; how it ends, and its words."""
