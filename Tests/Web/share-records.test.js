import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mock, test } from 'node:test';
import { FakeDatabase, FAULTS, nextTurn } from './fake-database.js';
import { SeededGenerator } from './seeded-generator.js';
import { Store } from '../../Web/app/storage/store.js';
import { emptyRecord, ended, EVERYWHERE, laterOf, reportedAt, started, stopped, stops, told } from '../../Web/app/sharing/share-record.js';
import { Scope } from '../../Web/app/page/scope.js';

mock.timers.enable({ apis: ['setTimeout'] });
const listeners = [];
globalThis.addEventListener = (name, listener) => listeners.push([name, listener]);
/** The channels of all tabs; what they post is delivered when the test says so, each message late or early. */
const channels = [];
const posted = [];
globalThis.BroadcastChannel = class {
  constructor() { channels.push(this); }
  close() { channels.splice(channels.indexOf(this), 1); }
  postMessage(data) { for (const each of channels) if (each !== this && each.onmessage) posted.push(() => each.onmessage({ data: structuredClone(data) })); }
};
const { ShareRecords } = await import('../../Web/app/sharing/share-records.js');
const { Stops } = await import('../../Web/app/sharing/stops.js');

const fresh = () => emptyRecord('7', '1');
const start = (record, share = '42') => started(record, { share, reported: 0 });

async function quiet() {
  do {
    while (posted.length > 0) posted.shift()();
    for (let turn = 0; turn < 40; turn += 1) await nextTurn();
  } while (posted.length > 0);
}

let scopes = [];

/** Tabs of one browser, over one database. */
async function tabs(count, database = new FakeDatabase()) {
  channels.length = posted.length = 0;
  globalThis.indexedDB = database;
  scopes = Array.from({ length: count }, () => new Scope());
  const all = scopes.map((scope) => new ShareRecords(new Store(), scope));
  for (const each of all) each.begin('7');
  await quiet();
  return all;
}

test('a stop holds against whatever another tab knew before it', () => {
  const shared = start(fresh());
  const over = stopped(shared, 5);
  assert.equal(laterOf(shared, over), over);
  assert.equal(laterOf(over, start(start(shared))), over);
  const again = start(over);
  assert.equal(laterOf(over, again), again);
  assert.deepEqual([again.isWanted, again.stopping], [true, undefined]);
});

test('of two changes at once the start holds', () => {
  const before = stopped(start(fresh()), 5);
  const [heard, again] = [told(before, 5), start(before)];
  assert.equal(laterOf(heard, again), again);
  assert.equal(laterOf(again, heard), again);
});

test('a stop waits until the server was told that one or a later one', () => {
  const waiting = stopped(start(fresh()), 5);
  assert.equal(told(waiting, 4).stopping, 5);
  assert.equal(told(waiting, 5).stopping, undefined);
  assert.equal(stopped(start(told(waiting, 5)), undefined).stopping, undefined);
});

test('a stop means what began before it, in its chat or everywhere', () => {
  const waiting = stopped(fresh(), 5);
  assert.equal(stops(waiting, { chat: '1', started: 5 }), true);
  assert.equal(stops(waiting, { chat: '1', started: 6 }), false);
  assert.equal(stops(waiting, { chat: '2', started: 5 }), false);
  assert.equal(stops(stopped(emptyRecord('7', EVERYWHERE), 5), { chat: '2', started: 5 }), true);
  assert.equal(stops(ended(start(fresh())), { chat: '1', started: 0 }), false);
});

test('a stop is told in the other tabs, once, and not in the tab that stopped; a start is told in none', async () => {
  const [one, two] = await tabs(2);
  const told = [];
  one.onStopped = () => told.push('one');
  two.onStopped = () => told.push('two');
  one.start('1', { share: '42', reported: 0 });
  await quiet();
  assert.deepEqual(told, []);
  one.stop(EVERYWHERE, 5);
  await quiet();
  one.told(EVERYWHERE, 5);
  await quiet();
  assert.deepEqual(told, ['two']);
});

test('in whatever order tabs hear of each other, what was done last is what all of them believe', async () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const random = new SeededGenerator(seed);
    const all = await tabs(3);
    let isWanted = false;
    for (let step = 0; step < 30; step += 1) {
      const tab = all[random.below(3)];
      const act = random.below(5);
      if (act === 0) {
        await quiet();
        tab.start('1', { share: String(step) });
        isWanted = true;
      } else if (act === 1) {
        tab.stop('1', step);
        isWanted = false;
      } else if (act === 2) {
        // What a tab has heard counts: that a share goes on doesn't bring it back after a stop.
        tab.note('1', { reported: step });
      } else if (act === 3) {
        tab.told('1', step);
      } else if (posted.length > 0) {
        posted.splice(random.below(posted.length), 1)[0]();
      }
    }
    await quiet();
    const opened = new ShareRecords(new Store(), new Scope());
    opened.begin('7');
    await quiet();
    for (const each of [...all, opened]) assert.equal(each.wanted.length > 0, isWanted, `seed ${seed}`);
  }
});

