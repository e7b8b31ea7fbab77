"""In and out: whole events, standings as files, paper."""
