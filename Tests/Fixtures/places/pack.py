#!/usr/bin/env python3
"""Packs the 100 000-point cases of the places benchmark's data into the files beside this one.

usage: pack.py FOLDER      the folder with points.bin, q1_boxes.csv, expect_q1_100k.csv and so on
"""
import csv
import pathlib
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
POINTS = 100_000


def e7(text):
    return round(float(text) * 1e7)


def rows(folder, name):
    with open(folder / name, newline="") as file:
        yield from csv.DictReader(file)


def pack_points(folder):
    data = (folder / "points.bin").read_bytes()[: POINTS * 16]
    degrees = struct.unpack(f"<{2 * POINTS}d", data)
    (HERE / "points.bin").write_bytes(struct.pack(f"<{2 * POINTS}i", *(round(d * 1e7) for d in degrees)))


def pack_boxes(folder):
    packed = bytearray()
    for box, answer in zip(rows(folder, "q1_boxes.csv"), rows(folder, "expect_q1_100k.csv"), strict=True):
        edges = (e7(box[name]) for name in ("minlon", "minlat", "maxlon", "maxlat"))
        packed += struct.pack("<4iIQ", *edges, int(answer["count"]), int(answer["fnv1a64_of_sorted_ids"], 16))
    (HERE / "boxes.bin").write_bytes(packed)


def pack_nearest(folder):
    packed = bytearray()
    for near, answer in zip(rows(folder, "q2_knn.csv"), rows(folder, "expect_q2_100k_k10.csv")):
        distances = [float(text) for text in answer["distances_m"].split()]
        packed += struct.pack("<2idI", e7(near["lat"]), e7(near["lon"]), float(near["maxdist_m"]), len(distances))
        packed += struct.pack(f"<{len(distances)}d", *distances)
    (HERE / "nearest.bin").write_bytes(packed)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    pack_points(folder)
    pack_boxes(folder)
    pack_nearest(folder)


if __name__ == "__main__":
    main()
