import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { colorIn, colorOf, colorOfHue, colorsInView, hueOf } from '../../Web/app/people/color.js';

const { shades, strangers, views } = JSON.parse(readFileSync(new URL('../Fixtures/colors/colors.json', import.meta.url), 'utf8'));

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
    const expected = Object.fromEntries(Object.entries(hues).map(([id, hue]) => [id, shades[hue]]));
    assert.deepEqual(Object.fromEntries(colorsInView(people)), expected);
    const chat = { participants: people.map(({ id, hue }) => ({ user: id, hue })) };
    for (const { id } of people) assert.equal(colorIn(chat, id), expected[id]);
  });
}
