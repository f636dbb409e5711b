import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { FINAL_REFUSALS, isFinal } from '../../Web/app/stream/refusal.js';
import { Outbox } from '../../Web/app/sharing/outbox.js';
import { Sharing } from '../../Web/app/sharing/sharing.js';
import { WRITTEN_TAGS } from '../../Web/app/messages/live-messages.js';
import { isUnread } from '../../Web/app/messages/message-rows.js';
import { NOTE_TAGS } from '../../Web/app/messages/note-text.js';
import { readUpTo, unreadIn } from '../../Web/app/messages/readers.js';
import { newsFor } from '../../Web/app/messages/told.js';
import { turns } from './fake-database.js';
import { databaseOf, receiver, started } from './worker.js';

/** The tables that the SDK and the app run, too. */
const table = (name) => JSON.parse(readFileSync(new URL(`../Fixtures/rules/${name}.json`, import.meta.url), 'utf8'));
const { final, cases: refusals } = table('refusals');
const reading = table('reading');

test('page and worker have the table’s list of final refusals', () => {
  assert.deepEqual([...FINAL_REFUSALS], final);
  const source = readFileSync(new URL('../../Web/service-worker.js', import.meta.url), 'utf8');
  assert.deepEqual([...runInNewContext(`${/const FINAL_REFUSALS = \[[^\]]*\]/.exec(source)[0]}; FINAL_REFUSALS`)], final);
});

for (const { name, code, retryAfter, status, then } of refusals) {
  const isOver = then === 'back';

  if (code !== undefined) {
    test(`the page's outbox: ${name} (${code}): ${then}`, () => {
      assert.equal(isFinal({ code, retryAfter }), isOver);
      const outbox = new Outbox();
      outbox.add({ key: 'a', user: '1', chat: '7', tag: 'Text', content: 'Hello', time: 0 });
      outbox.due(0);
      const { outcome } = outbox.receive({ type: 'error', key: 'a', code, retryAfter }, 0);
      assert.equal(outcome, isOver ? 'refused' : 'later');
      assert.equal(outbox.has('a'), !isOver);
      assert.equal(outbox.due(60_000).length, isOver ? 0 : 1, 'sent again');
    });
  }

  test(`the worker: ${name} (${status}): ${then}`, async () => {
    const database = databaseOf([
      { key: 'a', user: '1', chat: '7', tag: 'Text', content: 'Hello', time: 0 }, { key: 'b', user: '1', chat: '7', tag: 'Location', content: '', data: {}, time: 0 },
    ]);
    const answer = () => (code === undefined ? new Response('<html>', { status }) : Response.json({ error: { code, message: 'No.', retryAfter } }, { status }));
    const { fetch } = receiver([answer(), answer()], '1');
    const done = await started(fetch, { database }).tell('sync', { tag: 'outbox' }).then(() => true, () => false);
    assert.equal(done, isOver);
    await turns(5);
    const left = database.rows('unsent');
    if (isOver) assert.deepEqual(left.map(({ key, refusal }) => [key, refusal.code]), [['a', code]], 'a text waits for its writer, a position is dropped');
    else assert.deepEqual(left.map(({ key, refusal }) => [key, refusal]), [['a', undefined], ['b', undefined]]);
  });
}

test('the tags of a screen of messages', () => {
  assert.deepEqual(WRITTEN_TAGS, reading.tags.written);
  assert.deepEqual(NOTE_TAGS, reading.tags.notes);
});

for (const { name, own, chat, unread } of reading.counts) test(`unread: ${name}`, () => assert.equal(unreadIn(chat, own), unread));
for (const { name, own, readWritten, message, isNew } of reading.lines) test(`new: ${name}`, () => assert.equal(isUnread(message, own, readWritten), isNew));
for (const { name, read, inSight, sends } of reading.marks) test(`read: ${name}`, () => assert.equal(readUpTo(read ?? undefined, inSight) ?? null, sends));

for (const { name, fixes, sent } of table('positions').cases) {
  test(`positions: ${name}`, () => {
    const sharing = new Sharing();
    sharing.report(['7']);
    const six = (degrees) => degrees.toFixed(6);
    const sends = fixes.map((fix, index) => sharing.fix({ ...fix, latitude: six(fix.latitude), longitude: six(fix.longitude), time: index }).length === 1);
    assert.deepEqual(sends, sent);
  });
}

for (const { name, own, before, now, isSeen, tells } of table('notifications').told) {
  test(`notified: ${name}`, () => assert.deepEqual(newsFor(before ?? undefined, now, { own, isSeen }) ?? null, tells));
}

for (const { name, notification, windows, focuses, goes, opens } of table('notifications').taps) {
  test(`tapped: ${name}`, async () => {
    const focused = [];
    const gone = [];
    const clients = windows.map(({ path = '/', hash, isVisible }, index) => ({
      url: `https://yonder.example${path}${hash}`, visibilityState: isVisible ? 'visible' : 'hidden',
      focus: async () => { focused.push(index); }, postMessage: (data) => gone.push([index, data.goes]),
    }));
    const { tell, opened } = started(async () => new Response(''), { windows: clients });
    let isClosed = false;
    await tell('notificationclick', { notification: { data: notification, close: () => { isClosed = true; } } });
    await turns(3);
    assert.deepEqual([isClosed, focused, gone, opened], [true, focuses === undefined ? [] : [focuses], goes === undefined ? [] : [[focuses, goes]], opens === undefined ? [] : [opens]]);
  });
}

test('messages of an absence are told once a chat, and of a first opening nothing', async () => {
  const { Chats } = await import('../../Web/app/chats/chats.js');
  let subscriber;
  const chats = new Chats({ now: () => 0, send() {}, subscribe: (query, asked) => { if (query.query === 'chats') subscriber = asked; return () => {}; } });
  const told = [];
  chats.onWritten = (chat, before) => told.push([chat.id, newsFor(before, chat, { own: '1', isSeen: false })?.count]);
  const chat = (id, number, written, readWritten = 0) => ({
    id, created: 0, participants: [], written, readWritten, read: readWritten, preview: number ? { number, sender: '2', tag: 'Text', content: `${number}` } : undefined,
  });
  chats.follow();
  subscriber.answer({ chats: [chat('a', 5, 3), chat('b', 7, 4)], current: true }, true);
  assert.deepEqual(told, []);
  subscriber.change({ type: 'activity', chat: 'a', written: 4, preview: { number: 6, sender: '2', tag: 'Text', content: '6' } });
  assert.deepEqual(told.splice(0), [['a', 1]]);
  subscriber.answer({ chats: [chat('a', 9, 7), chat('b', 7, 4)] }, true);
  subscriber.answer({ chats: [chat('c', 3, 2), chat('d', 0, 0), chat('e', 4, 1, 1)], current: true }, false);
  assert.deepEqual(told.splice(0), [['a', 3], ['c', 2], ['e', undefined]]);
  subscriber.answer({ chats: [chat('a', 9, 7), chat('b', 7, 4), chat('c', 3, 2), chat('d', 0, 0), chat('e', 4, 1, 1)], current: true }, true);
  assert.deepEqual(told, []);
});
