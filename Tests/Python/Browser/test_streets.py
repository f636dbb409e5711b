"""Streets: one style over three schemas of tiles and over images, what is missing said, and names of other hosts said."""

import base64
import http.server
import math
import os
import re
import struct
import threading
import zlib

import pytest
from conftest import CATCH, PHONE, at_rest, location, visits
from playwright.sync_api import expect
from yonder import ROOT, Server, until

MAPS = ROOT / "Tests/Fixtures/maps"
SCHEMAS = ("openmaptiles", "protomaps", "shortbread")
VADUZ = (9.5222, 47.1405)
ROADS = {"motorway", "major", "minor", "service", "path"}

FEATURES = """() => testedMap.queryRenderedFeatures().map((feature) => ({
  kind: feature.layer.metadata?.kind,
  source: feature.source,
  name: feature.properties.name ?? feature.properties['name:latin'],
  number: feature.properties.housenumber ?? feature.properties.addr_housenumber,
}))"""

AT_POINTS = """(points) => points.map((point) => {
  const { x, y } = testedMap.project(point);
  return testedMap.queryRenderedFeatures([x, y]).map((feature) => feature.layer.metadata?.kind);
})"""

# Whether the map is seen at each point.
UNCOVERED = """(points) => points.map((point) => {
  const { x, y } = testedMap.project(point);
  return document.elementFromPoint(x, y) === testedMap.getCanvas();
})"""

COLORS = """async ({ image, points }) => {
  const bytes = await createImageBitmap(new Blob([Uint8Array.from(atob(image), (each) => each.charCodeAt(0))]));
  const canvas = new OffscreenCanvas(bytes.width, bytes.height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(bytes, 0, 0);
  const scale = bytes.width / innerWidth;
  return points.map((point) => {
    const { x, y } = testedMap.project(point);
    return [...context.getImageData(Math.round(x * scale), Math.round(y * scale), 1, 1).data].slice(0, 3);
  });
}"""


def opened(visit, zoom, source, center=VADUZ):
    """The page of somebody who hasn't signed in, its map at a place and drawn with a source.

    The page may not ask where it is, and so leaves the map at that place. It draws the world alone for a while if the server
    takes long to say which maps it has.
    """
    visitor = visit(size=PHONE, color_scheme="light", permissions=())
    visitor.context.add_init_script(CATCH)
    page = visitor.go()
    # Asked again and again from here: the page's policy forbids the evaluation that the driver's own waiting does in it.
    until(lambda: source in page.evaluate("Object.keys(testedMap.getStyle()?.sources ?? {})"), what=f"a map with {source}")
    at_rest(page)
    page.evaluate("([center, zoom]) => testedMap.jumpTo({ center, zoom })", [list(center), zoom])
    at_rest(page)
    until(lambda: page.evaluate("testedMap.areTilesLoaded()"), what="the tiles")
    at_rest(page)
    # What lies over the map isn't what this is about.
    page.evaluate("for (const each of document.body.children) if (each.id !== 'map') each.style.display = 'none'")
    return visitor, page


def colors(page, points):
    image = base64.b64encode(page.screenshot()).decode()
    return [tuple(color) for color in page.evaluate(COLORS, {"image": image, "points": points})]


def road_points():
    """Points of roads that are on the screen, off its edges: corners of the demo's ways."""
    text = (ROOT / "Data/demo/walks.gpx").read_text()
    found = [(float(east), float(north)) for north, east in re.findall(r'lat="([\d.]+)" lon="([\d.]+)"', text)]
    near = {(east, north) for east, north in found if abs(east - VADUZ[0]) < 0.0008 and abs(north - VADUZ[1]) < 0.0011}
    return sorted(near)[:12]


def seen(schema, browser):
    """What the map shows in one schema."""
    with Server(["--map", str(MAPS / f"{schema}.pmtiles")]) as server:
        opener = visits(browser, server)
        visit = next(opener)
        _, page = opened(visit, 17, schema)
        features = [each for each in page.evaluate(FEATURES) if each["source"] == schema]
        points = road_points()
        result = {
            "kinds": {each["kind"] for each in features},
            "numbers": {each["number"] for each in features if each["kind"] == "houseNumber"},
            "names": {each["name"] for each in features if each["kind"] in ("roadName", "pathName")},
            "at": page.evaluate(AT_POINTS, points),
            "colors": colors(page, points),
        }
        expect(page.locator(".map-note")).to_be_hidden()
        next(opener, None)
        return result


def test_kinds_agree_between_the_three_schemas_and_pixels_of_known_roads_are_roads(browser):
    """Rules 7: with nobody on the map, roads, water, buildings, labels and house numbers are the same in each."""
    shown = {schema: seen(schema, browser) for schema in SCHEMAS}
    first = shown["openmaptiles"]
    assert first["names"] and first["numbers"]
    assert {"building", "houseNumber", "roadName"} <= first["kinds"] and ROADS & first["kinds"]
    for schema, found in shown.items():
        assert found["numbers"] == first["numbers"], schema
        assert found["names"] == first["names"], schema
        for kind in ("building", "water", "waterway", "houseNumber", "roadName", *ROADS):
            assert (kind in found["kinds"]) == (kind in first["kinds"]), f"{schema}: {kind}"
        assert len(found["at"]) > 3
        for kinds in found["at"]:
            assert ROADS & set(kinds), f"{schema}: {kinds}"
        # Where no label lies over it, a road has one of the roads' colors: nearly white or yellow, never land or sea.
        light = [color for color in found["colors"] if min(color[:2]) > 215]
        assert len(light) * 2 > len(found["colors"]), f"{schema}: {found['colors']}"


