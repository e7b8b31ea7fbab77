"""The pages as a WSGI application."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "referee.settings")

application = get_wsgi_application()

from referee.requests import PageRequest  # noqa: E402  (needs the applications to be loaded)
from referee.serving.ready import make_ready  # noqa: E402

application.request_class = PageRequest
make_ready()
