import assert from 'node:assert/strict';
import { test } from 'node:test';
import { throttle } from '../../Web/app/page/throttle.js';
import { ScreenLock } from '../../Web/app/sharing/screen-lock.js';

const turns = async () => { for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate); };

test('a throttled action that was canceled runs again when it is asked for', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let runs = 0;
  const { run, cancel } = throttle(100, () => { runs += 1; });
  run();
  run();
  cancel();
  context.mock.timers.tick(1_000);
  assert.equal(runs, 1, 'what waited is dropped');
  run();
  context.mock.timers.tick(1_000);
  assert.equal(runs, 2);
  cancel();
  run();
  context.mock.timers.tick(1_000);
  assert.equal(runs, 3);
});

/** A browser that grants locks when the test says so. */
function scriptedLocks() {
  const asked = [];
  const held = new Set();
  return {
    asked, held,
    request: () => new Promise((resolve) => {
      asked.push(() => {
        const lock = { released: false, async release() { lock.released = true; held.delete(lock); } };
        held.add(lock);
        resolve(lock);
      });
    }),
  };
}

test('one lock of the screen is asked for, and none is left after the end', async () => {
  globalThis.document = { visibilityState: 'visible' };
  const locks = scriptedLocks();
  const screen = new ScreenLock(locks);
  screen.keep(true);
  screen.keep(true);
  screen.keep(true);
  assert.equal(locks.asked.length, 1);
  locks.asked[0]();
  await turns();
  screen.keep(true);
  assert.equal(locks.asked.length, 1);
  screen.keep(false);
  assert.equal(locks.held.size, 0);
});

test('a lock that is granted after the end is given back, and the next share has one', async () => {
  globalThis.document = { visibilityState: 'visible' };
  const locks = scriptedLocks();
  const screen = new ScreenLock(locks);
  screen.keep(true);
  screen.keep(false);
  locks.asked[0]();
  await turns();
  assert.equal(locks.held.size, 0);
  screen.keep(true);
  locks.asked[1]();
  await turns();
  assert.equal(locks.held.size, 1);
});

test('a lock that the browser took away is asked for again', async () => {
  globalThis.document = { visibilityState: 'visible' };
  const locks = scriptedLocks();
  const screen = new ScreenLock(locks);
  screen.keep(true);
  locks.asked[0]();
  await turns();
  await [...locks.held][0].release();
  screen.keep(true);
  assert.equal(locks.asked.length, 2);
});
