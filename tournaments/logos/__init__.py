"""The logos of an event: of its association and its sponsors, on pages, the projector and paper."""