test('without a database the channel alone is what tabs share, and a start says that it would not go on', async () => {
  for (const fault of FAULTS) {
    const [one, two] = await tabs(2, new FakeDatabase({ fault, times: Infinity }));
    const starting = one.start('1', { share: '42' });
    mock.timers.tick(200);
    assert.equal((await starting).isKept, false, fault);
    await quiet();
    assert.equal(two.get('1')?.share, '42', fault);
    two.stop('1', 9);
    await quiet();
    assert.equal(one.wanted.length, 0, fault);
    assert.equal(one.stopping[0].stopping, 9, fault);
    mock.timers.tick(10_000);
  }
});

test('a share that is kept late would go on after a reload once it is kept', async () => {
  const [one] = await tabs(1);
  const starting = one.start('1', { share: '42' });
  // The database is slow: it answers after these 200 ms.
  mock.timers.tick(200);
  const { isKept, isKeptAtLast } = await starting;
  await quiet();
  assert.deepEqual([isKept, await isKeptAtLast], [false, true]);
});

test('how far the clock was off is known at the next opening, also after a stop', async () => {
  const database = new FakeDatabase();
  const [one] = await tabs(1, database);
  one.start('1', { share: '42', clock: 86_400_000, reported: 1 });
  one.start('2', { share: '43', clock: 86_400_500, reported: 2 });
  one.stop('2', 9);
  await quiet();
  const [opened] = await tabs(1, database);
  assert.equal(opened.clock, 86_400_500);
  // What goes on before the server has told its time keeps what was known.
  opened.start('1', { share: '42', reported: 3 });
  assert.equal(opened.clock, 86_400_000);
});

test('what a full database did not keep is recovered as paused, and never over what is known', async () => {
  const [one] = await tabs(1);
  one.recover('1', '42');
  assert.deepEqual([one.get('1').isWanted, one.get('1').isPaused, one.get('1').share], [true, true, '42']);
  one.stop('1', 9);
  one.recover('1', '42');
  assert.equal(one.wanted.length, 0);
});

test('another person sees nothing of it', async () => {
  const [one, two] = await tabs(2);
  one.start('1', { share: '42' });
  await quiet();
  two.begin('8');
  await quiet();
  assert.equal(two.get('1'), undefined);
});

/** A stream that answers when the test says so. */
class FakeStream {
  state = 'open';
  asked = [];
  request(frame) { return new Promise((resolve, reject) => { this.asked.push({ frame, resolve, reject }); }); }
}

test('a stop goes out in the task of the tap, before anything is awaited', async () => {
  const [records] = await tabs(1);
  const stream = new FakeStream();
  const sending = new Stops(stream, records, new Scope());
  records.start('1', { share: '42' });
  records.stop('1', 5);
  sending.send();
  assert.deepEqual(stream.asked.map(({ frame: { type, chat, before } }) => [type, chat, before]), [['stopShares', '1', 5]]);
});

test('a stop that the server cannot take now is sent again, and one that it has is forgotten', async () => {
  const [records] = await tabs(1);
  const stream = new FakeStream();
  const sending = new Stops(stream, records, new Scope());
  records.stop(EVERYWHERE, 5);
  sending.send();
  stream.asked[0].reject(Object.assign(new Error(), { code: 'unavailable', retryAfter: 1_000 }));
  await quiet();
  assert.equal(stream.asked.length, 1);
  assert.equal(records.isStopping('3'), true);
  mock.timers.tick(1_000);
  await quiet();
  assert.equal(stream.asked.length, 2);
  assert.equal(stream.asked[1].frame.chat, undefined);
  stream.asked[1].resolve({ type: 'stopped', shares: [] });
  await quiet();
  assert.deepEqual(records.stopping, []);
});

test('a share that was on its way when it was stopped is stopped when it comes, and one that was begun after the stop is not', async () => {
  const [records] = await tabs(1);
  const stream = new FakeStream();
  const sending = new Stops(stream, records, new Scope());
  records.stop('1', 5);
  sending.send();
  stream.asked[0].resolve({ type: 'stopped', shares: [] });
  await quiet();
  sending.stopLate([{ chat: '1', started: 6 }, { chat: '2', started: 4 }]);
  assert.deepEqual(records.stopping, []);
  sending.stopLate([{ chat: '1', started: 4 }]);
  await quiet();
  assert.deepEqual(stream.asked.map(({ frame: { chat, before } }) => [chat, before]), [['1', 5], ['1', 5]]);
  stream.asked[1].resolve({ type: 'stopped', shares: ['42'] });
  await quiet();
  sending.forget('1');
  sending.stopLate([{ chat: '1', started: 4 }]);
  assert.deepEqual(records.stopping, []);
});

