"""Requests as they are taken in turn and answered once for all who ask alike, and the streams that stay open."""
