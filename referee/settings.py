"""All settings. One laptop needs none of the variables below; a federation sets DATABASE_URL, REDIS_URL and SECRET_KEY.

SECRET_KEY     signs sessions and party codes; made once and kept in the data folder when there is no REDIS_URL
DEBUG          no; yes shows errors in the browser, on loopback only
HOST, PORT     127.0.0.1 and 8000; HOST=lan serves the hall's network
ALLOWED_HOSTS  further host names the service answers to, separated by commas
PUBLIC_URL     the address players reach (for QR codes), when a proxy stands in between
OFFLINE        yes; no takes away from every phone what opens pages without network
HTTPS          no; yes when every reader comes by https: secure cookies, strict transport security
TLS            no; own: https with an authority of one's own, made in the data folder, on TLS_PORT; on PORT stays a
               page that explains how phones come to trust it
TLS_CERT, TLS_KEY  files of a certificate and its key: https with these
TLS_PORT       8443
SESSION_HOURS  12; after so many hours whoever signed in does so again, whatever they did meanwhile
SESSION_IDLE_MINUTES  180; after so many minutes without a request of the browser too
TRUSTED_ORIGINS  further origins (https://...) allowed to post forms
DATA_DIR       ./data; where the wheel is installed ~/.local/share/referee: the database file, the key and the waiting
               work of one laptop
DATABASE_URL   SQLite in the data folder; or postgresql://user:password@host:port/name
APP_DATABASE_URL  only for `manage.py prepare`, run by the owner: the address whose role the service uses
COPIES         a folder (of a stick, a share) for copies of the database, every few minutes; on one laptop the folder
               copies in the data folder; "no" for none
FOLLOW         http://address:port of the laptop that writes: this one receives everything and can take over; the code
               from its desk is asked for once, or taken from FOLLOW_CODE
HEADS          the folder heads in the data folder: signed heads of the logs, kept outside the database
REDIS_URL      none: one process does everything; or redis://host:port/0
STREAMS_PER_ADDRESS  300; live streams of strangers from one address (a hall is one), the others ask slowly
WEBHOOK_PRIVATE  no; yes lets webhooks go to this machine and to private networks too
WEBHOOK_HTTP   no; yes lets webhooks go to addresses with http:// too
WEBHOOK_HOSTS  any that may be told: the only hosts of webhooks, separated by commas (*.name: all below it)
SECOND_FACTOR  no; yes asks every official of every event for a second factor, whatever the event asks for
PUSH_SERVICES  the makers of the browsers with HTTPS=yes, else none: hosts of push services that wake phones of players,
               separated by commas (*.name: all below it; http://127.0.0.1:port: one on this machine); "no" for none
PUSH_CONTACT   PUBLIC_URL where it is https: the address (https:// or mailto:) by which they reach the operator
LOG_FORMAT     console or json; LOG_LEVEL info, debug, warning or error
METRICS_TOKEN  none: /metrics is for this machine only; or 16 and more random characters that whoever reads it brings
"""

from __future__ import annotations

import re
import secrets
from datetime import timedelta
from importlib import metadata
from pathlib import Path
from typing import Any

import structlog
from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from kombu import Exchange, Queue

from referee import environment, static_files
from referee.logs import on_one_line

BASE_DIR = Path(__file__).resolve().parent.parent
CHANGELOG = BASE_DIR / "CHANGELOG.md"
# where the wheel is installed no change log lies beside the packages, and nothing may be written there
INSTALLED = not CHANGELOG.is_file()
VERSION = (
    metadata.version("referee")
    if INSTALLED
    else re.findall(r"(?m)^## (\d+\.\d+\.\d+)", CHANGELOG.read_text("utf-8"))[0]
)
DATA_DIR = environment.folder("DATA_DIR", Path.home() / ".local/share/referee" if INSTALLED else BASE_DIR / "data")


# Where it listens, and whom it answers

