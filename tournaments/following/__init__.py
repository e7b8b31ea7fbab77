"""An event that goes on elsewhere: a second laptop receives everything, takes over, looks through the old disk."""
