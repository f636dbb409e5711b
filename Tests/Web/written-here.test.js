import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveMessages } from '../../Web/app/messages/live-messages.js';
import { AT_END, ReadingPlace } from '../../Web/app/messages/reading-place.js';
import { WrittenHere } from '../../Web/app/messages/written-here.js';

const TIME = 1_764_000_000_000;
const stored = (number, sender, content, more = {}) => ({ chat: '7', number, sender, tag: 'Text', content, time: TIME + number, ...more });
const entry = (key, content, more = {}) => ({ key, user: '1', chat: '7', tag: 'Text', content, data: undefined, time: TIME, ...more });
const shown = (lines) => lines.map(({ key, number, isUnsent }) => `${key}:${isUnsent ? 'waiting' : number}`);

test('a message written here stands once and under one key, whichever comes first, the answer or the message', () => {
  const before = [stored(1, '2', 'Hi')];
  const after = [...before, stored(2, '1', 'Yes')];
  for (const isAnswerFirst of [true, false]) {
    const written = new WrittenHere();
    assert.deepEqual(shown(written.lines(before, [entry('a', 'Yes')])), ['n1:1', 'a:waiting']);
    if (isAnswerFirst) {
      written.answered(entry('a', 'Yes'), 2, TIME);
      assert.deepEqual(shown(written.lines(before, [])), ['n1:1', 'a:2']);
    } else {
      assert.deepEqual(shown(written.lines(after, [entry('a', 'Yes')])), ['n1:1', 'a:2']);
      written.answered(entry('a', 'Yes'), 2, TIME);
    }
    assert.deepEqual(shown(written.lines(after, [])), ['n1:1', 'a:2']);
  }
});

test('the same words written twice, before and on another device are messages of their own', () => {
  const written = new WrittenHere();
  const before = [stored(1, '1', 'Yes'), stored(2, '2', 'Yes')];
  const waiting = [entry('a', 'Yes'), entry('b', 'Yes')];
  assert.deepEqual(shown(written.lines(before, waiting)), ['n1:1', 'n2:2', 'a:waiting', 'b:waiting']);
  const elsewhere = [...before, stored(3, '1', 'Yes'), stored(4, '2', 'Yes'), stored(5, '1', 'No')];
  assert.deepEqual(shown(written.lines(elsewhere, waiting)), ['n1:1', 'n2:2', 'a:3', 'n4:4', 'n5:5', 'b:waiting']);
  written.answered(waiting[0], 6, TIME + 6);
  assert.deepEqual(shown(written.lines(elsewhere, [waiting[1]])), ['n1:1', 'n2:2', 'b:3', 'n4:4', 'n5:5', 'a:6']);
  written.answered(waiting[1], 7, TIME + 7);
  const all = [...elsewhere, stored(6, '1', 'Yes'), stored(7, '1', 'Yes')];
  assert.deepEqual(shown(written.lines(all, [])), ['n1:1', 'n2:2', 'n3:3', 'n4:4', 'n5:5', 'a:6', 'b:7']);
});

test('another’s later message stands below what the server has answered, and other data makes another message', () => {
  const written = new WrittenHere();
  const photo = entry('a', '', { tag: 'Photo', data: { image: 'x' } });
  written.lines([], [photo]);
  const others = [stored(1, '1', '', { tag: 'Photo', data: { image: 'y' } }), stored(3, '2', 'Hi')];
  assert.deepEqual(shown(written.lines(others, [photo])), ['n1:1', 'n3:3', 'a:waiting']);
  written.answered(photo, 2, TIME);
  assert.deepEqual(shown(written.lines(others, [])), ['n1:1', 'a:2', 'n3:3']);
});

test('an answer changes the list at once: nothing written vanishes until the message comes', () => {
  const subscribers = [];
  const live = new LiveMessages('7', (query, subscriber) => {
    subscribers.push({ query, subscriber });
    return () => {};
  });
  for (const { subscriber } of subscribers) subscriber.answer({ type: 'messages', messages: [], through: 0, current: true }, true);
  live.writtenHere.lines(live.all, [entry('a', 'Yes')]);
  const { version } = live;
  live.answered(entry('a', 'Yes'), { type: 'sent', key: 'a', number: 1, time: TIME });
  assert.ok(live.version > version);
  assert.deepEqual(shown(live.writtenHere.lines(live.all, [])), ['a:1']);
  live.answered(entry('b', '', { tag: 'Recall' }), { type: 'sent', key: 'b', number: 2, time: TIME });
  live.answered(entry('c', 'Not kept'), { type: 'sent', key: 'c' });
  assert.deepEqual(shown(live.writtenHere.lines(live.all, [])), ['a:1']);
});

test('the end stays in sight over every change of height until the reader scrolls, and what they wrote brings it back', () => {
  const list = { isWhole: true, hasNews: false };
  const place = new ReadingPlace();
  place.opened();
  assert.equal(place.wanted(list), 'end');
  place.placed(500, 0);
  // The event of that scroll comes when the list has grown.
  place.noticed(500, 300);
  assert.equal(place.wanted(list), 'end');
  place.placed(800, 0);
  place.noticed(0, 800);
  assert.equal(place.wanted(list), undefined);
  place.toEnd();
  assert.equal(place.wanted(list), 'end');
  place.placed(840, 0);
  place.noticed(820, 20);
  assert.equal(place.wanted(list), 'end');
});

test('opened before its messages are there, a chat shows the line above the new ones once they are', () => {
  const place = new ReadingPlace();
  place.opened();
  assert.equal(place.wanted({ isWhole: false, hasNews: false }), 'end');
  place.placed(0, 0);
  assert.equal(place.wanted({ isWhole: true, hasNews: true }), 'news');
  place.placed(400, 300);
  // The sheet rises.
  place.noticed(400, 200);
  assert.equal(place.wanted({ isWhole: true, hasNews: true }), 'news');
  place.noticed(380, 220);
  assert.equal(place.wanted({ isWhole: true, hasNews: true }), undefined);
});

test('a line above new messages that is near the end is the end: the next ones come into sight', () => {
  const place = new ReadingPlace();
  place.opened();
  place.wanted({ isWhole: true, hasNews: true });
  place.placed(400, AT_END - 1);
  assert.equal(place.wanted({ isWhole: true, hasNews: true }), 'end');
});

test('a menu that unfolds stays under the finger, and the last message’s at the end', () => {
  const list = { isWhole: true, hasNews: false };
  const place = new ReadingPlace();
  place.wanted(list);
  place.placed(500, 0);
  place.unfolded(0, 44);
  assert.equal(place.wanted(list), undefined);
  place.unfolded(44, 0);
  assert.equal(place.wanted(list), 'end');
  place.unfolded(0, 12);
  assert.equal(place.wanted(list), 'end');
});
