"""What developers run beside the service."""
