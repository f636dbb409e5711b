import assert from 'node:assert/strict';
import test from 'node:test';

Object.assign(globalThis, { document: { documentElement: { dataset: {} }, addEventListener() {} }, addEventListener() {} });
const { LiveChat } = await import('../../Web/app/chats/live-chat.js');

/** What a chat subscribes to, in the order in which it asks. */
class FakeStream {
  asked = [];

  now() {
    return 1_000_000;
  }

  subscribe(query, subscriber) {
    const each = { query, subscriber, isOver: false };
    this.asked.push(each);
    return () => { each.isOver = true; };
  }

  /** Those to positions that aren't over. */
  get positions() {
    return this.asked.filter(({ query, isOver }) => query.tag === 'Location' && query.latest && !isOver);
  }
}

function position(number, sender) {
  return { chat: '7', number, sender, tag: 'Location', content: '', data: { latitude: 1, longitude: number }, time: 900_000 + number };
}

function share(number, sender, keep, state = 'stopped') {
  return { chat: '7', number, sender, tag: 'Share', content: '', data: { share: '5', state, keep }, time: 900_000 + number };
}

function leave(number, sender) {
  return { chat: '7', number, sender, tag: 'Leave', content: '', time: 900_000 + number };
}

function remove(number, user) {
  return { chat: '7', number, sender: 'owner', tag: 'Remove', content: '', data: { user }, time: 900_000 + number };
}

/** A chat that has the last positions of Ada and of Ben. */
function opened() {
  const stream = new FakeStream();
  const live = new LiveChat(stream, '7');
  stream.positions[0].subscriber.answer({ messages: [position(1, 'ada'), position(2, 'ben')], first: 1, through: 2, current: true }, true);
  return { stream, live };
}

function shown(live) {
  return [...live.last.latest().values()].map(({ number }) => number);
}

test('a chat is known when the server has said where everybody is and who shares, or refuses to', () => {
  const { stream, live } = opened();
  assert.equal(live.isKnown, false);
  stream.asked.find(({ query }) => query.query === 'freshness').subscriber.answer({ shares: [], current: true }, true);
  assert.equal(live.isKnown, true);
  const early = new LiveChat(stream, '7');
  stream.asked.findLast(({ query }) => query.query === 'freshness').subscriber.ended({ code: 'unknownQuery' });
  assert.equal(early.isKnown, false);
  stream.positions.at(-1).subscriber.ended({ code: 'forbidden' });
  assert.equal(early.isKnown, true);
});

for (const [name, end] of [
  ['an expiring share ended', share(3, 'ada', 'expiring')],
  ['an expiring share came to its end', share(3, 'ada', 'expiring', 'expired')],
  ['a person left', leave(3, 'ada')],
  ['a person was removed', remove(3, 'ada')],
]) {
  test(`after ${name}, the positions are asked for again, and those that can't be read go`, () => {
    const { stream, live } = opened();
    const [before] = stream.positions;
    before.subscriber.change(end);
    assert.equal(before.isOver, true);
    const [after] = stream.positions;
    assert.equal(after.subscriber.since(), undefined);
    after.subscriber.answer({ messages: [{ ...position(1, 'ada'), data: undefined }, position(2, 'ben')], first: 1, through: 3, current: true }, true);
    assert.deepEqual(shown(live), [2]);
    assert.equal(stream.positions[0], after);
  });

  test(`where ${name} during an absence, the positions are asked for again`, () => {
    const { stream, live } = opened();
    const [before] = stream.positions;
    assert.equal(before.subscriber.since(), 2);
    before.subscriber.answer({ messages: [end], first: 1, through: 3, current: true }, true);
    const [after] = stream.positions;
    assert.notEqual(after, before);
    after.subscriber.answer({ messages: [position(2, 'ben')], first: 1, through: 3, current: true }, true);
    assert.deepEqual(shown(live), [2]);
  });
}

test('nothing is asked again for a kept share, for a person without a position, or for what a first answer has', () => {
  const { stream, live } = opened();
  const [{ subscriber }] = stream.positions;
  for (const message of [share(3, 'ada', 'kept'), share(4, 'ada', 'expiring', 'started'), leave(5, 'cleo')]) subscriber.change(message);
  assert.equal(stream.positions[0].subscriber, subscriber);
  assert.deepEqual(shown(live), [1, 2]);
});

test('the line of a person whose expiring share ended is drawn again from what can be read', () => {
  const { stream, live } = opened();
  live.open();
  const question = () => stream.asked.find(({ query, isOver }) => query.from && !isOver)?.subscriber;
  question().answer({ messages: [position(1, 'ada'), position(2, 'ben')], first: 1, through: 2, current: true }, true);
  stream.positions[0].subscriber.change(share(3, 'ada', 'expiring'));
  assert.deepEqual([...live.lines.users], ['ben']);
  stream.positions[0].subscriber.answer({ messages: [position(2, 'ben')], first: 1, through: 3, current: true }, true);
  question().answer({ messages: [{ ...position(1, 'ada'), data: undefined }, position(2, 'ben')], first: 1, through: 3, current: true }, true);
  assert.deepEqual([...live.lines.users], ['ben']);
  assert.equal(question(), undefined);
});

test('a line ends where a share ended while the positions were asked for again', () => {
  const { stream, live } = opened();
  live.open();
  const question = () => stream.asked.find(({ query, isOver }) => query.from && !isOver);
  question().subscriber.answer({ messages: [position(1, 'ada'), position(2, 'ben')], first: 1, through: 2, current: true }, true);
  stream.positions[0].subscriber.change({ chat: '7', number: 3, sender: 'ben', tag: 'Recall', content: '', data: { number: 2 }, time: 900_003 });
  stream.positions[0].subscriber.answer({ messages: [], first: 1, through: 4, current: true }, true);
  assert.equal(question().query.since, 3);
  question().subscriber.answer({ messages: [share(4, 'ada', 'expiring')], first: 1, through: 4, current: true }, true);
  assert.deepEqual([...live.lines.users], []);
  stream.positions[0].subscriber.answer({ messages: [], first: 1, through: 4, current: true }, true);
  assert.equal(question().query.since, undefined);
  question().subscriber.answer({ messages: [{ ...position(1, 'ada'), data: undefined }], first: 1, through: 4, current: true }, true);
  assert.deepEqual([...live.lines.users], []);
  assert.equal(question(), undefined);
});

test('a line loses what an answer has without data', () => {
  const { stream, live } = opened();
  live.open();
  const question = () => stream.asked.find(({ query, isOver }) => query.from && !isOver);
  stream.positions[0].subscriber.change(position(3, 'ada'));
  question().subscriber.answer({ messages: [{ ...position(3, 'ada'), data: undefined }], first: 1, through: 3, current: true }, true);
  assert.deepEqual([...live.lines.users], []);
});
