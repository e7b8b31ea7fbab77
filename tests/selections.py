"""Which cases `make test` leaves to `make test-long`, so that it stays under five minutes.

The Makefile selects by the mark `long` alone, so that every case is in exactly one of the two runs. A case that takes
more than half a second carries the mark itself. This pytest plug-in (named in pyproject.toml) sets it on every case
that drives a browser or stands in one of the places of `LONG`, and not in one of `KEPT`.
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
    "tests/browser/",
    "tests/deploy/test_app_role.py",
    "tests/deploy/test_proxy.py",
    "tests/events/",
    "tests/foundations/test_serve.py",
    "tests/referee/desk/test_drawing.py::test_the_first_round_of_every_preset_is_drawn_by_its_button",
    "tests/referee/hands/test_a_new_fact.py",
    "tests/referee/public/test_boards_kept_back.py",
    "tests/reliability/",
    "tests/slow/test_all_games.py",
    "tests/security/test_answers.py",
    "tests/soak/",
    "tests/test_access_matrix.py::test_who_may_do_what",
    "tests/test_every_write_once.py::test_every_form_is_done_once_for_its_key",
    "tests/tournaments/test_board_races.py",
    "tests/tournaments/test_demo.py",
    "tests/tournaments/test_drawing.py::test_a_knockout_goes_on_to_the_winner_and_the_third",
    "tests/tournaments/test_whole_events.py",
)
#: What `make test` takes of them all the same: one of each kind, so that nothing breaks whole unseen.
KEPT: Final = (
    "tests/browser/test_public.py::test_without_script",
    "tests/browser/test_table.py::test_points_83_are_refused_and_kept",
    "tests/foundations/test_fixtures.py::test_browser_opens_a_page",
    "tests/referee/desk/test_drawing.py::test_the_first_round_of_every_preset_is_drawn_by_its_button[F1]",
    "tests/referee/public/test_boards_kept_back.py::test_the_cards_of_a_board_wait_as_its_result_does",
    "tests/reliability/test_disk_full.py::test_the_code_of_postgresql_for_a_full_disk_is_known",
    "tests/soak/test_slices.py::test_a_short_schedule_leaves_everything_sound[0]",
    "tests/test_access_matrix.py::test_who_may_do_what[table-0]",
    "tests/test_every_write_once.py::test_every_form_is_done_once_for_its_key[table:land-0]",
    "tests/tournaments/test_drawing.py::test_a_knockout_goes_on_to_the_winner_and_the_third[5]",
    "tests/tournaments/test_whole_events.py::test_from_the_first_draw_to_the_placing[F5]",
)

#: Product code that asks which database it has, and the tests of it. They run on both, as do those of what the database
#: refuses by itself, of locks and once-keys, of what goes into it at the edges of its types, of the order of names, and
#: of whole events, which must come out byte for byte the same. Everything else is the same code of the ORM.
DIFFERENT: Final = {
    "referee/management/commands/prepare.py": "tests/deploy/test_app_role.py",  # PostgreSQL alone has roles
    "tournaments/migrations/0002_guards.py": "tests/tournaments/test_constraints.py",
    "tournaments/migrations/0003_stale_counts.py": "tests/tournaments/test_constraints.py",
    "tournaments/migrations/0004_lighter_entries.py": "tests/tournaments/test_entry_indexes.py",
    "tournaments/migrations/0005_dealings.py": "tests/tournaments/test_deals.py",
    "tournaments/migrations/0006_signals.py": "tests/tournaments/test_signals.py",
    "tournaments/migrations/0007_log.py": "tests/tournaments/log/test_checking.py",
    "tournaments/migrations/0008_kept_apart.py": "tests/tournaments/test_apart.py",
    "tournaments/migrations/0009_second_factor.py": "tests/tournaments/test_second_factor.py",
    "tournaments/migrations/0011_put_aside.py": "tests/tournaments/test_radar.py",
    "tournaments/migrations/0021_keys_of_the_event.py": "tests/tournaments/test_entry_indexes.py",
    "tournaments/copies/databases.py": "tests/tournaments/test_copies.py",
    "tournaments/acts/at_once.py": "tests/tournaments/test_entry_path.py",
    "tournaments/acts/prepared.py": "tests/tournaments/test_entry_path.py",
    "tournaments/acts/rows.py": "tests/tournaments/test_event_imports.py",
    "tournaments/acts/statements.py": "tests/tournaments/test_entry_path.py",
    "tournaments/following/applying.py": "tests/tournaments/test_moving.py",
    "tournaments/following/moving.py": "tests/tournaments/test_moving.py",
    "tournaments/following/numbers.py": "tests/tournaments/test_numbers.py",
    "tournaments/ledger/entry_read.py": "tests/tournaments/test_entry_path.py",
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
