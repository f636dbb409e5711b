import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Backoff } from '../../Web/app/stream/backoff.js';
import { Refused, Requests } from '../../Web/app/stream/requests.js';
import { Stream } from '../../Web/app/stream/stream.js';
import { FINAL, Subscriptions } from '../../Web/app/stream/subscriptions.js';

class Recorder {
  heard = [];
  through;
  answer(frame, isFirst) { this.heard.push(['answer', frame.id, isFirst]); }
  change(frame) { this.heard.push(['change', frame.number]); }
  ended(refusal) { this.heard.push(['ended', refusal.code]); }
  since() { return this.through; }
}

test('changes find their subscription by the topic that the answer named', () => {
  const subscriptions = new Subscriptions();
  const [one, two] = [new Recorder(), new Recorder()];
  subscriptions.add({ query: 'messages', chat: '1' }, one);
  subscriptions.add({ query: 'messages', chat: '2' }, two);
  subscriptions.receive({ type: 'messages', id: 1, topic: 70, current: false, messages: [] });
  subscriptions.receive({ type: 'messages', id: 1, topic: 70, current: true, messages: [] });
  subscriptions.receive({ type: 'messages', id: 2, topic: 80, current: true, messages: [] });
  subscriptions.receive({ type: 'message', topic: 80, number: 5 });
  assert.deepEqual(one.heard, [['answer', 1, true], ['answer', 1, false]]);
  assert.deepEqual(two.heard, [['answer', 2, true], ['change', 5]]);
});

test('after a reconnect each goes on from where it stands, under topics told anew', () => {
  const subscriptions = new Subscriptions();
  const recorder = new Recorder();
  const { frame } = subscriptions.add({ query: 'messages', chat: '1' }, recorder);
  assert.deepEqual(frame, { type: 'subscribe', id: 1, query: 'messages', chat: '1' });
  subscriptions.receive({ type: 'messages', id: 1, topic: 7, current: true, messages: [] });
  recorder.through = 41;
  assert.deepEqual(subscriptions.resume(), [{ type: 'subscribe', id: 1, query: 'messages', chat: '1', since: 41 }]);
  assert.equal(subscriptions.receive({ type: 'message', topic: 7, number: 42 }), false);
  subscriptions.receive({ type: 'messages', id: 1, topic: 9, current: true, messages: [] });
  subscriptions.receive({ type: 'message', topic: 9, number: 43 });
  assert.deepEqual(recorder.heard.at(-1), ['change', 43]);
});

test('a subscription to freshness asks for parts where the greeting has them, and no other one does', () => {
  const subscriptions = new Subscriptions();
  const query = { query: 'freshness', chat: '1' };
  subscriptions.add(query, new Recorder());
  subscriptions.add({ query: 'presence', chat: '1' }, new Recorder());
  const isPartial = (hello) => subscriptions.resume(hello).map(({ partial }) => partial);
  assert.deepEqual(isPartial({ partial: true }), [true, undefined]);
  assert.equal(subscriptions.add({ query: 'freshness', chat: '2' }, new Recorder()).frame.partial, true);
  assert.deepEqual(isPartial({}), [undefined, undefined, undefined]);
});

test('an ended subscription gets nothing more, and is not resumed', () => {
  const subscriptions = new Subscriptions();
  const recorder = new Recorder();
  const { id } = subscriptions.add({ query: 'world' }, recorder);
  subscriptions.receive({ type: 'world', id, topic: 3, current: true, pins: [] });
  assert.deepEqual(subscriptions.remove(id), { type: 'unsubscribe', id });
  assert.equal(subscriptions.remove(id), undefined);
  assert.equal(subscriptions.receive({ type: 'pin', topic: 3, pin: 'a' }), false);
  assert.deepEqual(subscriptions.resume(), []);
});

test('a refusal and an end by the server reach the subscriber once', () => {
  const subscriptions = new Subscriptions();
  const recorder = new Recorder();
  subscriptions.add({ query: 'world' }, recorder);
  assert.equal(subscriptions.receive({ type: 'error', id: 1, code: 'worldClosed', message: 'Closed.' }), true);
  assert.equal(subscriptions.receive({ type: 'ended', id: 1, code: 'notParticipant', message: '' }), true);
  assert.deepEqual(recorder.heard, [['ended', 'worldClosed']]);
});

