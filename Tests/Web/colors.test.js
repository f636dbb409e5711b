import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { areNear, colorIn, colorOf, colorOfHue, hueOf } from '../../Web/app/people/color.js';

const { shades, strangers, views, near } = JSON.parse(readFileSync(new URL('../Fixtures/colors/colors.json', import.meta.url), 'utf8'));

test('each hue that is given has the shade of the fixture', () => {
  for (const [hue, shade] of Object.entries(shades)) assert.equal(colorOfHue(Number(hue)), shade, hue);
});

test('a stranger has the hue of the id', () => {
  for (const [id, hue] of Object.entries(strangers)) {
    assert.equal(hueOf({}, id), hue, id);
    assert.equal(colorOf({}, id), shades[hue]);
  }
});

for (const { title, people, hues } of views) {
  test(title, () => {
    const chat = { participants: people.map(({ id, hue }) => ({ user: id, hue })) };
    for (const { id, hue } of people.slice(0, 1)) assert.equal(colorOf({ hue }, id), shades[hues[id]]);
    for (const { id } of people) assert.equal(colorIn(chat, id), shades[hues[id]]);
  });
}

test('a person has one color, with whomever the person is seen', () => {
  const mia = { user: '1', hue: 100 };
  const others = [[], [{ user: '2', hue: 100 }], [{ user: '2', hue: 95 }, { user: '3', hue: 300 }]];
  for (const chat of others) assert.equal(colorIn({ participants: [...chat, mia] }, '1'), colorOf({ hue: 100 }, '1'));
});

test('page and fixture agree on which hues are near', () => {
  for (const [one, other, isNear] of near) assert.equal(areNear(one, other), isNear, `${one} ${other}`);
});
