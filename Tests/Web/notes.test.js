import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteText } from '../../Web/app/messages/note-text.js';

const naming = { own: '1', nameOf: (user) => ({ 1: 'Ada', 2: 'Mia', 3: 'Tom' })[user] ?? 'Somebody', timeOf: (time) => `${time} o’clock` };
const said = (tag, sender, data, content = '') => noteText({ chat: '7', number: 1, sender, tag, content, data, time: 0 }, naming);

test('every tag has its own line or none: a recall has none', () => {
  assert.equal(said('Recall', '2', { number: 3 }), undefined);
  assert.equal(said('Location', '2', { latitude: '1' }), undefined);
  assert.equal(said('SomethingOfAnApp', '2', {}), undefined);
  assert.equal(said('Leave', '2'), 'Mia left');
  assert.equal(said('Leave', '1'), 'You left');
  assert.equal(said('Join', '2', { users: ['2', '3'] }), 'Mia and Tom joined');
  assert.equal(said('Join', '2', { users: ['1'] }), 'You joined');
  assert.equal(said('Subject', '2', undefined, 'Sunday walk'), 'Mia named the chat “Sunday walk”');
  assert.equal(said('Subject', '1'), 'You took the chat’s name away');
  assert.equal(said('Subject', '2', { subjectLocked: true }, 'Sunday walk'), 'Only Mia can change the chat’s name now');
  assert.equal(said('Subject', '1', { subjectLocked: false }, 'Sunday walk'), 'You let everybody change the chat’s name');
  assert.equal(said('Subject', '2', { positions: 'day' }, 'Sunday walk'), 'Mia decided: positions are kept for one day');
  assert.equal(said('Subject', '1', { positions: 'forever' }), 'You decided: positions are kept for ever');
  assert.equal(said('Remove', '2', { user: '3' }), 'Mia removed Tom');
  assert.equal(said('Remove', '2', { user: '1' }), 'Mia removed you');
  assert.equal(said('Owner', '2', { user: '3' }), 'Tom is the owner now');
  assert.equal(said('Owner', '2', { user: '1' }), 'You are the owner now');
});

test('a share says who, what and until when, and never a guessed he or she', () => {
  assert.equal(said('Share', '2', { state: 'started', until: 15 }), 'Mia shares until 15 o’clock');
  assert.equal(said('Share', '2', { state: 'started', until: null }), 'Mia shares, without an end time');
  assert.equal(said('Share', '1', { state: 'started', until: 15 }), 'You share until 15 o’clock');
  assert.equal(said('Share', '2', { state: 'changed', until: 16 }), 'Mia now shares until 16 o’clock');
  assert.equal(said('Share', '2', { state: 'stopped', until: 16 }), 'Mia stopped sharing');
  assert.equal(said('Share', '2', { state: 'expired', until: 16 }), 'Mia’s sharing ended');
  assert.equal(said('Share', '2', { state: 'expired', arrived: true }), 'Mia arrived');
  assert.equal(said('Share', '2', { state: 'of a newer server' }), undefined);
});

test('a share that ends on arrival is never said to run until it is stopped', () => {
  const note = (sender, data) => noteText({ chat: '7', number: 1, sender, tag: 'Share', content: '', data, time: 0 }, { ...naming, endsByArrival: (share) => share === '42' });
  assert.equal(note('2', { share: '42', state: 'started', until: null }), 'Mia shares until arriving');
  assert.equal(note('1', { share: '42', state: 'started', until: null }), 'You share until you arrive');
  for (const share of ['41', undefined]) for (const state of ['started', 'changed']) assert.doesNotMatch(note('2', { share, state, until: null }), /stop/);
});
