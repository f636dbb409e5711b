import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** Who listens to what, and what ticks: what a browser would count. */
const listening = new Set();
const ticking = new Set();
const channels = new Set();
const permission = { state: 'prompt', addEventListener: listen('permission'), removeEventListener: unlisten('permission') };
function listen(target) { return (type, listener) => listening.add(`${target} ${type} ${id(listener)}`); }
function unlisten(target) { return (type, listener) => listening.delete(`${target} ${type} ${id(listener)}`); }
const ids = new Map();
function id(listener) {
  if (!ids.has(listener)) ids.set(listener, ids.size);
  return ids.get(listener);
}
Object.defineProperty(globalThis, 'navigator', {
  value: { onLine: true, language: 'en', permissions: { query: async () => permission }, geolocation: { watchPosition: () => 1, clearWatch() {} } }, configurable: true,
});
Object.assign(globalThis, {
  isSecureContext: true, matchMedia: () => ({ matches: false, addEventListener() {} }),
  addEventListener: listen('window'), removeEventListener: unlisten('window'),
  document: { visibilityState: 'visible', documentElement: { dataset: {} }, addEventListener: listen('document'), removeEventListener: unlisten('document') },
  setInterval: () => { const timer = {}; ticking.add(timer); return timer; }, clearInterval: (timer) => ticking.delete(timer),
  WebSocket: class { static CONNECTING = 0; },
  BroadcastChannel: class {
    constructor() { channels.add(this); }
    postMessage() {}
    close() { channels.delete(this); }
  },
});
const { Person } = await import('../../Web/app/session/person.js');
const { Stream } = await import('../../Web/app/stream/stream.js');

const turns = async () => { for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate); };
const counted = () => [listening.size, ticking.size, channels.size];

test('when a session ends, nothing of the person’s listens, ticks or is told any more', async () => {
  globalThis.fetch = async () => Response.json({ entities: [], contacts: [] });
  const stream = new Stream('ws://server/v1/stream');
  const page = { stream, map: { show() {}, showChat() {}, quietPlaces() {} }, tell() {}, named() {} };
  const before = counted();
  for (const user of ['7', undefined, '8', '7']) {
    const person = new Person(page, user);
    person.begin();
    await turns();
    assert.ok(listening.size > before[0] && ticking.size > before[1] && channels.size > before[2]);
    stream.close();
    person.end();
    await turns();
    assert.deepEqual(counted(), before);
  }
});

test('the page itself has what there is once, and nothing of a person’s', () => {
  const source = readFileSync(new URL('../../Web/app/page/page.js', import.meta.url), 'utf8');
  const fields = [...source.matchAll(/^ {2}(#?\w+)(?: = .*)?(?:;|\{)$/gm)].map(([, name]) => name);
  assert.deepEqual(fields, ['toasts', 'title', 'router', 'account', 'stream', 'invitation', 'map', 'panel', '#person', '#isMapMade']);
});
