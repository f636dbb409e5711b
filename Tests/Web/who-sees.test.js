import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedOf, runningOf, viewersOf } from '../../Web/app/sharing/who-sees.js';
import { seenSummary } from '../../Web/app/sharing/seen-summary.js';

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

const seen = (when, viewers, isWorld = false) => ({ isWorld, when, viewers });

test('people of a chat that isn’t known aren’t counted as nobody', () => {
  assert.equal(seenSummary([seen('before', undefined)]), 'Those in your chats can see where you were last.');
  assert.equal(seenSummary([seen('now', undefined), seen('now', ['a'])]), 'Those in your chats can see where you are.');
  assert.equal(seenSummary([seen('now', undefined), seen('now', [], true)]), 'The whole world can see where you are, and those in your chats know that it is you.');
});

test('each viewer is counted once, and only where they see the reader now', () => {
  assert.equal(seenSummary([seen('now', ['a', 'b']), seen('now', ['b', 'c']), seen('before', ['d'])]), '3 people can see where you are.');
  assert.equal(seenSummary([seen('before', ['a']), seen('before', ['a'])]), 'One person can see where you were last.');
  assert.equal(seenSummary([seen('now', ['a']), seen('now', [], true)]), 'The whole world can see where you are, and one person knows that it is you.');
});

test('before a position is found, and in the world without a connection, nobody is said to see', () => {
  assert.equal(seenSummary([seen('soon', ['a'])]), 'Nobody sees where you are before your position is found.');
  assert.equal(seenSummary([seen('never', [], true)]), 'Not shown in the world without a connection');
  assert.equal(seenSummary([]), '');
});
