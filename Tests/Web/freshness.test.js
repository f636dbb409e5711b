import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PeopleOrder } from '../../Web/app/chats/people-order.js';
import { ageText } from '../../Web/app/freshness/age.js';
import { compareStates, freshnessOfPosition, nextChange, stateAt, tellingShare } from '../../Web/app/freshness/freshness.js';
import { personAtPin, personNow } from '../../Web/app/freshness/person-now.js';
import { causeText, labelText, rowAge } from '../../Web/app/freshness/person-text.js';
import { ShareBook } from '../../Web/app/freshness/share-book.js';
import { newsOf } from '../../Web/app/freshness/watcher.js';

const NOW = new Date(2026, 10, 12, 14, 38).getTime();
const MINUTE = 60_000;
const share = (fields = {}, freshness = {}) => ({
  share: 's', chat: '7', user: '1', started: NOW - 60 * MINUTE, until: null, keep: 'kept', freshness: { state: 'live', asOf: NOW, ...freshness }, ...fields,
});
const position = (ago, fields = {}) => ({ number: 3, sender: '1', tag: 'Location', content: '', time: NOW - ago, data: { latitude: 1, longitude: 2, ...fields } });
const known = (fields = {}) => ({ position: undefined, time: undefined, shares: [], note: undefined, ...fields });

test('a page cut off turns its pins stale by itself', () => {
  const { freshness } = share({}, { changes: [{ at: NOW + 30_000, state: 'slow' }, { at: NOW + 5 * MINUTE, state: 'stale' }, { at: NOW + 15 * MINUTE, state: 'offline' }] });
  const states = [0, 29, 30, 299, 300, 899, 900, 90_000].map((seconds) => stateAt(freshness, NOW + seconds * 1000));
  assert.deepEqual(states, ['live', 'live', 'slow', 'slow', 'stale', 'stale', 'offline', 'offline']);
  assert.equal(nextChange(freshness, NOW + 31_000), NOW + 5 * MINUTE);
  assert.equal(nextChange(freshness, NOW + 15 * MINUTE), undefined);
});

test('without a word of the server the position’s age says it', () => {
  const states = [0, 59, 60, 299, 300, 899, 900].map((seconds) => stateAt(freshnessOfPosition(NOW), NOW + seconds * 1000));
  assert.deepEqual(states, ['live', 'live', 'slow', 'slow', 'stale', 'stale', 'offline']);
  assert.equal(stateAt(freshnessOfPosition(NOW, 10 * MINUTE), NOW + 19 * MINUTE), 'live');
});

test('an age is short and in steps that a reader expects', () => {
  const said = (ago) => ageText(NOW - ago * MINUTE, NOW);
  assert.equal(said(0.9), 'now');
  assert.equal(said(-3), 'now');
  assert.equal(said(4.9), '4 min');
  assert.equal(said(59), '59 min');
  assert.equal(said(125), '2 h');
  assert.match(said(12 * 60 + 30), /^02:08$/);
  assert.match(said(60 * 48), /^Tue,? 14:38$/);
  assert.match(said(60 * 24 * 9), /Nov/);
});

test('a share says more than the position, and the one that the position names counts', () => {
  const old = share({ share: 'old', started: 1 }, { state: 'ended', asOf: NOW - MINUTE });
  const running = share({ share: 'new' });
  assert.equal(tellingShare([old, running], 'old'), running);
  assert.equal(tellingShare([old], undefined), old);
  assert.equal(tellingShare([], 'x'), undefined);
  const person = personNow(known({ position: position(20 * MINUTE), time: NOW - 20 * MINUTE, shares: [share({}, { since: NOW - 20 * MINUTE })] }), NOW);
  assert.equal(person.state, 'live');
  assert.equal(labelText(person, NOW), 'now');
  assert.equal(causeText(person, NOW), 'here since 14:18');
});

test('a share that ended says when, and an erased or an old one shows nothing', () => {
  const ended = (fields, asOf = NOW - 36 * MINUTE) => personNow(known({ position: position(40 * MINUTE), time: NOW - 40 * MINUTE, shares: [share(fields, { state: 'ended', cause: 'stopped', asOf })] }), NOW);
  assert.equal(labelText(ended({}), NOW), 'stopped 14:02');
  assert.equal(ended({}).isGone, false);
  assert.equal(ended({ keep: 'expiring' }).isGone, true);
  assert.equal(ended({}, NOW - 25 * 60 * MINUTE).isGone, true);
});

