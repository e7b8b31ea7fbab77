"""Forms of those who sign in: password, second factor, passkeys, tokens, proof; and who gets an office."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.password_validation import validate_password
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from referee.desk import passkeys
from referee.desk.forms.house import Refusable, dress
from referee.parts.known_browser import address_of, people_known, stated_browser
from tournaments.models import Office, TokenScope
from tournaments.people import accounts, tokens
from tournaments.people.passkeys import NAME_LENGTH


class SignInForm(AuthenticationForm):
    """Name and password of an official."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # by the word that all other pages use for it
        self.fields["username"].label = _("Username")
        dress(self)

    def clean(self) -> dict[str, Any]:
        """As Django's, but wrong tries are counted. Raises TooManyTries."""
        typed = self.cleaned_data
        assert self.request is not None
        if "username" in typed and "password" in typed:
            try:
                self.user_cache = accounts.sign_in(
                    username=typed["username"],
                    password=typed["password"],
                    address=address_of(self.request),
                    known=people_known(self.request),
                    stated_browser=stated_browser(self.request),
                )
            except accounts.WrongPassword:
                raise self.get_invalid_login_error() from None
        return typed


class NewPasswordForm(Refusable, forms.Form):
    """A new password of `user`, held to the rules for passwords."""

    password = forms.CharField(
        label=_("New password"), widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}), strip=False
    )

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_password(self) -> str:
        password = self.cleaned_data["password"]
        validate_password(password, self.user)
        return str(password)


class WelcomeForm(NewPasswordForm):
    """What a person who came by a one-use link sets: the name shown and a password of their own."""

    display_name = forms.CharField(label=_("Your name"), max_length=80)
    username = forms.SlugField(label=_("Name to sign in with"), max_length=60)
    field_order = ("display_name", "username", "password")


class PasswordForm(NewPasswordForm):
    """Another password, by who knows the present one."""

    current = forms.CharField(
        label=_("Present password"), widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}), strip=False
    )
    field_order = ("current", "password")


class CodeForm(Refusable, forms.Form):
    """The code of a second factor as its device shows it, or a recovery code."""

    code = forms.CharField(
        label=_("Verification code"),
        max_length=40,
        help_text=_("Six figures from your device, or a recovery code."),
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "class": "field mono", "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.data.get(passkeys.FIELD):
            self.fields["code"].required = False


class FactorForm(CodeForm):
    """What turns a second factor off: the password and a code."""

    password = forms.CharField(
        label=_("Present password"), widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}), strip=False
    )
    field_order = ("password", "code")


class FactorOnForm(FactorForm):
    """What turns it on: the first code of the device."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].help_text = _("The six figures that your device shows now.")


class PasskeyForm(Refusable, forms.Form):
    """What a new passkey is called."""

    name = forms.CharField(
        label=_("Name"), max_length=NAME_LENGTH, help_text=_("By which you know it again: my phone, blue key.")
    )


class TokenForm(Refusable, forms.Form):
    """What a new API token may do, and for how long."""

    scope = forms.ChoiceField(label=_("What it may do"), choices=TokenScope.choices, initial=TokenScope.READ)
    days = forms.IntegerField(
        label=_("Days until it ends"),
        min_value=1,
        max_value=tokens.MOST_DAYS,
        initial=tokens.DAYS,
        help_text=format_lazy(_("At most {most}."), most=tokens.MOST_DAYS),
    )


class ProofForm(Refusable, forms.Form):
    """Password or code, once more."""

    NAME: ClassVar = "proof"

    proof = forms.CharField(
        label=_("Password, or the code of your device"),
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
        strip=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.data.get(passkeys.PROOF_FIELD):
            self.fields[self.NAME].required = False


class OfficialForm(Refusable, forms.Form):
    """Who gets an office; a name that nobody has makes a new person, anybody else is invited."""

    username = forms.SlugField(label=_("Name to sign in with"), max_length=60)
    display_name = forms.CharField(label=_("Name"), max_length=80, required=False)
    office = forms.ChoiceField(label=_("Office"), choices=Office.choices)
    tables = forms.RegexField(
        label=_("Tables"),
        regex=r"^[0-9]{1,4}([ ,]+[0-9]{1,4})*$",
        required=False,
        help_text=_("For a referee: numbers, as in 1, 2, 3; empty: all tables"),
    )

    def table_numbers(self) -> tuple[int, ...]:
        text = self.cleaned_data["tables"]
        return tuple(int(part) for part in text.replace(",", " ").split()) if text else ()
