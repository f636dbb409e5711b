import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixFrom, locationData, serverTime } from '../../Web/app/sharing/fix.js';
import { Outbox } from '../../Web/app/sharing/outbox.js';
import { Sharing, WORLD } from '../../Web/app/sharing/sharing.js';

process.env.TZ = 'Europe/Vienna';
Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });
Object.assign(globalThis, { document: { documentElement: { dataset: {} }, addEventListener() {} }, matchMedia: () => ({ matches: false }), setInterval: () => 0 });
const { nextTime } = await import('../../Web/app/sharing/share-dialog.js');
const { mailtoOf } = await import('../../Web/app/map/callout.js');

const fix = (latitude, longitude, time = 0) => ({ latitude, longitude, time });
const places = (sends) => sends.map(({ place }) => place);

/** What goes to these places from now on. */
const sharingIn = (...places) => {
  const sharing = new Sharing();
  sharing.report(places);
  return sharing;
};

test('a fix goes to every place shared in', () => {
  assert.deepEqual(places(sharingIn('1', WORLD).fix(fix('1.000000', '2.000000'))), ['1', WORLD]);
});

test('a position is sent with the first fix, after 20 m, or after a change of course', () => {
  const sharing = sharingIn('1');
  assert.deepEqual(places(sharing.fix({ ...fix('1.000000', '2.000000'), course: 10 })), ['1']);
  assert.deepEqual(sharing.fix({ ...fix('1.000000', '2.000000'), course: 90 }), [], 'turned on the spot');
  assert.deepEqual(sharing.fix({ ...fix('1.000100', '2.000000'), course: 20 }), [], '11 m straight on');
  assert.deepEqual(places(sharing.fix({ ...fix('1.000100', '2.000000'), course: 50 })), ['1'], '11 m and a turn');
  assert.deepEqual(places(sharing.fix({ ...fix('1.000300', '2.000000'), course: 50 })), ['1'], '22 m');
});

test('a standing phone sends one position, and another only once it is surer', () => {
  const sharing = sharingIn('1');
  const sent = [2_500, 2_000, 40, 12, 8, 30].flatMap((accuracy) => sharing.fix({ ...fix('1.000000', '2.000000'), accuracy }));
  assert.deepEqual(sent.map(({ fix: { accuracy } }) => accuracy), [2_500, 40]);
});

test('a place shared in later gets the last fix at once, and alone', () => {
  const sharing = sharingIn('1');
  const last = fix('1.000000', '2.000000');
  sharing.fix(last);
  assert.deepEqual(sharing.report(['1', '2']), [{ place: '2', fix: last }]);
  assert.deepEqual(sharing.report(['1', '2']), []);
});

test('the first place gets nothing before there is a fix', () => {
  assert.deepEqual(new Sharing().report(['1']), []);
});

test('when nothing is shared nothing is watched, kept or sent', () => {
  const sharing = new Sharing();
  assert.equal(sharing.isOn, false);
  sharing.report(['1']);
  sharing.fix(fix('1.000000', '2.000000'));
  sharing.report([]);
  assert.equal(sharing.isOn, false);
  assert.equal(sharing.lastFix, undefined);
  assert.deepEqual(sharing.fix(fix('3.000000', '4.000000')), []);
});

test('a place shared into again gets the first fix again', () => {
  const sharing = sharingIn('1', WORLD, 'keeps it on');
  sharing.fix(fix('1.000000', '2.000000'));
  sharing.report(['keeps it on']);
  assert.deepEqual(places(sharing.report(['1', WORLD, 'keeps it on'])), ['1', WORLD]);
});

test('the world that was joined anew gets the last fix again, if it is shared in', () => {
  assert.deepEqual(new Sharing().forgotten(WORLD), []);
  const sharing = sharingIn(WORLD);
  sharing.fix(fix('1.000000', '2.000000'));
  assert.deepEqual(places(sharing.forgotten(WORLD)), [WORLD]);
});

test('a position has six decimals and only what the device said', () => {
  const coords = { latitude: -0.00000001, longitude: 10.7522, accuracy: 12.34, altitude: null, altitudeAccuracy: null, heading: NaN, speed: 0 };
  const data = locationData(fixFrom({ coords, timestamp: 1764000000000.4 }, { offset: 0, maximumAge: 0, now: 1764000000000 }));
  assert.deepEqual(data, { latitude: '0.000000', longitude: '10.752200', horizontalAccuracy: 12.3, speed: 0, timestamp: 1764000000000 });
});

const entry = (key, tag = 'Text') => ({ key, user: 'u', chat: '1', tag, content: '', time: 0 });
const keys = (frames) => frames.map(({ key }) => key);

test('unsent messages are sent in order, once per connection', () => {
  const outbox = new Outbox();
  outbox.add(entry('a'));
  outbox.add(entry('b'));
  assert.deepEqual(keys(outbox.due(0)), ['a', 'b']);
  assert.deepEqual(outbox.due(0), []);
  outbox.receive({ type: 'sent', key: 'a' }, 0);
  outbox.lost();
  assert.deepEqual(keys(outbox.due(0)), ['b']);
});

