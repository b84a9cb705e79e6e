"""A plugin for pytest: with `--hypothesis-profile steady`, hypothesis tries the same examples each time, however long they take."""

from hypothesis import HealthCheck, settings

settings.register_profile("steady", derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
