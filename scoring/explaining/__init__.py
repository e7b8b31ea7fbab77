"""The rules of a profile as pages draw them: flows, counting, counter ladder, worked cases. Nothing decides here."""
