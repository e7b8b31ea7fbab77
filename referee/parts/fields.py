"""How the fields of forms are drawn: by the templates in ``templates/forms``."""

from __future__ import annotations

from django import forms
from django.forms.renderers import TemplatesSetting


class Renderer(TemplatesSetting):
    """Django's form renderer with the field of the house."""

    field_template_name = "forms/field.html"


class Chooser(forms.FileInput):
    """A file to choose; what it may be and how large is told in its attributes."""

    template_name = "forms/chooser.html"
