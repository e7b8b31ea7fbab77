"""SQLite for many phones at once: the threads of this process take turns at writing."""
