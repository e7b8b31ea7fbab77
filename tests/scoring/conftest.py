"""Property tests state laws, not speed: no deadline, on a machine that may be busy."""

from hypothesis import HealthCheck, settings

settings.register_profile("kernel", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("kernel")
