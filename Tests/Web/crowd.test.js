import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arcsOf } from '../../Web/app/map/cluster-image.js';
import { besideDots, fanned, joined, levelsUntilParted } from '../../Web/app/map/crowd.js';
import { piecesOf } from '../../Web/app/map/features.js';
import { labelsOf } from '../../Web/app/map/labels.js';
import { RecentLines } from '../../Web/app/map/recent-lines.js';
import { SplitSource } from '../../Web/app/map/split-source.js';
import { colorOf, colorOfHue, hueOf } from '../../Web/app/people/color.js';
import { SeededGenerator } from './seeded-generator.js';

const person = (key, x, y, state = 'live', fields = {}) => ({ key, x, y, state, name: key, color: '#000000', initials: key, latitude: 0, longitude: 0, own: false, ...fields });
const nobody = () => false;

test('heads closer than 36 pixels join, others don’t, and nobody is lost', () => {
  assert.deepEqual(joined([person('a', 0, 0), person('b', 35, 0)], nobody).map(({ members }) => members.length), [2]);
  assert.equal(joined([person('a', 0, 0), person('b', 37, 0)], nobody).length, 2);
  for (let seed = 0; seed < 50; seed += 1) {
    const random = new SeededGenerator(seed);
    const people = Array.from({ length: 60 }, (_, index) => person(`p${index}`, random.below(400), random.below(400)));
    const marks = joined(people, nobody);
    assert.deepEqual(marks.flatMap(({ members }) => members.map(({ key }) => key)).sort(), people.map(({ key }) => key).sort());
    for (const a of marks) for (const b of marks) if (a !== b && a.members.length === 1 && b.members.length === 1) assert.ok(Math.hypot(a.x - b.x, a.y - b.y) >= 36);
  }
});

test('oneself is never in a cluster, and moving the map never regroups', () => {
  const people = [person('a', 0, 0), person('b', 10, 0), person('me', 5, 0, 'live', { dot: 'quiet' })];
  const keys = (marks) => marks.map(({ key }) => key).sort();
  const marks = joined(people, ({ dot }) => Boolean(dot));
  assert.deepEqual(keys(marks), ['cluster/a/b', 'me']);
  const moved = joined(people.map((each) => ({ ...each, x: each.x + 1234.5, y: each.y - 77 })), ({ dot }) => Boolean(dot));
  assert.deepEqual(keys(moved), keys(marks));
});

test('the reader’s dot never lies over a cluster’s number', () => {
  const dot = (x, y) => ({ key: 'me', x, y, members: [person('me', x, y, 'live', { dot: 'quiet' })] });
  const cluster = { key: 'cluster', x: 0, y: 0, members: [person('a', -5, 0), person('b', 5, 0)] };
  for (const [x, y] of [[0, 0], [3, 0], [-20, 12], [0, 37]]) {
    const { x: dx, y: dy } = besideDots(cluster, [dot(x, y)]);
    assert.ok(Math.abs(Math.hypot(dx - x, dy - y) - 38) < 1e-9, `${x}, ${y}`);
  }
  assert.deepEqual(besideDots(cluster, [dot(39, 0)]), { x: 0, y: 0 });
  assert.deepEqual(besideDots(cluster, []), { x: 0, y: 0 });
  // One person's pin points at their place and stays there.
  assert.deepEqual(besideDots({ ...cluster, members: [person('a', 0, 0)] }, [dot(0, 0)]), { x: 0, y: 0 });
});

test('a fan keeps its heads apart, and a zoom parts whoever isn’t at one point', () => {
  for (const count of [2, 3, 8, 12]) {
    const points = fanned(count);
    assert.equal(points.length, count);
    for (const a of points) for (const b of points) if (a !== b) assert.ok(Math.hypot(a.x - b.x, a.y - b.y) > 48, String(count));
  }
  assert.equal(levelsUntilParted([person('a', 1, 1), person('b', 1, 1)]), Infinity);
  assert.ok(levelsUntilParted([person('a', 0, 0), person('b', 10, 0)]) > 2);
});

test('an arc a person up to eight, then one by state', () => {
  const members = (count) => Array.from({ length: count }, (_, index) => person(String(index), 0, 0, index === 0 ? 'live' : index === 1 ? 'ended' : 'stale'));
  assert.equal(arcsOf(members(8)).length, 8);
  assert.deepEqual(arcsOf(members(8)).map(({ dashes }) => dashes.length > 0), [false, ...Array(7).fill(true)]);
  assert.equal(arcsOf(members(9)).length, 3);
});

const mark = (each, fields = {}) => ({ key: each.key, x: each.x, y: each.y, members: [each], under: 5, name: each.key, age: '4 min', ...fields });
const view = (fields = {}) => ({ zoom: 15, free: { left: 0, top: 0, right: 400, bottom: 800 }, sizeOf: (name, age) => ({ width: 8 * (name.length + age.length) + 14, height: 20 }), selected: undefined, ...fields });

test('where labels touch, the worse state’s age goes first, then its name', () => {
  const live = mark(person('Mia', 100, 100));
  const worse = (x) => mark(person('Tom', x, 100, 'stale'));
  assert.deepEqual(labelsOf([worse(180), live], view()).get('Tom'), { name: 'Tom', age: '4 min', shift: 0 });
  assert.deepEqual(labelsOf([worse(160), live], view()).get('Tom'), { name: 'Tom', age: '', shift: 0 });
  assert.equal(labelsOf([worse(145), live], view()).get('Tom'), undefined);
  assert.equal(labelsOf([worse(145), live], view()).get('Mia').age, '4 min');
});