DEBUG = environment.flag("DEBUG")
HOST = environment.text("HOST", "127.0.0.1")
PORT = environment.number("PORT", 8000, 0, 65535)
HTTPS = environment.flag("HTTPS")
OFFLINE = environment.flag("OFFLINE", True)
TLS = environment.tls(HTTPS)
TLS_CERT, TLS_KEY = environment.text("TLS_CERT"), environment.text("TLS_KEY")
TLS_PORT = environment.number("TLS_PORT", 8443, 0, 65535)
VENUE = environment.venue_address() if HOST == "lan" else ""
_base = f"https://{VENUE}:{TLS_PORT}" if TLS != "no" else f"http://{VENUE}:{PORT}"
PUBLIC_URL = environment.text("PUBLIC_URL", _base if VENUE else "").rstrip("/")
WEBHOOK_PRIVATE = environment.flag("WEBHOOK_PRIVATE")
WEBHOOK_HTTP = environment.flag("WEBHOOK_HTTP")
WEBHOOK_HOSTS = environment.hosts("WEBHOOK_HOSTS")
SECOND_FACTOR = environment.flag("SECOND_FACTOR")
# a hall's plain http gives no browser anything to be woken by, and a laptop may have no internet: off unless asked for
PUSH_SERVICES = environment.push_services("PUSH_SERVICES", HTTPS)
PUSH_CONTACT = environment.text("PUSH_CONTACT", PUBLIC_URL if PUBLIC_URL.startswith("https://") else "")
STREAMS_PER_ADDRESS = environment.number("STREAMS_PER_ADDRESS", 300, 0, 100_000)
ALLOWED_HOSTS = [
    *environment.LOOPBACK_NAMES,
    *environment.words("ALLOWED_HOSTS"),
    *environment.names_of(HOST, VENUE),
    *(environment.local_names() if HOST == "lan" and TLS == "own" else []),
]
CSRF_TRUSTED_ORIGINS = environment.words("TRUSTED_ORIGINS")

if DEBUG and not environment.is_loopback(HOST):
    raise ImproperlyConfigured("DEBUG shows the inside of the service: it is allowed on a loopback HOST only.")
if "*" in ALLOWED_HOSTS:
    raise ImproperlyConfigured("ALLOWED_HOSTS must name the hosts; * would let anybody forge the links in QR codes.")


# Where things are kept

REDIS_URL = environment.text("REDIS_URL")
COPIES = environment.copies(None if REDIS_URL else DATA_DIR / "copies")
FOLLOW = environment.text("FOLLOW").rstrip("/")
FOLLOW_CODE = environment.text("FOLLOW_CODE")
HEADS = environment.folder("HEADS", DATA_DIR / "heads")
DATABASES = {"default": environment.database(environment.text("DATABASE_URL"), DATA_DIR / "referee.sqlite3")}
CACHES: dict[str, dict[str, Any]] = {
    "default": (
        {
            "BACKEND": "referee.redis_cache.Cache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": "referee",
            "OPTIONS": {"socket_timeout": 2},
        }
        if REDIS_URL
        else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    ),
    # half a megabyte each: of every process, few, and gone with the program that they describe
    "schema": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "schema",
        "OPTIONS": {"MAX_ENTRIES": 8},
    },
}


def _secret_key() -> str:
    key = environment.text("SECRET_KEY")
    if not key and REDIS_URL:
        raise ImproperlyConfigured("Set SECRET_KEY: with REDIS_URL several processes run, and all must share one key.")
    if not key:
        key = environment.made_once(DATA_DIR / "secret_key", secrets.token_urlsafe(64))
    if len(key) < 32 or len(set(key)) < 8:
        raise ImproperlyConfigured("SECRET_KEY is too easy to guess: take 32 or more random characters.")
    return key


SECRET_KEY = _secret_key()
# by which a laptop signs its logs that follows another one, whose SECRET_KEY it has for cards and codes
LOG_KEY = (DATA_DIR / "log_key").read_text("utf-8").strip() if (DATA_DIR / "log_key").is_file() else ""


# The pieces

