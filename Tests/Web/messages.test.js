import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { ChatList } from '../../Web/app/chats/chat-list.js';
import { qrCode } from '../../Web/app/invitations/qr-code.js';
import { linkedText } from '../../Web/app/messages/linked-text.js';
import { messageRows } from '../../Web/app/messages/message-rows.js';
import { namedPreview, previewText } from '../../Web/app/messages/preview-text.js';
import { Reach } from '../../Web/app/messages/reach.js';
import { readersOf, unreadIn } from '../../Web/app/messages/readers.js';
import { dayName, listTime } from '../../Web/app/people/times.js';

const DAY = 86_400_000;
const NOON = new Date(2026, 10, 22, 12).getTime();
const line = (number, sender, time, more = {}) => ({ key: `n${number}`, chat: '7', number, sender, tag: 'Text', content: `text ${number}`, time, written: number, ...more });
const isNote = ({ tag }) => tag !== 'Text';
const rows = (lines, readWritten) => messageRows(lines, { own: '1', readWritten, isNote });

test('a list of several tags is whole from the latest number that each of them reaches back to', () => {
  const reach = new Reach(['Text', 'Join']);
  assert.equal(reach.hasOlder, false);
  reach.answered('Text', [90, 95, 99], 3);
  assert.equal(reach.from, Infinity);
  reach.answered('Join', [4, 60], 3);
  assert.equal(reach.from, 90);
  assert.deepEqual(reach.lagging, ['Text']);
  reach.extended('Text', 40);
  assert.equal(reach.from, 40);
  reach.extended('Text', undefined);
  assert.equal(reach.from, 1);
  assert.equal(reach.hasOlder, false);
});

test('messages stand under their day, one name for those that follow each other, and a line before the new ones', () => {
  const shown = rows([
    line(1, '2', NOON - DAY), line(2, '2', NOON), line(3, '2', NOON + 1_000), line(4, '1', NOON + 2_000),
    line(5, '2', NOON + 3_000, { tag: 'Share', written: undefined }), line(6, '2', NOON + 4_000), line(7, '3', NOON + 5_000), line(8, '3', NOON + 600_000),
  ], 3);
  assert.deepEqual(shown.map(({ kind, key, isFirst }) => (kind === 'message' ? `${key}${isFirst ? ' first' : ''}` : kind)),
    ['day', 'n1 first', 'day', 'n2 first', 'n3', 'n4 first', 'note', 'new', 'n6 first', 'n7 first', 'n8 first']);
  assert.equal(shown.find(({ kind }) => kind === 'new').count, 3);
});

test('one’s own messages and those taken back aren’t new, and without a count of the server’s none is', () => {
  const kinds = (lines, readWritten) => rows(lines, readWritten).map(({ kind }) => kind);
  assert.deepEqual(kinds([line(1, '1', NOON), line(2, '2', NOON, { recalled: true, content: '' })], 0), ['day', 'message', 'message']);
  assert.deepEqual(kinds([line(1, '2', NOON)], undefined), ['day', 'message']);
  assert.deepEqual(kinds([line(1, '2', NOON)], 0), ['day', 'new', 'message']);
});

test('web addresses become links, and nothing else does', () => {
  const links = (text) => linkedText(text).flatMap(({ href }) => (href ? [href] : []));
  const whole = (text) => linkedText(text).map((piece) => piece.text).join('');
  assert.deepEqual(links('See https://example.org/a?b=c#d.'), ['https://example.org/a?b=c#d']);
  assert.deepEqual(links('(www.example.org/x_(y)) and http://a.example, too'), ['https://www.example.org/x_(y)', 'http://a.example/']);
  assert.deepEqual(links('javascript:alert(1) data:text/html,x file:///etc me@www.example.org'), []);
  assert.deepEqual(links('https://bank.example@evil.example/ https://u:p@evil.example'), []);
  assert.deepEqual(links('https:// www. http://x'), []);
  for (const text of ['', 'a', 'https://example.org', 'x https://example.org) y <b>www.a.example</b>']) assert.equal(whole(text), text);
  assert.deepEqual(links('<b>www.a.example</b>'), ['https://www.a.example/']);
});

test('a very long text without an end of its address is read in no time', () => {
  const text = `https://example.org/${')'.repeat(70_000)}`;
  const before = performance.now();
  assert.equal(linkedText(text).map((piece) => piece.text).join(''), text);
  assert.ok(performance.now() - before < 2_000);
});

