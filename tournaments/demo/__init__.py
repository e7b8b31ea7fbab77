"""A made-up event to look around in: entered through the services, marked as a demonstration, removable."""
