import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Observable } from '../../Web/app/page/observable.js';
import { Scope } from '../../Web/app/page/scope.js';

/** A browser of one tab: its sensor, and what it is asked. */
function browser() {
  const watching = new Map();
  let last = 0;
  const geolocation = {
    watchPosition: (found) => { last += 1; watching.set(last, found); return last; },
    clearWatch: (id) => watching.delete(id),
    getCurrentPosition: () => {},
  };
  Object.defineProperty(globalThis, 'navigator', { value: { onLine: true, geolocation }, configurable: true });
  const listeners = new Map();
  const listen = (type, listener) => listeners.set(listener, type);
  Object.assign(globalThis, {
    isSecureContext: true, addEventListener: listen, removeEventListener: (_, listener) => listeners.delete(listener),
    document: { visibilityState: 'visible', documentElement: { dataset: {} }, addEventListener: listen, removeEventListener: (_, listener) => listeners.delete(listener) },
  });
  const find = (coords, timestamp) => { for (const found of watching.values()) found({ coords, timestamp }); };
  return { watching, listeners, find };
}

browser();
const { Sharer } = await import('../../Web/app/sharing/sharer.js');
const { emptyRecord, ended, started, stopped } = await import('../../Web/app/sharing/share-record.js');

/** A person's records, kept nowhere. */
class Records extends Observable {
  all = new Map();
  user = '7';
  begin() {}
  load() {}
  get(place) { return this.all.get(place); }
  get wanted() { return [...this.all.values()].filter(({ isWanted }) => isWanted); }
  note(place, part) { this.#put({ ...this.get(place), ...part }); }
  async start(place, what) { this.#put(started(this.get(place) ?? emptyRecord('7', place), what)); return { isKept: true }; }
  stop(place, at) { this.#put(stopped(this.get(place) ?? emptyRecord('7', place), at)); }
  end(place) { if (this.get(place)?.isWanted) this.#put(ended(this.get(place))); }

  #put(record) {
    this.all.set(record.place, record);
    this.changed();
  }
}

/** Somebody who shares, over a clock that the test sets. */
function person() {
  const { watching, listeners, find } = browser();
  const clock = { offset: 0, time: Date.now(), now: () => clock.time, sure: undefined, sureNow: () => clock.sure ?? clock.time };
  const sent = [];
  const scope = new Scope();
  const sharer = new Sharer(new Records(), (place, data) => sent.push({ place, data }), () => {}, clock, scope);
  return { sharer, clock, sent, scope, watching, listeners, find };
}

const at = (latitude) => ({ latitude, longitude: 9, accuracy: 5, altitude: null, altitudeAccuracy: null, heading: null, speed: null });

test('a share that was stopped, or ended, starts again', async () => {
  const { sharer, scope, watching, sent, find } = person();
  for (const over of [() => sharer.stop('1', 5), () => sharer.end('1'), () => sharer.stopAll(), () => sharer.stop('1')]) {
    await sharer.start('1', { share: '42', begun: 1 });
    assert.deepEqual([sharer.places, watching.size], [['1'], 1]);
    sent.length = 0;
    find(at(47), Date.now());
    assert.deepEqual(sent.map(({ place }) => place), ['1']);
    over();
    assert.deepEqual([sharer.places, watching.size], [[], 0]);
  }
  scope.end();
});

test('when a session ends, nothing of its sharing is left: no sensor, no listener, no fix', async () => {
  const { sharer, scope, watching, listeners, sent, find } = person();
  await sharer.start('1', { share: '42', begun: 1 });
  find(at(47), Date.now());
  scope.end();
  assert.deepEqual([watching.size, listeners.size, sharer.sharing.lastFix], [0, 0, undefined]);
  sent.length = 0;
  await sharer.start('2', { share: '43', begun: 1 });
  assert.deepEqual([watching.size, sent], [0, []]);
});

test('an offset that changes within a share moves the fixes from then on, and none before the one that was sent last', async () => {
  const { sharer, clock, scope, sent, find } = person();
  await sharer.start('1', { share: '42', begun: 1 });
  const now = Date.now();
  clock.offset = 60_000;
  clock.time = now + 61_000;
  find(at(47), now);
  clock.offset = -60_000;
  find(at(47.001), now + 5);
  clock.offset = 60_000;
  find(at(47.002), now + 10);
  const times = sent.map(({ data }) => data.timestamp - now);
  assert.deepEqual(times, [60_000, 60_000, 60_010]);
  scope.end();
});

test('a fix of a clock that was just set ahead holds back none of those after it', async () => {
  const { sharer, clock, scope, sent, find } = person();
  await sharer.start('1', { share: '42', begun: 1 });
  const now = Date.now();
  clock.time = now + 20;
  clock.offset = 3_600_000;
  find(at(47), now);
  clock.offset = 0;
  find(at(47.001), now + 10);
  assert.deepEqual(sent.map(({ data }) => data.timestamp - now), [3_600_000, 20]);
  scope.end();
});

test('a share with an end neither ends nor misses anything by a clock that was set ahead, and ends by the right one', async (context) => {
  const { sharer, clock, scope, find } = person();
  context.after(() => scope.end());
  const now = clock.time;
  await sharer.start('1', { share: '42', begun: now, until: now + 3_600_000 });
  find(at(47), now);
  // Half an hour of fixes while the server says nothing.
  for (let passed = 0; passed <= 1_800_000; passed += 10_000) {
    [clock.time, clock.sure] = [now + 7_200_000 + passed, now + passed];
    find(at(47.001 + passed / 1e9), now + 7_200_000 + passed);
  }
  sharer.records.changed();
  await null;
  assert.deepEqual([sharer.places, sharer.records.get('1').missed], [['1'], undefined]);
  assert.ok(sharer.records.get('1').reported > now + 1_700_000, 'it is noted that it reports');
  [clock.time, clock.sure] = [now + 1_810_000, undefined];
  find(at(47.002), now + 1_810_000);
  assert.equal(sharer.records.get('1').missed, undefined, 'no gap that never was');
  [clock.time, clock.sure] = [now + 9_000_000, now + 3_600_001];
  sharer.records.changed();
  await null;
  assert.deepEqual(sharer.places, []);
});

test('a page that was closed, and a device whose clock is slow, had the page closed, and not the share paused', async (context) => {
  for (const offset of [600_000, -600_000]) {
    const { sharer, clock, scope, find } = person();
    context.after(() => scope.end());
    // The first greeting comes after the page was opened: until then there is no offset.
    const device = clock.time;
    clock.offset = offset;
    clock.time = device + offset;
    const reported = clock.time - 300_000;
    await sharer.start('1', { share: '42', begun: reported - 1_000 });
    sharer.records.note('1', { reported });
    find(at(47), device);
    assert.equal(sharer.records.get('1').missedCause, 'closed', String(offset));
  }
});
