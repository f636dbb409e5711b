import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';

const SOURCE = readFileSync(new URL('../../Web/service-worker.js', import.meta.url), 'utf8').replaceAll('{{assets}}', '/assets/abc123');
const ORIGIN = 'https://yonder.example';

/** Caches in memory, as far as the worker uses them. */
function memoryCaches() {
  const all = new Map();
  const cache = () => {
    const kept = new Map();
    const key = (request) => new URL(request.url ?? request, ORIGIN).href;
    return {
      match: async (request) => kept.get(key(request))?.clone(),
      put: async (request, response) => { kept.delete(key(request)); kept.set(key(request), response); },
      delete: async (request) => kept.delete(key(request)),
      keys: async () => [...kept.keys()].map((url) => ({ url })),
    };
  };
  return {
    open: async (name) => { if (!all.has(name)) all.set(name, cache()); return all.get(name); },
    keys: async () => [...all.keys()],
    delete: async (name) => all.delete(name),
  };
}

/** A database of unsent messages, as far as the worker uses it: `rows` by their keys. */
function databaseOf(rows) {
  const later = (request, result) => { queueMicrotask(() => { request.result = result; request.onsuccess(); }); return request; };
  const openCursor = () => {
    const request = {};
    const keys = [...rows.keys()];
    const step = () => later(request, keys.length === 0 ? null : (([key]) => ({ primaryKey: key, value: rows.get(key), continue: step }))(keys.splice(0, 1)));
    return step();
  };
  const store = { openCursor, delete: (key) => rows.delete(key) };
  return { open: () => later({}, { transaction: () => ({ objectStore: () => store }), close: () => {} }) };
}

/** The worker with a network of its own; `ask` answers what it responds with, or `undefined` if it lets something pass. */
function started(fetch, { rows = new Map(), windows = [] } = {}) {
  const listeners = new Map();
  const caches = memoryCaches();
  const self = {
    addEventListener: (name, listener) => listeners.set(name, listener), location: { origin: ORIGIN },
    skipWaiting: async () => {}, clients: { claim: async () => {}, matchAll: async () => windows },
  };
  runInNewContext(SOURCE, { self, caches, fetch, indexedDB: databaseOf(rows), URL, Headers, Response, Date, Number, String, JSON, Error });
  const ask = async (path, { method = 'GET', mode = 'cors', origin = ORIGIN } = {}) => {
    let answer;
    const waits = [];
    const request = { method, mode, url: origin + path };
    listeners.get('fetch')({ request, respondWith: (value) => { answer = value; }, waitUntil: (value) => waits.push(value) });
    const response = await answer;
    await Promise.all(waits);
    return response;
  };
  const tell = (name, event) => new Promise((resolve) => { listeners.get(name)({ ...event, waitUntil: resolve }); });
  return { ask, tell, caches };
}

test('requests with a position pass untouched, and so do all other phone paths', async () => {
  const { ask } = started(async () => assert.fail('asked the network'));
  const paths = ['/v1/session', '/v1/stream', '/v1/images/7', '/f/secret', '/mqtt', '/socket.io/?EIO=4', '/control', '/pub', '/owntracks',
    '/?id=7&lat=1&lon=2', '/assets/another/app/main.js', '/tiles/world.json', '/api/data', '/service-worker.js'];
  for (const path of paths) assert.equal(await ask(path, { mode: 'navigate' }), undefined, path);
  assert.equal(await ask('/', { method: 'POST' }), undefined);
  assert.equal(await ask('/'), undefined, 'a script that asks for the page');
  assert.equal(await ask('/tiles/world/1/0/0.mvt', { origin: 'https://other.example' }), undefined);
});

test('this version’s files are asked for once', async () => {
  let asked = 0;
  const { ask } = started(async () => { asked += 1; return new Response('code'); });
  for (let time = 0; time < 3; time += 1) assert.equal(await (await ask('/assets/abc123/app/main.js')).text(), 'code');
  assert.equal(asked, 1);
});

