# One image for web, stream, worker and beat: docker-compose.yml says which command each runs.
FROM python:3.11-slim-bookworm

ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 DJANGO_SETTINGS_MODULE=referee.settings \
    DATA_DIR=/data LOG_FORMAT=json PORT=8000 UVICORN_HOST=0.0.0.0 UVICORN_PORT=8000

WORKDIR /srv/referee
RUN useradd --system --uid 10001 referee && install -d -o referee -m 700 /data /heads

# first what changes rarely
COPY requirements/base.txt requirements/base.txt
RUN pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements/base.txt

COPY manage.py CHANGELOG.md LICENSE ./
COPY scoring scoring
COPY tournaments tournaments
COPY api api
COPY referee referee
COPY templates templates
COPY tools/__init__.py tools/messages.py tools/
RUN python -m tools.messages compile && python -m compileall -q scoring tournaments api referee \
    && DATA_DIR=/tmp/data python -m referee.static_files && rm -r /tmp/data

USER referee
EXPOSE 8000
CMD ["uvicorn", "referee.asgi:application", "--http", "referee.http_door:Door", "--lifespan", "off", "--no-access-log", \
     "--no-server-header"]
