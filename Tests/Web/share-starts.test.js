import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scope } from '../../Web/app/page/scope.js';

Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });
const { shareInWorld, startShare, stopShare, stopHere, stopStarts } = await import('../../Web/app/sharing/share-actions.js');
const { Starts } = await import('../../Web/app/sharing/starts.js');
const { EVERYWHERE } = await import('../../Web/app/sharing/share-record.js');

const HOUR = { end: 'hour', keep: 'kept' };
const turns = async () => { for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate); };

/** A page whose browser and server answer when the test says so. */
function scriptedPage() {
  const log = [];
  const asked = [];
  const sent = [];
  return {
    log, asked, sent, person: { scope: new Scope() },
    stream: { state: 'open', now: () => 1_000 },
    ownShares: {
      areKept: true, isKnown: true, newestStart: 0, stopped: () => [], in: () => undefined,
      start: (chat, _, signal) => new Promise((resolve, reject) => {
        sent.push({ chat, answer: () => resolve({ share: `s${chat}`, started: 1_000, until: 4_600 }) });
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
    },
    shareRecords: { newestStart: 0, wanted: [], stopping: [], isStopping: () => false },
    sharer: {
      isAllowed: () => new Promise((resolve) => { asked.push(resolve); }),
      start: async (chat) => { log.push(`starts ${chat}`); return { isKept: true, isKeptAtLast: Promise.resolve(true) }; },
      stop: (place, at) => log.push(`stops ${place} before ${at}`),
      isSharedIn: () => false, isPausedIn: () => false, tabs: { isHolder: true }, sharing: {},
    },
    stops: { forget() {}, send() {} },
    starts: new Starts(new Scope()),
    awaitedStart: { drop() {}, wait() {} },
    toasts: { say() {}, fail(error) { log.push(`fails ${error.message}`); } },
    nameOf: (place) => place, announce() {},
  };
}

test('a second tap while a start is under way does nothing', async () => {
  const page = scriptedPage();
  startShare(page, '1', HOUR);
  startShare(page, '1', HOUR);
  assert.equal(page.asked.length, 1);
  page.asked[0](true);
  await turns();
  startShare(page, '1', HOUR);
  assert.deepEqual(page.sent.map(({ chat }) => chat), ['1']);
  page.sent[0].answer();
  await turns();
  assert.deepEqual(page.log, ['starts 1']);
  assert.equal(page.starts.areUnderWay, false);
});

test('a start whose question is open is dropped by any stop, and the answer starts nothing', async () => {
  for (const stop of [(page) => stopShare(page, '2'), (page) => stopShare(page, '1'), stopHere, (page) => stopShare(page, EVERYWHERE)]) {
    const page = scriptedPage();
    startShare(page, '1', HOUR);
    stop(page);
    page.asked[0](true);
    await turns();
    assert.deepEqual(page.sent, []);
    assert.ok(!page.log.some((line) => line.startsWith('starts')), page.log.join());
    assert.equal(page.starts.areUnderWay, false);
  }
});

test('a start that the server was asked for is ended by any stop, although it begins after the tap', async () => {
  const page = scriptedPage();
  startShare(page, '1', HOUR);
  page.asked[0](true);
  await turns();
  stopShare(page, '2');
  page.sent[0].answer();
  await turns();
  assert.deepEqual(page.log, ['stops 2 before 1000', 'stops 1 before 11000']);
});

test('a stop in another tab drops the starts of this one, and ends what the server was asked for', async () => {
  const page = scriptedPage();
  startShare(page, '1', HOUR);
  startShare(page, '2', HOUR);
  page.asked[0](true);
  await turns();
  stopStarts(page);
  page.asked[1](true);
  page.sent[0].answer();
  await turns();
  assert.deepEqual(page.log, ['stops 1 before 11000']);
  assert.deepEqual(page.sent.map(({ chat }) => chat), ['1']);
});

test('after a stop the next tap starts', async () => {
  const page = scriptedPage();
  startShare(page, '1', HOUR);
  stopHere(page);
  startShare(page, '1', HOUR);
  page.asked[1](true);
  await turns();
  page.sent[0].answer();
  await turns();
  assert.deepEqual(page.log, ['starts 1']);
  // The browser answers the first question, too: a start that waits keeps its timer.
  page.asked[0](false);
  await turns();
});

test('a start whose question isn’t answered within two minutes says so, and the answer that comes later starts nothing', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const page = scriptedPage();
  startShare(page, '1', HOUR);
  context.mock.timers.tick(120_000);
  await turns();
  assert.equal(page.starts.areUnderWay, false);
  assert.equal(page.log.length, 1);
  assert.match(page.log[0], /^fails /);
  page.asked[0](true);
  await turns();
  assert.deepEqual([page.sent, page.log.length], [[], 1]);
});

test('a pin in the world whose question is open is given up by any stop', async () => {
  for (const stop of [(page) => stopShare(page, '2'), stopHere, (page) => stopShare(page, EVERYWHERE)]) {
    const page = scriptedPage();
    shareInWorld(page, () => true);
    stop(page);
    page.asked[0](true);
    await turns();
    assert.equal(page.log.some((line) => line.startsWith('starts')), false);
    shareInWorld(page, () => true);
    page.asked[1](true);
    await turns();
    assert.equal(page.log.at(-1), 'starts world');
  }
});
