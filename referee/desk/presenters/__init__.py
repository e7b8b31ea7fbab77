"""What the desk's pages show, made from queries and kernel values."""
