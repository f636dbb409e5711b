import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayAnnotations } from '../../Web/app/history/day-annotations.js';
import { stepped } from '../../Web/app/history/day-slider.js';
import { dayTrack } from '../../Web/app/history/day-track.js';
import { dayOf, metersBetween, piecesOf, positionAt } from '../../Web/app/history/day.js';

const MINUTE = 60_000;

/** Positions at minutes, so many hundred meters north of the first. */
function walk(...steps) {
  return steps.map(([minute, hundreds]) => ({ time: minute * MINUTE, latitude: 47 + hundreds * 0.0009, longitude: 9.5 }));
}

test('a day is in pieces: on the way, in a place, and unheard of', () => {
  const pieces = piecesOf(walk([0, 0], [1, 2], [2, 4], [30, 4], [31, 6], [60, 30], [61, 32]));
  assert.deepEqual(pieces.map(({ kind, from, to }) => [kind, from / MINUTE, to / MINUTE]), [
    ['moving', 0, 2], ['staying', 2, 30], ['moving', 30, 31], ['silent', 31, 60], ['moving', 60, 61],
  ]);
  assert.equal(Math.round(pieces[0].meters / 10) * 10, 400);
});

test('a phone that stays and sends little is in a place, and a short rest is part of the way', () => {
  assert.deepEqual(piecesOf(walk([0, 0], [5, 0.2], [40, 0.1])).map(({ kind }) => kind), ['staying']);
  assert.deepEqual(piecesOf(walk([0, 0], [1, 3], [6, 3], [7, 6])).map(({ kind }) => kind), ['moving']);
  assert.deepEqual(piecesOf([]), []);
  assert.deepEqual(piecesOf(walk([0, 0])), []);
});

test('between two positions somebody is on the line between them', () => {
  const positions = walk([0, 0], [10, 10]);
  assert.equal(positionAt(positions, 5 * MINUTE).latitude.toFixed(4), '47.0045');
  assert.equal(positionAt(positions, -1), positions[0]);
  assert.equal(positionAt(positions, 99 * MINUTE), positions[1]);
});

test('an arrow key goes from position to position', () => {
  const positions = walk([0, 0], [10, 10], [20, 20]);
  assert.equal(stepped(positions, 5 * MINUTE, 1), 10 * MINUTE);
  assert.equal(stepped(positions, 10 * MINUTE, -1), 0);
  assert.equal(stepped(positions, 20 * MINUTE, 1), 20 * MINUTE);
});

test('a degree of latitude is 111 km', () => {
  assert.equal(Math.round(metersBetween({ latitude: 0, longitude: 0 }, { latitude: 1, longitude: 0 }) / 1000), 111);
});

test('days follow each other without a gap, also where the clock changes', () => {
  const time = new Date(2026, 9, 25, 12).getTime();
  assert.equal(dayOf(time, -1).to, dayOf(time).from);
  assert.equal(new Date(dayOf(time).from).getHours(), 0);
});

test('a long day is put together of several answers, with the greatest deviation of all', async () => {
  const asked = [];
  const answers = [
    { tracks: [{ user: '5', deviation: 90, points: [[1, 9, 9]] }, { user: '4', deviation: 2, points: [[3, 47, 9], [5, 48, 9]] }], next: 700 },
    { tracks: [{ user: '4', deviation: 12.5, points: [[4, 47.5, 9]] }] },
  ];
  const { positions, deviation } = await dayTrack('9', '4', { from: 0, to: 10 }, async (_, path) => { asked.push(path); return answers[asked.length - 1]; });
  assert.deepEqual(positions.map(({ time, latitude }) => [time, latitude]), [[3, 47], [4, 47.5], [5, 48]]);
  assert.equal(deviation, 12.5);
  assert.deepEqual(asked, ['/chats/9/tracks?sender=4&from=0&to=10&tolerance=5', '/chats/9/tracks?sender=4&from=0&to=10&tolerance=5&since=700']);
});

test('a day on the map has a ring at each stop, dots where nothing was heard, and the person at a time', () => {
  const positions = walk([0, 0], [1, 2], [2, 4], [30, 4], [31, 6], [60, 30]);
  const pieces = piecesOf(positions);
  const person = { user: '4', name: 'Ben Ohm' };
  const at = dayAnnotations({ person, color: '#336699', positions, pieces, nameOf: () => 'Städtle, Vaduz' });
  const { pins, trails, stops } = at(MINUTE / 2);
  assert.equal(pins.get('4').latitude.toFixed(4), '47.0009');
  assert.deepEqual([...stops.values()].map(({ ring, latitude }) => [ring.split('\n')[0], latitude.toFixed(4)]), [['Städtle, Vaduz', '47.0036']]);
  assert.deepEqual([...trails.values()].map(({ pieces: parts }) => parts?.[0].isGap ?? false), pieces.map(({ kind }) => kind === 'silent'));
  assert.equal(at(0).trails, trails, 'the line is the same at each time, so that only the pin is drawn anew');
});