test('the final codes are those that the document and the SDK have', () => {
  const { final } = JSON.parse(readFileSync(new URL('../Fixtures/refusals/final.json', import.meta.url), 'utf8'));
  assert.deepEqual([...FINAL].sort(), final);
  const document = readFileSync(new URL('../../Documentation/errors.md', import.meta.url), 'utf8');
  const [section] = document.split('## Which codes end a subscription')[1].split('\n## ');
  const named = [...section.matchAll(/`(\w+)`/g)].map(([, code]) => code).filter((code) => code !== 'ended' && code !== 'retryAfter');
  assert.deepEqual(named, final);
  for (const code of final) assert.match(document, new RegExp(`^\\| \`${code}\` \\|`, 'm'));
});

test('each final code reaches the subscriber, and after any other it is asked for again on the same connection', () => {
  const document = readFileSync(new URL('../../Documentation/errors.md', import.meta.url), 'utf8');
  const codes = [...document.matchAll(/^\| `(\w+)` \|/gm)].map(([, code]) => code);
  for (const code of [...codes, 'aCodeOfANewerServer']) {
    for (const type of ['error', 'ended']) {
      let now = 0;
      const recorder = new Recorder();
      const subscriptions = new Subscriptions({ now: () => now, random: () => 0.999 });
      const { frame } = subscriptions.add({ query: 'shares' }, recorder);
      subscriptions.resume();
      if (type === 'ended') subscriptions.receive({ type: 'shares', id: 1, topic: 7, current: true, shares: [] });
      assert.ok(subscriptions.receive({ type, id: 1, code, message: '' }));
      now = 999;
      assert.deepEqual(subscriptions.due(), [], code);
      now = 2_000;
      assert.deepEqual(subscriptions.due(), FINAL.has(code) ? [] : [frame], code);
      assert.deepEqual(recorder.heard.filter(([what]) => what === 'ended'), FINAL.has(code) ? [['ended', code]] : []);
    }
  }
});

test('it waits as long as the server says, else longer with each refusal, and anew after an answer', () => {
  let now = 0;
  const subscriptions = new Subscriptions({ now: () => now, random: () => 0 });
  subscriptions.add({ query: 'chats' }, new Recorder());
  subscriptions.resume();
  const refuse = (retryAfter) => {
    subscriptions.receive({ type: 'error', id: 1, code: 'unavailable', message: '', retryAfter });
    const { wait } = subscriptions;
    now += wait;
    assert.equal(subscriptions.due().length, 1);
    assert.equal(subscriptions.wait, Infinity);
    return wait;
  };
  assert.deepEqual([refuse(), refuse(300), refuse(), refuse()], [1_000, 300, 2_000, 4_000]);
  subscriptions.receive({ type: 'chats', id: 1, topic: 1, current: true, chats: [] });
  assert.equal(refuse(), 1_000);
});

test('a new connection asks at once, and ends the waits of the one before', () => {
  let now = 0;
  const subscriptions = new Subscriptions({ now: () => now });
  const { frame } = subscriptions.add({ query: 'chats' }, new Recorder());
  subscriptions.resume();
  subscriptions.receive({ type: 'error', id: 1, code: 'unavailable', message: '', retryAfter: 2_000 });
  subscriptions.lost();
  now = 1_000;
  assert.equal(subscriptions.wait, Infinity);
  assert.deepEqual(subscriptions.resume(), [frame]);
  now = 5_000;
  assert.deepEqual(subscriptions.due(), []);
});

test('what waits is let go without a frame, and what was refused to it before doesn’t end it', () => {
  let now = 0;
  const recorder = new Recorder();
  const subscriptions = new Subscriptions({ now: () => now });
  for (const query of ['chats', 'shares']) subscriptions.add({ query }, recorder);
  subscriptions.resume();
  for (const id of [1, 2]) subscriptions.receive({ type: 'error', id, code: 'unavailable', message: '', retryAfter: 10 });
  assert.equal(subscriptions.remove(1), undefined);
  assert.ok(subscriptions.receive({ type: 'error', id: 2, code: 'invalidField', message: 'A move of a region.' }));
  now = 10;
  assert.deepEqual(subscriptions.due(), [{ type: 'subscribe', id: 2, query: 'shares' }]);
  assert.deepEqual(recorder.heard, []);
});

