"""The Django app: all models, all writes."""
