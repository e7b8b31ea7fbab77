"""What a regulation says, as plain values: the plan of a stage, presets of real events, matches on boards."""
