"""Addresses of the public pages. Each carries its language, so that it can be shared and kept by caches."""

from __future__ import annotations

from django.urls import path, register_converter

from referee.public.page import Language
from referee.public.views import (
    adjudicator,
    boards,
    check,
    deals,
    entrants,
    events,
    log,
    logos,
    rounds,
    rules,
    rulings,
    share,
    standings,
    trust,
)

app_name = "public"
register_converter(Language, "language")
register_converter(share.Picture, "picture")

E = "<language:language>/e/<slug:event>"
MATCH = f"{E}/rounds/<int:number>/tables/<int:table>"
RULES = "<language:language>/rules"

urlpatterns = [
    path("", events.front_door, name="front"),
    path("conformance.zip", rules.conformance, name="conformance"),
    path("deals.py", deals.script, name="deal_script"),
    path("verify.py", log.script, name="log_script"),
    path("trust/", trust.door, name="trust_door"),
    path("trust/referee.crt", trust.certificate, name="trust_certificate"),
    path("<language:language>/trust/", trust.trust, name="trust"),
    path("<language:language>/", events.events, name="events"),
    path(f"{E}/", events.event, name="event"),
    path(f"{E}/rounds/", rounds.rounds, name="rounds"),
    path(f"{E}/rounds/<int:number>/", rounds.round_, name="round"),
    path(f"{E}/rounds/<int:number>/pairing.pdf", rounds.pairing_paper, name="pairing_pdf"),
    path(f"{E}/rounds/<int:number>/seats.pdf", rounds.finder, name="finder_pdf"),
    path(f"{E}/rounds/<int:number>/draw.json", rounds.draw_document, name="draw_document"),
    path(f"{E}/rounds/<int:number>/pairing.json", rounds.pairing_document, name="pairing_document"),
    path(f"{MATCH}/", rounds.match, name="match"),
    path(f"{MATCH}/hands/<int:hand>/", rounds.hand, name="hand"),
    path(f"{MATCH}/hands/<int:hand>/tricks/", rounds.tricks, name="tricks"),
    path(f"{E}/standings/", standings.live, name="standings"),
    path(f"{E}/standings/<int:number>/", standings.published, name="publication"),
    path(f"{E}/standings/<int:number>/document.json", standings.document, name="document"),
    path(f"{E}/standings/<int:number>/standings.pdf", standings.paper, name="publication_pdf"),
    path(f"{E}/stages/<int:stage>/boards/<int:number>/", boards.board, name="board"),
    path(f"{E}/stages/<int:stage>/deals/", deals.deals, name="deals"),
    path(f"{E}/stages/<int:stage>/deals/<int:number>/records.pdf", deals.records, name="deal_records"),
    path(f"{E}/statistics/", standings.statistics, name="statistics"),
    path(f"{E}/rulings/", rulings.rulings, name="rulings"),
    path(f"{E}/rulings/digest.pdf", rulings.paper, name="rulings_pdf"),
    path(f"{E}/entrants/", entrants.entrants, name="entrants"),
    path(f"{E}/entrants/<int:number>/", entrants.entrant, name="entrant"),
    path(f"{E}/follow/", entrants.followed, name="follow"),
    path(f"{E}/logos/<str:digest>.jpg", logos.logo, name="logo"),
    path(f"{E}/screen/", check.screen, name="screen"),
    path(f"{E}/check/", check.check, name="check"),
    path(f"{E}/log/", log.log, name="log"),
    path(f"{E}/certificate/", check.certificate, name="certificate"),
    path(f"{E}/certificate/certificate.json", check.certificate_document, name="certificate_document"),
    path(f"{E}/certificate/certificate.pdf", check.certificate_paper, name="certificate_pdf"),
    path(f"{E}/rules/", rules.of_event, name="event_rules"),
    path(f"{E}/share/", share.event, name="share_event"),
    path(f"{E}/share/<picture:picture>", share.event, name="share_event_picture"),
    path(f"{MATCH}/share/", share.match, name="share_match"),
    path(f"{MATCH}/share/<picture:picture>", share.match, name="share_match_picture"),
    path(f"{E}/entrants/<int:number>/share/", share.entrant, name="share_entrant"),
    path(f"{E}/entrants/<int:number>/share/<picture:picture>", share.entrant, name="share_entrant_picture"),
    path(f"{E}/standings/<int:number>/share/", share.publication, name="share_publication"),
    path(f"{E}/standings/<int:number>/share/<picture:picture>", share.publication, name="share_publication_picture"),
    path("<language:language>/adjudicator/", adjudicator.chooser, name="adjudicator"),
    path("<language:language>/adjudicator/<slug:kind>/", adjudicator.case, name="adjudicate"),
    path(f"{RULES}/", rules.profiles, name="rules"),
    path(f"{RULES}/compare/", rules.compare, name="compare"),
    path(f"{RULES}/<slug:profile>/", rules.profile, name="profile"),
    path(f"{RULES}/<slug:profile>/explain/", rules.explain, name="explain"),
    path(f"{RULES}/<slug:profile>/clauses/", rules.clauses, name="clauses"),
]
