// @ts-check
/// <reference lib="webworker" />

/**
 * Opens the page without a connection, and its second visit at once. It answers for a few kinds of addresses alone: the
 * page itself, this version's files, and this server's tiles and what describes them. Everything else, so whatever holds a position, passes to
 * the network as if there were no worker.
 */

/** The folder of this version's files. */
const ASSETS = '/assets/98ba1bc88f12';
const SHELL = `yonder-shell${ASSETS.replaceAll('/', '-')}`;
const TILES = 'yonder-tiles';
/** How much of the map is kept, in bytes. */
const TILES_AT_MOST = 50_000_000;
/** After how long a kept tile is asked for again, in milliseconds. */
const TILE_AGE = 86_400_000;
/** Headers that the worker adds to a kept tile. */
const SIZE = 'X-Kept-Size';
const KEPT_AT = 'X-Kept-At';

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(begin()));
worker.addEventListener('fetch', (event) => {
  const kind = kindOf(event.request);
  if (kind === 'page') event.respondWith(page(event));
  if (kind === 'asset') event.respondWith(asset(event.request));
  if (kind === 'map') event.respondWith(description(event.request));
  if (kind === 'tile') event.respondWith(tile(event.request));
});
// What couldn't be sent while the page was open: the browser says when there is a connection again.
worker.addEventListener('sync', (event) => {
  if (/** @type {any} */ (event).tag === 'outbox') /** @type {any} */ (event).waitUntil(sendOutbox());
});
// What the page has loaded before the worker was there.
worker.addEventListener('message', (event) => event.waitUntil(keep(event.data.keep)));

/**
 * @param {Request} request
 * @returns {'page' | 'asset' | 'map' | 'tile' | undefined} `undefined` if it passes untouched
 */
function kindOf({ method, mode, url }) {
  const { origin, pathname, search } = new URL(url);
  if (method !== 'GET' || origin !== worker.location.origin) return undefined;
  // Phone apps post to `/`, and to it with a query: only a person opening the page gets the kept one.
  if (pathname === '/' && search === '' && mode === 'navigate') return 'page';
  if (pathname.startsWith(`${ASSETS}/`)) return 'asset';
  if (pathname === '/tiles/map.json' || pathname === '/tiles/style.json') return 'map';
  return /^\/tiles\/[^/]+\/\d+\/\d+\/\d+\.\w+$/.test(pathname) ? 'tile' : undefined;
}

async function begin() {
  for (const name of await caches.keys()) {
    if (name !== SHELL && name !== TILES) await caches.delete(name);
  }
  await worker.clients.claim();
}

/** @param {string[]} addresses */
async function keep(addresses) {
  const shell = await caches.open(SHELL);
  for (const address of addresses) {
    const isOurs = address === '/' || address.startsWith(`${ASSETS}/`);
    if (!isOurs || (await shell.match(address))) continue;
    const response = await fetch(address);
    if (response.ok) await shell.put(address, response);
  }
}

/**
 * The page as it was kept, at once, and asked for again behind it: the greeting says whether it is of the server's version.
 * @param {FetchEvent} event
 */
async function page(event) {
  const shell = await caches.open(SHELL);
  const kept = await shell.match('/');
  const fresh = fetch(event.request).then(async (response) => {
    // Another version's page belongs to another worker's files.
    const isOurs = response.ok && !response.redirected && (await response.clone().text()).includes(`${ASSETS}/`);
    if (isOurs) await shell.put('/', response.clone());
    else if (response.ok) await shell.delete('/');
    return response;
  });
  event.waitUntil(fresh.catch(() => {}));
  return kept ?? fresh;
}

/** @param {Request} request */
async function asset(request) {
  const shell = await caches.open(SHELL);
  const kept = await shell.match(request.url);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await shell.put(request.url, response.clone());
  return response;
}

/**
 * What the map's sources are, as the server says now; as it said last without a connection.
 * @param {Request} request
 */
async function description(request) {
  const tiles = await caches.open(TILES);
  try {
    const response = await fetch(request);
    if (response.ok) await tiles.put(request.url, response.clone());
    return response;
  } catch (error) {
    const kept = await tiles.match(request.url);
    if (kept) return kept;
    throw error;
  }
}