test('a stop that the server refuses to an ended session waits for the next one', async () => {
  const [records] = await tabs(1);
  const stream = new FakeStream();
  const sending = new Stops(stream, records, new Scope());
  records.stop('1', 5);
  sending.send();
  stream.asked[0].reject(Object.assign(new Error(), { code: 'notSignedIn' }));
  await quiet();
  assert.equal(records.isStopping('1'), true);
  new Stops(stream, records, new Scope()).send();
  assert.equal(stream.asked.length, 2);
});

test('a stop that waited is sent by the page that is opened next', async () => {
  const database = new FakeDatabase();
  const [before] = await tabs(1, database);
  before.start('1', { share: '42' });
  before.stop('1', 5);
  await quiet();
  const [after] = await tabs(1, database);
  const stream = new FakeStream();
  new Stops(stream, after, new Scope()).send();
  assert.deepEqual(stream.asked.map(({ frame: { chat, before: time } }) => [chat, time]), [['1', 5]]);
});

test('the page asks before it is left while a stop waits for a connection', async () => {
  const [records] = await tabs(1);
  const stream = new FakeStream();
  listeners.length = 0;
  new Stops(stream, records, new Scope());
  const [[, leaving]] = listeners;
  let isAsked = false;
  const leave = () => { isAsked = false; leaving({ preventDefault: () => { isAsked = true; } }); return isAsked; };
  assert.equal(leave(), false);
  stream.state = 'waiting';
  records.stop('1', 5);
  assert.equal(leave(), true);
});

test('a gap between two positions is told of once it is longer than three minutes', () => {
  const record = { ...started(emptyRecord('7', '1'), { reported: 1_000 }) };
  assert.equal(reportedAt(record, 15_999), undefined);
  assert.deepEqual(reportedAt(record, 16_000), { reported: 16_000 });
  assert.deepEqual(reportedAt(record, 181_000), { reported: 181_000 });
  assert.deepEqual(reportedAt(record, 181_001, 'silent'), { reported: 181_001, missed: [1_000, 181_001], missedCause: 'silent' });
  const told = { ...record, ...reportedAt(record, 500_000, 'hidden') };
  assert.deepEqual(reportedAt(told, 520_000), { reported: 520_000 });
  for (const end of [ended(told), stopped(told), started(told, { reported: 600_000 })]) assert.equal('missed' in end || 'missedCause' in end, false);
});

test('a stop is never before the start of what it stops, though the clock was set back', async () => {
  const database = new FakeDatabase();
  const [one] = await tabs(1, database);
  one.start('1', { share: '42', begun: 1_000 });
  one.start('2', { share: '43', begun: 2_000 });
  one.start('1', { share: '42' });
  one.stop('2', 2_500);
  await quiet();
  const [opened] = await tabs(1, database);
  assert.equal(opened.newestStart, 2_000);
  assert.equal(opened.get('1').begun, 1_000);
});

test('a share that ended starts again, and one that was stopped does', async () => {
  const [records] = await tabs(1);
  for (const over of [() => records.end('1'), () => records.stop('1', 5), () => records.end('1')]) {
    records.start('1', { share: '42', reported: 0 });
    assert.deepEqual(records.wanted.map(({ place }) => place), ['1']);
    over();
    await quiet();
    assert.deepEqual(records.wanted, []);
  }
});

test('records of a person whose session ended are nobody’s, and change no more', async () => {
  const [records, other] = await tabs(2);
  records.start('1', { share: '42', reported: 0 });
  await quiet();
  scopes[0].end();
  assert.deepEqual([records.wanted, records.user], [[], undefined]);
  other.start('2', { share: '43', reported: 0 });
  await quiet();
  assert.deepEqual([records.wanted, other.wanted.length], [[], 2]);
});

test('a stop is over with the refusals that end a message alone: an unknown code is a fault that passes', async () => {
  const { final } = JSON.parse(readFileSync(new URL('../Fixtures/rules/refusals.json', import.meta.url), 'utf8'));
  for (const code of ['internalError', 'moonInTheWrongPhase', 'notFound', ...final.slice(0, 3)]) {
    const [records] = await tabs(1);
    const stream = new FakeStream();
    const refusals = [];
    const sending = new Stops(stream, records, new Scope());
    sending.onRefused = (refusal) => refusals.push(refusal.code);
    records.stop('1', 5);
    sending.send();
    stream.asked[0].reject(Object.assign(new Error(), { code }));
    await quiet();
    assert.equal(records.isStopping('1'), !final.includes(code), code);
    mock.timers.tick(2_000);
    await quiet();
    assert.deepEqual([stream.asked.length, refusals], final.includes(code) ? [1, [code]] : [2, []], code);
  }
});
