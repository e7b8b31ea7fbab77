"""Signing in, the second factor, and one's own account."""
