"""What a referee is called for: calls, corrections, rulings and what they rest on."""
