import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Contacts } from '../../Web/app/contacts/contacts.js';
import { ContactList } from '../../Web/app/contacts/contact-list.js';
import { isFound } from '../../Web/app/contacts/name-search.js';
import { Scope } from '../../Web/app/page/scope.js';

const user = (id, name = `N${id}`) => ({ id, name });
const ids = (users) => users.map(({ id }) => id);

test('a contact who comes later is new, those of the first answer are not', () => {
  const list = new ContactList();
  assert.deepEqual(ids(list.answer({ contacts: [user('1')], current: false }, true)), []);
  assert.deepEqual(ids(list.answer({ contacts: [user('2')], current: true }, false)), []);
  assert.deepEqual(ids(list.change({ type: 'contact', contact: user('3') })), ['3']);
  assert.deepEqual(ids(list.change({ type: 'contact', contact: user('3', 'Other name') })), []);
  list.change({ type: 'contactGone', user: '1' });
  assert.deepEqual(ids(list.all), ['2', '3']);
});

test('after a reconnect the answer takes away who is a contact no more, and says who is new', () => {
  const list = new ContactList();
  list.answer({ contacts: [user('1'), user('2')], current: true }, true);
  assert.deepEqual(ids(list.answer({ contacts: [user('2')], current: false }, true)), []);
  assert.deepEqual(ids(list.answer({ contacts: [user('4')], current: true }, false)), ['4']);
  assert.deepEqual(ids(list.all), ['2', '4']);
  assert.deepEqual(ids(list.replace([user('4'), user('5')])), ['5']);
  assert.deepEqual(ids(list.all), ['4', '5']);
});

test('an answer of REST that is older than what the stream says is let go', async (context) => {
  context.mock.method(globalThis, 'setInterval', () => {});
  Object.assign(globalThis, { addEventListener() {}, document: { addEventListener() {}, visibilityState: 'visible' } });
  let answerByREST = () => {};
  context.mock.method(globalThis, 'fetch', (address) => (address.endsWith('/contacts')
    ? new Promise((resolve) => { answerByREST = () => resolve(Response.json({ contacts: [user('1')] })); })
    : Promise.resolve(Response.json({ blocks: [], chats: [] }))));
  let stream;
  const contacts = new Contacts({ subscribe(_query, subscriber) { stream = subscriber; return () => {}; } }, new Scope());
  contacts.follow();
  const loaded = contacts.load();
  stream.answer({ contacts: [user('1')], current: true }, true);
  stream.change({ type: 'contact', contact: user('2') });
  answerByREST();
  await loaded;
  assert.deepEqual(ids(contacts.all), ['1', '2']);
});

test('contacts are found by the beginnings of words, whatever their case and accents', () => {
  assert.ok(isFound('', 'Ada Lovelace'));
  assert.ok(isFound('lov', 'Ada Lovelace'));
  assert.ok(isFound('lo AD', 'Ada Lovelace'));
  assert.ok(isFound('zoe', 'Zoë Ström'));
  assert.ok(isFound('example', 'Ben', 'ben@example.org'));
  assert.ok(!isFound('ace', 'Ada Lovelace'));
  assert.ok(!isFound('ada x', 'Ada Lovelace', undefined));
});
