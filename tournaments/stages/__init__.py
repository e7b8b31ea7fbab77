"""The chain of stages: settings, what of them does not fit, fields; begin one."""
