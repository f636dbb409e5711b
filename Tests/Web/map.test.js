import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BaseMap } from '../../Web/app/map/base-map.js';
import { Camera } from '../../Web/app/map/camera.js';
import { chatAnnotations, coordinateOf, timeOf, worldAnnotations } from '../../Web/app/map/annotations.js';
import { extentOf } from '../../Web/app/map/extent.js';
import { isSamePin, unfolded } from '../../Web/app/map/features.js';
import { firstPicture, pictureAround } from '../../Web/app/map/first-picture.js';
import { KeyedSource } from '../../Web/app/map/keyed-source.js';
import { keyedChanges } from '../../Web/app/map/keyed-changes.js';
import { lateMap } from '../../Web/app/map/late-map.js';
import { Opening } from '../../Web/app/map/opening.js';
import { colorIn, inkOn } from '../../Web/app/people/color.js';
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

test('ink reads on light and on dark', () => {
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

const place = (latitude, longitude, accuracy) => ({ latitude, longitude, ...(accuracy === undefined ? {} : { accuracy }) });
const [VADUZ, SCHAAN, OSLO] = [place(47.139, 9.521), place(47.165, 9.508), place(59.914, 10.752)];
const FAMILY = { west: 9.508, south: 47.139, east: 9.521, north: 47.165 };

test('the first picture is of everybody who shares now, near enough to read streets', () => {
  assert.deepEqual(firstPicture({ sharing: [VADUZ, SCHAAN], levels: 15 }), { bounds: FAMILY, zoomAtMost: 16 });
  assert.deepEqual(firstPicture({ sharing: [VADUZ], seen: [OSLO], levels: 15 }), { bounds: { west: 9.521, south: 47.139, east: 9.521, north: 47.139 }, zoomAtMost: 15 });
});

test('the reader is in the first picture of their people within 50 km of one of them, and not from farther away', () => {
  const near = firstPicture({ sharing: [VADUZ, SCHAAN], me: place(47.2, 9.52), levels: 15 });
  assert.deepEqual(near, { bounds: { ...FAMILY, north: 47.2 }, zoomAtMost: 16 });
  assert.deepEqual(firstPicture({ sharing: [VADUZ, SCHAAN], me: OSLO, levels: 15 }), { bounds: FAMILY, zoomAtMost: 16 });
});

test('where nobody shares, the first picture is of the reader, and without the reader of those who were seen last', () => {
  const { bounds, zoomAtMost } = firstPicture({ sharing: [], seen: [VADUZ], me: OSLO, levels: 15 });
  assert.equal(zoomAtMost, 17);
  assert.ok(Math.abs((bounds.north - bounds.south) * 111_320 - 500) < 1);
  assert.ok(Math.abs((bounds.east - bounds.west) * 111_320 * Math.cos((59.914 * Math.PI) / 180) - 500) < 1);
  assert.deepEqual(firstPicture({ sharing: [], seen: [VADUZ, SCHAAN], levels: 15 }), { bounds: FAMILY, zoomAtMost: 16 });
  assert.equal(firstPicture({ sharing: [], levels: 15 }), undefined);
});

test('the first picture has all of the circle that a coarse position may be in', () => {
  const { bounds } = firstPicture({ sharing: [], me: place(59.914, 10.752, 2_000), levels: 15 });
  assert.ok(Math.abs((bounds.north - bounds.south) * 111_320 - 4_000) < 1);
});

test('no picture is nearer than the map has tiles for and two levels', () => {
  assert.equal(firstPicture({ sharing: [VADUZ, SCHAAN], levels: 6 }).zoomAtMost, 8);
  assert.equal(firstPicture({ sharing: [], me: VADUZ, levels: 6 }).zoomAtMost, 8);
  assert.equal(pictureAround(VADUZ, 300, 6).zoomAtMost, 8);
  assert.equal(firstPicture({ sharing: [VADUZ], levels: 15, zoomAtMost: 5 }).zoomAtMost, 5);
});

const [first, second] = [{ bounds: FAMILY, zoomAtMost: 16 }, { bounds: FAMILY, zoomAtMost: 15 }];
const ready = (now, who) => ({ who, isReady: true, isSettled: true, now });

test('the first move waits until everybody is known, but not for long', () => {
  const opening = new Opening(0);
  assert.equal(opening.next(first, { who: 'a', isReady: false, isSettled: false, now: 900 }), undefined);
  assert.equal(opening.next(second, ready(1_000, 'a,b')), second);
  const slow = new Opening(0);
  assert.equal(slow.next(first, { who: 'a', isReady: false, isSettled: false, now: 1_600 }), first);
});

test('who is found soon after the first move moves the map again, and later nobody does', () => {
  const opening = new Opening(0);
  assert.equal(opening.next(undefined, ready(0, '')), undefined);
  assert.equal(opening.next(first, ready(60_000, 'a')), first);
  assert.equal(opening.next(first, ready(60_500, 'a')), undefined);
  assert.equal(opening.next(second, ready(61_000, 'a,b')), second);
  assert.equal(opening.next(first, ready(62_100, 'a,b,c')), undefined);
  assert.ok(opening.isOver);
});

test('the reader is waited for a while, where the browser looks for them', () => {
  const opening = new Opening(0);
  const awaited = (now, who) => ({ who, isReady: true, isSettled: false, now });
  assert.equal(opening.next(first, awaited(0, 'a')), first);
  assert.equal(opening.next(second, awaited(9_000, 'a,me')), second);
  assert.equal(opening.next(first, awaited(16_000, 'a,b,me')), undefined);
});

test('what a slow server says late still moves the map', () => {
  const opening = new Opening(0);
  assert.equal(opening.next(first, { who: 'a', isReady: false, isSettled: false, now: 1_600 }), first);
  assert.equal(opening.next(second, ready(60_000, 'a,b')), second);
  assert.equal(opening.next(first, ready(62_100, 'a,b,c')), undefined);
});

test('an opening that the reader ended moves the map no more', () => {
  const opening = new Opening(0);
  opening.end();
  assert.equal(opening.next(first, ready(10, 'a')), undefined);
});

/** A map that writes down how it is moved, as its library does: a change of the padding stops a move. */
function movedMap(now = () => 0) {
  const calls = [];
  const listeners = new Map();
  const map = {
    on: (event, listener) => listeners.set(event, listener), getZoom: () => 3,
    fitBounds: (_, { maxZoom }) => calls.push(`fit ${maxZoom}`), cameraForBounds: () => ({ zoom: 7 }), easeTo: ({ zoom }) => calls.push(`ease ${zoom}`), setPadding: ({ left }) => calls.push(`pad ${left}`),
    stop: () => {},
    zoomIn: () => calls.push('in'), zoomOut: () => calls.push('out'),
  };
  class LngLatBounds { extend() { return this; } }
  const camera = new Camera({ LngLatBounds }, map, () => 6, now);
  return { calls, camera, move: (event) => listeners.get('movestart')(event), end: () => listeners.get('moveend')({}) };
}
const padding = (left) => ({ top: 0, right: 0, bottom: 0, left });

test('a change of the padding makes the move that it stops again', () => {
  const { calls, camera } = movedMap();
  camera.pad(padding(1));
  camera.frame(first);
  camera.pad(padding(1));
  camera.pad(padding(2));
  assert.deepEqual(calls, ['pad 1', 'fit 16', 'pad 2', 'fit 16']);
});

test('a change of the padding makes a move again until two seconds after its end, however long it took', () => {
  let now = 0;
  const { calls, camera, end } = movedMap(() => now);
  camera.frame(first);
  now = 60_000;
  camera.pad(padding(1));
  end();
  now += 1_999;
  end();
  camera.pad(padding(2));
  end();
  now += 2_001;
  camera.pad(padding(3));
  assert.deepEqual(calls, ['fit 16', 'pad 1', 'fit 16', 'pad 2', 'fit 16', 'pad 3']);
});

test('a change of the padding leaves the map alone once the reader has moved it', () => {
  const { calls, camera, move } = movedMap();
  camera.frame(first);
  move({ originalEvent: { type: 'mousedown' } });
  camera.pad(padding(2));
  camera.frame(second);
  move({});
  camera.zoom(1);
  camera.pad(padding(3));
  assert.deepEqual(calls, ['fit 16', 'pad 2', 'fit 15', 'in', 'pad 3']);
  assert.equal(camera.moves, 2);
});

test('a place is brought into the middle, nearer where it is far, and with a stretch around it', () => {
  const { calls, camera } = movedMap();
  camera.center(VADUZ, 15);
  camera.center(VADUZ, 2);
  camera.around(VADUZ, 500);
  assert.deepEqual(calls, ['ease 15', 'ease 3', 'ease 7']);
});

test('a map that comes late is padded before it is moved', async () => {
  const calls = [];
  const making = Promise.resolve(new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : () => calls.push(name)) }));
  const map = lateMap(making);
  map.show();
  map.frame(first);
  map.setPadding({}, {});
  await making;
  assert.deepEqual(calls, ['setPadding', 'show', 'frame']);
});

test('a map says that there are no streets only when the server has said so', async (context) => {
  const offers = [Response.error(), Response.json({ sources: [], towns: true, style: false, origins: [] })];
  context.mock.method(globalThis, 'fetch', async () => offers.shift());
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const changes = [];
  const base = await new Promise((resolve) => {
    const made = new BaseMap(() => { changes.push([made.streetsAt(VADUZ), made.levelsAt(VADUZ)]); resolve(made); });
    assert.deepEqual([made.streetsAt(VADUZ), made.levelsAt(VADUZ)], ['unknown', undefined]);
  });
  context.mock.timers.tick(15_000);
  while (changes.length < 2) await Promise.resolve();
  assert.deepEqual(changes, [['unknown', 6], ['none', 9]]);
  assert.equal(base.streetsAt(VADUZ), 'none');
});
