"""The Django project of Referee and its HTML front ends; no models here."""

from referee.celery import app as celery_app

__all__ = ["celery_app"]
