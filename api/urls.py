"""The addresses of REST API v1."""

from __future__ import annotations

from django.urls import URLPattern, path, re_path
from drf_spectacular.views import SpectacularAPIView

from . import corrections, desk, entrants, events, rounds, rules, schema, sittings, standings, tables, tokens
from .fallback import NoSuchAddress

app_name = "api"

E, R, S = "events/<slug:slug>", "events/<slug:slug>/rounds/<int:number>", "sittings/<int:sitting_id>"
N = f"{S}/entries/<int:entry_id>"

urlpatterns: list[URLPattern] = [
    path("", schema.reader, name="reader"),
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("tokens/", tokens.Tokens.as_view(), name="tokens"),
    path("tokens/<slug:token_id>/", tokens.OneToken.as_view(), name="token"),
    path("devices/", tables.Devices.as_view(), name="devices"),
    path("devices/<slug:public_id>/", tables.OneDevice.as_view(), name="device"),
    path("events/", events.Events.as_view(), name="events"),
    path(f"{E}/", events.Event.as_view(), name="event"),
    path(f"{E}/officials/", events.Officials.as_view(), name="officials"),
    path(f"{E}/officials/<int:official_id>/", events.OneOfficial.as_view(), name="official"),
    path(f"{E}/entrants/", entrants.Entrants.as_view(), name="entrants"),
    path(f"{E}/entrants/import/", entrants.Import.as_view(), name="import"),
    path(f"{E}/entrants/<int:number>/", entrants.OneEntrant.as_view(), name="entrant"),
    path(f"{E}/entrants/<int:number>/withdraw/", entrants.Withdraw.as_view(), name="withdraw"),
    path(f"{E}/entrants.csv", entrants.EntrantsFile.as_view(), name="entrants_csv"),
    path(f"{E}/tables/", tables.Tables.as_view(), name="tables"),
    path(f"{E}/codes/", tables.Codes.as_view(), name="codes"),
    re_path(
        r"^events/(?P<slug>[-\w]+)/tables/(?P<number>[0-9]{1,9})/(?P<side>NS|EW|[1-5])/code/$",
        tables.Reissue.as_view(),
        name="reissue",
    ),
    path(f"{E}/rounds/", rounds.Rounds.as_view(), name="rounds"),
    path(f"{R}/", rounds.OneRound.as_view(), name="round"),
    path(f"{R}/pair/", rounds.Pair.as_view(), name="pair"),
    path(f"{R}/check/", rounds.CheckPairing.as_view(), name="check_pairing"),
    path(f"{R}/publish/", rounds.PublishPairing.as_view(), name="publish_pairing"),
    path(f"{R}/supersede/", rounds.SupersedePairing.as_view(), name="supersede_pairing"),
    path(f"{R}/start/", rounds.Start.as_view(), name="start_round"),
    path(f"{R}/extend/", rounds.Extend.as_view(), name="extend_round"),
    path(f"{R}/close/", rounds.Close.as_view(), name="close_round"),
    path(f"{R}/swap/", tables.Swap.as_view(), name="swap_tables"),
    path(f"{R}/cards.pdf", tables.Cards.as_view(), name="cards"),
    path("matches/<int:match_id>/forfeit/", rounds.Forfeit.as_view(), name="forfeit"),
    path("matches/<int:match_id>/lots/", rounds.DecideByLot.as_view(), name="decide"),
    path(f"{S}/", sittings.OneSitting.as_view(), name="sitting"),
    path(f"{S}/entries/", sittings.Entries.as_view(), name="entries"),
    path(f"{S}/hands/", sittings.Hands.as_view(), name="hands"),
    path(f"{S}/preview/", sittings.Preview.as_view(), name="preview"),
    path(f"{S}/settle/", sittings.Settle.as_view(), name="settle"),
    path(f"{S}/penalties/", sittings.Penalties.as_view(), name="penalties"),
    re_path(
        r"^sittings/(?P<sitting_id>[0-9]{1,18})/places/(?P<place>[1-5])/penalties/$",
        sittings.PlacePenalties.as_view(),
        name="place_penalties",
    ),
    path(f"{S}/end/", sittings.End.as_view(), name="end"),
    path(f"{S}/reopen/", sittings.Reopen.as_view(), name="reopen"),
    path(f"{S}/calls/", sittings.Calls.as_view(), name="calls"),
    path(f"{S}/scored-by/", tables.ScoredBySwitch.as_view(), name="scored_by"),
    path(f"{N}/confirm/", sittings.Confirm.as_view(), name="confirm"),
    path(f"{N}/take-back/", sittings.TakeBack.as_view(), name="take_back"),
    path(f"{N}/send-back/", sittings.SendBack.as_view(), name="send_back"),
    path(f"{N}/object/", sittings.ObjectTo.as_view(), name="object"),
    path("calls/<int:call_id>/take/", sittings.TakeCall.as_view(), name="take_call"),
    path("calls/<int:call_id>/close/", sittings.CloseCall.as_view(), name="close_call"),
    path("entries/<int:entry_id>/corrections/", corrections.Correct.as_view(), name="correct"),
    path("entries/<int:entry_id>/corrections/preview/", corrections.PreviewCorrection.as_view(), name="foresee"),
    path(f"{E}/corrections/", corrections.Corrections.as_view(), name="corrections"),
    path("corrections/<int:correction_id>/approve/", corrections.Approve.as_view(), name="approve"),
    path("corrections/<int:correction_id>/refuse/", corrections.Refuse.as_view(), name="refuse"),
    path(f"{E}/standings/", standings.Live.as_view(), name="standings"),
    path(f"{E}/stages/<int:stage>/standings/", standings.Live.as_view(), name="stage_standings"),
    path(f"{E}/standings.csv", standings.LiveCsv.as_view(), name="standings_csv"),
    path(f"{E}/standings.xlsx", standings.LiveXlsx.as_view(), name="standings_xlsx"),
    path(f"{E}/publications/", standings.Publications.as_view(), name="publications"),
    path(f"{E}/publications/<int:number>/", standings.OnePublication.as_view(), name="publication"),
    path(f"{E}/publications/<int:number>.csv", standings.PublicationCsv.as_view(), name="publication_csv"),
    path(f"{E}/publications/<int:number>.xlsx", standings.PublicationXlsx.as_view(), name="publication_xlsx"),
    path(f"{E}/export/", standings.Export.as_view(), name="export"),
    path(f"{E}/board/", desk.Board.as_view(), name="board"),
    path(f"{E}/history/", desk.History.as_view(), name="history"),
    path("rules/ask", rules.Ask.as_view(), name="ask"),
    path("rules/profiles/", rules.Profiles.as_view(), name="profiles"),
    path("rules/profiles/<slug:profile_id>/", rules.OneProfile.as_view(), name="profile"),
    re_path(
        r"^rules/profiles/(?P<profile_id>[-\w]+)/clauses/(?P<clause_id>[-\w.]+)/$",
        rules.OneClause.as_view(),
        name="clause",
    ),
    path("rules/compare/", rules.Compared.as_view(), name="compare"),
    re_path(r"", NoSuchAddress.as_view(), name="nothing"),
]
