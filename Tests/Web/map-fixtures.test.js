import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { chatAnnotations } from '../../Web/app/map/annotations.js';
import { Shown } from '../../Web/app/map/shown.js';
import { colorOfHue } from '../../Web/app/people/color.js';

const FOLDER = new URL('../Fixtures/map/', import.meta.url);
const NAMES = { pins: 'pins', trails: 'lines', stops: 'stops' };

function written({ added, changed, removed }) {
  const keys = (items) => items.map(({ key }) => key).sort();
  return { added: keys(added), changed: keys(changed), removed: keys(removed) };
}

function changesOf(changes) {
  const all = Object.entries(NAMES).map(([ours, theirs]) => [theirs, written(changes[ours])]);
  return Object.fromEntries(all.filter(([, { added, changed, removed }]) => added.length + changed.length + removed.length > 0));
}

for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.json'))) {
  const { title, chat, steps } = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'));
  const hueOf = Object.fromEntries(chat.participants.map(({ hue }) => [colorOfHue(hue), hue]));

  test(title, () => {
    const shown = new Shown();
    steps.forEach((step, index) => {
      if (step.select !== undefined) shown.select(step.select, () => undefined);
      const annotations = chatAnnotations(chat, step.messages, { all: step.all, own: undefined });
      const changes = changesOf(shown.apply(annotations, () => undefined));
      const pins = [...annotations.pins].map(([key, pin]) => [key, [pin.latitude, pin.longitude, hueOf[pin.color], pin.time]]);
      const lines = [...annotations.trails].map(([key, { points }]) => [key, points.map(([longitude, latitude]) => [latitude, longitude])]);
      assert.deepEqual(Object.fromEntries(pins), step.pins, `pins of step ${index}`);
      assert.deepEqual(Object.fromEntries(lines), step.lines, `lines of step ${index}`);
      assert.deepEqual([...annotations.stops.keys()].sort(), step.stops, `stops of step ${index}`);
      assert.deepEqual(changes, step.changes, `changes of step ${index}`);
      assert.equal(shown.selected ?? null, step.selection, `selection of step ${index}`);
    });
  });
}
