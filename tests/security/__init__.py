"""Whole walks for the rows of OWASP ASVS in docs/security.md: every address, cookie, script and source, not samples."""