test('a Share message ends what came before it, not what came after', () => {
  const note = { number: 4, sender: '1', tag: 'Share', time: NOW - 5 * MINUTE, data: { share: 's', state: 'stopped', keep: 'kept' } };
  assert.equal(personNow(known({ position: position(0), time: NOW, note }), NOW).state, 'ended');
  assert.equal(personNow(known({ position: { ...position(0), number: 5 }, time: NOW, note }), NOW).state, 'live');
  assert.equal(personNow(known({ position: position(0, { share: 'other' }), time: NOW, note }), NOW).state, 'live');
});

test('an arrival whose share and way are erased is told from its message, beside an older share and alone', () => {
  const note = { number: 9, sender: '1', tag: 'Share', time: NOW - 5 * MINUTE, data: { share: '2', state: 'expired', arrived: true, keep: 'expiring' } };
  const old = share({ share: '1', started: NOW - 90 * MINUTE }, { state: 'ended', cause: 'stopped', asOf: NOW - 36 * MINUTE });
  for (const fields of [{ shares: [old], position: position(40 * MINUTE, { share: '1' }), time: NOW - 40 * MINUTE }, { shares: [old] }, {}]) {
    const person = personNow(known({ ...fields, note }), NOW);
    assert.equal(`${rowAge(person, NOW)} ${causeText(person, NOW)}`, '14:33 arrived');
  }
  const later = { ...old, freshness: { ...old.freshness, asOf: NOW - 2 * MINUTE } };
  assert.equal(causeText(personNow(known({ shares: [later], note }), NOW), NOW), 'stopped sharing');
});

test('a coarse position says how coarse, and only somebody who moves has a course', () => {
  const coarse = personNow(known({ position: position(0, { horizontalAccuracy: 2_500 }), time: NOW }), NOW);
  assert.equal(labelText(coarse, NOW), 'now ± 2.5 km');
  const moving = personNow(known({ position: position(0, { course: 134, speed: 1.4 }), time: NOW }), NOW);
  assert.equal(moving.course, 120);
  assert.equal(personNow(known({ position: position(0, { course: 134, speed: 0.2 }), time: NOW }), NOW).course, undefined);
});

test('the book of shares holds what the last answer and later changes said', () => {
  const book = new ShareBook();
  book.answer({ shares: [share(), share({ share: 't', user: '2' })], current: true }, true);
  book.change({ shares: [share({ share: 't', user: '2' }, { state: 'ended' })] });
  assert.deepEqual(book.running.map(({ share: id }) => id), ['s']);
  assert.equal(book.of('2')[0].freshness.state, 'ended');
  book.answer({ shares: [share()], current: true }, true);
  assert.deepEqual(book.of('2'), []);
});

test('a share whose freshness came alone keeps the rest, and one that is unknown is left out', () => {
  const book = new ShareBook({ isOfChat: true });
  book.answer({ shares: [share({ chat: '7' })], current: true }, true);
  book.change({ shares: [{ share: 's', freshness: { state: 'slow' } }, { share: 'x', freshness: { state: 'live' } }] });
  assert.deepEqual([...book.shares.values()], [share({ chat: '7', freshness: { state: 'slow' } })]);
});

test('of a person\'s ends the newest stays, in whatever order they arrive', () => {
  const ended = (id, asOf, started) => share({ share: id, started }, { state: 'ended', asOf });
  const [early, late, equal] = [ended('10', NOW - 2, NOW - 3), ended('9', NOW - 1, NOW - 4), ended('11', NOW - 1, NOW - 5)];
  for (const order of [[early, late, equal], [equal, late, early], [late, equal, early]]) {
    const book = new ShareBook({ isOfChat: true });
    for (const one of order) book.change({ shares: [one] });
    assert.deepEqual(book.of('1').map(({ share: id }) => id), ['11']);
  }
});

