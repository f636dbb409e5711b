// @ts-check
import { inTime, Store } from '../storage/store.js';

/** Where it is noted that the page was loaded again for a version, so that it isn't a second time. */
const RELOADED = 'yonder.version';

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
    active?.postMessage({ keep: ['/', ...loaded.filter((path) => path.startsWith('/assets/'))] });
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
 * Loads the page again if the server has another version of it, and nothing is being typed.
 * @param {string | undefined} version the server's
 */
export async function keepUp(version) {
  if (!version || !pageVersion || version === pageVersion || isBusy()) return;
  if (sessionStorage.getItem(RELOADED) === version) return;
  sessionStorage.setItem(RELOADED, version);
  await forgetCaches();
  location.reload();
}

/** Whether loading again would lose what somebody does just now. */
function isBusy() {
  const focused = /** @type {HTMLInputElement | null} */ (document.activeElement);
  const isTyping = Boolean(focused?.matches('input, textarea') && focused.value);
  return isTyping || document.querySelector('dialog[open]') !== null;
}

/**
 * Nothing of a person's is left in this browser: no file, no tile, no unsent message, no setting, and no worker. It ends
 * although the browser's storage fails or never answers, as where another tab blocks the database: that is empty, then.
 */
export async function forgetEverything() {
  const workers = (await inTime(navigator.serviceWorker?.getRegistrations())) ?? [];
  for (const worker of workers) await inTime(worker.unregister());
  await forgetCaches();
  await new Store().clear();
  await inTime(erased('yonder'));
  localStorage.clear();
  sessionStorage.clear();
}

async function forgetCaches() {
  for (const name of (await inTime(globalThis.caches?.keys())) ?? []) await inTime(caches.delete(name));
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
