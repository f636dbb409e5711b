import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedOf, runningOf, viewersOf } from '../../Web/app/sharing/who-sees.js';

const share = (chat) => ({ share: `s${chat}`, chat });

test('the world comes first, then each share, and what this browser shares without one', () => {
  assert.deepEqual(runningOf([share('2'), share('1')], ['1', '3', 'world']), [
    { place: 'world', isHere: true }, { place: '2', share: share('2'), isHere: false },
    { place: '1', share: share('1'), isHere: true }, { place: '3', isHere: true },
  ]);
  assert.deepEqual(runningOf([], []), []);
});

test('before the server has said what runs, what paused here is a row', () => {
  assert.deepEqual(runningOf([], [], { paused: ['1'] }), [{ place: '1', isHere: true, state: 'paused' }]);
});

test('a share that paused here and one whose stop waits are seen still', () => {
  assert.deepEqual(runningOf([share('2'), share('1')], [], { paused: ['1'], stopping: [share('3')] }), [
    { place: '2', share: share('2'), isHere: false }, { place: '1', share: share('1'), isHere: true, state: 'paused' },
    { place: '3', share: share('3'), isHere: true, state: 'stopping' },
  ]);
});

test('viewers are all who are in the chat but the reader', () => {
  const chat = { participants: [{ user: 'a', present: true }, { user: 'b', present: true }, { user: 'c', present: false }] };
  assert.deepEqual(viewersOf(chat, 'a').map(({ user }) => user), ['b']);
  assert.deepEqual(viewersOf(undefined, 'a'), []);
});

test('five are named, of more four and the number of the others', () => {
  const people = (count) => Array.from({ length: count }, (_, index) => ({ name: `n${index}` }));
  assert.deepEqual(namedOf(people(5)), { names: ['n0', 'n1', 'n2', 'n3', 'n4'], more: 0 });
  assert.deepEqual(namedOf(people(6)), { names: ['n0', 'n1', 'n2', 'n3'], more: 2 });
});