def towns(page):
    """The names of the towns that the map shows."""
    return {each["name"] for each in page.evaluate(FEATURES) if each["source"] == "towns"}


def test_without_streets_towns_stay_and_nothing_is_said_where_no_chat_is_open(browser):
    with Server() as server:
        opener = visits(browser, server)
        _, page = opened(next(opener), 13, "towns")
        expect(page.locator(".map-note")).to_be_hidden()
        until(lambda: "Vaduz" in towns(page), what="Vaduz on the map")
        page.evaluate("testedMap.jumpTo({ zoom: 8 })")
        at_rest(page)
        until(lambda: len(towns(page)) > 5, what="more towns")
        next(opener, None)


def quarter_color(x, y):
    """The color of a quarter of a tile, by its number one zoom deeper: another one for each neighbor, all of them light."""
    return 90 + x * 37 % 160, 90 + y * 59 % 160, 90 + (x + 3 * y) * 23 % 160


def png(zoom, x, y, side=256):
    """An image of four quarters, each of which says by its color where it belongs."""
    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    half = side // 2
    lines = [b"\0" + b"".join(bytes(quarter_color(2 * x + east, 2 * y + south)) * half for east in (0, 1)) for south in (0, 1)]
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    rows = lines[0] * half + lines[1] * half
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def quarters(zoom):
    """The middles of the quarters of tiles around Vaduz, each with its color."""
    count = 2 ** (zoom + 1)
    east = (VADUZ[0] + 180) / 360 * count
    south = (1 - math.asinh(math.tan(math.radians(VADUZ[1]))) / math.pi) / 2 * count
    near = [(math.floor(east) + right, math.floor(south) + down) for right in (-1, 0, 1) for down in (-2, -1, 0, 1, 2)]
    return {
        (x / count * 360 - 180 + 180 / count, math.degrees(math.atan(math.sinh(math.pi * (1 - (2 * y + 1) / count))))):
            quarter_color(x, y)
        for x, y in near
    }


@pytest.fixture
def images():
    """Another server, with tiles that are images, another one for each place; it writes down what it is asked."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            zoom, x, y = (int(number) for number in re.findall(r"\d+", self.path))
            self.send_response(200)
            self.send_header("Content-Type", "image/png")
            self.send_header("Access-Control-Allow-Origin", "*")
            self.end_headers()
            self.wfile.write(png(zoom, x, y))

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port, asked
        server.shutdown()
        thread.join()


def test_images_of_another_server_are_drawn_where_they_belong_and_its_host_is_said_once(browser, images):
    port, asked = images
    with Server(["--map", f"http://127.0.0.1:{port}/{{z}}/{{x}}/{{y}}.png name=quarters zoom=10-16 attribution=© Quarters"]) as server:
        assert asked, "the server looks at one tile when it starts"
        opener = visits(browser, server)
        visitor, page = opened(next(opener), 15, "quarters")
        visitor.expected.append(f"asked another host: http://127.0.0.1:{port}/")
        note = page.locator(".map-note")
        expect(note).to_contain_text(f"127.0.0.1:{port}")
        expect(page.locator(".maplibregl-ctrl-attrib")).to_contain_text("© Quarters")
        note.get_by_role("button").click()
        expect(note).to_be_hidden()
        uncovered = page.evaluate(UNCOVERED, [list(point) for point in quarters(16)])
        expected = {point: color for (point, color), is_seen in zip(quarters(16).items(), uncovered) if is_seen}
        assert len(expected) >= 6 and len(set(expected.values())) == len(expected)
        assert dict(zip(expected, colors(page, [list(point) for point in expected]))) == expected
        visitor.go()
        at_rest(page)
        expect(note).to_be_hidden()
        next(opener, None)


def test_with_the_regions_file_gone_the_map_goes_on_with_the_built_in_world(browser, tmp_path):
    """The file removed: a running server reads on. Cut short: its tiles fail, the page says so and draws the world."""

    def sources():
        return {each["source"] for each in page.evaluate(FEATURES)}

    region = tmp_path / "streets.pmtiles"
    region.write_bytes((MAPS / "protomaps.pmtiles").read_bytes())
    with Server(["--map", str(region)]) as server:
        os.truncate(region, 200)
        region.unlink()
        opener = visits(browser, server)
        visitor, page = opened(next(opener), 13, "streets")
        visitor.expected.append("500 (Internal Server Error)")
        expect(page.locator(".map-note")).to_contain_text("Streets can’t be shown")
        until(lambda: "streets" not in sources() and {"world", "towns"} & sources(), what="the world without the streets")
        page.evaluate("testedMap.jumpTo({ zoom: 5 })")
        at_rest(page)
        expect(page.locator(".map-note")).to_be_hidden()
        until(lambda: "world" in sources(), what="the world")
        assert server.process.poll() is None
        next(opener, None)


def test_where_somebody_is_has_a_name_and_no_position_leaves_the_server(browser):
    """Rules 6: *Städtle, Vaduz* in the row, from the region's own names."""
    with Server(["--place-names", str(ROOT / "Data/region/liechtenstein.tsv")]) as server:
        ada = server.owner()
        ben = ada.add("Ben Ohm")
        ada.befriend(ben)
        chat = ada.start_chat([ben])
        ben.send(chat, "Location", data=location(47.1389, 9.5226))
        opener = visits(browser, server)
        page = next(opener)(ada, size=PHONE).go(f"#/chats/{chat}")
        row = page.get_by_role("list", name="People").get_by_role("button", name="Ben Ohm").first
        expect(row).to_contain_text(re.compile(r"(Städtle|Postgass), Vaduz"))
        expect(row.locator("[title]")).to_have_attribute("title", "47.13890° N, 9.52260° E")
        next(opener, None)
