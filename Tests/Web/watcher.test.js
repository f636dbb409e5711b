import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { peopleSeen } from '../../Web/app/chats/people-seen.js';
import { Watcher } from '../../Web/app/freshness/watcher.js';
import { browserShelf } from '../../Web/app/storage/shelf.js';

const KEPT = 'yonder.tell';
const ben = (state) => ({ user: '2', name: 'Ben', person: { state } });

function watcherOf(owner) {
  const told = [];
  const watcher = new Watcher((text) => told.push(text));
  watcher.begin(owner);
  return { watcher, told };
}

beforeEach(() => browserShelf.remove(KEPT));

test('somebody who shares in one chat and stopped in another is told of once, when they stop in the last', () => {
  const { watcher, told } = watcherOf('1');
  watcher.set('2', true);
  for (let look = 0; look < 5; look += 1) watcher.look(() => [ben('live'), ben('ended')]);
  for (let look = 0; look < 5; look += 1) watcher.look(() => [ben('ended'), ben('live')]);
  assert.deepEqual(told, []);
  for (let look = 0; look < 5; look += 1) watcher.look(() => [ben('ended'), ben('ended')]);
  assert.deepEqual(told, ['Ben stopped sharing']);
});

test('one person’s wishes are told to nobody else', () => {
  const { watcher, told } = watcherOf('1');
  watcher.set('2', true);
  watcher.look(() => [ben('live')]);
  watcher.begin('3');
  assert.equal(watcher.has('2'), false);
  watcher.look(() => [ben('ended')]);
  watcher.begin(undefined);
  watcher.look(() => [ben('live')]);
  assert.deepEqual(told, []);
});

test('the same person is told after a reload, also by what an older page kept', () => {
  watcherOf('1').watcher.set('2', true);
  assert.equal(watcherOf('1').watcher.has('2'), true);
  assert.equal(watcherOf('3').watcher.has('2'), false);
  browserShelf.put(KEPT, '["2"]');
  assert.equal(watcherOf('1').watcher.has('2'), true);
});

test('of somebody one of whose chats isn’t answered yet nothing is told, and nothing untrue once it is', () => {
  const { watcher, told } = watcherOf('1');
  watcher.set('2', true);
  const chat = (id, state) => ({ chat: { id, participants: [{ user: '2', name: 'Ben' }] }, live: { isCurrent: true, person: () => ({ state }) } });
  const [old, present] = [chat('a', 'ended'), chat('b', 'live')];
  const look = () => watcher.look(() => peopleSeen([old, present], 0));
  present.live.isCurrent = false;
  look();
  present.live.isCurrent = true;
  look();
  // A new connection answers one chat after the other.
  for (const each of [old, present]) each.live.isCurrent = false;
  for (const each of [old, present]) {
    each.live.isCurrent = true;
    look();
  }
  assert.deepEqual(told, []);
  old.live.person = present.live.person = () => ({ state: 'ended' });
  look();
  assert.deepEqual(told, ['Ben stopped sharing']);
});

test('wishes of two tabs are kept together', () => {
  const [one, two] = [watcherOf('1').watcher, watcherOf('1').watcher];
  one.set('2', true);
  two.set('3', true);
  const after = watcherOf('1').watcher;
  assert.deepEqual([after.has('2'), after.has('3')], [true, true]);
});

test('nobody is looked at where nobody is watched', () => {
  watcherOf('1').watcher.look(() => assert.fail('asked for people'));
});
