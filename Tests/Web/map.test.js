import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatAnnotations, coordinateOf, timeOf, worldAnnotations } from '../../Web/app/map/annotations.js';
import { extentOf } from '../../Web/app/map/extent.js';
import { isSamePin, unfolded } from '../../Web/app/map/features.js';
import { KeyedSource } from '../../Web/app/map/keyed-source.js';
import { keyedChanges } from '../../Web/app/map/keyed-changes.js';
import { colorIn, colorOf, colorOfHue, colorsInView, hexColor, hueOf, inkOn, participantColor } from '../../Web/app/people/color.js';
import { initials } from '../../Web/app/people/initials.js';
import { relativeTime } from '../../Web/app/people/times.js';
import { World } from '../../Web/app/world/world.js';
import { SeededGenerator } from './seeded-generator.js';

const chat = {
  participants: [
    { user: 'a', name: 'Ada Lovelace', email: 'a@x', color: 0, present: true },
    { user: 'b', name: 'Ben', color: 1, present: true },
  ],
};
const at = (sender, number, latitude, longitude) => ({ sender, number, time: number, tag: 'Location', data: { latitude, longitude } });
const options = { all: false, own: 'a' };

test('changes turn the old set into the new one, whatever the two are', () => {
  for (let seed = 0; seed < 200; seed += 1) {
    const random = new SeededGenerator(seed);
    const set = () => new Map(Array.from({ length: random.below(12) }, () => {
      const key = `k${random.below(10)}`;
      return [key, { key, value: random.below(3) }];
    }));
    const [before, after] = [set(), set()];
    const { added, changed, removed } = keyedChanges(before, after, (a, b) => a.value === b.value);
    const result = new Map(before);
    for (const key of removed) assert.ok(result.delete(key));
    for (const item of added) assert.ok(!before.has(item.key));
    for (const item of changed) assert.notEqual(before.get(item.key).value, item.value);
    for (const item of [...added, ...changed]) result.set(item.key, item);
    const sorted = (map) => [...map.values()].sort((a, b) => a.key.localeCompare(b.key));
    assert.deepEqual(sorted(result), sorted(after), `seed ${seed}`);
  }
});

test('a source is told of what differs alone, and of everything where all is new', () => {
  const calls = [];
  const source = { setData: (data) => calls.push(['set', data.features.length]), updateData: (diff) => calls.push(['update', diff]) };
  const keyed = new KeyedSource({ isSame: (a, b) => a.v === b.v, feature: ({ key, v }) => ({ geometry: v, properties: { key } }) });
  const map = (...items) => new Map(items.map(([key, v]) => [key, { key, v }]));
  keyed.apply(map(['a', 1], ['b', 1]), source);
  keyed.apply(map(['a', 1], ['b', 2]), source);
  keyed.apply(map(['a', 1], ['b', 2]), source);
  keyed.apply(map(['c', 1]), source);
  assert.deepEqual(calls, [['set', 2],
    ['update', { add: [], update: [{ id: 'b', newGeometry: 2, addOrUpdateProperties: [{ key: 'key', value: 'b' }] }], remove: [] }], ['set', 1]]);
});

test('each person has one pin, at their last position, under their own key', () => {
  const messages = [at('a', 1, '1.000000', '2.000000'), at('b', 2, 3, 4), at('a', 3, '5.000000', '6.000000'), at('nobody', 4, 1, 1)];
  const { pins, trails } = chatAnnotations(chat, messages, options);
  assert.deepEqual([...pins.keys()], ['a', 'b']);
  assert.equal(pins.get('a').latitude, 5);
  assert.equal(pins.get('a').initials, 'AL');
  assert.equal(pins.get('a').own, true);
  assert.equal(trails.size, 0);
});

test('with all locations each has a line in their color, and every position', () => {
  const messages = [at('a', 1, 1, 2), at('a', 2, 3, 4), at('b', 3, 5, 6)];
  const { pins, trails, stops } = chatAnnotations(chat, messages, { ...options, all: true });
  assert.deepEqual(trails.get('a'), { key: 'a', color: colorIn(chat, 'a'), points: [[2, 1], [4, 3]] });
  assert.equal(pins.size, 2);
  assert.deepEqual([...stops.keys()], ['a/1', 'a/2', 'b/3']);
});

test('a message without a position is skipped', () => {
  for (const data of [undefined, {}, { latitude: '', longitude: '1' }, { latitude: '91', longitude: '1' }, { latitude: 1, longitude: null }, { latitude: 'x', longitude: 1 }]) {
    assert.equal(coordinateOf({ data }), undefined);
  }
});

