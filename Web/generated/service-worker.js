// @ts-check
/// <reference lib="webworker" />

/**
 * Opens the page without a connection, and its second visit at once. It answers for a few kinds of addresses alone: the
 * page itself, this version's files, and this server's tiles and what describes them. Everything else, so whatever holds a position, passes to
 * the network as if there were no worker.
 */

/** The folder of this version's files. */
const ASSETS = '/assets/45d133af797d';
const SHELL = `yonder-shell${ASSETS.replaceAll('/', '-')}`;
const TILES = 'yonder-tiles';
/** The place of a stop that ends every share, as the page names it. */
const EVERYWHERE = '*';
/** How much of the map is kept, in bytes. */
const TILES_AT_MOST = 50_000_000;
/** After how long a kept tile is asked for again, in milliseconds. */
const TILE_AGE = 86_400_000;
/** How long the browser's storage may take to find what is kept, in milliseconds. */
const ANSWERED_WITHIN = 2_000;
/** The content type of what is kept, by extension. */
const TYPES = {
  css: 'text/css', html: 'text/html', js: 'text/javascript', json: 'application/json', txt: 'text/plain', woff2: 'font/woff2',
  image: 'image/', jpg: 'image/jpeg', png: 'image/png', svg: 'image/svg+xml', webp: 'image/webp', mvt: 'application/vnd.mapbox-vector-tile',
};
/** The codes with which the server refuses what a person sent for a reason that stays: the page's `FINAL_REFUSALS`. */
const FINAL_REFUSALS = [
  'closedChat', 'invalidField', 'invalidFrame', 'invalidJSON', 'keyReused', 'messageTooLarge', 'missingField', 'notAllowed', 'notParticipant',
  'notShared', 'reservedTag', 'shareEnded', 'tooLarge', 'tooMany', 'unknownChat', 'unknownField', 'unknownMessage', 'unknownUser',
];
/** Headers that the worker adds to a kept tile. */
const SIZE = 'X-Kept-Size';
const KEPT_AT = 'X-Kept-At';

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(begin()));
worker.addEventListener('fetch', (event) => {
  const kind = kindOf(event.request);
  if (kind === 'page') event.respondWith(page(event));
  if (kind === 'asset') event.respondWith(asset(event));
  // What the map's sources are: as the server says now.
  if (kind === 'map') event.respondWith(ofMap(event, 0));
  if (kind === 'tile') event.respondWith(ofMap(event, TILE_AGE));
});
// What couldn't be sent while the page was open: the browser says when there is a connection again.
worker.addEventListener('sync', (event) => {
  if (/** @type {any} */ (event).tag === 'outbox') /** @type {any} */ (event).waitUntil(sendOutbox());
});
worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(tapped(Object(event.notification.data)));
});
worker.addEventListener('message', (event) => event.waitUntil(told(event.data, event.ports)));

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
  for (const name of (await inTime(caches.keys())) ?? []) {
    if (name !== SHELL && name !== TILES) await inTime(caches.delete(name));
  }
  await worker.clients.claim();
}

/** Which of the caches may be written to: after a sign-out, what is still on its way isn't kept. */
const open = new Set([SHELL, TILES]);

/**
 * A page says what it has loaded before the worker was there, or that the person's signs are being erased.
 * @param {{ keep?: string[], forget?: 'tiles' | 'everything' }} data
 * @param {readonly MessagePort[]} ports that are sent an answer once this worker writes nothing more
 */
async function told({ keep: addresses, forget }, [port]) {
  if (forget) open.delete(TILES);
  if (forget === 'everything') open.delete(SHELL);
  port?.postMessage(true);
  if (!addresses) return;
  open.add(SHELL).add(TILES);
  await keep(addresses);
}

/**
 * A cache to write to. A cache that is erased after the answer to `forget` isn’t made again.
 * @param {string} name
 * @returns {Promise<Cache | undefined>} `undefined` where nothing may be kept
 */
async function writable(name) {
  return open.has(name) ? caches.open(name) : undefined;
}

/**
 * What the browser's storage answers. Without an answer the worker goes on as if nothing were kept.
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T | undefined>} `undefined` if it fails or takes too long
 */
function inTime(promise) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), ANSWERED_WITHIN);
    promise.then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer));
  });
}

/**
 * What is kept of an address, if it is of the address's kind.
 * @param {string} name of a cache
 * @param {string} address
 */
async function kept(name, address) {
  // Opening it would make it anew where it has been erased.
  const response = await inTime(caches.match(address, { cacheName: name }));
  return response && isOfItsKind(address, response) ? response : undefined;
}

/**
 * Whether an answer can be what was asked for: a hotel's network, or a proxy in trouble, answers with a page of its own.
 * @param {string} address
 * @param {Response} response
 */
