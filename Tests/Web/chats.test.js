import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chats } from '../../Web/app/chats/chats.js';
import { LiveChat } from '../../Web/app/chats/live-chat.js';
import { Subscriptions } from '../../Web/app/stream/subscriptions.js';
import { activeAt } from '../../Web/app/chats/activity.js';
import { ChatList } from '../../Web/app/chats/chat-list.js';
import { chatName, chatSummary } from '../../Web/app/chats/chat-name.js';
import { Scope } from '../../Web/app/page/scope.js';
import { Presence } from '../../Web/app/chats/presence.js';

const person = (user, present = true) => ({ user, name: `N${user}`, color: 0, role: 'member', present });
const chat = (id, people = [person('1'), person('2')], fields = {}) => ({ id, oneToOne: false, created: 0, first: 1, last: 1, participants: people, ...fields });

/** The stream without a socket: what is subscribed to, and what a server would say. */
class FakeStream {
  open = new Map();
  mostOpen = 0;
  #subscriptions = new Subscriptions({ now: () => 0 });
  #topics = 0;

  now() { return 10_000_000; }
  send() {}

  subscribe(query, subscriber) {
    const { id, frame } = this.#subscriptions.add(query, subscriber);
    this.open.set(id, frame);
    this.mostOpen = Math.max(this.mostOpen, this.open.size);
    return () => {
      this.#subscriptions.remove(id);
      this.open.delete(id);
    };
  }

