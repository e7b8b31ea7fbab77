"""Which cases `make test` leaves to `make test-long`: the one place that says so.

A pytest plug-in (named in pyproject.toml). It marks a case `long` when it drives a browser or stands in one of the
places of `LONG`, and not in one of `KEPT`; the Makefile selects by that mark alone, so that every case is in exactly
one of the two runs. A case anywhere else is in `make test` unless it carries the mark itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from pathlib import Path

#: Beginnings of node ids. What starts processes of its own, drives a browser, plays an event out to its end, tries one
#: thing at every address, or asks at random.
LONG: Final = (
    "tests/api/test_fuzz.py",
    "tests/api/test_queries.py::test_reads_ask_as_often_for_much_as_for_little",
    "tests/browser/",
    "tests/deploy/test_app_role.py",
    "tests/deploy/test_compose.py::test_service_runs_is_healthy_and_stops",
    "tests/deploy/test_proxy.py",
    "tests/events/",
    "tests/foundations/test_serve.py",
    "tests/referee/desk/test_drawing.py::test_the_first_round_of_every_preset_is_drawn_by_its_button",
    "tests/referee/public/test_boards_kept_back.py::test_everything_is_shown_when_nobody_has_to_play_it_any_more",
    "tests/referee/public/test_boards_kept_back.py::test_nothing_public_depends_on_a_board_that_others_have_to_play",
    "tests/referee/test_individual_pages.py::test_every_page_opens_at_every_step",
    "tests/referee/test_page_words.py::test_every_kind_of_page_is_in_words",
    "tests/reliability/",
    "tests/slow/test_all_games.py",
    "tests/soak/",
    "tests/test_access_matrix.py::test_who_may_do_what",
    "tests/test_hostile_requests.py::test_a_few_hostile_requests",
    "tests/tournaments/test_demo.py::test_removed_it_leaves_the_organiser_and_does_not_come_back_by_itself",
)
#: What `make test` takes of them all the same: one of each kind, so that nothing breaks whole unseen.
KEPT: Final = (
    "tests/browser/test_case_flow.py::test_a_hand_from_the_phones_to_the_history",
    "tests/browser/test_public.py::test_without_script",
    "tests/browser/test_table.py::test_offline_it_is_kept_and_sent_once",
    "tests/browser/test_table.py::test_points_83_are_refused_and_kept",
    "tests/events/test_regulations.py::test_a_regulation_from_import_to_certificate[F5]",
    "tests/foundations/test_fixtures.py::test_browser_opens_a_page",
    "tests/foundations/test_serve.py::test_serves_and_stops_cleanly[2]",
    "tests/referee/desk/test_drawing.py::test_the_first_round_of_every_preset_is_drawn_by_its_button[F1]",
    "tests/referee/public/test_boards_kept_back.py::test_everything_is_shown_when_nobody_has_to_play_it_any_more[pairs]",
    "tests/referee/public/test_boards_kept_back.py::test_nothing_public_depends_on_a_board_that_others_have_to_play[teams]",
    "tests/reliability/test_disk_full.py::test_the_code_of_postgresql_for_a_full_disk_is_known",
    "tests/soak/test_slices.py::test_a_short_schedule_leaves_everything_sound[0]",
    "tests/test_access_matrix.py::test_who_may_do_what[public-0]",
    "tests/test_access_matrix.py::test_who_may_do_what[table-0]",
)

#: Product code that asks which database it has, and the tests of it. They run on both, as do those of what the database
#: refuses by itself, of locks and once-keys, of what goes into it at the edges of its types, of the order of names, and
#: of whole events, which must come out byte for byte the same. Everything else is the same code of the ORM.
DIFFERENT: Final = {
    "referee/management/commands/prepare.py": "tests/deploy/test_app_role.py",  # PostgreSQL alone has roles
    "tournaments/migrations/0002_guards.py": "tests/tournaments/test_constraints.py",
    "tournaments/acts/rows.py": "tests/tournaments/test_event_imports.py",
    "tournaments/sittings/moments.py": "tests/tournaments/test_moments.py",
}


def is_long(node: str, *, browser: bool = False) -> bool:
    """Whether the rule leaves the case with this node id, which may drive a browser, to `make test-long`."""
    return (browser or node.startswith(LONG)) and not node.startswith(KEPT)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where nothing long is asked for, a file that holds nothing else is not even read."""
    if collection_path.suffix != ".py" or "not long" not in config.option.markexpr:
        return None
    node = collection_path.relative_to(config.rootpath).as_posix()
    return True if is_long(node) and not any(one.startswith(f"{node}::") for one in KEPT) else None


@pytest.hookimpl(tryfirst=True)  # the mark must stand before `-m` selects
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is long."""
    for item in items:
        if is_long(item.nodeid, browser="browser" in getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.long)
