"""The JSON front end."""