test('unread is what was written behind what was read', () => {
  const chat = { id: '7', written: 9, readWritten: 6, participants: [], oneToOne: false };
  assert.equal(unreadIn(chat), 3);
  assert.equal(unreadIn({ ...chat, readWritten: undefined }), 0);
  assert.equal(unreadIn({ ...chat, readWritten: 12 }), 0);
  assert.equal(unreadIn({ ...chat, preview: { sender: '1' } }, '1'), 2);
  assert.equal(unreadIn({ ...chat, preview: { sender: '2' } }, '1'), 3);
});

test('a chat’s activity changes what it says and leaves the rest', () => {
  const list = new ChatList();
  const preview = { number: 3, sender: '2', tag: 'Text', content: 'hi', time: 5 };
  list.answer({ chats: [{ id: '7', written: 2, readWritten: 1, read: 2, active: 4, reads: { 2: 2 }, preview, participants: [] }], current: true }, true);
  list.change({ type: 'activity', chat: '7', written: 3, active: 6 });
  assert.deepEqual(list.chats.get('7'), { id: '7', written: 3, readWritten: 1, read: 2, active: 6, reads: { 2: 2 }, preview, participants: [] });
  list.change({ type: 'activity', chat: '7', reads: { 3: 1 }, read: 4, readWritten: 3, preview: null });
  const chat = list.chats.get('7');
  assert.deepEqual([chat.reads, chat.read, chat.readWritten, chat.preview], [{ 2: 2, 3: 1 }, 4, 3, undefined]);
  list.change({ type: 'activity', chat: 'unknown', written: 1 });
  assert.equal(list.chats.size, 1);
});

test('the readers of a message are present, other than its sender, and have read so far', () => {
  const person = (user, present = true) => ({ user, name: `N${user}`, present });
  const chat = { participants: [person('1'), person('2'), person('3', false), person('4')], reads: { 1: 9, 2: 5, 3: 9, 4: 4 } };
  assert.deepEqual(readersOf(chat, 5, '1').map(({ user }) => user), ['2']);
  assert.deepEqual(readersOf({ participants: chat.participants }, 1, '1'), []);
});

test('a preview says who and what', () => {
  const chat = { oneToOne: false, participants: [{ user: '2', name: 'Jonas Hasler', present: true }] };
  const message = { sender: '2', tag: 'Text', content: 'Where\nare you?' };
  assert.equal(namedPreview(message, chat, '1'), 'Jonas: Where are you?');
  assert.equal(namedPreview(message, { ...chat, oneToOne: true }, '1'), 'Where are you?');
  assert.equal(namedPreview({ ...message, sender: '1', tag: 'Photo', content: '' }, chat, '1'), 'You: Photo');
  assert.equal(previewText({ tag: 'Place', content: '', data: { name: 'Fountain' } }), 'Fountain');
  assert.equal(previewText({ tag: 'Text', content: '', recalled: true }), 'This message was taken back.');
});

test('a list’s time is as short as it can be, and days have names', () => {
  assert.match(listTime(NOON - 3_600_000, NOON), /11/);
  assert.equal(listTime(NOON - 2 * DAY, NOON), 'Fri');
  assert.match(listTime(NOON - 10 * DAY, NOON), /12/);
  assert.equal(dayName(NOON, NOON), 'Today');
  assert.equal(dayName(NOON - DAY, NOON), 'Yesterday');
  assert.equal(dayName(NOON - 3 * DAY, NOON), 'Thursday');
});

test('a QR code is the one that other encoders make of the text, mask and level', () => {
  // Checked module by module against Python's qrcode 8, and read back by ZXing.
  const hash = (text) => createHash('sha256').update(qrCode(text).map((row) => row.map((dark) => (dark ? 1 : 0)).join('')).join('')).digest('hex').slice(0, 16);
  assert.equal(hash('Hi'), '3471fd818bff1998');
  assert.equal(hash('HELLO WORLD via bytes'), '341e8eba8525da41');
  assert.equal(hash('https://example.org/#invitation=Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA'), '965b93919ad74cc9');
  assert.equal(hash('x'.repeat(100)), '3b1cbac996b5a950');
  assert.equal(hash('Grüße 你好 '.repeat(7)), '9c3768b8cbc7ce6e');
  assert.equal(hash('y'.repeat(170)), 'd76f297362a1321f');
  assert.equal(hash(`https://yonder.example.org:8443/#invitation=${'Ab3_'.repeat(42)}`), '6bef603875ea587e');
  assert.equal(qrCode('z'.repeat(213)).length, 57);
  assert.equal(qrCode('z'.repeat(214)), undefined);
});
