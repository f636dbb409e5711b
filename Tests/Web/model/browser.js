import { Link } from './link.js';

/** How many times faster the clock of waits runs than time. */
const HASTE = 100;
const now = performance.now.bind(performance);
const later = setTimeout;
const listeners = new Map();
/** What is done every so often. */
const ticking = [];
globalThis.listenersOf = (type) => listeners.get(type) ?? [];

/** Makes what the page's modules need of a browser: sockets over a `Link`, and waits that are over soon. */
export function makeBrowser() {
  performance.now = () => now() * HASTE;
  Object.defineProperty(globalThis, 'navigator', { value: { onLine: true }, configurable: true });
  Object.assign(globalThis, {
    WebSocket: Link,
    setTimeout: (body, milliseconds) => later(body, milliseconds / HASTE),
    setInterval: (body) => ticking.push(body),
    addEventListener: (type, listener) => listeners.set(type, [...listeners.get(type) ?? [], listener]),
    document: { visibilityState: 'visible', documentElement: { dataset: {} }, addEventListener() {}, querySelectorAll: () => [] },
  });
}

/** Does what is done every so often. */
export function tick() {
  for (const body of ticking) body();
}

/** The monotonic clock, without haste. */
export const elapsed = now;

/** Waits until `condition()` is true; `undefined` if it isn't within some seconds. */
export async function until(condition, seconds = 20) {
  for (const end = now() + seconds * 1_000; now() < end;) {
    const value = await condition();
    if (value) return value;
    await new Promise((resolve) => { later(resolve, 5); });
  }
  return undefined;
}
