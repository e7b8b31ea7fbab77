"""The schema tells the truth: it validates, names every address, and its reader needs nothing from outside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from drf_spectacular.drainage import GENERATOR_STATS, reset_generator_stats
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema
from rest_framework.exceptions import ValidationError

from api.common.errors import of_body
from api.common.strict import BODY_LIMIT, Body, Words
from api.urls import urlpatterns
from tools.shape import free, schema


@pytest.mark.long
def test_the_schema_is_valid_and_complete() -> None:
    reset_generator_stats()
    schema = SchemaGenerator().get_schema(request=None, public=True)
    validate_schema(schema)
    doubts = [*GENERATOR_STATS._warn_cache, *GENERATOR_STATS._error_cache]
    assert not doubts, "\n".join(doubts)
    # the reader, the schema itself and the answer to unknown addresses describe nothing
    assert len(schema["paths"]) == len(urlpatterns) - 3
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], (method, path)
            assert "406" in operation["responses"], (method, path)
            if "requestBody" in operation:
                assert {"400", "413", "415"} <= set(operation["responses"]), (method, path)
    # what is asked of a draw can have no answer
    assert "409" in schema["paths"]["/api/v1/events/{slug}/rounds/{number}/why-not/"]["post"]["responses"]


@pytest.mark.long
def test_every_answer_has_a_shape_and_every_operation_words_of_its_own() -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            assert operation["description"].startswith(operation["summary"]), (method, path)
            for status, answer in operation["responses"].items():
                held = answer.get("content", {}).get("application/json", {}).get("schema", {"$ref": ""})
                assert "$ref" in held or held.get("properties") or held.get("items"), (method, path, status)


@pytest.mark.long
def test_every_text_that_is_taken_says_its_greatest_length() -> None:
    """The bound of the whole body stands only where the rules of the game or of a plan say which words there are."""
    document = schema()
    shapes = document["components"]["schemas"]
    operations = (one for methods in document["paths"].values() for one in methods.values())
    bodies = [one["requestBody"] for one in operations if "requestBody" in one]
    texts = dict[str, Any]()

    def look(node: Any, at: str) -> None:
        if isinstance(node, list):
            for one in node:
                look(one, at)
        elif isinstance(node, dict):
            if "$ref" in node and (name := node["$ref"].rpartition("/")[2]) not in texts:
                texts[name] = None
                look(shapes[name], name)
            if node.get("type") == "string" and not node.keys() & {"enum", "const", "format"}:
                texts[at] = node
            for name, one in node.items():
                look(one, f"{at}/{name}")

    look(bodies, "")
    found = {at: one for at, one in texts.items() if one is not None}
    assert len(found) > 200
    assert not [at for at, one in found.items() if "maxLength" not in one]
    of_forms = {
        at for at, one in found.items() if re.match(r"(?!StageOf|Fixed)\w+(Form|Change|Hand)/properties/\w+$", at)
    }
    assert {at for at in of_forms if found[at]["maxLength"] == BODY_LIMIT} == set()


def _forms(of: type[Body] = Body) -> Iterator[type[Body]]:
    for one in of.__subclasses__():
        yield one
        yield from _forms(one)


def test_a_text_that_is_longer_is_refused_by_its_field() -> None:
    tried = 0
    for form in _forms():
        for name, field in form().get_fields().items():
            if isinstance(field, Words):
                tried += 1
                with pytest.raises(ValidationError) as refused:
                    field.run_validation("x" * (field.longest + 1))
                (row,) = of_body({name: refused.value.detail})["error"]["findings"]
                assert (row["code"], row["field"]) == ("text_too_long", name), form
                assert all(str(field.longest) in row["message"][tag] for tag in ("en", "zh"))
                assert field.run_validation("x" * field.longest)
    assert tried > 80


@pytest.mark.long
def test_what_may_be_anything_in_the_schema_is_known() -> None:
    """Values before and after any act, what to look at again, answers of any operation, documents of own formats."""
    assert {place.rpartition("/schemas/")[2] for place in free(schema())} == {
        "/paths//api/v1/event-files//post/requestBody/content/application/json/schema",
        "/paths//api/v1/events/{slug}/export//get/responses/200/content/application/json/schema",
        "DrawAnswer/properties/document",
        "ErrorSchema/properties/current",
        "HistoryLine/properties/new",
        "HistoryLine/properties/old",
        "PairingAnswer/properties/document",
        "PublicationWhole/properties/document",
        "QuestionAnswer/properties/answer",
    }


@pytest.mark.django_db
def test_the_reader_asks_nothing_of_other_machines() -> None:
    page = Client().get("/api/v1/")
    assert page.status_code == 200
    assert not re.findall(r"https?://", page.content.decode())
    for address in re.findall(r'(?:src|href)="(/static/[^"]+)"', page.content.decode()):
        assert Client().get(address).status_code == 200, address


@pytest.mark.long
@pytest.mark.django_db
def test_the_schema_is_served() -> None:
    answer = Client().get("/api/v1/schema/")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("application/vnd.oai.openapi")


@pytest.mark.long
@pytest.mark.django_db
def test_the_schema_is_built_once_for_each_form_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    caches["schema"].clear()
    forms = ("application/vnd.oai.openapi", "application/vnd.oai.openapi+json")
    first = [Client().get("/api/v1/schema/", headers={"Accept": form}).content for form in forms]
    monkeypatch.setattr(SchemaGenerator, "get_schema", lambda *args, **known: pytest.fail("built again"))
    assert [Client().get("/api/v1/schema/", headers={"Accept": form}).content for form in forms] == first
    assert first[0] != first[1]
