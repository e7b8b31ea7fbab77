"""Events: set-up, their facts, officials, and a change of rules with what it would differ in."""