test('the page opens without a connection once it was kept', async () => {
  let isOnline = true;
  const { ask, tell } = started(async () => {
    if (!isOnline) throw new TypeError('offline');
    return new Response('<script src="/assets/abc123/app/main.js">');
  });
  await tell('message', { data: { keep: ['/', '/v1/session'] } });
  isOnline = false;
  assert.match(await (await ask('/', { mode: 'navigate' })).text(), /abc123/);
});

test('another version’s page takes the place of the kept one', async () => {
  let version = 'abc123';
  const { ask, tell } = started(async () => new Response(`<script src="/assets/${version}/app/main.js">`));
  await tell('message', { data: { keep: ['/'] } });
  version = 'def456';
  assert.match(await (await ask('/', { mode: 'navigate' })).text(), /abc123/);
  assert.match(await (await ask('/', { mode: 'navigate' })).text(), /def456/);
});

test('the oldest tiles go when there are more than 50 MB', async () => {
  const { ask, caches } = started(async () => new Response(new Uint8Array(4_000_000)));
  for (let x = 0; x < 16; x += 1) await ask(`/tiles/world/4/${x}/0.mvt`);
  const tiles = await caches.open('yonder-tiles');
  const kept = (await tiles.keys()).map(({ url }) => new URL(url).pathname);
  assert.ok(kept.length * 4_000_000 <= 50_000_000, `${kept.length}`);
  assert.ok(kept.includes('/tiles/world/4/15/0.mvt'));
  assert.ok(!kept.includes('/tiles/world/4/0/0.mvt'));
});

test('the map’s description is fetched each time, and kept for when there is no connection', async () => {
  let answers = ['first', 'second'];
  const { ask } = started(async () => {
    const text = answers.shift();
    if (!text) throw new TypeError('offline');
    return new Response(text);
  });
  for (const text of ['first', 'second', 'second']) assert.equal(await (await ask('/tiles/map.json')).text(), text);
});

test('a kept tile is shown without a connection, however old it is', async () => {
  let isOnline = true;
  const { ask } = started(async () => {
    if (!isOnline) throw new TypeError('offline');
    return new Response('tile');
  });
  await ask('/tiles/world/4/1/0.mvt');
  isOnline = false;
  assert.equal(await (await ask('/tiles/world/4/1/0.mvt')).text(), 'tile');
});

/** A server that answers each message with the next status. */
function receiver(statuses) {
  const sent = [];
  const fetch = async (path, { body } = {}) => {
    if (path === '/v1/session') return Response.json({ user: { id: '7' } });
    sent.push(`${path} ${JSON.parse(body).key}`);
    return new Response('{}', { status: statuses[sent.length - 1] ?? 201 });
  };
  return { sent, fetch };
}

const unsent = () => new Map([
  [1, { key: 'a', user: '7', chat: '1', tag: 'Location', content: '', data: {} }],
  [2, { key: 'b', user: '8', chat: '1', tag: 'Text', content: 'another person' }],
  [3, { key: 'c', user: '7', chat: '2', tag: 'Text', content: 'hi' }],
]);

test('the page’s unsent messages are sent when there is a connection again, and refused ones are dropped', async () => {
  const rows = unsent();
  const { sent, fetch } = receiver([409, 201]);
  const { tell } = started(fetch, { rows });
  await tell('sync', { tag: 'outbox' });
  assert.deepEqual(sent, ['/v1/chats/1/messages a', '/v1/chats/2/messages c']);
  assert.deepEqual([...rows.keys()], [2]);
});

test('messages refused for now are kept, and the browser tries again', async () => {
  const rows = unsent();
  const { tell } = started(receiver([503]).fetch, { rows });
  await assert.rejects(tell('sync', { tag: 'outbox' }));
  assert.equal(rows.size, 3);
});

test('an open page sends for itself', async () => {
  const { sent, fetch } = receiver([]);
  await started(fetch, { rows: unsent(), windows: [{}] }).tell('sync', { tag: 'outbox' });
  assert.deepEqual(sent, []);
});
