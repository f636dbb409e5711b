import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

/** What the browser keeps by name, and what the server answers, by method and path. */
let kept;
let answers;
let asked;
let erased;
const erase = async () => { erased += 1; };
Object.defineProperty(globalThis, 'localStorage', {
  value: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) }, configurable: true,
});
Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });
globalThis.document = { documentElement: { dataset: {} } };
globalThis.fetch = async (path, { method, body }) => {
  asked.push([`${method} ${path}`, JSON.parse(body)]);
  const [status, code] = answers.get(path) ?? [204];
  if (status === 0) throw new TypeError('no connection');
  const text = code === undefined ? (status === 204 ? '' : '<html>') : JSON.stringify({ error: { code, message: '', ...(status === 429 ? { retryAfter: 1 } : {}) } });
  return { ok: status < 300, status, text: async () => text, headers: { get: () => 'application/json' } };
};
const { depart, forgetStop, leave, leaveStops, leaving, stopsOf } = await import('../../Web/app/session/departure.js');

const SHARES = '/v1/me/shares';
const SESSION = '/v1/session';
const record = (place, stopping, user = '7') => ({ id: `${user}/${place}`, user, place, stops: 1, turn: 0, isWanted: false, isPaused: false, reported: 0, stopping });

beforeEach(() => {
  kept = new Map();
  answers = new Map();
  asked = [];
  erased = 0;
});

test('the server hears of each stop that waited, and of the sign-out after them', async () => {
  assert.ok(leave('7'));
  leaveStops([record('1', 100), record('*', 200), { ...record('2', 0), stopping: undefined }]);
  await depart(erase);
  assert.deepEqual(asked, [[`DELETE ${SHARES}`, { before: 100, chat: '1' }], [`DELETE ${SHARES}`, { before: 200 }], [`DELETE ${SESSION}`, {}]]);
  assert.equal(kept.size, 0);
  assert.equal(erased, 1);
  // Another tab told the server first: by now another person may be signed in, whose data stays.
  await depart(erase);
  assert.equal(asked.length, 3);
  assert.equal(erased, 1);
});

const PASSING = [
  ['no connection', [0]], ['too much', [429, 'tooManyRequests']], ['unavailable', [503, 'unavailable']], ['a fault of the server', [500, 'internalError']],
  ['a proxy of another name', [403, 'forbiddenOrigin']], ['a portal’s page', [200]], ['a page in the server’s place', [404]],
];
for (const [name, answer] of PASSING) {
  for (const path of [SHARES, SESSION]) {
    test(`a sign-out is told again after ${name} at ${path}`, async () => {
      leave('7');
      leaveStops([record('1', 100)]);
      answers.set(path, answer);
      await assert.rejects(depart(erase));
      assert.equal(leaving(), '7');
      answers.clear();
      await depart(erase);
      assert.equal(kept.size, 0);
    });
  }
}

test('a stop that an ended session can’t send waits for the person’s next one, and for nobody else’s', async () => {
  leave('7');
  leaveStops([record('1', 100), record('2', 100, '8')]);
  answers.set(SHARES, [401, 'notSignedIn']);
  await depart(erase);
  assert.equal(leaving(), undefined);
  assert.deepEqual(stopsOf('7'), [{ user: '7', place: '1', before: 100 }]);
  forgetStop(stopsOf('7')[0]);
  assert.deepEqual(stopsOf('7'), []);
  assert.deepEqual(stopsOf('8'), [{ user: '8', place: '2', before: 100 }]);
});

test('a stop that the server refuses for good doesn’t keep the session', async () => {
  leave('7');
  leaveStops([record('1', 100)]);
  answers.set(SHARES, [404, 'unknownChat']);
  await depart(erase);
  assert.equal(kept.size, 0);
  assert.equal(asked.length, 2);
});

test('of a place the newest stop waits, and of all a hundred', () => {
  leaveStops([record('1', 100)]);
  leaveStops([record('1', 300)]);
  assert.deepEqual(stopsOf('7'), [{ user: '7', place: '1', before: 300 }]);
  leaveStops(Array.from({ length: 150 }, (_, index) => record(`c${index}`, index + 1)));
  assert.equal(stopsOf('7').length, 100);
});

test('what stands in the marker’s place is taken for no marker', () => {
  for (const text of ['', 'no', '[]', '{"leaving":5,"stops":{}}', 'null']) {
    kept.set('yonder.left', text);
    assert.equal(leaving(), undefined, text);
    assert.deepEqual(stopsOf('7'), [], text);
  }
});
