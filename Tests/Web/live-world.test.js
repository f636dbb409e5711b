import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveWorld } from '../../Web/app/world/live-world.js';

/** A stream whose server is an hour ahead of this device. */
function scripted() {
  let subscriber;
  const stream = { now: () => Date.now() + 3_600_000, send() {}, subscribe: (_, asked) => { subscriber = asked; return () => {}; } };
  const world = new LiveWorld(stream);
  world.look(true);
  return { world, stream, say: (frame) => subscriber.change(frame), answer: (pins) => subscriber.answer({ pins, you: 'me', current: true }, true) };
}

test('when somebody came, moved or left is told by the server’s clock, whatever this device’s says', () => {
  const { world, stream, say, answer } = scripted();
  const begun = stream.now();
  answer([{ pin: 'a', at: '1,2' }, { pin: 'b', at: '1,2' }]);
  say({ type: 'pin', pin: 'c', at: '3,4' });
  say({ type: 'gone', pin: 'b' });
  answer([{ pin: 'c', at: '3,4' }]);
  const times = [...[...world.world.strangers.values()].map(({ time }) => time), ...world.events.map(({ time }) => time)];
  assert.equal(world.events.length, 3);
  assert.ok(times.every((time) => time >= begun && time <= stream.now()), `${times}`);
});