test('the stream asks again by itself, and a page in the background stays connected on a timer a minute', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  let time = 0;
  context.mock.method(performance, 'now', () => time);
  const ticks = [];
  context.mock.method(globalThis, 'setInterval', (tick) => ticks.push(tick));
  const sockets = [];
  Object.assign(globalThis, {
    addEventListener() {}, document: { visibilityState: 'hidden', addEventListener() {} },
    WebSocket: class {
      sent = [];
      constructor() { sockets.push(this); }
      send(text) {
        this.sent.push(JSON.parse(text));
        if (this.sent.at(-1).type === 'ping') this.say({ type: 'pong', time: Date.now() });
      }
      say(frame) { this.onmessage({ data: JSON.stringify(frame) }); }
      close() {}
    },
  });
  const stream = new Stream('ws://server/v1/stream');
  const answers = [];
  stream.subscribe({ query: 'chats' }, { answer: (frame) => answers.push(frame.chats), change() {} });
  stream.open();
  const [socket] = sockets;
  socket.say({ type: 'hello', time: 0 });
  socket.say({ type: 'error', id: 1, code: 'unavailable', message: '', retryAfter: 500 });
  // The clock is measured at once.
  assert.deepEqual(socket.sent.map(({ type }) => type), ['subscribe', 'ping']);
  time = 500;
  context.mock.timers.tick(500);
  assert.deepEqual(socket.sent[2], { type: 'subscribe', id: 1, query: 'chats' });
  socket.say({ type: 'chats', id: 1, topic: 1, current: true, chats: ['a'] });
  assert.deepEqual(answers, [['a']]);
  for (let minute = 0; minute < 5; minute += 1) {
    context.mock.timers.tick(60_500);
    time += 60_500;
    for (const tick of ticks) tick();
  }
  assert.deepEqual([stream.state, sockets.length], ['open', 1]);
  stream.close();
});

test('after a sleep, or when the clock was set, the clock is measured at once, and a connection that stays silent is given up', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  let time = 0;
  context.mock.method(performance, 'now', () => time);
  const ticks = [];
  context.mock.method(globalThis, 'setInterval', (tick) => ticks.push(tick));
  Object.defineProperty(globalThis, 'navigator', { value: { onLine: true }, configurable: true });
  let isSilent = false;
  const sockets = [];
  globalThis.WebSocket = class {
    pings = 0;
    constructor() { sockets.push(this); }
    send(text) {
      if (JSON.parse(text).type !== 'ping') return;
      this.pings += 1;
      if (!isSilent) this.say({ type: 'pong', time: Date.now() + 180_000 });
    }
    say(frame) { this.onmessage({ data: JSON.stringify(frame) }); }
    close() {}
  };
  const stream = new Stream('ws://server/v1/stream');
  const pass = (milliseconds, monotonic = milliseconds) => {
    context.mock.timers.tick(milliseconds);
    time += monotonic;
    ticks[1]();
  };
  stream.open();
  sockets[0].say({ type: 'hello', time: Date.now() });
  assert.equal(stream.offset, 180_000);
  pass(2_000);
  assert.equal(sockets[0].pings, 1);
  pass(3_600_000, 50);
  assert.deepEqual([sockets[0].pings, sockets.length, stream.offset], [2, 1, 180_000]);
  isSilent = true;
  pass(3_600_000, 50);
  pass(9_000);
  assert.equal(sockets.length, 1);
  pass(2_000);
  context.mock.timers.tick(1_000);
  assert.equal(sockets.length, 2, 'connects anew');
  stream.close();
});

test('an error with a key is not a subscription’s', () => {
  assert.equal(new Subscriptions().receive({ type: 'error', key: 'k', code: 'keyReused', message: '' }), false);
});

test('a request is asked again until it is answered', async () => {
  const requests = new Requests();
  const answer = requests.add({ type: 'leave', key: 'k1', chat: '7' });
  assert.deepEqual(requests.resume(), [{ type: 'leave', key: 'k1', chat: '7' }]);
  assert.equal(requests.receive({ type: 'sent', key: 'k2' }), false);
  assert.equal(requests.receive({ type: 'sent', key: 'k1', number: 9 }), true);
  assert.equal((await answer).number, 9);
  assert.deepEqual(requests.resume(), []);
});

test('a refused request throws what the server said', async () => {
  const requests = new Requests();
  const answer = requests.add({ type: 'start', key: 'k1' });
  requests.receive({ type: 'error', key: 'k1', code: 'noInvitee', message: 'With whom?' });
  await assert.rejects(answer, (error) => error instanceof Refused && error.code === 'noInvitee' && error.message === 'With whom?');
});

test('waiting doubles up to half a minute, never more than its ceiling nor less than half of it', () => {
  for (const random of [() => 0, () => 0.999]) {
    const backoff = new Backoff(random);
    const waits = Array.from({ length: 10 }, () => backoff.next());
    waits.forEach((wait, attempt) => {
      const ceiling = Math.min(30_000, 500 * 2 ** attempt);
      assert.ok(wait >= ceiling / 2 && wait <= ceiling, `${wait} at ${attempt}`);
    });
    backoff.reset();
    assert.ok(backoff.next() <= 500);
  }
});
