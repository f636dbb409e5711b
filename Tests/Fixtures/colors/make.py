#!/usr/bin/env python3
"""Writes colors.json: the colors of people, and which hues are near each other.

A third reading of the rule, beside that of the page (Web/app/people) and that of the SDK (YonderClient/People); both have to
give what it writes. Besides the views written down here it draws some with a seed.
"""
import json
import math
import pathlib
import random

FIRST, LAST = 26, 339
MACHADO = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
CONES = ((0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566),
         (0.0883024619, 0.2817188376, 0.6299787005))
OKLAB = ((0.2104542553, 0.7936177850, -0.0040720468), (1.9779984951, -2.4285922050, 0.4505937099),
         (0.0259040371, 0.7827717662, -0.8086757660))

WRITTEN = [
    ("one person has the account's hue", [("1", 200)]),
    ("hues of red and of more than the wheel become the nearest that are given", [("1", 7), ("2", 355), ("3", 460)]),
    ("people whose hues are near keep their own", [("1", 200), ("2", 205), ("3", 200)]),
    ("an account without a hue is drawn by its id", [("1234", None), ("99", None), ("7", None)]),
    ("a person named twice has one color", [("1", 100), ("2", 105), ("1", 100)]),
    ("a family of eight as a server gives hues",
     [(str(index), hue) for index, hue in enumerate((26, 206, 116, 296, 71, 161, 251, 339))]),
]
STRANGERS = ["", "a1b2", "7", "Zoë", "\U0001f30d", "0f" * 16]


def times(matrix, vector):
    return [sum(factor * part for factor, part in zip(row, vector)) for row in matrix]


def parts(hue, lightness):
    """HSL with a saturation of 0.68, as bytes of red, green and blue."""
    chroma = (1 - abs(2 * lightness - 1)) * 0.68
    side = hue / 60
    second = chroma * (1 - abs(side % 2 - 1))
    order = [(chroma, second, 0), (second, chroma, 0), (0, chroma, second), (0, second, chroma), (second, 0, chroma),
             (chroma, 0, second)]
    return [math.floor(255 * (part + lightness - chroma / 2) + 0.5) for part in order[int(side) % 6]]


def linear(part):
    value = part / 255
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def shade(hue):
    """The lightest on which white reads at 6.3:1."""
    dark, light = 0.05, 0.7
    for _ in range(12):
        middle = (dark + light) / 2
        red, green, blue = map(linear, parts(hue, middle))
        contrast = 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)
        dark, light = (middle, light) if contrast >= 6.3 else (dark, middle)
    return parts(hue, dark)


SHADES = {hue: shade(hue) for hue in range(FIRST, LAST + 1)}


def seen(hue):
    light = [min(1, max(0, part)) for part in times(MACHADO, [linear(part) for part in SHADES[hue]])]
    return times(OKLAB, [math.copysign(abs(cone) ** (1 / 3), cone) for cone in times(CONES, light)])


SEEN = {hue: seen(hue) for hue in SHADES}


def own_hue(person, hue):
    if hue is None:
        value = 2166136261
        for character in person:
            value = (value ^ ord(character)) * 16777619 % 2**32
        return FIRST + value % (LAST - FIRST + 1)
    return min(max(hue % 360, FIRST), LAST)


def turn_between(one, other):
    return min((one - other) % 360, (other - one) % 360)


def are_near(one, other):
    """Whether two hues are hard to tell apart, for everybody or with deuteranopia."""
    return turn_between(one, other) < 20 or math.dist(SEEN[one], SEEN[other]) < 0.04


def drawn():
    chance = random.Random(47)
    for number in range(12):
        yield f"drawn view {number}", [
            (str(chance.randrange(1, 2**40)), chance.choice((None, *range(26, 360)))) for _ in range(chance.randrange(2, 20))]


def pairs():
    chance = random.Random(62)
    return [(chance.randint(FIRST, LAST), chance.randint(FIRST, LAST)) for _ in range(200)]


def main():
    text = {
        "shades": {str(hue): "#%02x%02x%02x" % tuple(parts) for hue, parts in SHADES.items()},
        "strangers": {person: own_hue(person, None) for person in STRANGERS},
        "views": [
            {"title": title, "people": [{"id": person} if hue is None else {"id": person, "hue": hue} for person, hue in people],
             "hues": {person: own_hue(person, hue) for person, hue in reversed(people)}}
            for title, people in [*WRITTEN, *drawn()]
        ],
        # Brown and green are alike under deuteranopia; the wheel is round.
        "near": [[one, other, are_near(one, other)] for one, other in [(200, 219), (200, 220), (339, 26), (60, 100), *pairs()]],
    }
    file = pathlib.Path(__file__).with_name("colors.json")
    file.write_text(json.dumps(text, ensure_ascii=False, separators=(",", ":")).replace('{"title"', '\n{"title"') + "\n")


main()
