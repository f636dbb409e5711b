import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activeAt } from '../../Web/app/chats/activity.js';
import { ChatList } from '../../Web/app/chats/chat-list.js';
import { chatName, chatSummary } from '../../Web/app/chats/chat-name.js';
import { Presence } from '../../Web/app/chats/presence.js';

const person = (user, present = true) => ({ user, name: `N${user}`, color: 0, role: 'member', present });
const chat = (id, people = [person('1'), person('2')], fields = {}) => ({ id, oneToOne: false, created: 0, first: 1, last: 1, participants: people, ...fields });

test('an answer in several frames is whole at its last', () => {
  const list = new ChatList();
  list.answer({ chats: [chat('a')], current: false }, true);
  assert.equal(list.isCurrent, false);
  list.answer({ chats: [chat('b')], current: true }, false);
  assert.deepEqual([...list.chats.keys()], ['a', 'b']);
});

test('a fresh answer takes away what is no longer there, and what came in between stays', () => {
  const list = new ChatList();
  list.answer({ chats: [chat('a'), chat('b')], current: true }, true);
  list.answer({ chats: [chat('b')], current: false }, true);
  list.change({ type: 'chat', chat: chat('c') });
  list.answer({ chats: [], current: true }, false);
  assert.deepEqual([...list.chats.keys()], ['b', 'c']);
  list.change({ type: 'chatLeft', chat: 'b' });
  assert.deepEqual([...list.chats.keys()], ['c']);
});

test('a read position never goes back, whatever order servers hear of it in', () => {
  const list = new ChatList();
  list.answer({ chats: [chat('a', undefined, { read: 3, readWritten: 2, reads: { 2: 4 } })], current: true }, true);
  list.change({ type: 'activity', chat: 'a', read: 7, readWritten: 5, reads: { 2: 9, 3: 1 } });
  list.change({ type: 'activity', chat: 'a', read: 5, readWritten: 4, reads: { 2: 6 } });
  const { read, readWritten, reads } = list.chats.get('a');
  assert.deepEqual({ read, readWritten, reads }, { read: 7, readWritten: 5, reads: { 2: 9, 3: 1 } });
});

test('a chat is called by its subject, or by who else is in it', () => {
  assert.equal(chatName(chat('a', undefined, { subject: 'Walk' }), '1'), 'Walk');
  assert.equal(chatName(chat('a'), '1'), 'N2');
  assert.equal(chatName(chat('a', [person('1')]), '1'), 'Only you');
  assert.equal(chatName(chat('a', ['1', '2', '3', '4', '5'].map((id) => person(id))), '1'), 'N2, N3 and 2 more');
  assert.equal(chatSummary(chat('a', [person('1'), person('2', false)])), 'Only you');
});

test('presence follows who comes and goes, and an answer begins anew', () => {
  const presence = new Presence();
  presence.answer({ online: ['1', '2'] }, true);
  presence.change({ user: '3', online: true });
  presence.change({ user: '1', online: false });
  assert.deepEqual([...presence.online], ['2', '3']);
  presence.answer({ online: ['9'] }, true);
  assert.deepEqual([...presence.online], ['9']);
});

test('the list is ordered by last activity, and positions don’t count', () => {
  const at = (tag, time) => ({ chat: 'a', number: 1, sender: '1', tag, content: '', time });
  assert.equal(activeAt(chat('a', undefined, { created: 5 }), []), 5);
  assert.equal(activeAt(chat('a', undefined, { created: 5, active: 9 }), [at('Text', 7)]), 9);
  assert.equal(activeAt(chat('a', undefined, { created: 5, active: 9 }), [at('Location', 20), at('Recall', 21), at('Text', 11)]), 11);
  assert.equal(activeAt(chat('a', undefined, { created: 5 }), [at('Share', 8), at('Text', 7)]), 8);
});
