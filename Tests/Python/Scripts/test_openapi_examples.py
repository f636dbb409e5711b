"""Each body of Documentation/openapi.yaml that is text has an example, which its schema allows."""

import jsonschema_rs
import pytest
import yaml
from yonder import ROOT

SPEC = yaml.safe_load((ROOT / "Documentation/openapi.yaml").read_text())
METHODS = {"get", "put", "post", "patch", "delete"}
# Pictures and tiles.
BYTES = ("image/", "application/vnd.mapbox-vector-tile")


def bodies():
    """Each body's place, media type and description; those that operations share once."""
    for path, operations in SPEC["paths"].items():
        for method in METHODS & operations.keys():
            operation = operations[method]
            yield f"{method} {path}", operation.get("requestBody", {})
            for status, response in operation["responses"].items():
                yield f"{method} {path} {status}", response
    for kind in ("requestBodies", "responses"):
        for name, body in SPEC["components"][kind].items():
            yield f"{kind} {name}", body


MEDIA = [
    pytest.param(media, id=f"{place} {kind}")
    for place, body in bodies() for kind, media in body.get("content", {}).items() if not kind.startswith(BYTES)
]


def test_the_bodies_are_found():
    assert len(MEDIA) > 80


@pytest.mark.parametrize("media", MEDIA)
def test_a_body_has_an_example_that_its_schema_allows(media):
    assert "example" in media, "it has no example"
    schema = {"allOf": [media["schema"]], "components": SPEC["components"]}
    jsonschema_rs.Draft202012Validator(schema).validate(media["example"])
