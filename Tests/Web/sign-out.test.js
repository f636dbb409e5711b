import assert from 'node:assert/strict';
import { test } from 'node:test';

const kept = new Map();
const onWrite = new Set();
Object.defineProperty(globalThis, 'localStorage', {
  value: {
    getItem: (key) => kept.get(key) ?? null, removeItem: (key) => kept.delete(key), key: (place) => [...kept.keys()][place] ?? null, get length() { return kept.size; },
    setItem: (key, value) => { kept.set(key, value); for (const each of onWrite) each(key); },
  },
  configurable: true,
});
Object.defineProperty(globalThis, 'navigator', { value: { onLine: true }, configurable: true });
Object.assign(globalThis, {
  document: { documentElement: { dataset: {} } }, location: { goes: [], reload() { this.goes.push('again'); }, replace(path) { this.goes.push(path); } },
  history: { replaceState: (_, __, path) => location.goes.push(path) }, addEventListener() {}, fetch: async () => ({ ok: true, status: 204, text: async () => '' }),
});
const { signOut } = await import('../../Web/app/session/sign-out.js');

test('a tab that signs somebody out for a link leaves by itself alone, whatever other tabs do about its note', async () => {
  const account = { user: { id: '7' }, isLeaving: false };
  const page = {
    account, sender: { unsent: () => [] }, shareRecords: { wanted: [], stopping: [] }, stops: { settled: async () => {}, send() {} }, awaitedStart: { drop() {} }, starts: { drop: () => [] }, stream: { state: 'open' },
    leave() { account.isLeaving = true; },
  };
  const seen = [];
  onWrite.add((key) => seen.push([key, account.isLeaving]));
  await signOut(page, 'secret');
  assert.deepEqual(seen, [['yonder.left', true]]);
  assert.deepEqual(location.goes, ['/#link=secret', 'again']);
});