test('messages refused for good are dropped, and rate-limited ones stay', () => {
  const outbox = new Outbox();
  outbox.add(entry('a'));
  outbox.add(entry('b'));
  outbox.due(0);
  assert.equal(outbox.receive({ type: 'error', key: 'a', code: 'notParticipant' }, 0).outcome, 'refused');
  assert.equal(outbox.receive({ type: 'error', key: 'b', code: 'tooManyRequests', retryAfter: 5 }, 0).outcome, 'later');
  assert.equal(outbox.receive({ type: 'sent', key: 'other' }, 0), undefined);
  assert.deepEqual(keys(outbox.due(4)), []);
  assert.deepEqual(keys(outbox.due(5)), ['b']);
});

test('after a refusal for too much nothing is sent before everything in flight is answered, and then in the old order', () => {
  const outbox = new Outbox();
  for (const key of ['a', 'b', 'c']) outbox.add(entry(key));
  outbox.due(0);
  outbox.add(entry('d'));
  const refusal = { type: 'error', code: 'tooManyRequests', retryAfter: 1_000 };
  outbox.receive({ ...refusal, key: 'a' }, 0);
  assert.deepEqual(keys(outbox.due(2_000)), []);
  outbox.receive({ ...refusal, key: 'b' }, 10);
  outbox.receive({ type: 'sent', key: 'c' }, 20);
  assert.deepEqual(keys(outbox.due(1_009)), []);
  assert.deepEqual(keys(outbox.due(1_010)), ['a', 'b', 'd']);
});

test('twenty thousand positions of a day offline reach a server that refuses what is too much, each once, in order', () => {
  const outbox = new Outbox();
  const all = Array.from({ length: 20_000 }, (_, index) => `p${index}`);
  for (const key of all) assert.deepEqual(outbox.add(entry(key, 'Location')), []);
  const accepted = [];
  let now = 0;
  let tokens = 10_000;
  let rests = 0;
  const onTheWire = outbox.due(now);
  while (accepted.length < all.length) {
    const frame = onTheWire.shift();
    if (frame && tokens > 0) {
      tokens -= 1;
      accepted.push(frame.key);
      outbox.receive({ type: 'sent', key: frame.key }, now);
    } else if (frame) {
      outbox.receive({ type: 'error', key: frame.key, code: 'tooManyRequests', retryAfter: 1_000 }, now);
    } else {
      now = outbox.restsUntil;
      tokens = 1_000;
      rests += 1;
    }
    onTheWire.push(...outbox.due(now));
  }
  assert.deepEqual(accepted, all);
  assert.ok(rests <= 11);
  assert.deepEqual(outbox.entries, []);
});

test('the oldest positions make room, texts never', () => {
  const outbox = new Outbox();
  outbox.add(entry('text'));
  const dropped = [];
  for (let index = 0; index < 50_002; index += 1) dropped.push(...outbox.add(entry(`p${index}`, 'Location')));
  assert.deepEqual(keys(dropped), ['p0', 'p1']);
  assert.equal(outbox.entries[0].key, 'text');
});

test('few are in flight at a time', () => {
  const outbox = new Outbox();
  for (let index = 0; index < 40; index += 1) outbox.add(entry(`k${index}`));
  const first = outbox.due(0);
  assert.ok(first.length < 40);
  outbox.receive({ type: 'sent', key: first[0].key }, 0);
  assert.deepEqual(keys(outbox.due(0)), [`k${first.length}`]);
});

test('a browser’s time is moved to the server’s clock, and a time that is the server’s already isn’t', () => {
  const now = 1_764_000_000_000;
  for (const offset of [-3_600_000, -180_000, 0, 180_000, 3_600_000]) {
    const at = (time, maximumAge = 0) => serverTime(time, { offset, maximumAge, now });
    assert.equal(at(now), now + offset, 'found just now');
    assert.equal(at(now - 5_000), now - 5_000 + offset, 'given late');
    assert.equal(at(now - 8_000, 10_000), now - 8_000 + offset, 'as old as was asked for');
    assert.equal(at(now + offset), now + offset, 'by a receiver’s clock');
    assert.equal(at(now - 600_000), now - 600_000 + offset, 'old by either clock');
  }
});

test('until a time is the next time that a clock shows it, also where a day has 23 or 25 hours', () => {
  const at = (year, month, day, hours, minutes) => new Date(year, month - 1, day, hours, minutes).getTime();
  assert.equal(nextTime('15:20', at(2026, 11, 28, 14, 0)), at(2026, 11, 28, 15, 20));
  assert.equal(nextTime('14:00', at(2026, 11, 28, 14, 0)), at(2026, 11, 29, 14, 0));
  // In the zone of the test: summer time begins on 29 March 2026, and ends on 25 October.
  assert.equal(nextTime('08:00', at(2026, 3, 28, 20, 0)), at(2026, 3, 29, 8, 0));
  assert.equal(nextTime('08:00', at(2026, 10, 24, 20, 0)), at(2026, 10, 25, 8, 0));
  assert.equal((nextTime('08:00', at(2026, 3, 28, 20, 0)) - at(2026, 3, 28, 20, 0)) / 3_600_000, 11);
});

test('an e-mail address is an address alone, whatever stands in it', () => {
  assert.equal(mailtoOf('ben@example.org'), 'mailto:ben@example.org');
  assert.equal(mailtoOf('ben?subject=x&cc=cyd@example.org'), 'mailto:ben%3Fsubject%3Dx%26cc%3Dcyd@example.org');
});
