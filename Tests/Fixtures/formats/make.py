#!/usr/bin/env python3
"""Makes the CSV and GeoJSON files here, and beside each what Python's own `csv` and `json` read in it."""
import csv
import io
import json
import pathlib
import random

HERE = pathlib.Path(__file__).resolve().parent
PIECES = ["a", "Zürich", " ", "12.5", "-7,25", ";", ",", "\t", "|", '"', '""', "\n", "\r\n", "日本", "🚲", "é", "=1+1", "'", ""]


def text(rng):
    return "".join(rng.choice(PIECES) for _ in range(rng.randrange(4)))


def tables():
    rng = random.Random(7)
    for name, delimiter, end, mark in [
        ("spreadsheet", ";", "\r\n", "\ufeff"), ("plain", ",", "\n", ""), ("old-mac", ",", "\r", ""),
        ("tabs", "\t", "\r\n", ""), ("bars", "|", "\n", "\ufeff"),
    ]:
        out = io.StringIO()
        # Left to itself it quotes no line ends but its own.
        quoting = csv.QUOTE_NONNUMERIC if end == "\r" else csv.QUOTE_MINIMAL
        writer = csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=quoting)
        writer.writerow(["id", "name", "stop_lat", "stop_lon", "note"])
        for number in range(150):
            writer.writerow([number, text(rng), rng.uniform(-90, 90), rng.uniform(-180, 180), text(rng)])
        # Quotes that nobody asked for, and ones in the middle of a value.
        out.write(f'"x"{delimiter}5" pipe{delimiter}""{delimiter}a"b"{delimiter}"say ""hi"""' + end)
        out.write(delimiter.join("12345"))
        content = mark + out.getvalue()
        rows = list(csv.reader(io.StringIO(out.getvalue(), newline=""), delimiter=delimiter, strict=True))
        yield name, content, rows


def value(rng, depth=0):
    kind = rng.randrange(8 if depth < 4 else 6)
    if kind == 6:
        return [value(rng, depth + 1) for _ in range(rng.randrange(4))]
    if kind == 7:
        return {text(rng) + str(index): value(rng, depth + 1) for index in range(rng.randrange(4))}
    return [text(rng), rng.randrange(-10**9, 10**9), rng.uniform(-1e6, 1e6), True, None, 1e-9 * rng.random()][kind]


def features():
    rng = random.Random(8)
    for number in range(200):
        place = [rng.uniform(-180, 180), rng.uniform(-90, 90)] + ([rng.uniform(-500, 9000)] if rng.random() < 0.5 else [])
        feature = {"type": "Feature", "geometry": {"type": "Point", "coordinates": place}, "properties": None}
        if rng.random() < 0.9:
            feature["properties"] = {"name": text(rng), "value": value(rng), "q\"uote\\": value(rng)}
        if rng.random() < 0.5:
            feature["id"] = rng.choice([number, f"n{number}é"])
        yield feature


def main():
    for name, content, rows in tables():
        (HERE / f"{name}.csv").write_bytes(content.encode())
        (HERE / f"{name}.json").write_text(json.dumps(rows, indent=0) + "\n")
    everything = list(features())
    forms = {
        "compact": json.dumps({"type": "FeatureCollection", "features": everything}, separators=(",", ":")),
        "indented": json.dumps({"crs": None, "features": everything, "type": "FeatureCollection"}, indent=2, ensure_ascii=False),
        "sorted": json.dumps({"features": everything, "name": "x", "type": "FeatureCollection"}, sort_keys=True),
        "lines": "\n".join(json.dumps(feature) for feature in everything) + "\n",
    }
    for name, content in forms.items():
        (HERE / f"{name}.geojson").write_text(content)
        read = [json.loads(line) for line in content.splitlines()] if name == "lines" else json.loads(content)["features"]
        assert read == everything
    (HERE / "features.json").write_text(json.dumps(everything) + "\n")


if __name__ == "__main__":
    main()
