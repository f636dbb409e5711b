import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { FakeDatabase, Faults, turns } from './fake-database.js';

const SOURCE = readFileSync(new URL('../../Web/service-worker.js', import.meta.url), 'utf8').replaceAll('{{assets}}', '/assets/abc123');
export const ORIGIN = 'https://yonder.example';
export const PAGE = '<script src="/assets/abc123/app/main.js">';

/** Caches in memory, as far as the worker uses them; each call may have a fault. */
function memoryCaches(faults) {
  const all = new Map();
  const calls = new Faults(faults);
  const called = async (work) => {
    const fault = calls.next();
    if (fault === 'silent') await new Promise(() => {});
    if (fault) throw Object.assign(new Error(fault), { name: 'QuotaExceededError' });
    return work();
  };
  const cache = () => {
    const kept = new Map();
    const key = (request) => new URL(request.url ?? request, ORIGIN).href;
    return {
      kept,
      match: (request) => called(() => kept.get(key(request))?.clone()),
      put: (request, response) => called(() => { kept.delete(key(request)); kept.set(key(request), response); }),
      delete: (request) => called(() => kept.delete(key(request))),
      keys: () => called(() => [...kept.keys()].map((url) => ({ url }))),
    };
  };
  return {
    calls,
    match: (request, { cacheName }) => called(() => all.get(cacheName)?.kept.get(new URL(request, ORIGIN).href)?.clone()),
    open: (name) => called(() => { if (!all.has(name)) all.set(name, cache()); return all.get(name); }),
    keys: () => called(() => [...all.keys()]),
    delete: (name) => called(() => all.delete(name)),
  };
}

/** A database in which messages wait. */
export function databaseOf(messages, faults, shares) {
  const database = new FakeDatabase(faults);
  database.version = 2;
  database.stores.set('unsent', { keyPath: null, rows: new Map(messages.map((message, index) => [index + 1, message])), last: messages.length });
  if (shares) database.stores.set('shares', { keyPath: 'id', rows: new Map(shares.map((share) => [share.id, share])), last: 0 });
  return database;
}

const TYPES = { js: 'text/javascript; charset=utf-8', json: 'application/json', mvt: 'application/vnd.mapbox-vector-tile' };

/** What the server answers, with the type that the address has. */
export function answer(path, body, headers = {}) {
  const type = TYPES[/\.(\w+)$/.exec(path)?.[1]] ?? 'text/html; charset=utf-8';
  return new Response(body, { headers: { 'Content-Type': type, ...headers } });
}

/** The worker with a network and a storage of its own; `ask` answers what it responds with, or `undefined` if it lets something pass. */
export function started(fetch, { database = databaseOf([]), faults, windows = [] } = {}) {
  const listeners = new Map();
  const opened = [];
  const caches = memoryCaches(faults);
  const self = {
    addEventListener: (name, listener) => listeners.set(name, listener), location: { origin: ORIGIN },
    skipWaiting: async () => {}, clients: { claim: async () => {}, matchAll: async () => windows, openWindow: async (url) => opened.push(url) },
  };
  const network = async (request, options) => fetch(new URL(request.url ?? request, ORIGIN).pathname, options);
  runInNewContext(SOURCE, { self, caches, fetch: network, indexedDB: database, URL, Headers, Response, Date, Number, String, JSON, Error, crypto,
    Uint8Array, setTimeout: (work) => { setImmediate(async () => { await turns(50); work(); }); }, clearTimeout: () => {} });
  const ask = async (path, { method = 'GET', mode = 'cors', origin = ORIGIN } = {}) => {
    let answered;
    const waits = [];
    const request = { method, mode, url: origin + path };
    listeners.get('fetch')({ request, respondWith: (value) => { answered = value; }, waitUntil: (value) => waits.push(value) });
    const response = await answered;
    // Storage that never answers keeps the worker, and nobody else.
    await Promise.race([Promise.all(waits), turns(200)]);
    return response;
  };
  const tell = (name, event) => new Promise((resolve) => { listeners.get(name)({ ports: [], ...event, waitUntil: resolve }); });
  return { ask, tell, caches, opened };
}

/** A server that answers each message with the next status, or the next answer. */
export function receiver(answers, user = '7') {
  const sent = [];
  const fetch = async (path, { body } = {}) => {
    if (path === '/v1/session') return Response.json({ user: { id: user } });
    sent.push(`${path} ${JSON.parse(body).key}`);
    const next = answers[sent.length - 1] ?? 201;
    return typeof next === 'number' ? new Response('{}', { status: next }) : next;
  };
  return { sent, fetch };
}