test('a label never hides a head, and stays 8 pixels inside the free map', () => {
  const above = mark(person('Mia', 100, 100));
  assert.equal(labelsOf([above, mark(person('Tom', 100, 150))], view()).get('Mia'), undefined);
  assert.equal(labelsOf([mark(person('Mia', 20, 100))], view()).get('Mia').shift, 8 + 78 / 2 - 20);
});

test('farther out than zoom 13 and with more than eight, only stale or worse show their age', () => {
  const many = Array.from({ length: 9 }, (_, index) => mark(person(`p${index}`, 40 + index * 100, 100, index === 3 ? 'stale' : 'live')));
  const wide = { free: { left: 0, top: 0, right: 2_000, bottom: 800 } };
  assert.deepEqual([...labelsOf(many, view({ zoom: 12, ...wide }))].map(([key, { name, age }]) => [key, name, age]), [['p3', '', '4 min']]);
  assert.equal(labelsOf(many.slice(0, 8), view({ zoom: 12, ...wide })).size, 8);
  assert.equal(labelsOf(many, view({ zoom: 13, ...wide })).size, 9);
});

test('a person’s color is never red', () => {
  assert.equal(hueOf({ hue: 7 }, 'x'), 26);
  assert.equal(hueOf({ hue: 355 }, 'x'), 339);
  assert.equal(colorOf({ hue: 200 }, 'whoever'), colorOfHue(200));
});

test('a line of the last hour has four ages, and a gap is dotted', () => {
  const lines = new RecentLines();
  const now = 100 * 3_600_000;
  for (let minute = 59; minute >= 0; minute -= 1) if (minute < 20 || minute > 32) lines.add('a', { latitude: minute / 1000, longitude: 0, time: now - minute * 60_000 });
  const pieces = lines.pieces('a', now);
  assert.deepEqual(pieces.map(({ opacity, isGap = false }) => [opacity, isGap]), [[0.35, false], [0.55, false], [0.8, true], [0.8, false], [1, false]]);
  assert.equal(lines.pieces('a', now + 1_000), pieces, 'the same pieces while nothing is different');
  assert.equal(lines.pieces('a', now + 2 * 3_600_000).length, 0);
});

test('lines of two shares aren’t joined', () => {
  const lines = new RecentLines();
  const now = 100 * 3_600_000;
  const add = (minute, latitude, share) => lines.add('a', { latitude, longitude: 0, time: now - minute * 60_000, share });
  for (const minute of [10, 9, 8]) add(minute, 47.1 + minute / 1000, '1');
  for (const minute of [7, 6]) add(minute, 47.2 + minute / 1000, '2');
  add(8.5, 47.1085, '1');
  const drawn = lines.pieces('a', now).map(({ points }) => points.map(([, latitude]) => Math.floor(latitude * 10) / 10));
  assert.deepEqual(drawn, [[47.1, 47.1, 47.1, 47.1], [47.2, 47.2]]);
});

test('two shares that run at once have a line each, and each keeps its ends', () => {
  const lines = new RecentLines();
  const now = 100 * 3_600_000;
  for (let second = 60; second >= 0; second -= 1) {
    const [share, place] = second % 2 ? ['1', 47.1] : ['2', 47.2];
    lines.add('a', { latitude: place - second / 100_000, longitude: 0, time: now - second * 1_000, share });
  }
  const drawn = lines.pieces('a', now).map(({ points }) => points.map(([, latitude]) => latitude));
  const places = drawn.map((points) => [...new Set(points.map((latitude) => (latitude > 47.15 ? '2' : '1')))]);
  assert.deepEqual(places, [['2'], ['1']]);
  assert.deepEqual(drawn.map((points) => [points[0], points.at(-1)]), [[47.2 - 60 / 100_000, 47.2], [47.1 - 59 / 100_000, 47.1 - 1 / 100_000]]);
  assert.ok(drawn.every(({ length }) => length < 10), 'near points are joined within their share');
});

test('lines are bounded, however many shares there are', () => {
  const lines = new RecentLines();
  const now = 100 * 3_600_000;
  for (let second = 3_000; second >= 0; second -= 1) lines.add('a', { latitude: 47 + second / 1_000, longitude: 0, time: now - second * 1_000, share: `${second >> 1}` });
  const count = lines.pieces('a', now).reduce((sum, { points }) => sum + points.length, 0);
  assert.ok(count > 100 && count <= 400, `${count}`);
});

test('a line that grows hands the map its last piece alone', () => {
  const trail = (count) => ({ key: 'a', color: '#000000', points: Array.from({ length: count }, (_, index) => [index, 0]) });
  const pieces = new SplitSource({ isSame: (a, b) => a.points.length === b.points.length, feature: ({ key }) => ({ key, properties: {} }) });
  const byKey = (count) => new Map(piecesOf(trail(count)).map((piece) => [piece.key, piece]));
  const calls = [];
  const source = (name) => ({ setData: ({ features }) => calls.push([name, features.length]), updateData: ({ add, update }) => calls.push([name, add.length, update.length]) });
  pieces.apply(byKey(1_000), source('old'), source('fresh'));
  pieces.apply(byKey(1_001), source('old'), source('fresh'));
  pieces.apply(byKey(1_002), source('old'), source('fresh'));
  assert.deepEqual(calls, [['old', 16], ['fresh', 0], ['fresh', 1, 0], ['old', 15], ['fresh', 0, 1]]);
});
