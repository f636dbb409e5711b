import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LiveChat } from '../../Web/app/chats/live-chat.js';
import { sharingNow } from '../../Web/app/chats/sharing-now.js';

const NOW = new Date(2026, 10, 12, 14, 38).getTime();
const MINUTE = 60_000;
const plain = (text) => text.replace(/[\u2068\u2069]/g, '');

/** A stream that a test answers for. */
function scriptedStream() {
  const subscribers = new Map();
  return {
    subscribers, now: () => NOW,
    subscribe(query, subscriber) {
      subscribers.set(`${query.query}/${query.tag ?? ''}`, subscriber);
      return () => {};
    },
  };
}

/**
 * A page with one chat: the reader's id is 0; each other person's share has a state and an age in minutes.
 * @param {[state: string, age: number][]} people
 */
function pageWith(people, { oneToOne = false, own = {} } = {}) {
  const stream = scriptedStream();
  const live = new LiveChat(stream, '7');
  const shares = people.map(([state, age], index) => ({
    share: `${100 + index}`, chat: '7', user: `${index + 1}`, started: NOW - 200 * MINUTE, until: null, keep: 'kept', freshness: { state, asOf: NOW - age * MINUTE },
  }));
  const messages = shares.map(({ share, user, freshness }, index) => ({
    chat: '7', number: index + 1, sender: user, tag: 'Location', content: '', time: freshness.asOf, data: { latitude: '1.000000', longitude: '2.000000', timestamp: freshness.asOf, share },
  }));
  stream.subscribers.get('freshness/').answer({ shares, current: true }, true);
  stream.subscribers.get('messages/Location').answer({ messages, through: messages.length, current: true }, true);
  const participants = ['Me', 'Mia Ohm', 'Ben Ohm', 'Tom Ohm', 'Eva Ohm', 'Jon Ohm'].slice(0, people.length + 1).map((name, user) => ({ user: `${user}`, name, present: true }));
  const page = {
    account: { user: { id: '0' } }, chats: { followedLive: () => live }, stream: { state: 'open', now: () => NOW },
    sharer: { isSharedIn: () => own.isHere ?? false, isPausedIn: () => false, tabs: { isHolder: true }, sharing: { lastFix: own.fix } },
    ownShares: { in: () => undefined, areKept: true }, shareRecords: { wanted: [], isStopping: () => false },
  };
  return { page, chat: { id: '7', oneToOne, participants }, live, stream };
}

const said = ({ page, chat }) => {
  const { kind, text } = sharingNow(page, chat);
  return [kind, plain(text)];
};

test('people who are silent don’t share now, and the list says when they were last heard of', () => {
  const silent = Array.from({ length: 5 }, () => ['stale', 12]);
  assert.deepEqual(said(pageWith(silent)), ['held', '5 last heard 12 min ago or earlier']);
  assert.deepEqual(said(pageWith([['live', 0], ['offline', 180], ['stale', 8]])), ['live', 'Mia shares now · 2 last heard 8 min ago or earlier']);
  assert.deepEqual(said(pageWith([['offline', 15 * 60]])), ['held', 'Mia last heard: Wed 23:38']);
  assert.deepEqual(said(pageWith([['stale', 8]], { oneToOne: true })), ['held', 'last heard 8 min ago']);
  assert.deepEqual(said(pageWith([['live', 0], ['paused', 0]])), ['live', 'Mia shares now · Ben paused']);
});

test('nobody reads that they share now before a position was found', () => {
  assert.deepEqual(said(pageWith([], { own: { isHere: true } })), ['held', 'Finding where you are…']);
  assert.deepEqual(said(pageWith([['live', 0]], { own: { isHere: true, fix: {} } })), ['own', 'You and one other share now']);
  assert.deepEqual(said(pageWith([['stale', 9]], { own: { isHere: true, fix: {} } })), ['own', 'You share now · Mia last heard 9 min ago']);
});

test('who shares nothing is known only while the connection is open', () => {
  const { live, stream } = pageWith([['live', 0]]);
  assert.equal(live.standing('9', NOW).kind, 'none');
  stream.subscribers.get('freshness/').lost();
  assert.equal(live.standing('9', NOW).kind, 'unknown');
  assert.equal(live.standing('1', NOW).kind, 'live');
  stream.subscribers.get('freshness/').answer({ shares: [], current: true }, true);
  assert.equal(live.standing('9', NOW).kind, 'none');
});