test('the time is the device’s, but not one from the future', () => {
  assert.equal(timeOf({ time: 1_000_000, data: { timestamp: 900_000 } }), 900_000);
  assert.equal(timeOf({ time: 1_000_000, data: { timestamp: 9_000_000 } }), 1_000_000);
  assert.equal(timeOf({ time: 1_000_000 }), 1_000_000);
});

test('a line over the antimeridian goes on, not around the earth', () => {
  assert.deepEqual(unfolded([[179, 0], [-179, 0], [179, 0]]), [[179, 0], [181, 0], [179, 0]]);
});

test('the extent is the smallest one, over the antimeridian too', () => {
  assert.equal(extentOf([]), undefined);
  assert.deepEqual(extentOf([{ latitude: 1, longitude: 2 }]), { west: 2, south: 1, east: 2, north: 1 });
  assert.deepEqual(extentOf([{ latitude: -18, longitude: 178 }, { latitude: -14, longitude: -171 }]), { west: 178, south: -18, east: 189, north: -14 });
  assert.deepEqual(extentOf([{ latitude: 0, longitude: -10 }, { latitude: 5, longitude: 30 }]), { west: -10, south: 0, east: 30, north: 5 });
});

test('a pin is the same only if it looks and stands the same', () => {
  const pin = { latitude: 1, longitude: 2, color: '#fff', name: 'A', initials: 'A', state: 'live', time: 1 };
  assert.ok(isSamePin(pin, { ...pin }));
  for (const change of [{ latitude: 2 }, { state: 'stale' }, { age: '4 min' }, { dot: 'quiet' }, { time: 2 }, { name: 'B' }]) assert.ok(!isSamePin(pin, { ...pin, ...change }));
});

test('the world answers, changes, and forgets who left while nobody looked', () => {
  const world = new World();
  assert.deepEqual(world.answer({ you: 'me', pins: [{ pin: 'a', at: '1,2' }, { pin: 'b' }], current: true }, true, 5), []);
  assert.equal(world.change({ type: 'pin', pin: 'b', at: '3.5,-4' }, 6), 'moved');
  assert.equal(world.change({ type: 'pin', pin: 'c' }, 7), 'came');
  assert.equal(world.change({ type: 'gone', pin: 'a' }, 8), 'left');
  assert.equal(world.change({ type: 'gone', pin: 'a' }, 8), undefined);
  const { pins } = worldAnnotations(world, { all: false, own: undefined });
  assert.deepEqual([...pins.keys()], ['b']);
  assert.deepEqual(world.answer({ you: 'me2', pins: [{ pin: 'c' }], current: true }, true, 9), ['b']);
});

test('a stranger’s line follows them with all locations', () => {
  const world = new World();
  world.answer({ you: 'me', pins: [{ pin: 'a', at: '1,2' }], current: true }, true, 1);
  world.change({ type: 'pin', pin: 'a', at: '1,3' }, 2);
  world.change({ type: 'pin', pin: 'a', at: '1,3' }, 3);
  assert.deepEqual(worldAnnotations(world, { all: true, own: undefined }).trails.get('a').points, [[2, 1], [3, 1]]);
});

test('colors are Swift’s: hues by the golden angle, darker and lighter in turns', () => {
  assert.deepEqual(participantColor(0), { hue: 210, saturation: 0.7, lightness: 0.42 });
  assert.ok(Math.abs(participantColor(1).hue - 347.50776405003785) < 1e-9);
  assert.equal(participantColor(12).saturation, 0.55);
  assert.equal(participantColor(36).lightness, 0.32);
  assert.deepEqual(participantColor(-3), participantColor(0));
  assert.equal(hexColor(0), '#206bb6');
});

test('no two of a hundred participants have the same color, and ink reads on each', () => {
  assert.equal(new Set(Array.from({ length: 100 }, (_, index) => hexColor(index))).size, 100);
  assert.equal(inkOn('#ffffff'), '#0d1117');
  assert.equal(inkOn('#206bb6'), '#ffffff');
});

test('initials are of the first and the last name', () => {
  assert.deepEqual(['Ada King Lovelace', 'ben', '  ', 'Ågot Ås', '👩‍🚀 X'].map(initials), ['AL', 'B', '?', 'ÅÅ', '👩X']);
});

test('times are told in the largest unit that fits', () => {
  const now = 1_764_000_000_000;
  const said = (seconds) => relativeTime(now - seconds * 1000, now, 'en');
  assert.deepEqual([1, 30, 60, 3599, 7200, 90_000].map(said), ['just now', 'moments ago', '1 minute ago', '59 minutes ago', '2 hours ago', 'yesterday']);
});
