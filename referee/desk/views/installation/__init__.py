"""What an installation does with whole events: files, a second laptop, moves, who is told; how it runs."""
