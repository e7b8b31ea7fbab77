"""What the table writes down of one hand: entries and findings, the total, and what it leads to, with reasons."""