INSTALLED_APPS = [
    "referee",
    "django.forms",
    "tournaments",
    "api",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "knox",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "csp",
    "simple_history",
]
MIDDLEWARE = [
    "referee.running.numbers.numbered",
    "referee.failures.note_writes",
    "django.middleware.security.SecurityMiddleware",
    "referee.policy.Policy",
    "referee.requests.packed_for_who_takes_it",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "referee.requests.utf8_only",
    "referee.requests.not_too_large",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "simple_history.middleware.HistoryRequestMiddleware",
    "referee.terms.Terms",
    "referee.once.FormsOnce",
]
ROOT_URLCONF = "referee.urls"
WSGI_APPLICATION = "referee.wsgi.application"
ASGI_APPLICATION = "referee.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [] if INSTALLED else [BASE_DIR / "templates"],  # in the wheel they lie in the app
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
            ],
            "builtins": ["referee.templatetags.once"],
        },
    },
]
FORM_RENDERER = "referee.parts.fields.Renderer"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# named by their hash, packed and kept for good (`static_files`); as they are, straight from their folders, with DEBUG
STATIC_URL = "/static/"
STATIC_ROOT = (DATA_DIR if INSTALLED else BASE_DIR) / "staticfiles" / static_files.digest_of(BASE_DIR)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "referee.static_files.Names"},
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_MAX_AGE = 0 if DEBUG else 300


# Words and times

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("zh-hans", "简体中文")]
LOCALE_PATHS = [BASE_DIR / "referee" / "locale"]
LANGUAGE_COOKIE_SAMESITE = "Lax"
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"


# Who may come in

AUTH_USER_MODEL = "tournaments.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": name}
    for name in (
        "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "tournaments.people.accounts.LongEnough",
        "tournaments.people.accounts.NotOfThisPlace",
        "django.contrib.auth.password_validation.CommonPasswordValidator",
    )
]
LOGIN_URL = "desk:sign_in"
LOGIN_REDIRECT_URL = "desk:events"
LOGOUT_REDIRECT_URL = "desk:sign_in"
SESSION_ENGINE = "referee.sessions"
SESSION_COOKIE_AGE = environment.number("SESSION_HOURS", 12, 1, 14 * 24) * 3600
SESSION_IDLE = timedelta(minutes=environment.number("SESSION_IDLE_MINUTES", 180, 5, 14 * 24 * 60))
# what no other host, and nobody on plain http, can set: a browser takes such names by https only
ENCRYPTED = HTTPS or TLS != "no"
COOKIE_PREFIX = "__Host-" if ENCRYPTED else ""
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid"
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}csrftoken"
LANGUAGE_COOKIE_NAME = f"{COOKIE_PREFIX}django_language"
MESSAGE_STORAGE = "referee.messages.Storage"
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True


# What a browser may do with our pages

SECURE_SSL_REDIRECT = False  # the proxy does it
# not where this process speaks TLS itself: a browser that was told so opens the plain port no more, where a phone
# learns to trust the authority, and lets nobody past a certificate that it does not know
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = ENCRYPTED
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, static_files.source_of_first_styles(BASE_DIR)],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "worker-src": [SELF],
        "manifest-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}


# The JSON front end

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["api.common.auth.OfficialToken", "api.common.auth.DeviceToken"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.AllowAny"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["api.common.strict.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "api.common.errors.exception_handler",
    "UNAUTHENTICATED_USER": None,
}
REST_KNOX = {"TOKEN_TTL": timedelta(days=30), "AUTH_HEADER_PREFIX": "Bearer"}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "Referee",
    "VERSION": VERSION,
    "DESCRIPTION": "Record hands, run rounds, read standings, put questions to the rules of Shengji.",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_AUTHENTICATION": [],
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "api.common.describe.any_of",
        "api.common.describe.longest",
    ],
    "ENUM_NAME_OVERRIDES": {
        "SideEnum": "api.answers.words.SIDES",
        "SeatEnum": "api.answers.words.SEATS",
        "RoleEnum": "api.answers.words.ROLES",
        "StrictnessEnum": "api.answers.words.STRICTNESS",
        "DealerEnum": "api.answers.words.DEALERS",
        "MatchOutcomeEnum": "api.answers.words.MATCH_OUTCOME",
        "ForfeitEnum": "api.answers.words.FORFEIT",
        "EntryKindEnum": "api.answers.words.ENTRY_KIND",
        "EntryStatusEnum": "api.answers.words.ENTRY_STATUS",
        "RoundStatusEnum": "api.answers.words.ROUND_STATUS",
        "RulingStatusEnum": "api.answers.words.RULING_STATUS",
        "ProposalStatusEnum": "api.answers.words.PROPOSAL_STATUS",
        "CallKindEnum": "api.answers.words.CALL_KIND",
        "ScreenBoardEnum": "api.answers.words.SCREEN_BOARD",
        "LifeStepEnum": "api.answers.words.LIFE_STEP",
        "RefusalCodeEnum": "api.answers.words.REFUSAL",
    },
}


