import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Backoff } from '../../Web/app/stream/backoff.js';
import { Refused, Requests } from '../../Web/app/stream/requests.js';
import { Subscriptions } from '../../Web/app/stream/subscriptions.js';

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
  assert.equal(subscriptions.receive({ type: 'ended', id: 1, code: 'notParticipant', message: '' }), false);
  assert.deepEqual(recorder.heard, [['ended', 'worldClosed']]);
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
