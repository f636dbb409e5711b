import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServerClock } from '../../Web/app/stream/server-clock.js';

/** A device and a server whose clocks the test sets, and a network that takes as long as it says. */
function scripted() {
  const state = { wall: 1_000_000, monotonic: 0, server: 1_180_000 };
  const clock = new ServerClock(() => state.wall, () => state.monotonic);
  const pass = (milliseconds) => { for (const key of Object.keys(state)) state[key] += milliseconds; };
  const ping = (there, back) => {
    clock.asked();
    pass(there);
    const time = state.server;
    pass(back);
    clock.answered(time);
  };
  return { clock, state, pass, ping, wrong: () => Math.abs(state.wall + clock.offset - state.server) };
}

test('an answer to a ping is exact to half of its round trip, and better than the greeting', () => {
  const { clock, state, pass, ping, wrong } = scripted();
  const time = state.server;
  pass(900);
  clock.greeted(time);
  assert.equal(wrong(), 900);
  ping(300, 100);
  assert.ok(wrong() <= 200);
  ping(20, 20);
  assert.equal(wrong(), 0);
});

test('a slower answer doesn’t make the clock worse', () => {
  const { clock, state, ping, wrong } = scripted();
  clock.greeted(state.server);
  ping(10, 10);
  ping(3_000, 0);
  assert.equal(wrong(), 0);
});

test('a device’s clock that is set while connected is right again after the next ping, slow as it is', () => {
  for (const by of [-3_600_000, 180_000]) {
    const { clock, state, ping, wrong } = scripted();
    clock.greeted(state.server);
    ping(10, 10);
    state.wall += by;
    ping(2_000, 1_000);
    assert.ok(wrong() <= 1_500, `${wrong()} ms`);
  }
});

test('an answer that nobody waits for changes nothing', () => {
  const { clock, state, wrong } = scripted();
  clock.greeted(state.server);
  clock.answered(5);
  assert.equal(wrong(), 0);
});

test('a clock that was set, or stood while the device slept, is noticed once, and the next answer counts however slow it is', () => {
  for (const [wall, monotonic] of [[-3_600_000, 0], [2_100, 0], [60_000, 100]]) {
    const { clock, state, pass, ping, wrong } = scripted();
    clock.greeted(state.server);
    ping(10, 10);
    pass(30_000);
    assert.equal(clock.hasParted(), false);
    state.wall += wall;
    state.monotonic += monotonic;
    // A sleep passes for the server, too; a clock that is set doesn't.
    if (monotonic > 0) state.server += wall;
    assert.equal(clock.hasParted(), true);
    assert.equal(clock.hasParted(), false);
    ping(2_500, 500);
    assert.ok(wrong() <= 1_500, `${wrong()} ms`);
    ping(10, 10);
    assert.equal(wrong(), 0);
  }
});

test('the server’s time is unsure from a jump of the device’s clock until the server answers', () => {
  for (const answer of ['greeting', 'pong']) {
    const { clock, state, pass, ping } = scripted();
    clock.greeted(state.server);
    pass(30_000);
    assert.equal(clock.isUnsure, false);
    assert.equal(clock.sure(clock.offset), state.server);
    state.wall += 7_200_000;
    assert.equal(clock.isUnsure, true);
    pass(10_000);
    assert.equal(clock.sure(clock.offset), state.server, 'by the monotonic clock');
    assert.equal(clock.hasParted(), true);
    assert.equal(clock.isUnsure, true);
    if (answer === 'pong') ping(200, 200);
    else clock.greeted(state.server);
    assert.equal(clock.isUnsure, false);
  }
});

test('clocks that drift by less than 2 s are left alone', () => {
  const { clock, state, pass } = scripted();
  clock.greeted(state.server);
  pass(60_000);
  state.wall += 1_900;
  assert.equal(clock.hasParted(), false);
});
