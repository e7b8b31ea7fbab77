"""Addresses of the desk, all below ``/desk/``. Ids in them are looked up inside the event of the address only."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path

from referee.desk.views import (
    account,
    board,
    corrections,
    entrants,
    events,
    history,
    jobs,
    officials,
    records,
    rounds,
    rules,
    rulings,
    standings,
    tables,
)

app_name = "desk"

round_urls: list[URLPattern] = [
    path("", board.round_board, name="round_board"),
    path("pair/", rounds.pair, name="pair"),
    path("pair/all/", rounds.pair_all, name="pair_all"),
    path("publish/", rounds.publish, name="publish_pairing"),
    path("supersede/", rounds.supersede, name="supersede"),
    path("start/", rounds.start, name="start"),
    path("extend/", rounds.extend, name="extend"),
    path("close/", rounds.close, name="close"),
    path("cards/", rounds.cards, name="cards"),
    path("swap/", rounds.swap, name="swap"),
    path("pairing.pdf", rounds.pairing_paper, name="pairing_pdf"),
    path("sheets.pdf", rounds.score_sheets, name="score_sheets"),
]

table_urls: list[URLPattern] = [
    path("", tables.table, name="table"),
    path("live/", tables.live, name="table_live"),
    path("enter/", tables.enter, name="enter_hand"),
    path("preview/", tables.preview, name="preview_hand"),
    path("settle/", tables.settle, name="settle"),
    path("confirm/<int:entry>/", tables.confirm, name="confirm"),
    path("hands/<int:hand>/record/", records.record, name="record"),
    path("scored-by/", tables.scored_by, name="scored_by"),
    path("penalty/", tables.penalty, name="penalty"),
    path("end/", tables.end, name="end"),
    path("forfeit/", tables.forfeit, name="forfeit"),
    path("reopen/", tables.reopen, name="reopen"),
    path("decide/", tables.decide, name="decide"),
    path("release/<int:device>/", tables.release, name="release"),
    path("reissue/<str:side>/", tables.reissue, name="reissue"),
]

event_urls: list[URLPattern | URLResolver] = [
    path("", board.board, name="board"),
    path("live/", board.live, name="board_live"),
    path("calls/<int:call>/take/", board.take_call, name="take_call"),
    path("calls/<int:call>/close/", board.close_call, name="close_call"),
    path("setup/", events.setup, name="setup"),
    path("rules/", rules.rules, name="rules"),
    path("rules/<int:change>/", rules.rule_change, name="rule_change"),
    path("officials/", officials.officials, name="officials"),
    path("officials/<int:official>/revoke/", officials.revoke, name="revoke"),
    path("officials/<int:official>/link/", officials.link, name="link"),
    path("entrants/", entrants.entrants, name="entrants"),
    path("entrants/new/", entrants.add, name="entrant_add"),
    path("entrants/<int:number>/", entrants.change, name="entrant"),
    path("entrants/<int:number>/withdraw/", entrants.withdraw, name="withdraw"),
    path("entrants/import/", entrants.import_file, name="import"),
    path("entrants/export.csv", entrants.export, name="entrants_csv"),
    path("rounds/", rounds.rounds, name="pairing"),
    path("rounds/new/", rounds.create, name="round_create"),
    path("rounds/<int:number>/", include(round_urls)),
    path("rounds/<int:number>/tables/<int:table>/", include(table_urls)),
    path("hands/<int:entry>/correct/", corrections.correct, name="correct"),
    path("corrections/", corrections.corrections, name="corrections"),
    path("corrections/<int:correction>/", corrections.correction, name="correction"),
    path("rulings/", rulings.rulings, name="rulings"),
    path("rulings/new/", rulings.new, name="ruling_new"),
    path("rulings/<int:number>/", rulings.ruling, name="ruling"),
    path("rulings/<int:number>/decide/", rulings.decide, name="ruling_decide"),
    path("rulings/<int:number>/cancel/", rulings.cancel, name="ruling_cancel"),
    path("rulings/<int:number>/appeal/", rulings.lodge, name="ruling_appeal"),
    path("rulings/<int:number>/appeal/answer/", rulings.answer, name="ruling_answer"),
    path("standings/", standings.standings, name="standings"),
    path("standings/publish/", standings.publish, name="publish"),
    path("standings/export.csv", standings.export_csv, name="standings_csv"),
    path("standings/export.xlsx", standings.export_xlsx, name="standings_xlsx"),
    path("standings/live.pdf", standings.export_pdf, name="standings_pdf"),
    path("publications/", standings.publications, name="publications"),
    path("publications/<int:number>/", standings.publication, name="publication"),
    path("history/", history.history, name="history"),
    path("jobs/<int:job>/", jobs.job, name="job"),
    path("jobs/<int:job>/live/", jobs.live, name="job_live"),
    path("jobs/<int:job>/file.pdf", jobs.file, name="job_file"),
    path("export.json", events.export, name="export"),
]

urlpatterns = [
    path("", events.events, name="events"),
    path("new/", events.create, name="create"),
    path("sign-in/", account.sign_in, name="sign_in"),
    path("sign-out/", account.sign_out, name="sign_out"),
    path("enter/<str:secret>/", account.enter, name="enter"),
    path("welcome/", account.welcome, name="welcome"),
    path("<slug:event>/", include(event_urls)),
]
