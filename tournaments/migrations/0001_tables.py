# ruff: noqa: E501
"""Every table of the first release, with its constraints and indexes. What rows may become is guarded by 0002."""

import django.contrib.auth.models
import django.contrib.auth.validators
import django.core.serializers.json
import django.db.models.deletion
import django.utils.timezone
import simple_history.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="Board",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("dealer", models.CharField(choices=[("N", "N"), ("W", "W"), ("S", "S"), ("E", "E")], max_length=1)),
                ("level", models.CharField(max_length=2)),
                ("trump", models.CharField(blank=True, max_length=2)),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="Counter",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=255, unique=True)),
                ("number", models.PositiveIntegerField(default=0)),
                ("ends_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Device",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.CharField(max_length=12, unique=True)),
                (
                    "side",
                    models.CharField(
                        choices=[
                            ("NS", "North-South"),
                            ("EW", "East-West"),
                            ("1", "seat 1"),
                            ("2", "seat 2"),
                            ("3", "seat 3"),
                            ("4", "seat 4"),
                            ("5", "seat 5"),
                        ],
                        max_length=2,
                    ),
                ),
                ("token_digest", models.CharField(max_length=64, unique=True)),
                ("claimed_at", models.DateTimeField()),
                ("seen_at", models.DateTimeField()),
                ("released_at", models.DateTimeField(null=True)),
                (
                    "released_why",
                    models.CharField(blank=True, help_text="taken_over, reissued, round_closed, desk", max_length=16),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Entrant",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                ("external_id", models.CharField(blank=True, max_length=64, null=True, verbose_name="external id")),
                ("name", models.CharField(max_length=80, verbose_name="name")),
                ("name_latin", models.CharField(blank=True, max_length=80, verbose_name="Latin name")),
                ("unit", models.CharField(blank=True, max_length=80, verbose_name="unit")),
                ("category", models.CharField(blank=True, max_length=40, verbose_name="category")),
                ("seed", models.PositiveIntegerField(blank=True, null=True, verbose_name="seed")),
                ("withdrawn_at", models.DateTimeField(null=True)),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("number__gt", 0)), name="entrant_number_positive"),
                    models.CheckConstraint(condition=models.Q(("name", ""), _negated=True), name="entrant_has_name"),
                ],
            },
        ),
        migrations.CreateModel(
            name="PartyCode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "side",
                    models.CharField(
                        choices=[
                            ("NS", "North-South"),
                            ("EW", "East-West"),
                            ("1", "seat 1"),
                            ("2", "seat 2"),
                            ("3", "seat 3"),
                            ("4", "seat 4"),
                            ("5", "seat 5"),
                        ],
                        max_length=2,
                    ),
                ),
                ("generation", models.PositiveIntegerField(default=1)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("issued_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("draft", "being paired"),
                            ("published", "pairing published"),
                            ("running", "running"),
                            ("closed", "closed"),
                        ],
                        default="draft",
                        max_length=12,
                    ),
                ),
                ("started_at", models.DateTimeField(null=True)),
                ("ends_at", models.DateTimeField(help_text="when the hand in progress is the last one", null=True)),
                ("stopped_at", models.DateTimeField(help_text="since when the clock of the hall stands", null=True)),
                ("closed_at", models.DateTimeField(null=True)),
                (
                    "stood_since",
                    models.DateTimeField(help_text="since when the clock stood as it was closed", null=True),
                ),
                (
                    "built_before",
                    models.PositiveBigIntegerField(help_text="what the event had built as it was closed", null=True),
                ),
                (
                    "extra",
                    models.BooleanField(
                        default=False, help_text="only decides ties (加赛): gives no points, plans no round"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("started_at__isnull", True), ("status__in", ["draft", "published"])),
                            models.Q(("closed_at__isnull", True), ("started_at__isnull", False), ("status", "running")),
                            models.Q(("closed_at__isnull", False), ("started_at__isnull", False), ("status", "closed")),
                            _connector="OR",
                        ),
                        name="round_times_match_status",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Stage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("name", models.CharField(blank=True, max_length=80, verbose_name="name")),
                (
                    "format",
                    models.CharField(
                        choices=[
                            ("swiss_timed", "timed Swiss"),
                            ("danish", "Danish"),
                            ("rr", "round robin"),
                            ("groups_rr", "round robin in groups"),
                            ("ko_timed", "knockout"),
                            ("dup_teams", "duplicate, teams of four"),
                            ("dup_pairs", "duplicate, pairs"),
                            ("individual", "evening of single players"),
                        ],
                        max_length=16,
                        verbose_name="format",
                    ),
                ),
                (
                    "match_score",
                    models.CharField(
                        blank=True,
                        help_text="a scale of scoring.match_scores; none: players' own scores",
                        max_length=16,
                        verbose_name="match score",
                    ),
                ),
                (
                    "match_score_assumed",
                    models.BooleanField(default=False, help_text="the regulation does not state the scale"),
                ),
                (
                    "tie_rule",
                    models.CharField(
                        choices=[
                            ("on_stage", "the side on stage wins"),
                            ("draw", "drawn"),
                            ("first_to_reach", "who reached the level first wins"),
                            ("extra_hand", "one more hand"),
                            ("lots", "lots"),
                        ],
                        max_length=16,
                        verbose_name="equal levels at time",
                    ),
                ),
                ("minutes", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="minutes a round")),
                ("hands", models.PositiveSmallIntegerField(blank=True, null=True, verbose_name="hands a match")),
                (
                    "lead_levels",
                    models.PositiveSmallIntegerField(
                        blank=True, null=True, verbose_name="levels ahead that win at once"
                    ),
                ),
                ("rounds_planned", models.PositiveSmallIntegerField(verbose_name="rounds")),
                ("chain", models.JSONField(help_text="tie-break codes in order")),
                ("plan", models.JSONField(default=dict, help_text="a tournaments.plans.Plan, what is usual left out")),
                ("begun_at", models.DateTimeField(help_text="when its field of entrants was fixed", null=True)),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("minutes__isnull", True), ("minutes__gt", 0), _connector="OR"),
                        name="stage_minutes_positive",
                    ),
                    models.CheckConstraint(condition=models.Q(("rounds_planned__gt", 0)), name="stage_has_rounds"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Table",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
            ],
            options={
                "ordering": ["number"],
            },
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                ("first_name", models.CharField(blank=True, max_length=150, verbose_name="first name")),
                ("last_name", models.CharField(blank=True, max_length=150, verbose_name="last name")),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                ("date_joined", models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined")),
                ("display_name", models.CharField(blank=True, max_length=80, verbose_name="name")),
                ("language", models.CharField(blank=True, max_length=8, verbose_name="language")),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="Draw",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "method",
                    models.CharField(
                        choices=[
                            ("swiss", "Swiss draw"),
                            ("danish", "Danish draw"),
                            ("round_robin", "table of the round robin"),
                            ("knockout", "knockout"),
                            ("movement", "movement"),
                            ("seats", "seats"),
                            ("hand", "by hand"),
                        ],
                        max_length=12,
                    ),
                ),
                ("document", models.TextField()),
                ("digest", models.CharField(max_length=64)),
                ("reason", models.CharField(blank=True, help_text="why it was drawn again", max_length=200)),
                ("drawn_at", models.DateTimeField()),
                (
                    "drawn_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="draws", to="tournaments.round"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("round", "number"), name="draw_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(("number", 1), models.Q(("reason", ""), _negated=True), _connector="OR"),
                        name="redraw_has_reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="EventUpload",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("sent_at", models.DateTimeField(help_text="when it was sent last; it is forgotten a day later")),
                (
                    "slug",
                    models.CharField(
                        blank=True, help_text="the address it is to have here; else the one it had", max_length=60
                    ),
                ),
                ("digest", models.CharField(help_text="SHA-256 of its bytes", max_length=64)),
                ("size", models.PositiveBigIntegerField(help_text="bytes")),
                (
                    "sender",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("sender", "digest", "slug"), name="one_upload_a_file"),
                ],
            },
        ),
        migrations.CreateModel(
            name="EventUploadPiece",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("content", models.BinaryField()),
                (
                    "upload",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="pieces", to="tournaments.eventupload"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("upload", "number"), name="one_piece_a_number"),
                ],
            },
        ),
        migrations.CreateModel(
            name="HistoricalPlayer",
            fields=[
                ("id", models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID")),
                ("order", models.PositiveSmallIntegerField()),
                ("external_id", models.CharField(blank=True, max_length=64, verbose_name="external id")),
                ("name", models.CharField(max_length=60, verbose_name="name")),
                ("name_latin", models.CharField(blank=True, max_length=60, verbose_name="Latin name")),
                ("history_id", models.AutoField(primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                ("history_change_reason", models.CharField(max_length=100, null=True)),
                (
                    "history_type",
                    models.CharField(choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1),
                ),
                (
                    "entrant",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="tournaments.entrant",
                    ),
                ),
                (
                    "history_user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "historical player",
                "verbose_name_plural": "historical players",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name="LedgerEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "position",
                    models.PositiveIntegerField(help_text="place in the ledger, from 1, the same for all versions"),
                ),
                ("version", models.PositiveIntegerField(help_text="from 1")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("hand", "hand"),
                            ("annulled", "annulled hand"),
                            ("level_penalty", "level penalty"),
                            ("penalty", "penalty of a player"),
                            ("adjusted", "adjusted hand"),
                            ("end", "end"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "hand_no",
                    models.PositiveIntegerField(help_text="for hand, annulled and adjusted, from 1", null=True),
                ),
                ("facts", models.JSONField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting for confirmation"),
                            ("contesting", "differs from the other side"),
                            ("effective", "confirmed"),
                            ("superseded", "corrected"),
                            ("withdrawn", "taken back"),
                            ("returned", "sent back"),
                            ("overruled", "overruled"),
                        ],
                        max_length=12,
                    ),
                ),
                (
                    "entered_side",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("NS", "North-South"),
                            ("EW", "East-West"),
                            ("1", "seat 1"),
                            ("2", "seat 2"),
                            ("3", "seat 3"),
                            ("4", "seat 4"),
                            ("5", "seat 5"),
                        ],
                        max_length=2,
                    ),
                ),
                ("entered_at", models.DateTimeField()),
                (
                    "device_time",
                    models.CharField(
                        blank=True, help_text="what the phone's clock said: a note, never an order", max_length=40
                    ),
                ),
                (
                    "confirmed_side",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("NS", "North-South"),
                            ("EW", "East-West"),
                            ("1", "seat 1"),
                            ("2", "seat 2"),
                            ("3", "seat 3"),
                            ("4", "seat 4"),
                            ("5", "seat 5"),
                        ],
                        max_length=2,
                    ),
                ),
                ("confirmed_at", models.DateTimeField(null=True)),
                (
                    "basis",
                    models.CharField(
                        blank=True,
                        choices=[("watched", "watched"), ("signed_sheet", "signed sheet"), ("ruling", "ruling")],
                        max_length=16,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=300)),
                (
                    "sent_back_what",
                    models.CharField(blank=True, help_text="the field the other side called wrong", max_length=40),
                ),
                ("sent_back_note", models.CharField(blank=True, max_length=200)),
                (
                    "board",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="tournaments.board",
                    ),
                ),
                (
                    "confirmed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "confirmed_device",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.device",
                    ),
                ),
                (
                    "contests",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="contested_by",
                        to="tournaments.ledgerentry",
                    ),
                ),
                (
                    "entered_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "entered_device",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.device",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "ledger entries",
                "ordering": ["position", "version"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("position__gt", 0), ("version__gt", 0)), name="entry_numbers_positive"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("hand_no__gt", 0),
                                ("hand_no__isnull", False),
                                ("kind__in", ["hand", "annulled", "adjusted"]),
                            ),
                            models.Q(("hand_no__isnull", True), ("kind__in", ["level_penalty", "penalty", "end"])),
                            _connector="OR",
                        ),
                        name="hands_are_numbered",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("entered_side", ""), ("entered_by__isnull", False)),
                            models.Q(models.Q(("entered_side", ""), _negated=True), ("entered_by__isnull", True)),
                            _connector="OR",
                        ),
                        name="one_party_enters",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("confirmed_side", ""),
                            models.Q(
                                models.Q(("confirmed_side", models.F("entered_side")), _negated=True),
                                models.Q(("entered_side", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="nobody_confirms_itself",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status__in", ["effective", "superseded"]), _negated=True),
                            models.Q(
                                models.Q(("entered_side", ""), _negated=True),
                                models.Q(
                                    models.Q(("confirmed_side", ""), _negated=True),
                                    ("confirmed_by__isnull", False),
                                    _connector="OR",
                                ),
                            ),
                            models.Q(("entered_by__isnull", False), models.Q(("basis", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="two_parties_or_an_official",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Correction",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("sitting_revision", models.PositiveIntegerField()),
                ("facts", models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder)),
                ("treatment", models.CharField(blank=True, max_length=12)),
                ("reason", models.CharField(max_length=300)),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("proposed", "waiting for a second official"),
                            ("applied", "applied"),
                            ("refused", "refused"),
                            ("overtaken", "overtaken by a newer version"),
                        ],
                        default="proposed",
                        max_length=10,
                    ),
                ),
                ("proposed_at", models.DateTimeField()),
                ("decided_at", models.DateTimeField(null=True)),
                (
                    "decided_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "proposed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="corrections",
                        to="tournaments.ledgerentry",
                    ),
                ),
            ],
            options={
                "ordering": ["proposed_at"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="correction_has_reason"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "applied"), _negated=True),
                            ("decided_by__isnull", True),
                            models.Q(("decided_by", models.F("proposed_by")), _negated=True),
                            _connector="OR",
                        ),
                        name="second_official_is_another",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("decided_at__isnull", True), ("status", "proposed")),
                            models.Q(models.Q(("status", "proposed"), _negated=True), ("decided_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="decided_corrections_are_dated",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "proposed")), fields=("entry",), name="one_open_correction"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Official",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "office",
                    models.CharField(
                        choices=[
                            ("organiser", "organiser"),
                            ("chief_referee", "chief referee"),
                            ("referee", "referee"),
                        ],
                        max_length=16,
                    ),
                ),
                ("appointed_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(null=True)),
                ("made_account", models.BooleanField(default=False)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="offices", to=settings.AUTH_USER_MODEL
                    ),
                ),
                ("tables", models.ManyToManyField(blank=True, related_name="referees", to="tournaments.table")),
            ],
        ),
        migrations.CreateModel(
            name="Pairing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("document", models.TextField(blank=True)),
                ("digest", models.CharField(blank=True, max_length=64)),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("published_at", models.DateTimeField()),
                (
                    "draw",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pairings",
                        to="tournaments.draw",
                    ),
                ),
                (
                    "published_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="pairings", to="tournaments.round"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("round", "number"), name="pairing_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(("number", 1), models.Q(("reason", ""), _negated=True), _connector="OR"),
                        name="superseding_pairing_has_reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Match",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("pending", "not finished"),
                            ("played", "played"),
                            ("home_forfeit", "home side forfeits"),
                            ("away_forfeit", "away side forfeits"),
                            ("double_forfeit", "both forfeit"),
                            ("bye", "bye"),
                        ],
                        default="pending",
                        max_length=16,
                    ),
                ),
                ("home_level", models.CharField(blank=True, max_length=8)),
                ("away_level", models.CharField(blank=True, max_length=8)),
                (
                    "winner_side",
                    models.CharField(blank=True, choices=[("NS", "North-South"), ("EW", "East-West")], max_length=2),
                ),
                (
                    "decided_by",
                    models.CharField(
                        blank=True, help_text="passed, lead, levels, tie_rule, forfeit, lots", max_length=16
                    ),
                ),
                ("home_hundredths", models.BigIntegerField(null=True)),
                ("away_hundredths", models.BigIntegerField(null=True)),
                (
                    "net_hundredths",
                    models.BigIntegerField(
                        help_text="hand or board points the home entrant is ahead; none where levels are counted",
                        null=True,
                    ),
                ),
                (
                    "away_net_hundredths",
                    models.BigIntegerField(
                        help_text="the same of the away entrant: not the opposite where scores were split", null=True
                    ),
                ),
                (
                    "finer_scores",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="exact texts of the scores that hundredths do not hold: home, away, nets",
                    ),
                ),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "group",
                    models.PositiveSmallIntegerField(
                        help_text="the group it belongs to, in a stage with groups", null=True
                    ),
                ),
                (
                    "slot",
                    models.PositiveIntegerField(help_text="its place in the bracket from the top, from 1", null=True),
                ),
                (
                    "for_place",
                    models.PositiveSmallIntegerField(help_text="3: the match for the third place", null=True),
                ),
                (
                    "away",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="away_matches",
                        to="tournaments.entrant",
                    ),
                ),
                (
                    "home",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="home_matches",
                        to="tournaments.entrant",
                    ),
                ),
                (
                    "published_in",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="matches",
                        to="tournaments.pairing",
                    ),
                ),
                (
                    "superseded_in",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replaced_matches",
                        to="tournaments.pairing",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="matches", to="tournaments.round"
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "matches",
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("superseded_in__isnull", True)),
                        fields=("round", "number"),
                        name="match_number_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("superseded_in__isnull", True)),
                        fields=("round", "home"),
                        name="home_once_a_round",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("superseded_in__isnull", True)),
                        fields=("round", "away"),
                        name="away_once_a_round",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("away__isnull", True), models.Q(("home", models.F("away")), _negated=True), _connector="OR"
                        ),
                        name="nobody_meets_itself",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("home__isnull", False), ("away__isnull", True), _connector="OR"),
                        name="away_meets_home",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("away_hundredths__isnull", True),
                                ("home_hundredths__isnull", True),
                                ("outcome", "pending"),
                            ),
                            models.Q(
                                ("away__isnull", True),
                                ("home__isnull", False),
                                ("home_hundredths__isnull", False),
                                ("outcome", "bye"),
                            ),
                            models.Q(
                                ("away_hundredths__isnull", True),
                                ("home__isnull", True),
                                ("home_hundredths__isnull", True),
                                ("outcome", "played"),
                            ),
                            models.Q(
                                ("outcome__in", ["played", "home_forfeit", "away_forfeit", "double_forfeit"]),
                                ("away__isnull", False),
                                ("away_hundredths__isnull", False),
                                ("home_hundredths__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="match_result_complete",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="device",
            name="code",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="devices", to="tournaments.partycode"
            ),
        ),
        migrations.CreateModel(
            name="Player",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("order", models.PositiveSmallIntegerField()),
                ("external_id", models.CharField(blank=True, max_length=64, verbose_name="external id")),
                ("name", models.CharField(max_length=60, verbose_name="name")),
                ("name_latin", models.CharField(blank=True, max_length=60, verbose_name="Latin name")),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="players", to="tournaments.entrant"
                    ),
                ),
            ],
            options={
                "ordering": ["order"],
                "constraints": [
                    models.UniqueConstraint(fields=("entrant", "order"), name="player_order_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="MatchPlace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("active", models.BooleanField(default=True)),
                (
                    "place",
                    models.CharField(
                        choices=[("1", "seat 1"), ("2", "seat 2"), ("3", "seat 3"), ("4", "seat 4"), ("5", "seat 5")],
                        max_length=1,
                    ),
                ),
                ("hundredths", models.BigIntegerField(null=True)),
                ("level", models.CharField(blank=True, max_length=8)),
                ("hands_won", models.PositiveIntegerField(null=True)),
                ("penalties", models.PositiveIntegerField(null=True)),
                ("winner", models.BooleanField(help_text="won the table, perhaps with others", null=True)),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="places", to="tournaments.entrant"
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="places", to="tournaments.match"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="places", to="tournaments.round"
                    ),
                ),
            ],
            options={
                "ordering": ["place"],
                "constraints": [
                    models.UniqueConstraint(fields=("match", "place"), name="place_once_a_match"),
                    models.UniqueConstraint(
                        condition=models.Q(("active", True)), fields=("round", "entrant"), name="place_once_a_round"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("hands_won__isnull", True),
                                ("hundredths__isnull", True),
                                ("level", ""),
                                ("penalties__isnull", True),
                                ("winner__isnull", True),
                            ),
                            models.Q(
                                ("hands_won__isnull", False),
                                ("hundredths__isnull", False),
                                ("penalties__isnull", False),
                                ("winner__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="place_result_complete",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CheckIn",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("arrived_at", models.DateTimeField()),
                ("undone_at", models.DateTimeField(null=True)),
                (
                    "noted_by",
                    models.ForeignKey(
                        help_text="none: by the player's own code",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "undone_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="check_ins", to="tournaments.entrant"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="check_ins",
                        to="tournaments.round",
                    ),
                ),
            ],
            options={
                "ordering": ["arrived_at"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("undone_at__isnull", True)),
                        fields=("entrant", "round"),
                        name="check_in_once_a_round",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("round__isnull", True), ("undone_at__isnull", True)),
                        fields=("entrant",),
                        name="check_in_once_for_the_event",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Ruling",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField(help_text="in the event, from 1")),
                ("hand_no", models.PositiveIntegerField(null=True)),
                (
                    "side",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("NS", "North-South"),
                            ("EW", "East-West"),
                            ("1", "seat 1"),
                            ("2", "seat 2"),
                            ("3", "seat 3"),
                            ("4", "seat 4"),
                            ("5", "seat 5"),
                        ],
                        help_text="whose act it was",
                        max_length=2,
                    ),
                ),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("case", "a position judged by the adjudicator"),
                            ("irregularity", "an irregularity"),
                            ("official", "a penalty given at the table"),
                        ],
                        max_length=12,
                    ),
                ),
                ("facts", models.JSONField()),
                ("clause", models.CharField(max_length=100)),
                ("clause_text", models.JSONField()),
                ("profile_digest", models.CharField(max_length=64)),
                ("verdict", models.JSONField(help_text="the sentence in both languages")),
                ("proposal", models.JSONField(null=True)),
                ("proposed_at", models.DateTimeField()),
                (
                    "status",
                    models.CharField(
                        choices=[("proposed", "proposed"), ("decided", "decided"), ("cancelled", "cancelled")],
                        default="proposed",
                        max_length=10,
                    ),
                ),
                ("penalty", models.JSONField(null=True)),
                ("decided_at", models.DateTimeField(null=True)),
                (
                    "appeal",
                    models.CharField(
                        choices=[
                            ("none", "no appeal"),
                            ("lodged", "appeal open"),
                            ("upheld", "appeal upheld"),
                            ("rejected", "appeal rejected"),
                        ],
                        default="none",
                        max_length=10,
                    ),
                ),
                ("appeal_until", models.DateTimeField(null=True)),
                (
                    "decided_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="tournaments.ledgerentry",
                    ),
                ),
                (
                    "proposed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("number__gt", 0)), name="ruling_number_positive"),
                    models.CheckConstraint(
                        condition=models.Q(("clause", ""), _negated=True), name="ruling_cites_a_clause"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("appeal_until__isnull", True),
                                ("decided_at__isnull", True),
                                ("decided_by__isnull", True),
                                ("penalty__isnull", True),
                            ),
                            models.Q(
                                ("appeal_until__isnull", False),
                                ("decided_at__isnull", False),
                                ("decided_by__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="ruling_decision_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("status", "cancelled"),
                            models.Q(("decided_at__isnull", True), ("status", "proposed")),
                            models.Q(("decided_at__isnull", False), ("status", "decided")),
                            _connector="OR",
                        ),
                        name="decided_rulings_are_dated",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("appeal", "none"), ("decided_at__isnull", False), _connector="OR"),
                        name="only_decided_rulings_are_appealed",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RulingAct",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "step",
                    models.CharField(
                        choices=[
                            ("propose", "proposed"),
                            ("decide", "decided"),
                            ("cancel", "cancelled"),
                            ("lodge", "appeal lodged"),
                            ("uphold", "appeal upheld"),
                            ("reject", "appeal rejected"),
                        ],
                        max_length=10,
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "side",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("NS", "North-South"),
                            ("EW", "East-West"),
                            ("1", "seat 1"),
                            ("2", "seat 2"),
                            ("3", "seat 3"),
                            ("4", "seat 4"),
                            ("5", "seat 5"),
                        ],
                        help_text="who acted, or for whom",
                        max_length=2,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=1000)),
                (
                    "forfeited",
                    models.BooleanField(default=False, help_text="it ended the match as a forfeit"),
                ),
                (
                    "correction",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ruling_acts",
                        to="tournaments.correction",
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="ruling_acts",
                        to="tournaments.ledgerentry",
                    ),
                ),
                (
                    "ruling",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="acts", to="tournaments.ruling"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("ruling", "step"), name="ruling_step_once"),
                    models.CheckConstraint(
                        condition=models.Q(("side", ""), ("user__isnull", True), _negated=True),
                        name="ruling_act_has_an_actor",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("step__in", ["propose", "decide"]),
                            models.Q(("reason", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="ruling_act_has_reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AppealMember",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "act",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="committee",
                        to="tournaments.rulingact",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("act", "user"), name="appeal_member_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Session",
            fields=[
                (
                    "session_key",
                    models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name="session key"),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                ("started_at", models.DateTimeField(null=True)),
                ("browser", models.CharField(blank=True, max_length=200)),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sessions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "session",
                "verbose_name_plural": "sessions",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="SignInLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("created_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
                (
                    "official",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sign_in_links",
                        to="tournaments.official",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sign_in_links",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Sitting",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("room", models.CharField(default="open", max_length=8)),
                (
                    "active",
                    models.BooleanField(
                        default=True,
                        help_text="false once a later pairing replaced it, or another game of its match is due",
                    ),
                ),
                (
                    "scored_by",
                    models.CharField(
                        choices=[("sides", "the sides"), ("referee", "a referee")], default="sides", max_length=8
                    ),
                ),
                ("opening", models.JSONField(help_text="the kernel's opening of the game: levels, first dealer")),
                (
                    "phase",
                    models.CharField(
                        choices=[
                            ("playing", "playing"),
                            ("waiting", "waiting for confirmation"),
                            ("disputed", "in dispute"),
                            ("finished", "finished"),
                        ],
                        default="playing",
                        max_length=8,
                    ),
                ),
                ("revision", models.PositiveIntegerField(default=0)),
                ("state", models.JSONField(default=dict, help_text="what pages show at once: a cache of the fold")),
                ("hand_no", models.PositiveIntegerField(default=1, help_text="number of the hand to be entered next")),
                ("changed_at", models.DateTimeField(null=True)),
                ("game", models.PositiveSmallIntegerField(default=1, help_text="which game of the match, from 1")),
                (
                    "decided_side",
                    models.CharField(
                        choices=[("NS", "North-South"), ("EW", "East-West")],
                        help_text="several games: who won a game that ended level, by lot or by one more hand",
                        max_length=2,
                        null=True,
                    ),
                ),
                (
                    "home_side",
                    models.CharField(
                        choices=[("NS", "North-South"), ("EW", "East-West")],
                        default="NS",
                        help_text="where the home entrant sits",
                        max_length=2,
                    ),
                ),
                (
                    "boards",
                    models.JSONField(help_text="duplicate: numbers of its boards in the order of play", null=True),
                ),
                (
                    "extra_minutes",
                    models.SmallIntegerField(default=0, help_text="extra time of this table, in minutes"),
                ),
                (
                    "over_side",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("NS", "North-South"),
                            ("EW", "East-West"),
                            ("1", "seat 1"),
                            ("2", "seat 2"),
                            ("3", "seat 3"),
                            ("4", "seat 4"),
                            ("5", "seat 5"),
                        ],
                        help_text="who said first that it is over",
                        max_length=2,
                    ),
                ),
                ("over_at", models.DateTimeField(null=True)),
                (
                    "over_revision",
                    models.PositiveIntegerField(help_text="of which record that was said", null=True),
                ),
                (
                    "pin_hand",
                    models.PositiveIntegerField(help_text="the hand that wrong PINs were tried for", null=True),
                ),
                ("wrong_pins", models.PositiveSmallIntegerField(default=0)),
                (
                    "match",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="sittings", to="tournaments.match"
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="sittings", to="tournaments.round"
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="sittings", to="tournaments.table"
                    ),
                ),
            ],
            options={
                "ordering": ["table__number", "game"],
                "constraints": [
                    models.UniqueConstraint(fields=("match", "room", "game"), name="one_sitting_a_room_and_game"),
                    models.UniqueConstraint(
                        condition=models.Q(("active", True)),
                        fields=("round", "table", "game"),
                        name="table_once_a_round_and_game",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="ruling",
            name="sitting",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="rulings", to="tournaments.sitting"
            ),
        ),
        migrations.AddField(
            model_name="ledgerentry",
            name="sitting",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="entries", to="tournaments.sitting"
            ),
        ),
        migrations.AddField(
            model_name="device",
            name="sitting",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="devices", to="tournaments.sitting"
            ),
        ),
        migrations.CreateModel(
            name="Call",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("call", "call"), ("dispute", "dispute"), ("objection", "objection")], max_length=10
                    ),
                ),
                (
                    "side",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("NS", "North-South"),
                            ("EW", "East-West"),
                            ("1", "seat 1"),
                            ("2", "seat 2"),
                            ("3", "seat 3"),
                            ("4", "seat 4"),
                            ("5", "seat 5"),
                        ],
                        max_length=2,
                    ),
                ),
                ("hand_no", models.PositiveIntegerField(null=True)),
                ("note", models.CharField(blank=True, max_length=200)),
                ("called_at", models.DateTimeField()),
                ("taken_at", models.DateTimeField(null=True)),
                ("closed_at", models.DateTimeField(null=True)),
                (
                    "closed_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "taken_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="calls",
                        to="tournaments.ledgerentry",
                    ),
                ),
                (
                    "sitting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="calls", to="tournaments.sitting"
                    ),
                ),
            ],
            options={
                "ordering": ["called_at"],
            },
        ),
        migrations.CreateModel(
            name="BoardResult",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "dealer_side",
                    models.CharField(blank=True, choices=[("NS", "North-South"), ("EW", "East-West")], max_length=2),
                ),
                ("hand_points", models.IntegerField(null=True)),
                ("attackers_points", models.IntegerField(null=True)),
                ("ns_mark", models.JSONField(null=True)),
                ("ew_mark", models.JSONField(null=True)),
                ("mark_reason", models.CharField(blank=True, max_length=300)),
                ("mark_clause", models.CharField(blank=True, max_length=100)),
                (
                    "board",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="results", to="tournaments.board"
                    ),
                ),
                (
                    "sitting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="board_results",
                        to="tournaments.sitting",
                    ),
                ),
            ],
            options={
                "ordering": ["board__number"],
                "constraints": [
                    models.UniqueConstraint(fields=("sitting", "board"), name="board_once_a_sitting"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("attackers_points__isnull", True), ("hand_points__isnull", True)),
                            models.Q(
                                ("attackers_points__isnull", False),
                                ("hand_points__isnull", False),
                                models.Q(("dealer_side", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="board_result_whole",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("ew_mark__isnull", True), ("ns_mark__isnull", True)),
                            models.Q(("ew_mark__isnull", False), ("ns_mark__isnull", False)),
                            _connector="OR",
                        ),
                        name="board_marks_of_both",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="round",
            name="stage",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="rounds", to="tournaments.stage"
            ),
        ),
        migrations.AddField(
            model_name="entrant",
            name="annulled_in",
            field=models.ForeignKey(
                help_text="withdrew before half of this round robin: its results in it do not count",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="annulled_entrants",
                to="tournaments.stage",
            ),
        ),
        migrations.CreateModel(
            name="DrawnLots",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField(help_text="in the stage, from 1")),
                ("order", models.JSONField()),
                ("reason", models.CharField(max_length=300)),
                ("drawn_at", models.DateTimeField()),
                (
                    "drawn_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="drawn_lots", to="tournaments.stage"
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("stage", "number"), name="drawn_lots_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="drawn_lots_have_reason"
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="board",
            name="stage",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="boards", to="tournaments.stage"
            ),
        ),
        migrations.CreateModel(
            name="StageEntrant",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("order", models.PositiveIntegerField(help_text="from 1")),
                (
                    "group",
                    models.PositiveSmallIntegerField(help_text="from 1; none in a stage without groups", null=True),
                ),
                ("from_group", models.PositiveSmallIntegerField(help_text="its group in the stage before", null=True)),
                ("from_rank", models.PositiveIntegerField(help_text="its rank in the stage before", null=True)),
                ("joined_at", models.DateTimeField()),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="stages", to="tournaments.entrant"
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="field", to="tournaments.stage"
                    ),
                ),
            ],
            options={
                "ordering": ["order"],
                "constraints": [
                    models.UniqueConstraint(fields=("stage", "entrant"), name="stage_entrant_once"),
                    models.UniqueConstraint(fields=("stage", "order"), name="stage_order_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="StandingsRun",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("covers", models.PositiveBigIntegerField(help_text="the tournament's stale number that it covers")),
                ("rows", models.JSONField()),
                ("digest", models.CharField(max_length=64)),
                (
                    "provisional",
                    models.BooleanField(default=True, help_text="something it counts is unfinished or in dispute"),
                ),
                ("computed_at", models.DateTimeField()),
                (
                    "stage",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="run", to="tournaments.stage"
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="partycode",
            name="table",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="codes", to="tournaments.table"
            ),
        ),
        migrations.CreateModel(
            name="Tournament",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.SlugField(max_length=60, unique=True, verbose_name="address")),
                ("name", models.CharField(max_length=120, verbose_name="name")),
                ("name_latin", models.CharField(blank=True, max_length=120, verbose_name="Latin name")),
                ("place", models.CharField(blank=True, max_length=120, verbose_name="place")),
                ("starts_on", models.DateField(blank=True, null=True, verbose_name="day")),
                (
                    "language",
                    models.CharField(
                        choices=[("en", "English"), ("zh-hans", "简体中文")],
                        max_length=8,
                        verbose_name="language on paper",
                    ),
                ),
                ("timezone", models.CharField(default="Asia/Shanghai", max_length=40, verbose_name="time zone")),
                ("profile_spec", models.JSONField(help_text="a profile id, or {base, set}")),
                ("profile_digest", models.CharField(max_length=64)),
                ("single_official", models.BooleanField(default=False, verbose_name="one official does everything")),
                ("live_public", models.BooleanField(default=True, verbose_name="live standings are public")),
                (
                    "penalties",
                    models.JSONField(
                        help_text="a spec of scoring.penalties; none: standard", null=True, verbose_name="penalties"
                    ),
                ),
                (
                    "appeal_minutes",
                    models.PositiveSmallIntegerField(
                        blank=True, help_text="none: 30", null=True, verbose_name="minutes to appeal against a ruling"
                    ),
                ),
                ("demo", models.BooleanField(default=False, editable=False)),
                (
                    "lot_seed",
                    models.CharField(help_text="secret until published; its commitment is public", max_length=64),
                ),
                ("lot_commitment", models.CharField(max_length=64)),
                (
                    "stale_number",
                    models.PositiveBigIntegerField(default=0, help_text="raised by every act that may move standings"),
                ),
                (
                    "built_number",
                    models.PositiveBigIntegerField(default=0, help_text="raised by acts that build on closed rounds"),
                ),
                ("created_at", models.DateTimeField()),
                ("closed_at", models.DateTimeField(null=True)),
                (
                    "imported_at",
                    models.DateTimeField(help_text="read from a file: kept as it was, not gone on with", null=True),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="table",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="tables", to="tournaments.tournament"
            ),
        ),
        migrations.AddField(
            model_name="stage",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="stages", to="tournaments.tournament"
            ),
        ),
        migrations.CreateModel(
            name="SavedAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "scope",
                    models.CharField(help_text="whose keys: device:<id>, user:<id>, door:<digest>", max_length=60),
                ),
                ("key", models.CharField(max_length=255)),
                ("request_digest", models.CharField(max_length=64)),
                ("answer", models.TextField(help_text="JSON; empty while the request is being carried out")),
                ("saved_at", models.DateTimeField(db_index=True)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("scope", "key"), name="key_used_once"),
                ],
            },
        ),
        migrations.AddField(
            model_name="ruling",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="rulings", to="tournaments.tournament"
            ),
        ),
        migrations.CreateModel(
            name="RuleChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("old_spec", models.JSONField()),
                ("old_digest", models.CharField(max_length=64)),
                ("new_spec", models.JSONField()),
                ("new_digest", models.CharField(max_length=64)),
                ("reason", models.CharField(max_length=300)),
                ("differences", models.JSONField()),
                ("needs_second", models.BooleanField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("proposed", "proposed, not yet applied"),
                            ("applied", "applied"),
                            ("refused", "refused"),
                            ("overtaken", "overtaken by what happened since"),
                        ],
                        default="proposed",
                        max_length=10,
                    ),
                ),
                ("proposed_at", models.DateTimeField()),
                ("decided_at", models.DateTimeField(null=True)),
                (
                    "decided_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "proposed_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rule_changes",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True), name="rule_change_has_reason"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("new_digest", models.F("old_digest")), _negated=True),
                        name="rule_change_changes",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("status", "applied"), _negated=True),
                            models.Q(
                                ("decided_by__isnull", False),
                                models.Q(
                                    ("needs_second", False),
                                    models.Q(("decided_by", models.F("proposed_by")), _negated=True),
                                    _connector="OR",
                                ),
                            ),
                            _connector="OR",
                        ),
                        name="rule_change_second_is_another",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("decided_at__isnull", True), ("status", "proposed")),
                            models.Q(models.Q(("status", "proposed"), _negated=True), ("decided_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="decided_rule_changes_are_dated",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("status", "proposed")), fields=("tournament",), name="one_open_rule_change"
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="round",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="rounds", to="tournaments.tournament"
            ),
        ),
        migrations.CreateModel(
            name="RecordedHand",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hand_no", models.PositiveIntegerField()),
                ("number", models.PositiveIntegerField(help_text="from 1, for each hand of a sitting")),
                ("text", models.TextField()),
                ("digest", models.CharField(max_length=64)),
                ("attached_at", models.DateTimeField()),
                (
                    "attached_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "sitting",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="recorded_hands",
                        to="tournaments.sitting",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tournaments.tournament"
                    ),
                ),
            ],
            options={
                "ordering": ["hand_no", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("sitting", "hand_no", "number"), name="recorded_hand_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(("hand_no__gt", 0), ("number__gt", 0)), name="recorded_hand_numbers_positive"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("text", ""), _negated=True), name="recorded_hand_has_text"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Recalculation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("covered_number", models.PositiveBigIntegerField(default=0)),
                ("started_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="recalculation",
                        to="tournaments.tournament",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Publication",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("reason", models.CharField(blank=True, max_length=300)),
                ("provisional", models.BooleanField()),
                ("document", models.TextField()),
                ("digest", models.CharField(max_length=64)),
                ("published_at", models.DateTimeField()),
                (
                    "published_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "supersedes",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="superseded_by",
                        to="tournaments.publication",
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="publications", to="tournaments.round"
                    ),
                ),
                (
                    "stage",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="publications", to="tournaments.stage"
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="publications",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(fields=("tournament", "number"), name="publication_number_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("supersedes__isnull", True), models.Q(("reason", ""), _negated=True), _connector="OR"
                        ),
                        name="superseding_publication_has_reason",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Origin",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(help_text="its address where it was played", max_length=60)),
                ("digest", models.CharField(help_text="of the record in the file", max_length=64)),
                ("ids", models.JSONField()),
                ("imported_at", models.DateTimeField()),
                (
                    "imported_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="origin", to="tournaments.tournament"
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="official",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="officials", to="tournaments.tournament"
            ),
        ),
        migrations.AddField(
            model_name="ledgerentry",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tournaments.tournament"
            ),
        ),
        migrations.CreateModel(
            name="Job",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=24)),
                (
                    "subject",
                    models.PositiveBigIntegerField(help_text="the id of what it is about, by kind: a round, an upload"),
                ),
                ("arguments", models.JSONField(default=dict)),
                ("asked_at", models.DateTimeField()),
                ("tries", models.PositiveSmallIntegerField(default=0, help_text="how many workers began it")),
                ("begun_at", models.DateTimeField(help_text="when the last worker began it", null=True)),
                ("done_at", models.DateTimeField(null=True)),
                ("result", models.JSONField(null=True)),
                ("refusal", models.JSONField(help_text="code and message in en and zh, and findings", null=True)),
                ("content", models.BinaryField(null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="jobs",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("done_at__isnull", True)),
                        fields=("kind", "subject"),
                        name="one_open_job_a_subject",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "office",
                    models.CharField(
                        choices=[
                            ("organiser", "organiser"),
                            ("chief_referee", "chief referee"),
                            ("referee", "referee"),
                        ],
                        max_length=16,
                    ),
                ),
                ("invited_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("tables", models.ManyToManyField(blank=True, related_name="+", to="tournaments.table")),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("ended_at__isnull", True)),
                        fields=("tournament", "user", "office"),
                        name="one_invitation_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="HistoryEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                (
                    "side",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("NS", "North-South"),
                            ("EW", "East-West"),
                            ("1", "seat 1"),
                            ("2", "seat 2"),
                            ("3", "seat 3"),
                            ("4", "seat 4"),
                            ("5", "seat 5"),
                        ],
                        max_length=2,
                    ),
                ),
                ("act", models.CharField(help_text="a verb of tournaments.acts.access.Act", max_length=40)),
                (
                    "subject",
                    models.CharField(blank=True, help_text="what it was done to: entry:12, entrant:3 …", max_length=60),
                ),
                ("reason", models.CharField(blank=True, max_length=300)),
                ("old", models.JSONField(null=True)),
                ("new", models.JSONField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "round",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="tournaments.round"
                    ),
                ),
                (
                    "sitting",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="history_entries",
                        to="tournaments.sitting",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="history_entries",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "history entries",
                "ordering": ["-at", "-id"],
                "indexes": [
                    models.Index(fields=["tournament", "-at"], name="history_of_tournament"),
                ],
            },
        ),
        migrations.CreateModel(
            name="HistoricalEntrant",
            fields=[
                ("id", models.BigIntegerField(auto_created=True, blank=True, db_index=True, verbose_name="ID")),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                ("external_id", models.CharField(blank=True, max_length=64, null=True, verbose_name="external id")),
                ("name", models.CharField(max_length=80, verbose_name="name")),
                ("name_latin", models.CharField(blank=True, max_length=80, verbose_name="Latin name")),
                ("unit", models.CharField(blank=True, max_length=80, verbose_name="unit")),
                ("category", models.CharField(blank=True, max_length=40, verbose_name="category")),
                ("seed", models.PositiveIntegerField(blank=True, null=True, verbose_name="seed")),
                ("withdrawn_at", models.DateTimeField(null=True)),
                ("history_id", models.AutoField(primary_key=True, serialize=False)),
                ("history_date", models.DateTimeField(db_index=True)),
                ("history_change_reason", models.CharField(max_length=100, null=True)),
                (
                    "history_type",
                    models.CharField(choices=[("+", "Created"), ("~", "Changed"), ("-", "Deleted")], max_length=1),
                ),
                (
                    "history_user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "annulled_in",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        help_text="withdrew before half of this round robin: its results in it do not count",
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="tournaments.stage",
                    ),
                ),
                (
                    "tournament",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="tournaments.tournament",
                    ),
                ),
            ],
            options={
                "verbose_name": "historical entrant",
                "verbose_name_plural": "historical entrants",
                "ordering": ("-history_date", "-history_id"),
                "get_latest_by": ("history_date", "history_id"),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.AddField(
            model_name="entrant",
            name="tournament",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="entrants", to="tournaments.tournament"
            ),
        ),
        migrations.CreateModel(
            name="EntrantCode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("generation", models.PositiveIntegerField(default=1)),
                ("digest", models.CharField(max_length=64, unique=True)),
                ("issued_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "entrant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="codes", to="tournaments.entrant"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("entrant", "generation"), name="entrant_code_generation_once"),
                    models.UniqueConstraint(
                        condition=models.Q(("revoked_at__isnull", True)),
                        fields=("entrant",),
                        name="one_code_an_entrant",
                    ),
                ],
            },
        ),
        migrations.AddConstraint(
            model_name="device",
            constraint=models.UniqueConstraint(
                condition=models.Q(("released_at__isnull", True)), fields=("sitting", "side"), name="one_device_a_place"
            ),
        ),
        migrations.AddConstraint(
            model_name="board",
            constraint=models.UniqueConstraint(fields=("stage", "number"), name="board_number_once"),
        ),
        migrations.AddConstraint(
            model_name="partycode",
            constraint=models.UniqueConstraint(fields=("table", "side", "generation"), name="code_generation_once"),
        ),
        migrations.AddConstraint(
            model_name="partycode",
            constraint=models.UniqueConstraint(
                condition=models.Q(("revoked_at__isnull", True)), fields=("table", "side"), name="one_code_a_side"
            ),
        ),
        migrations.AddConstraint(
            model_name="table",
            constraint=models.UniqueConstraint(fields=("tournament", "number"), name="table_number_once"),
        ),
        migrations.AddConstraint(
            model_name="stage",
            constraint=models.UniqueConstraint(fields=("tournament", "number"), name="stage_number_once"),
        ),
        migrations.AddIndex(
            model_name="ruling",
            index=models.Index(fields=["tournament", "clause"], name="rulings_by_clause"),
        ),
        migrations.AddConstraint(
            model_name="ruling",
            constraint=models.UniqueConstraint(fields=("tournament", "number"), name="ruling_number_once"),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.UniqueConstraint(fields=("tournament", "number"), name="round_number_once"),
        ),
        migrations.AddConstraint(
            model_name="round",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "running")), fields=("tournament",), name="one_round_runs"
            ),
        ),
        migrations.AddConstraint(
            model_name="official",
            constraint=models.UniqueConstraint(
                condition=models.Q(("revoked_at__isnull", True)),
                fields=("tournament", "user", "office"),
                name="one_office_once",
            ),
        ),
        migrations.AddIndex(
            model_name="ledgerentry",
            index=models.Index(fields=["tournament", "-entered_at"], name="entries_of_tournament"),
        ),
        migrations.AddConstraint(
            model_name="ledgerentry",
            constraint=models.UniqueConstraint(fields=("sitting", "position", "version"), name="entry_version_once"),
        ),
        migrations.AddConstraint(
            model_name="ledgerentry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "effective")),
                fields=("sitting", "position"),
                name="one_effective_version",
            ),
        ),
        migrations.AddConstraint(
            model_name="ledgerentry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("hand_no__isnull", False), ("status", "effective")),
                fields=("sitting", "hand_no"),
                name="one_effective_hand",
            ),
        ),
        migrations.AddConstraint(
            model_name="ledgerentry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "waiting")), fields=("sitting",), name="one_entry_waits"
            ),
        ),
        migrations.AddConstraint(
            model_name="ledgerentry",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "contesting")), fields=("sitting",), name="one_entry_contests"
            ),
        ),
        migrations.AddConstraint(
            model_name="entrant",
            constraint=models.UniqueConstraint(fields=("tournament", "number"), name="entrant_number_once"),
        ),
        migrations.AddConstraint(
            model_name="entrant",
            constraint=models.UniqueConstraint(
                condition=models.Q(("external_id__isnull", False)),
                fields=("tournament", "external_id"),
                name="entrant_external_id_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="entrant",
            constraint=models.UniqueConstraint(
                condition=models.Q(("seed__isnull", False)), fields=("tournament", "seed"), name="entrant_seed_once"
            ),
        ),
    ]
