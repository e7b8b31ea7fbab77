"""Real deals for duplicate boards: promised before play, drawn by a public lot, sealed until the session is over."""
