import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });
const { endMissing } = await import('../../Web/app/sharing/follow-shares.js');
const { OwnShares } = await import('../../Web/app/sharing/own-shares.js');

const turns = async () => { for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate); };
const share = (id) => ({ share: id, chat: 'c', user: '1', started: 500, until: null, keep: 'kept', freshness: { state: 'live', asOf: 500, gap: 15_000 } });

/** Own shares whose list the test sends, and a browser that shares in one chat. */
function scripted({ begun = 500 } = {}) {
  let live;
  const stream = { hello: { time: 1_000 }, now: () => 5_000, subscribe: (_, handlers) => { live = handlers; } };
  const ownShares = new OwnShares(stream);
  ownShares.follow();
  const ended = [];
  const record = { place: 'c', share: 's', begun };
  const shareRecords = { wanted: [record], get: () => record };
  const page = { ownShares, shareRecords, sharer: { end: (place) => ended.push(place) } };
  const asking = new Set();
  return {
    page, stream, ended, look: () => endMissing(page, asking),
    list: (shares, current = true) => live.answer({ shares, current }, true),
  };
}

let asked;
let listed;
beforeEach(() => {
  asked = 0;
  listed = [];
  globalThis.fetch = async () => {
    asked += 1;
    if (!listed) throw new TypeError('no answer');
    return new Response(JSON.stringify({ shares: listed }), { status: 200, headers: { 'Content-Type': 'application/json' } });
  };
});

test('a share that ended during an absence is reported for no more, once a second list hasn’t it either', async () => {
  const { list, look, ended } = scripted();
  list([]);
  look();
  look();
  await turns();
  assert.deepEqual([asked, ended], [1, ['c']]);
});

test('before a whole list has come nothing is missing', async () => {
  const { list, look, ended } = scripted();
  look();
  list([], false);
  look();
  await turns();
  assert.deepEqual([asked, ended], [0, []]);
});

test('a share that another server hasn’t heard of yet goes on', async () => {
  const { list, look, ended } = scripted();
  listed = [share('s')];
  list([]);
  look();
  await turns();
  assert.deepEqual([asked, ended], [1, []]);
});

test('a share that began after the list was asked for goes on', async () => {
  const { list, look, ended } = scripted({ begun: 1_500 });
  list([]);
  look();
  await turns();
  assert.deepEqual([asked, ended], [0, []]);
});

test('without an answer to the second question nothing ends, and the next list asks again', async () => {
  const { list, look, ended } = scripted();
  listed = undefined;
  list([]);
  look();
  await turns();
  assert.deepEqual(ended, []);
  listed = [];
  list([]);
  look();
  await turns();
  assert.deepEqual(ended, ['c']);
});

/** Own shares that ask a server which answers when the test says so. */
function asking() {
  let live, answer;
  const stream = {
    hello: { time: 100 }, state: 'open', now: () => 5_000, cancel() {}, subscribe: (_, handlers) => { live = handlers; },
    request: () => new Promise((resolve) => { answer = resolve; }),
  };
  const ownShares = new OwnShares(stream);
  ownShares.follow();
  live.answer({ shares: [], current: true }, true);
  return {
    ownShares, stream, start: () => ownShares.start('c', { keep: 'kept' }, new AbortController().signal),
    answer: async (frame) => { answer(frame); await turns(); },
    change: (...shares) => live.change({ shares }), list: (...shares) => live.answer({ shares, current: true }, true),
  };
}

test('a share whose end comes before the answer of its start doesn’t run', async () => {
  const { ownShares, start, answer, change } = asking();
  start();
  change(share('s'));
  change({ ...share('s'), freshness: { state: 'ended', asOf: 600, gap: 15_000 } });
  await answer({ share: share('s') });
  assert.deepEqual(ownShares.running, []);
});

test('a share that ended while its start was asked for again, on a later connection, doesn’t run', async () => {
  const { ownShares, stream, start, answer, list } = asking();
  start();
  stream.hello = { time: 1_000 };
  list();
  await answer({ share: share('s') });
  assert.deepEqual(ownShares.running, []);
});

test('a share whose start is answered before the changes have it runs', async () => {
  const { ownShares, start, answer } = asking();
  start();
  await answer({ share: share('s') });
  assert.deepEqual(ownShares.running.map(({ share: id }) => id), ['s']);
});

test('an extension that is answered after the share’s end makes it run no more', async () => {
  const { ownShares, answer, change } = asking();
  change(share('s'));
  ownShares.extend(share('s'), 9_000);
  change({ ...share('s'), freshness: { state: 'ended', asOf: 600, gap: 15_000 } });
  await answer({ share: { ...share('s'), until: 9_000 } });
  assert.deepEqual(ownShares.running, []);
});
