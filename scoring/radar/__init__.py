"""Questions with evidence, never accusations: what of the results of an event comes up rarely under honest play."""