function isOfItsKind(address, { status, redirected, headers }) {
  const extension = /\.(\w+)$/.exec(new URL(address, worker.location.origin).pathname)?.[1] ?? 'html';
  // The server answers so where a tile is empty.
  if (status === 204) return extension === 'mvt' || extension === 'image';
  const type = TYPES[/** @type {keyof typeof TYPES} */ (extension)];
  return status === 200 && !redirected && type !== undefined && Boolean(headers.get('Content-Type')?.startsWith(type));
}

/**
 * Whether a file has the bytes that its ETag names: for all but a release's bundle it begins their SHA-256.
 * @param {Response} response
 */
async function isWhole(response) {
  const named = /^(?:W\/)?"([0-9a-f]{16})(?:-gzip)?"$/.exec(response.headers.get('ETag') ?? '')?.[1];
  if (named === undefined) return true;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await response.arrayBuffer()));
  return named === [...digest.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {string[]} addresses */
async function keep(addresses) {
  for (const address of addresses) {
    const isOurs = address === '/' || address.startsWith(`${ASSETS}/`);
    if (!isOurs || (await kept(SHELL, address))) continue;
    const response = await fetch(address);
    await (address === '/' ? keepPage(response) : keepFile(address, response)).catch(() => {});
  }
}

/**
 * The page as it was kept, at once, and asked for again behind it: the greeting says whether it is of the server's version.
 * @param {FetchEvent} event
 */
async function page(event) {
  const there = await kept(SHELL, '/');
  const fresh = fetch(event.request);
  event.waitUntil(fresh.then((response) => keepPage(response.clone())).catch(() => {}));
  return there ?? fresh;
}

/** @param {Response} response */
async function keepPage(response) {
  if (!isOfItsKind('/', response)) return;
  const text = await response.clone().text();
  const shell = await writable(SHELL);
  if (text.includes(`${ASSETS}/`)) await shell?.put('/', response);
  // Another version's page belongs to another worker's files.
  else if (/\/assets\/\w+\//.test(text)) await shell?.delete('/');
}

/** @param {FetchEvent} event */
async function asset(event) {
  const { url } = event.request;
  const there = await kept(SHELL, url);
  if (there) return there;
  let response = await fetch(event.request);
  // Another answer once may be in the browser's own cache still.
  if (response.ok && !isOfItsKind(url, response)) response = await fetch(url, { cache: 'reload' });
  event.waitUntil(keepFile(url, response.clone()).catch(() => {}));
  return response;
}

/**
 * @param {string} address
 * @param {Response} response
 */
async function keepFile(address, response) {
  if (!isOfItsKind(address, response) || !(await isWhole(response.clone()))) return;
  await (await writable(SHELL))?.put(address, response);
}

/**
 * A tile, or what describes them; without a connection as it was last, however old.
 * @param {FetchEvent} event
 * @param {number} age up to which the kept one is taken without asking, in milliseconds
 */
async function ofMap(event, age) {
  const { url } = event.request;
  const there = await kept(TILES, url);
  if (there && Date.now() - Number(there.headers.get(KEPT_AT)) < age) return there;
  try {
    const response = await fetch(event.request);
    if (isOfItsKind(url, response)) event.waitUntil(keepTile(url, response.clone()).catch(() => {}));
    return response;
  } catch (error) {
    if (there) return there;
    throw error;
  }
}

/**
 * @param {string} url
 * @param {Response} response
 */
async function keepTile(url, response) {
  const bytes = await response.arrayBuffer();
  const headers = new Headers(response.headers);
  // The bytes are unpacked already.
  headers.delete('Content-Encoding');
  headers.set(SIZE, String(bytes.byteLength));
  headers.set(KEPT_AT, String(Date.now()));
  const tiles = await writable(TILES);
  if (!tiles) return;
  await makeRoom(tiles, bytes.byteLength);
  await tiles.put(url, new Response(response.status === 204 ? null : bytes, { status: response.status, headers }));
  if (sum !== undefined) sum += bytes.byteLength;
}

/** How many bytes of tiles are kept, once they have been counted. @type {number | undefined} */
let sum;

/**
 * Lets go of the oldest tiles until there is room for another.
 * @param {Cache} tiles
 * @param {number} bytes
 */
async function makeRoom(tiles, bytes) {
  sum ??= await counted(tiles);
  if (sum + bytes <= TILES_AT_MOST) return;
  for (const request of await tiles.keys()) {
    if (sum + bytes <= TILES_AT_MOST * 0.9) return;
    const size = await sizeOf(tiles, request);
    sum -= size;
    await tiles.delete(request);
  }
}

/** @param {Cache} tiles */
async function counted(tiles) {
  let bytes = 0;
  for (const request of await tiles.keys()) bytes += await sizeOf(tiles, request);
  return bytes;
}

/**
 * @param {Cache} tiles
 * @param {Request} request
 */
async function sizeOf(tiles, request) {
  return Number((await tiles.match(request))?.headers.get(SIZE) ?? 0);
}

/**
 * Brings a page to the front and has it show what a notification is about: the one that shows it, else the one that is seen, else any.
 * Without one it opens one.
 * @param {{ goes?: string }} data the view, as `#/chats/77`
 */
async function tapped({ goes }) {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const pages = windows.filter(({ url }) => new URL(url).pathname === '/');
  const page = pages.find(({ url }) => new URL(url).hash === goes) ?? pages.find(({ visibilityState }) => visibilityState === 'visible') ?? pages[0];
  if (!page) return worker.clients.openWindow(`/${goes ?? ''}`);
  // A browser that doesn't focus it shows the view all the same.
  await page.focus().catch(() => {});
  if (goes !== undefined) page.postMessage({ goes });
  return undefined;
}

/**
 * Sends the unsent messages, oldest first, also while a page is open: that page may belong to another account, or may not
 * respond. Each message has its key, so that the server takes none twice. The browser calls this again when it fails.
 */
async function sendOutbox() {
  const session = await fetch('/v1/session', { cache: 'no-store' });
  // Nobody is signed in: the messages wait until their sender is.
  if (session.status === 401) return;
  if (!session.ok) throw new Error(`The server answered ${session.status}.`);
  const { user } = await session.json();
  const database = await opened();
  const store = (/** @type {IDBTransactionMode} */ mode) => database.transaction('unsent', mode).objectStore('unsent');
  try {
    // First of all, and no position goes out before.
    await sendStops(database, user.id);
    for (const key of await result(store('readonly').getAllKeys())) {
      // What an open page has sent meanwhile is gone.
      const message = await result(store('readonly').get(key));
      if (message?.user !== user.id || message.refusal) continue;
      const refusal = await post(message);
      // Refused positions are dropped. A refused text is kept, and the page gives it back to its writer when it is opened next.
      if (refusal && message.tag !== 'Location') await noteRefusal(store('readwrite'), key, refusal);
      else await result(store('readwrite').delete(key));
    }
  } finally {
    database.close();
  }
}

/**
 * Writes a refusal to its stored message. A message that a page has removed meanwhile isn't stored again.
 * @param {IDBObjectStore} store
 * @param {IDBValidKey} key
 * @param {object} refusal
 */
async function noteRefusal(store, key, refusal) {
  const message = await result(store.get(key));
  if (message) await result(store.put({ ...message, refusal }, key));
}

/**
 * Ends the shares that a person stopped while there was no connection, as of the time of the tap. The worker begins none, and goes on
 * with none.
 * @param {IDBDatabase} database
 * @param {string} user
 * @throws if one has to be sent again
 */
async function sendStops(database, user) {
  if (!database.objectStoreNames.contains('shares')) return;
  const store = (/** @type {IDBTransactionMode} */ mode) => database.transaction('shares', mode).objectStore('shares');
  for (const { id, place, stopping, user: owner } of await result(store('readonly').getAll())) {
    if (owner !== user || stopping === undefined) continue;
    const body = JSON.stringify({ before: stopping, ...(place === EVERYWHERE ? {} : { chat: place }) });
    const response = await fetch('/v1/me/shares', { method: 'DELETE', headers: { 'Content-Type': 'application/json' }, body });
    if (!response.ok && !(await refusalOf(response))) throw new Error(`The server answered ${response.status}.`);
    const shares = store('readwrite');
    const { stopping: waiting, ...record } = await result(shares.get(id));
    // A later stop goes on waiting.
    if (waiting === stopping) await result(shares.put({ ...record, turn: record.turn + 1 }));
  }
}

/**
 * Sends one message.
 * @param {{ chat: string, key: string, tag: string, content: string, data?: object }} message
 * @returns {Promise<{ code: string, message: string } | undefined>} why the server refuses it for good
 * @throws if it has to be sent again
 */
async function post({ chat, key, tag, content, data }) {
  const response = await fetch(`/v1/chats/${encodeURIComponent(chat)}/messages`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ key, tag, content, data }),
  });
  if (response.ok) return undefined;
  const refusal = await refusalOf(response);
  if (!refusal) throw new Error(`The server answered ${response.status}.`);
  return refusal;
}

/**
 * A refusal that holds at any later time, too. What passes: a session that ended, too much, a server in trouble, an address that isn't the
 * right one now, a code of a newer server's, and whatever a proxy answers in the server's place.
 * @param {Response} response
 * @returns {Promise<{ code: string, message: string } | undefined>} `undefined` for one that passes
 */
async function refusalOf(response) {
  const { code, message, retryAfter } = (await response.json().catch(() => undefined))?.error ?? {};
  return retryAfter === undefined && FINAL_REFUSALS.includes(code) ? { code, message } : undefined;
}

/** @returns {Promise<IDBDatabase>} */
async function opened() {
  const request = indexedDB.open('yonder');
  // There is none: it isn't for the worker to make it.
  request.onupgradeneeded = () => request.transaction?.abort();
  const database = await result(request);
  // A page with another version of the database upgrades it, or a page that signs out erases it.
  database.onversionchange = () => database.close();
  return database;
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function result(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