/** @param {Request} request */
async function tile(request) {
  const tiles = await caches.open(TILES);
  const kept = await tiles.match(request.url);
  if (kept && Date.now() - Number(kept.headers.get(KEPT_AT)) < TILE_AGE) return kept;
  try {
    const response = await fetch(request);
    if (response.ok) await keepTile(tiles, request.url, response.clone());
    return response;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

/**
 * @param {Cache} tiles
 * @param {string} url
 * @param {Response} response
 */
async function keepTile(tiles, url, response) {
  const bytes = await response.arrayBuffer();
  const headers = new Headers(response.headers);
  // The bytes are unpacked already.
  headers.delete('Content-Encoding');
  headers.set(SIZE, String(bytes.byteLength));
  headers.set(KEPT_AT, String(Date.now()));
  await makeRoom(tiles, bytes.byteLength);
  await tiles.put(url, new Response(response.status === 204 ? null : bytes, { status: response.status, headers }));
  if (kept !== undefined) kept += bytes.byteLength;
}

/** How many bytes of tiles are kept, once they have been counted. @type {number | undefined} */
let kept;

/**
 * Lets go of the oldest tiles until there is room for another.
 * @param {Cache} tiles
 * @param {number} bytes
 */
async function makeRoom(tiles, bytes) {
  kept ??= await counted(tiles);
  if (kept + bytes <= TILES_AT_MOST) return;
  for (const request of await tiles.keys()) {
    if (kept + bytes <= TILES_AT_MOST * 0.9) return;
    kept -= await sizeOf(tiles, request);
    await tiles.delete(request);
  }
}

/** @param {Cache} tiles */
async function counted(tiles) {
  let sum = 0;
  for (const request of await tiles.keys()) sum += await sizeOf(tiles, request);
  return sum;
}

/**
 * @param {Cache} tiles
 * @param {Request} request
 */
async function sizeOf(tiles, request) {
  return Number((await tiles.match(request))?.headers.get(SIZE) ?? 0);
}

/**
 * Sends what the page left unsent, oldest first; an open page does so itself. Each message has its key, so that none comes
 * twice. What the server refuses is let go of: a position that was recorded after its share's end, for one.
 */
async function sendOutbox() {
  if ((await worker.clients.matchAll({ type: 'window' })).length > 0) return;
  const session = await fetch('/v1/session', { cache: 'no-store' });
  if (!session.ok) return;
  const { user } = await session.json();
  const database = await opened();
  for (const { key, value } of await unsent(database)) {
    if (value.user !== user.id || !(await isSettled(value))) continue;
    database.transaction('unsent', 'readwrite').objectStore('unsent').delete(key);
  }
  database.close();
}

/**
 * Sends one message.
 * @param {{ chat: string, key: string, tag: string, content: string, data?: object }} message
 * @returns {Promise<boolean>} whether it was taken or refused for good
 */
async function isSettled({ chat, key, tag, content, data }) {
  const response = await fetch(`/v1/chats/${encodeURIComponent(chat)}/messages`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ key, tag, content, data }),
  });
  // Tried again later: the browser calls again after a failure.
  if (response.status === 429 || response.status >= 500) throw new Error(`The server answered ${response.status}.`);
  return true;
}

/** @returns {Promise<IDBDatabase>} */
function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('yonder');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    // There is none: it isn't for the worker to make it.
    request.onupgradeneeded = () => request.transaction?.abort();
  });
}

/**
 * @param {IDBDatabase} database
 * @returns {Promise<{ key: IDBValidKey, value: any }[]>}
 */
function unsent(database) {
  return new Promise((resolve, reject) => {
    /** @type {{ key: IDBValidKey, value: any }[]} */
    const found = [];
    const request = database.transaction('unsent').objectStore('unsent').openCursor();
    request.onerror = () => reject(request.error);
    request.onsuccess = () => {
      const cursor = request.result;
      if (!cursor) return resolve(found);
      found.push({ key: cursor.primaryKey, value: cursor.value });
      cursor.continue();
    };
  });
}
