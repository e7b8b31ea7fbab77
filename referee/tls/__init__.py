"""TLS of a hall's laptop: its own authority or a given certificate, and the plain port that leads to https."""
