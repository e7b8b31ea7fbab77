"""Addresses of the table page. A party's code stands in an address only until its place is claimed."""

from __future__ import annotations

from django.urls import path

from referee.table.views import acts, landing, own_code, pages, photos, receipts, waking

app_name = "table"

urlpatterns = [
    path("t/<str:code>/", landing.land, name="land"),
    path("me/", own_code.own_code, name="own_code"),
    path("me/signals/", own_code.signals, name="own_signals"),
    path("me/award.pdf", own_code.award, name="own_award"),
    path("me/wake/", waking.wake, name="wake"),
    path("me/table/", waking.own_table, name="own_table"),
    path("me/<str:code>/", own_code.land, name="own_code_land"),
    path("table/", landing.places, name="places"),
    path("table/<slug:public_id>/", pages.place, name="place"),
    path("table/<slug:public_id>/now/", pages.now, name="now"),
    path("table/<slug:public_id>/record/", pages.record, name="record"),
    path("table/<slug:public_id>/steps/<slug:digest>.json", pages.steps, name="steps"),
    path("table/<slug:public_id>/receipts/", receipts.receipts, name="receipts"),
    path("table/<slug:public_id>/preview/", pages.preview, name="preview"),
    path("table/<slug:public_id>/enter/", acts.enter, name="enter"),
    path("table/<slug:public_id>/confirm/", acts.confirm, name="confirm"),
    path("table/<slug:public_id>/key/", acts.key, name="key"),
    path("table/<slug:public_id>/agreed/", acts.agreed, name="agreed"),
    path("table/<slug:public_id>/take-back/", acts.take_back, name="take_back"),
    path("table/<slug:public_id>/send-back/", acts.send_back, name="send_back"),
    path("table/<slug:public_id>/over/", acts.over, name="over"),
    path("table/<slug:public_id>/call/", acts.call, name="call"),
    path("table/<slug:public_id>/calls/<int:call>/photos/", photos.attach, name="attach_photo"),
    path("table/<slug:public_id>/photos/<int:photo>.jpg", photos.photo, name="photo"),
    path("table/<slug:public_id>/appeal/", acts.appeal, name="appeal"),
    path("table/<slug:public_id>/object/", acts.objection, name="object"),
]
