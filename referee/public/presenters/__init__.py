"""What the public pages show, as plain values for the templates."""
