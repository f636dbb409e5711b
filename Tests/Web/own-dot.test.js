import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addOwnDot, OWN_DOT } from '../../Web/app/map/own-dot.js';

const VADUZ = { latitude: '47.141000', longitude: '9.521000', time: 5, accuracy: 8 };
const own = () => ({ key: '1', latitude: 47.22, longitude: 9.53, color: '#123456', initials: 'A', name: 'Anna', own: true, state: 'live', age: 'now', time: 4 });
const known = (fields) => ({ user: { id: '1', name: 'Anna' }, fix: VADUZ, isOfOtherDevice: false, isPaused: false, isSeen: false, ...fields });

test('where another device shares stands the reader’s face, and here a dot that isn’t red', () => {
  const pins = new Map([['1', own()]]);
  assert.equal(addOwnDot(pins, known({ isOfOtherDevice: true })), OWN_DOT);
  assert.deepEqual([pins.get('1').latitude, pins.get('1').dot, pins.get('1').initials, pins.get('1').age], [47.22, undefined, 'A', 'now · from another device']);
  assert.deepEqual([pins.get(OWN_DOT).latitude, pins.get(OWN_DOT).dot], [47.141, 'quiet']);
});

test('where nothing is known of this device, another one’s share leaves a face and no dot', () => {
  const pins = new Map([['1', own()]]);
  addOwnDot(pins, known({ fix: undefined, isOfOtherDevice: true }));
  assert.deepEqual([[...pins.keys()], pins.get('1').dot], [['1'], undefined]);
});

test('the dot is red where others see this device, beside another one’s share, too', () => {
  const pins = new Map([['1', own()]]);
  assert.equal(addOwnDot(pins, known({ isSeen: true })), '1');
  assert.deepEqual([pins.size, pins.get('1').dot, pins.get('1').latitude], [1, 'sharing', 47.141]);
  const both = new Map([['1', own()]]);
  addOwnDot(both, known({ isSeen: true, isOfOtherDevice: true }));
  assert.deepEqual([both.get('1').dot, both.get(OWN_DOT).dot], [undefined, 'sharing']);
});

test('a paused share’s dot isn’t red', () => {
  const pins = new Map([['1', own()]]);
  addOwnDot(pins, known({ isSeen: true, isPaused: true }));
  assert.equal(pins.get('1').dot, 'quiet');
  const without = new Map([['1', own()]]);
  addOwnDot(without, known({ fix: undefined, isPaused: true }));
  assert.deepEqual([without.get('1').dot, without.get('1').age], ['quiet', 'Your sharing is paused']);
});