test('rows: who moves, then by the last change, the ended and the silent last; and no jump under a finger', () => {
  const order = new PeopleOrder();
  const person = (state, fields = {}) => ({ state, heard: NOW, isGone: false, ...fields });
  const people = [
    { user: 'never', name: 'N', person: undefined, moved: undefined }, { user: 'ended', name: 'E', person: person('ended'), moved: NOW },
    { user: 'old', name: 'O', person: person('offline'), moved: NOW - 100 }, { user: 'stands', name: 'S', person: person('live'), moved: NOW - 10 },
    { user: 'moves', name: 'M', person: person('live', { speed: 3 }), moved: NOW - 50 },
  ];
  assert.deepEqual(order.sorted(people, { time: NOW, steady: 0 }), ['moves', 'stands', 'old', 'ended', 'never']);
  order.touch(1_000);
  people[2].person = person('stale');
  assert.deepEqual(order.sorted(people, { time: NOW + 1, steady: 2_000 }), ['moves', 'stands', 'old', 'ended', 'never']);
  assert.deepEqual(order.sorted(people, { time: NOW + 2, steady: 7_000 }), ['moves', 'old', 'stands', 'ended', 'never']);
  assert.ok(compareStates('live', 'stale') < 0);
});

test('announced changes of a person: stopped, offline, low, back, and nothing else', () => {
  const person = (state, fields = {}) => ({ state, heard: NOW, isGone: false, ...fields });
  assert.equal(newsOf(person('live'), person('slow')), undefined);
  assert.equal(newsOf(person('slow'), person('ended')), 'stopped');
  assert.equal(newsOf(person('stale'), person('offline')), 'offline');
  assert.equal(newsOf(person('offline'), person('live')), 'back');
  assert.equal(newsOf(person('live', { battery: 0.2 }), person('live', { battery: 0.1 })), 'low');
  assert.equal(newsOf(person('live', { battery: 0.2 }), person('live', { battery: 0.1, charging: true })), undefined);
});

test('a row never says now and no news at once', () => {
  for (let seconds = 0; seconds < 180; seconds += 1) {
    const heard = NOW - seconds * 1_000;
    const changes = [{ at: heard + 30_000, state: 'slow' }];
    const person = personNow(known({ position: position(NOW - heard), time: heard, shares: [share({}, { asOf: heard, changes })] }), NOW);
    assert.equal(rowAge(person, NOW) === 'now', !causeText(person, NOW).startsWith('no news'), `${seconds} s`);
  }
});

test('an arrival is told although its positions are erased, and the pin of an older share says when that one stopped', () => {
  const old = share({ share: '1', started: NOW - 90 * MINUTE }, { state: 'ended', cause: 'stopped', asOf: NOW - 36 * MINUTE });
  const erased = share({ share: '2', started: NOW - 30 * MINUTE, keep: 'expiring' }, { state: 'ended', cause: 'arrived', asOf: NOW - 5 * MINUTE });
  const person = personNow(known({ position: position(40 * MINUTE, { share: '1' }), time: NOW - 40 * MINUTE, shares: [old, erased] }), NOW);
  assert.equal(`${rowAge(person, NOW)} ${causeText(person, NOW)}`, '14:33 arrived');
  assert.equal(labelText(person, NOW), 'stopped 14:02');
  assert.equal(causeText(personAtPin(person), NOW), 'stopped sharing');
  assert.equal(person.isGone, false);
});

test('whoever is cut off reads no cause that only the server could know', () => {
  const heard = NOW - 20 * MINUTE;
  const freshness = { state: 'slow', cause: 'noFix', asOf: heard, changes: [{ at: heard + 5 * MINUTE, state: 'stale' }, { at: heard + 15 * MINUTE, state: 'offline' }] };
  const said = (isCurrent, at) => causeText(personNow(known({ position: position(NOW - heard), time: heard, shares: [share({}, freshness)], isCurrent }), at), at);
  assert.equal(said(true, heard + MINUTE), 'position not found yet');
  assert.equal(said(true, heard + 6 * MINUTE), 'no news since 14:18');
  assert.equal(said(true, NOW), 'phone not reached');
  assert.equal(said(false, NOW), 'no news since 14:18');
});
