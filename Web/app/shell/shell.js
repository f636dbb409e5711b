// @ts-check
import { inTime, Store } from '../storage/store.js';
import { browserShelf, tabShelf } from '../storage/shelf.js';

/** Where it is noted that the page was loaded again for a version, so that it isn't a second time. */
const RELOADED = 'yonder.version';

/** Where a sign-out is noted that the server doesn't know of: the one thing of a person's that {@link forgetEverything} leaves. */
export const MARKER = 'yonder.left';

/** What the name of the worker's cache of the program's files begins with. */
const PROGRAM = 'yonder-shell';

/** This page's version: the folder that its files come from. */
export const pageVersion = /\/assets\/(\w+)\//.exec(import.meta.url)?.[1];

/**
 * Lets the page open without a connection from now on, for a person who is signed in. The worker is given what was loaded
 * before it came.
 */
export async function keepPage() {
  if (!('serviceWorker' in navigator)) return;
  try {
    await navigator.serviceWorker.register('/service-worker.js', { updateViaCache: 'none' });
    const { active } = await navigator.serviceWorker.ready;
    const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname);
    // The page comes last: without one of its files it would open to nothing.
    active?.postMessage({ keep: [...loaded.filter((path) => path.startsWith('/assets/')), '/'] });
  } catch {
    // A browser that allows no worker, as in a private window, opens the page from the network alone.
  }
}

/** Asks the browser to have the worker send what is unsent, once there is a connection and the page is closed by then. */
export async function sendLater() {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await /** @type {any} */ (registration)?.sync?.register('outbox');
  } catch {
    // Where there is no such thing, it is sent when the page is opened next.
  }
}

/**
 * Loads the page again if the server has another version of it, nothing is being typed, and what was typed is kept.
 * @param {string | undefined} version the server's
 * @param {() => Promise<boolean>} [isKept] keeps what is written, and says whether it is
 */
export async function keepUp(version, isKept = async () => true) {
  if (!version || !pageVersion || version === pageVersion || isBusy() || !await isKept() || isBusy()) return;
  // Where nothing can be noted it might load for ever.
  if (tabShelf.get(RELOADED) === version || !tabShelf.put(RELOADED, version)) return;
  await forgetCaches();
  location.reload();
}

/** Whether loading again would lose what somebody does just now. */
function isBusy() {
  const focused = /** @type {HTMLInputElement | null} */ (document.activeElement);
  const isTyping = Boolean(focused?.matches('input, textarea') && focused.value);
  return isTyping || document.querySelector('dialog[open]') !== null || isFormFilled();
}

/** Whether a form has what wasn't saved. A message that is written is kept elsewhere, and a search is no loss. */
function isFormFilled() {
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('form:not(.composer) :is(input, textarea)'));
  return [...fields].some(({ type, value, defaultValue }) => type !== 'search' && type !== 'file' && value !== defaultValue);
}

/**
 * Nothing of a person's is left in this browser: no file, no tile, no unsent message, no setting, and no worker; a sign-out that the
 * server doesn't know of leaves its marker. It ends although the browser's storage fails or never answers, as where another tab blocks
 * the database: that is empty, then.
 * @param {{ keepsProgram?: boolean }} [options] whether the page can be opened without a connection afterwards, by nobody
 */
export async function forgetEverything({ keepsProgram = false } = {}) {
  browserShelf.clear(MARKER);
  tabShelf.clear();
  await new Store().clear();
  await inTime(erased('yonder'));
  const registrations = (await inTime(navigator.serviceWorker?.getRegistrations())) ?? [];
  // One that was unregistered before answers this page still.
  const workers = new Set([navigator.serviceWorker?.controller, ...registrations.map(({ active }) => active)]);
  for (const worker of workers) await inTime(forgets(worker, keepsProgram ? 'tiles' : 'everything'));
  for (const registration of keepsProgram ? [] : registrations) await inTime(registration.unregister());
  await forgetCaches(keepsProgram ? PROGRAM : undefined);
}

/**
 * Has a worker keep no more of what is still on its way.
 * @param {ServiceWorker | null | undefined} worker
 * @param {'tiles' | 'everything'} forget
 * @returns {Promise<void> | undefined} once it writes nothing any more
 */
function forgets(worker, forget) {
  return worker ? new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    worker.postMessage({ forget }, [port2]);
  }) : undefined;
}

/** @param {string} [kept] what the names of those begin with that stay */
async function forgetCaches(kept) {
  for (const name of (await inTime(globalThis.caches?.keys())) ?? []) {
    if (kept === undefined || !name.startsWith(kept)) await inTime(caches.delete(name));
  }
}

/**
 * @param {string} name of a database
 * @returns {Promise<void>}
 */
function erased(name) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = request.onblocked = reject;
  });
}
