import { FakeDatabase } from '../fake-database.js';
import { Link } from './link.js';

/** How many times faster the clock of waits runs than time. */
const HASTE = 20;
const realNow = Date.now.bind(Date);
const realElapsed = performance.now.bind(performance);
const later = setTimeout;
const every = setInterval;

/** One browser, whose clock is wrong, whose person may leave a question open, and whose tabs are of whoever is signed in. */
export class SharedBrowser {
  /** How far the device's clock is ahead of the server's, in milliseconds. */
  skew = 0;
  /** Whether a question for the position is answered at once. */
  answersAtOnce = true;
  /** What is asked and not answered yet. */
  questions = [];
  /** The account whose cookie the browser has. */
  account;

  #watches = new Map();
  #listeners = new Map();
  #watched = 0;

  constructor(port) {
    this.port = port;
  }

  /** Makes what the page's modules need of a browser. */
  install() {
    const { geolocation } = this;
    Date.now = () => realNow() + this.skew;
    performance.now = () => realElapsed() * HASTE;
    Object.defineProperty(globalThis, 'navigator', {
      value: { onLine: true, language: 'en', locks: new Locks(), permissions: { query: async () => ({ state: 'granted', addEventListener() {}, removeEventListener() {} }) }, geolocation },
      configurable: true,
    });
    Object.assign(globalThis, {
      isSecureContext: true, WebSocket: Link, indexedDB: new FakeDatabase(), fetch: (path, options) => this.#fetch(path, options),
      setTimeout: (body, milliseconds, ...more) => later(body, milliseconds / HASTE, ...more),
      setInterval: (body, milliseconds, ...more) => every(body, milliseconds / HASTE, ...more),
      matchMedia: () => ({ matches: false, addEventListener() {} }),
      addEventListener: (type, listener) => this.#listeners.set(listener, type), removeEventListener: (_, listener) => this.#listeners.delete(listener),
      document: { visibilityState: 'visible', documentElement: { dataset: {} }, addEventListener() {}, removeEventListener() {}, querySelectorAll: () => [] },
    });
  }

  /** The time that nobody set, in milliseconds since 1970. */
  get time() { return realNow(); }

  dispatch(type) {
    for (const [listener, each] of [...this.#listeners]) if (each === type) listener({});
  }

  /** The person answers every question that is open. */
  answer() {
    for (const answer of this.questions.splice(0)) answer();
  }

  /** The device is found somewhere. */
  move(latitude, longitude) {
    const position = { coords: { latitude, longitude, accuracy: 8 }, timestamp: Date.now() };
    for (const found of this.#watches.values()) found(position);
  }

  get geolocation() {
    return {
      getCurrentPosition: (found) => {
        const answer = () => found({ coords: { latitude: 47, longitude: 9, accuracy: 8 }, timestamp: Date.now() });
        if (this.answersAtOnce) queueMicrotask(answer);
        else this.questions.push(answer);
      },
      watchPosition: (found) => {
        this.#watched += 1;
        this.#watches.set(this.#watched, found);
        return this.#watched;
      },
      clearWatch: (watch) => this.#watches.delete(watch),
    };
  }

  /** The page's own requests, as the person who is signed in. */
  #fetch(path, options = {}) {
    return asked(this.port, this.account.token, path, options);
  }
}

const { fetch } = globalThis;

/** Asks the server by REST. */
export function asked(port, token, path, options = {}) {
  const headers = { ...Object.fromEntries(new Headers(options.headers)), authorization: `Bearer ${token}` };
  return fetch(`http://127.0.0.1:${port}${path}`, { ...options, headers });
}

/** The monotonic clock, without haste. */
export function elapsed() {
  return realElapsed();
}

/** Waits until `condition()` is true; `undefined` if it isn't within some seconds. */
export async function until(condition, seconds = 20) {
  for (const end = realElapsed() + seconds * 1_000; realElapsed() < end;) {
    const value = await condition();
    if (value) return value;
    await new Promise((resolve) => { later(resolve, 5); });
  }
  return undefined;
}

/** The one lock of a browser's tabs: a queue, and the taking of it. */
class Locks {
  #queue = [];
  #holder;

  request(_name, options, work) {
    return new Promise((resolve, reject) => {
      const request = { work, resolve, reject };
      options.signal?.addEventListener('abort', () => {
        if (!this.#queue.includes(request)) return;
        this.#queue = this.#queue.filter((each) => each !== request);
        reject(new Error('AbortError'));
      });
      const { reject: taken } = (options.steal && this.#holder) || {};
      if (options.steal) this.#holder = undefined;
      if (options.steal) this.#queue.unshift(request);
      else this.#queue.push(request);
      taken?.(new Error('AbortError'));
      this.#next();
    });
  }

  #next() {
    if (this.#holder || this.#queue.length === 0) return;
    const request = this.#queue.shift();
    this.#holder = request;
    setImmediate(() => request.work({}).then(() => {
      if (this.#holder === request) this.#holder = undefined;
      request.resolve();
      this.#next();
    }));
  }
}