  reconnect() {
    this.#subscriptions.lost();
    for (const frame of this.#subscriptions.resume()) this.open.set(frame.id, frame);
  }

  /** The newest subscription whose frame has these members. */
  find(members) {
    return [...this.open.values()].findLast((frame) => Object.entries(members).every(([name, value]) => frame[name] === value));
  }

  answer(frame, members) {
    this.#topics += 1;
    this.#subscriptions.receive({ type: 'x', id: frame.id, topic: this.#topics, current: true, ...members });
    return this.#topics;
  }

  say(frame) { this.#subscriptions.receive(frame); }
}

const position = (number, fields = {}) => ({
  chat: 'a', number, sender: '1', tag: 'Location', content: '', time: 9_000_000 + number * 60_000,
  data: { latitude: '50', longitude: `${number}` }, ...fields,
});
const longitudes = (live, user) => live.lines.pieces(user, 10_000_000).flatMap(({ points }) => points.map(([longitude]) => longitude));

test('a last position that is taken back gives way to the one before it, live and after an absence', () => {
  const stream = new FakeStream();
  const live = new LiveChat(stream, 'a');
  const [last] = [stream.find({ latest: true })];
  const topic = stream.answer(last, { messages: [position(2)], through: 2 });
  stream.say({ type: 'message', topic, ...position(3, { tag: 'Recall', data: { number: 2 } }) });
  const again = stream.find({ latest: true });
  assert.notEqual(again.id, last.id);
  assert.equal('since' in again, false);
  assert.equal(stream.open.has(last.id), false);
  stream.answer(again, { messages: [position(1)], through: 3 });
  assert.equal(live.last.latest().get('1').number, 1);

  stream.reconnect();
  const resumed = stream.find({ latest: true });
  assert.equal(resumed.since, 3);
  stream.answer(resumed, { messages: [position(4, { tag: 'Recall', data: { number: 1 } })], through: 4 });
  assert.equal(live.last.latest().size, 0);
  stream.answer(stream.find({ latest: true }), { messages: [position(0.5)], through: 4 });
  assert.equal(live.last.latest().get('1').number, 0.5);
});

test('what was sent during an absence comes into the lines, and what is taken back leaves them', () => {
  const stream = new FakeStream();
  const live = new LiveChat(stream, 'a');
  live.open();
  stream.answer(stream.find({ latest: true }), { messages: [position(2)], through: 2 });
  stream.answer(stream.find({ limit: 5_000 }), { messages: [position(1), position(2)], through: 2 });
  assert.deepEqual(longitudes(live, '1'), [1, 2]);
  assert.equal(stream.find({ limit: 5_000 }), undefined);

  stream.reconnect();
  const topic = stream.answer(stream.find({ latest: true }), { messages: [position(5)], through: 5 });
  const missed = stream.find({ limit: 5_000 });
  assert.equal(missed.since, 2);
  stream.answer(missed, { messages: [position(3), position(4), position(5)], through: 5 });
  assert.deepEqual(longitudes(live, '1'), [1, 2, 3, 4, 5]);
  stream.say({ type: 'message', topic, ...position(6, { tag: 'Recall', data: { number: 4 } }) });
  assert.deepEqual(longitudes(live, '1'), [1, 2, 3, 5]);
});

test('a chat that is opened before its positions are known asks for its lines once they are', () => {
  const stream = new FakeStream();
  const live = new LiveChat(stream, 'a');
  live.open();
  assert.equal(stream.find({ limit: 5_000 }), undefined);
  const topic = stream.answer(stream.find({ latest: true }), { messages: [position(4)], through: 4 });
  const asked = stream.find({ limit: 5_000 });
  assert.equal('since' in asked, false);
  stream.say({ type: 'message', topic, ...position(6) });
  // The answer was read before the newest position was sent: what lies between is asked for.
  stream.answer(asked, { messages: [position(3), position(4)], through: 4 });
  const rest = stream.find({ limit: 5_000 });
  assert.equal(rest.since, 4);
  stream.answer(rest, { messages: [position(5), position(6)], through: 6 });
  assert.deepEqual(longitudes(live, '1'), [3, 4, 5, 6]);
  assert.equal(stream.find({ limit: 5_000 }), undefined);
  stream.say({ type: 'message', topic, ...position(7) });
  assert.deepEqual(longitudes(live, '1'), [3, 4, 5, 6, 7]);
  assert.equal(stream.find({ limit: 5_000 }), undefined);
});

test('lines that reach further than the positions are not asked for again', () => {
  const stream = new FakeStream();
  const live = new LiveChat(stream, 'a');
  live.open();
  const topic = stream.answer(stream.find({ latest: true }), { messages: [position(2)], through: 2 });
  // A text is the chat's last message.
  stream.answer(stream.find({ limit: 5_000 }), { messages: [position(1), position(2)], through: 9 });
  for (const number of [10, 11]) stream.say({ type: 'message', topic, ...position(number) });
  stream.reconnect();
  stream.answer(stream.find({ latest: true }), { messages: [position(11)], through: 11 });
  assert.equal(stream.find({ limit: 5_000 }), undefined);
});

test('lines that were shut are asked for whole again', () => {
  const stream = new FakeStream();
  const live = new LiveChat(stream, 'a');
  live.open();
  stream.answer(stream.find({ latest: true }), { messages: [position(2)], through: 2 });
  stream.answer(stream.find({ limit: 5_000 }), { messages: [position(1), position(2)], through: 2 });
  live.shut();
  live.open();
  assert.equal('since' in stream.find({ limit: 5_000 }), false);
});

test('a chat that is over is followed anew when its list says that one is in it again', () => {
  const stream = new FakeStream();
  const chats = new Chats(stream);
  chats.follow();
  const topic = stream.answer(stream.find({ query: 'chats' }), { chats: [chat('a')] });
  const before = stream.find({ latest: true });
  stream.say({ type: 'ended', id: before.id, code: 'notParticipant', message: '' });
  assert.equal(chats.live('a').refusal.code, 'notParticipant');
  stream.say({ type: 'chat', topic, chat: chat('a') });
  assert.equal(chats.live('a').refusal, undefined);
  assert.ok(stream.find({ latest: true }).id > before.id);
});

test('of more chats than a session may follow, those that fall behind are let go', () => {
  const stream = new FakeStream();
  const chats = new Chats(stream);
  chats.follow();
  const all = Array.from({ length: 150 }, (_, index) => chat(`c${index}`, undefined, { active: index }));
  const topic = stream.answer(stream.find({ query: 'chats' }), { chats: all });
  for (let time = 200; time < 600; time += 1) {
    stream.say({ type: 'activity', topic, chat: `c${time % 150}`, active: time });
    if (time % 20 === 0) chats.live(`c${(time * 7) % 150}`)?.open();
    if (time % 20 === 10) chats.live(`c${((time - 10) * 7) % 150}`)?.shut();
  }
  assert.ok(stream.mostOpen < 240, `${stream.mostOpen}`);
  assert.equal(chats.followedLive('c0'), undefined);
  assert.ok(chats.followedLive('c149'));
});

test('of a person’s shares in a chat that ended the last kept one counts, while none runs', () => {
  const { shares } = new LiveChat(new FakeStream(), 'a');
  const share = (id, state, keep = 'kept') => ({ share: id, chat: 'a', user: '1', started: Number(id), keep, until: null, freshness: { state, asOf: Number(id) } });
  const shown = (...changed) => {
    shares.change({ shares: changed });
    return shares.of('1').map(({ share: id }) => id);
  };
  shares.answer({ shares: [share('1', 'live')], current: true }, true);
  assert.deepEqual(shown(share('1', 'ended')), ['1']);
  assert.deepEqual(shown(share('2', 'live')), ['2']);
  assert.deepEqual(shown(share('2', 'ended')), ['2']);
  assert.deepEqual([...shares.shares.keys()], ['2']);
  assert.deepEqual(shown(share('3', 'live', 'expiring')), ['3']);
  assert.deepEqual(shown(share('3', 'ended', 'expiring')), ['2', '3']);
});

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

test('positions of whoever moves tell what looks at the chats once for all, and the last of them, too', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const stream = new FakeStream();
  const chats = new Chats(stream);
  chats.follow();
  stream.answer(stream.find({ query: 'chats' }), { chats: ['a', 'b', 'c'].map((id) => chat(id)) });
  for (const id of ['a', 'b', 'c']) stream.answer(stream.find({ chat: id, tag: 'Location' }), { messages: [], through: 0 });
  const settle = async () => {
    context.mock.timers.tick(1_000);
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  };
  await settle();
  let told = 0;
  const seen = [];
  chats.observe(() => {
    told += 1;
    seen.push(chats.live('b').last.latest().get('1')?.number);
  }, new Scope());
  const topic = stream.answer(stream.find({ chat: 'b', tag: 'Location' }), { messages: [], through: 0 });
  await settle();
  told = 0;
  for (let number = 1; number <= 40; number += 1) {
    stream.say({ type: 'message', topic, ...position(number, { chat: 'b' }) });
    await new Promise(setImmediate);
  }
  await settle();
  assert.ok(told <= 2, `${told} times`);
  assert.equal(seen.at(-1), 40);
});