# Background work: any task may run twice, late or not at all; the sweep finds what was lost

CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
# what may take seconds waits in a queue of its own, so that live standings never wait behind it; a worker that is not
# told which queues to serve serves all
CELERY_TASK_QUEUES = [Queue(name, Exchange(name), name) for name in ("celery", "long", "webhooks", "wake")]
CELERY_TASK_ROUTES = {f"tournaments.tasks.{name}": {"queue": "long"} for name in ("work", "certify", "copy")}
# and other hosts, which may be slow, in two more
CELERY_TASK_ROUTES["tournaments.tasks.tell_webhooks"] = {"queue": "webhooks"}
CELERY_TASK_ROUTES["tournaments.tasks.wake"] = {"queue": "wake"}
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_TIMEZONE = "UTC"
# a broker that is away is asked again for ever; nothing is kept that would have to be tidied up by a time of day
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_RESULT_EXPIRES = None
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any]
if REDIS_URL:
    CELERY_BROKER_URL = environment.celery_broker(REDIS_URL)
    # a task takes far less than a tenth of this; unread work of a killed worker is looked for every two seconds
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 60,
        "unacked_restore_interval": 2,
        "unacked_restore_throttle": 1,
        "socket_timeout": 5,
        "socket_connect_timeout": 2,
    }
else:
    CELERY_BROKER_URL = "filesystem://localhost"
    CELERY_BROKER_TRANSPORT = "referee.queue_folder:Transport"
    for _name in ("queue", "control"):
        (DATA_DIR / "work" / _name).mkdir(parents=True, exist_ok=True)
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(DATA_DIR / "work" / "queue"),
        "data_folder_out": str(DATA_DIR / "work" / "queue"),
        "control_folder": str(DATA_DIR / "work" / "control"),
        "polling_interval": 0.1,
    }


# What it tells its operator

LOG_FORMAT = environment.one_of("LOG_FORMAT", ("console", "json"))
LOG_LEVEL = environment.one_of("LOG_LEVEL", ("info", "debug", "warning", "error")).upper()
METRICS_TOKEN = environment.secret("METRICS_TOKEN")
_log_steps: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.ExtraAdder(),
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
LOG_WRITERS: dict[str, list[Any]] = {
    "console": [on_one_line, structlog.dev.ConsoleRenderer(colors=False, pad_event_to=0)],
    "json": [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)],
}
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "structured": {
            "()": "referee.logs.WithoutSecrets",
            "foreign_pre_chain": _log_steps,
            "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *LOG_WRITERS[LOG_FORMAT]],
        },
    },
    "filters": {
        "once_a_minute": {"()": "referee.logs.OnceAMinute"},
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": "structured",
            "filters": ["once_a_minute"],
        },
        "counted": {"class": "referee.logs.Counted", "level": "ERROR"},
    },
    "root": {"handlers": ["counted", "stderr"], "level": LOG_LEVEL},
    "loggers": {
        "django": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        # one line per message or tick says nothing an operator can use
        **{name: {"level": "WARNING"} for name in ("celery", "kombu", "asyncio")},
        # whoever started uvicorn: it tells through us, and writes no access log, where codes and links would stand
        **{name: {"level": "WARNING", "propagate": True} for name in ("uvicorn", "uvicorn.error", "uvicorn.access")},
    },
}
