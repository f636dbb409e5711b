import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageLog } from '../../Web/app/messages/message-log.js';
import { SeededGenerator } from './seeded-generator.js';

const message = (number, fields = {}) => ({ chat: '1', number, sender: 'a', tag: 'Text', content: `m${number}`, data: {}, time: number, ...fields });
const numbers = (log) => log.messages.map(({ number }) => number);

test('pages and changes in any mix leave no gap and no duplicate', () => {
  for (let seed = 0; seed < 200; seed += 1) {
    const random = new SeededGenerator(seed);
    const all = Array.from({ length: 60 }, (_, index) => message(index + 1));
    const log = new MessageLog();
    let through = 0;
    while (through < 60) {
      const next = Math.min(60, through + 1 + random.below(9));
      const from = Math.max(0, through - random.below(5));
      if (random.below(2) === 0) log.page({ messages: all.slice(from, next), first: 1, through: next, current: true });
      else for (const each of all.slice(from, next)) log.change(each);
      through = next;
    }
    assert.deepEqual(numbers(log), all.map(({ number }) => number), `seed ${seed}`);
    assert.equal(log.since(), 60);
  }
});

test('before the first full answer it asks for everything again', () => {
  const log = new MessageLog();
  log.page({ messages: [message(1)], first: 1, through: 1, current: false });
  assert.equal(log.since(), undefined);
  log.page({ messages: [message(2)], first: 1, through: 2, current: true });
  assert.equal(log.since(), 2);
});

test('a recalled message is emptied and keeps its place', () => {
  const log = new MessageLog();
  log.page({ messages: [message(1), message(2)], first: 1, through: 2, current: true });
  log.change(message(3, { tag: 'Recall', content: '', data: { number: 1 } }));
  assert.equal(log.messages[0].content, '');
  assert.equal(log.messages[0].recalled, true);
  assert.equal('data' in log.messages[0], false);
});

test('a recall that comes before its message still empties it', () => {
  const log = new MessageLog();
  log.change(message(3, { tag: 'Recall', content: '', data: { number: 1 } }));
  log.page({ messages: [message(1)], first: 1, through: 3, current: true });
  assert.equal(log.messages[0].recalled, true);
});

test('an emptied copy of a message empties it, a full copy does not bring it back', () => {
  const log = new MessageLog();
  log.change(message(1));
  log.page({ messages: [message(1, { content: '', recalled: true, data: undefined })], first: 1, through: 1, current: true });
  log.page({ messages: [message(1)], first: 1, through: 1, current: true });
  assert.equal(log.messages[0].content, '');
});

test('with only the latest, a sender has one message, the newest', () => {
  const log = new MessageLog({ onlyLatest: true });
  for (const number of [1, 5, 3, 7]) log.change(message(number, { sender: number === 3 ? 'b' : 'a' }));
  log.change(message(2));
  assert.deepEqual(numbers(log), [3, 7]);
});

test('a newest message that is taken back gives way: it is gone, the recall isn’t in its place, and the one before it is missing', () => {
  const position = (number, fields = {}) => message(number, { tag: 'Location', content: '', data: { latitude: '1', longitude: `${number}` }, ...fields });
  const log = new MessageLog({ onlyLatest: true });
  log.page({ messages: [position(2), position(3, { sender: 'b' })], first: 1, through: 3, current: true });
  log.change(message(4, { tag: 'Recall', content: '', data: { number: 99 } }));
  assert.equal(log.isMissing, false);
  log.change(message(5, { tag: 'Recall', content: '', data: { number: 2 } }));
  assert.equal(log.isMissing, true);
  assert.deepEqual([...log.latest().keys()], ['b']);
  log.page({ messages: [position(1), position(3, { sender: 'b' })], first: 1, through: 5, current: true });
  assert.deepEqual([...log.latest()].map(([sender, { number }]) => [sender, number]), [['a', 1], ['b', 3]]);
});

test('a newest message that has expired gives way, too', () => {
  const log = new MessageLog({ onlyLatest: true });
  log.page({ messages: [message(2, { expires: 100 })], first: 1, through: 2, current: true });
  log.expire(100);
  assert.equal(log.isMissing, true);
  assert.equal(log.latest().size, 0);
});

test('a message that has expired by the given clock is emptied', () => {
  const log = new MessageLog();
  log.change(message(1, { expires: 100 }));
  assert.equal(log.expire(99), false);
  assert.equal(log.messages[0].content, 'm1');
  assert.equal(log.expire(100), true);
  assert.equal(log.expire(101), false);
  assert.equal(log.messages[0].content, '');
});

test('a message that was never stored counts as the newest of its sender, and not for resuming', () => {
  const log = new MessageLog();
  log.page({ messages: [message(1)], first: 1, through: 1, current: true });
  log.change({ ...message(0), number: undefined, time: 9, content: 'now' });
  assert.equal(log.latest().get('a').content, 'now');
  assert.equal(log.since(), 1);
});

test('the oldest go when there are too many', () => {
  const log = new MessageLog({ capacity: 3 });
  for (let number = 1; number <= 5; number += 1) log.change(message(number));
  assert.deepEqual(numbers(log), [3, 4, 5]);
});
