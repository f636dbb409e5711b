import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { nextTurn } from './fake-database.js';
import { Scope } from '../../Web/app/page/scope.js';

mock.timers.enable({ apis: ['setTimeout'] });

/** The locks of one browser: one lock, a queue, and the taking of it. */
class FakeLocks {
  queue = [];
  holder;

  request(_name, options, work) {
    return new Promise((resolve, reject) => {
      const request = { work, resolve, reject, visitor: globalThis.visitor };
      options.signal?.addEventListener('abort', () => {
        if (!this.queue.includes(request)) return;
        this.queue = this.queue.filter((each) => each !== request);
        reject(new Error('AbortError'));
      });
      if (options.steal && this.holder) {
        const { holder } = this;
        this.holder = undefined;
        as(holder.visitor, () => holder.reject(new Error('AbortError')));
      }
      if (options.steal) this.queue.unshift(request);
      else this.queue.push(request);
      this.next();
    });
  }

  next() {
    if (this.holder || this.queue.length === 0) return;
    const request = this.queue.shift();
    this.holder = request;
    // A lock is given in a turn of its own.
    setImmediate(() => as(request.visitor, () => request.work({}).then(() => {
      if (this.holder === request) this.holder = undefined;
      request.resolve();
      this.next();
    })));
  }
}

const channels = new Map();
let deaf;
globalThis.BroadcastChannel = class {
  constructor() { channels.set(this, globalThis.visitor); }
  close() { channels.delete(this); }
  postMessage(data) {
    for (const [each, visitor] of channels) if (each !== this && visitor !== deaf) queueMicrotask(() => as(visitor, () => each.onmessage({ data: structuredClone(data) })));
  }
};
const { Tabs } = await import('../../Web/app/sharing/tabs.js');

/** Does something as a tab of its own: with its document and its listeners. */
function as(visitor, work) {
  const before = [globalThis.visitor, globalThis.document];
  globalThis.visitor = visitor;
  globalThis.document = visitor.document;
  globalThis.addEventListener = (name, listener) => visitor.listeners.set(name, listener);
  globalThis.removeEventListener = (name) => visitor.listeners.delete(name);
  try {
    return work();
  } finally {
    [globalThis.visitor, globalThis.document] = before;
  }
}

class Visitor {
  listeners = new Map();
  document = {
    visibilityState: 'visible', addEventListener: (name, listener) => this.listeners.set(name, listener), removeEventListener: (name) => this.listeners.delete(name),
  };
  held = [];
  scope = new Scope();
  constructor() {
    this.tabs = as(this, () => new Tabs(this.scope));
    this.tabs.onHeld = (isHeld) => this.held.push(isHeld);
    as(this, () => this.tabs.begin('7'));
  }
  hold() { as(this, () => this.tabs.hold()); }
  release() { as(this, () => this.tabs.release()); }
  hide(isHidden) {
    this.document.visibilityState = isHidden ? 'hidden' : 'visible';
    as(this, () => this.listeners.get('visibilitychange')());
  }
}

async function quiet() {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
}

function browser(count) {
  channels.clear();
  deaf = undefined;
  Object.defineProperty(globalThis, 'navigator', { value: { locks: new FakeLocks() }, configurable: true });
  return Array.from({ length: count }, () => new Visitor());
}

test('of all tabs one has the sensor, and another goes on when that one is gone', async () => {
  const [one, two, three] = browser(3);
  for (const each of [one, two, three]) each.hold();
  await quiet();
  assert.deepEqual([one, two, three].map(({ tabs }) => tabs.isHolder), [true, false, false]);
  assert.deepEqual([two, three].map(({ tabs }) => tabs.isHeldElsewhere), [true, true]);
  as(one, () => one.listeners.get('pagehide')());
  await quiet();
  assert.deepEqual([two, three].map(({ tabs }) => tabs.isHolder), [true, false]);
  assert.deepEqual(one.held, [true, false]);
});

test('a tab that gave up waiting is given nothing', async () => {
  const [one, two] = browser(2);
  one.hold();
  await quiet();
  two.hold();
  two.release();
  one.release();
  await quiet();
  assert.deepEqual([one, two].map(({ tabs }) => tabs.isHolder), [false, false]);
});

test('the tab in front takes the sensor from a hidden one, which waits for its turn', async () => {
  const [one, two] = browser(2);
  two.hide(true);
  one.hold();
  await quiet();
  two.hold();
  one.hide(true);
  two.hide(false);
  await quiet();
  assert.deepEqual([one, two].map(({ tabs }) => tabs.isHolder), [false, true]);
  two.release();
  await quiet();
  assert.equal(one.tabs.isHolder, true);
});

test('a hidden tab that answers nothing for two seconds has lost the sensor', async () => {
  const [one, two] = browser(2);
  one.hold();
  await quiet();
  two.hold();
  await quiet();
  two.hide(true);
  one.hide(true);
  await quiet();
  deaf = one;
  two.hide(false);
  await quiet();
  assert.equal(two.tabs.isHolder, false);
  as(two, () => mock.timers.tick(2_000));
  await quiet();
  assert.deepEqual([one, two].map(({ tabs }) => tabs.isHolder), [false, true]);
  assert.deepEqual(one.held, [true, false]);
});

test('a tab in front keeps the sensor', async () => {
  const [one, two] = browser(2);
  one.hold();
  await quiet();
  two.hold();
  await quiet();
  as(two, () => mock.timers.tick(10_000));
  await quiet();
  assert.deepEqual([one, two].map(({ tabs }) => tabs.isHolder), [true, false]);
});

test('a tab that released the sensor holds it again, and one whose person is gone holds none', async () => {
  const [one] = browser(1);
  for (let time = 0; time < 3; time += 1) {
    one.hold();
    await quiet();
    assert.equal(one.tabs.isHolder, true);
    one.release();
    await quiet();
    assert.equal(one.tabs.isHolder, false);
  }
  one.hold();
  await quiet();
  as(one, () => one.scope.end());
  await quiet();
  assert.deepEqual([one.tabs.isHolder, one.held.at(-1), one.listeners.size], [false, false, 0]);
});
