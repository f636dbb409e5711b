// @ts-check
import { Observable } from '../page/observable.js';
import { Backoff } from './backoff.js';
import { Requests } from './requests.js';
import { ServerClock } from './server-clock.js';
import { Subscriptions } from './subscriptions.js';

/** @typedef {import('../wire.d.ts').Frame} Frame */
/** @typedef {import('../wire.d.ts').Subscriber} Subscriber */
/** @typedef {'closed' | 'connecting' | 'open' | 'waiting'} State */

const PING_EVERY = 25_000;
/** How often it is looked whether the device's clock was set, or the device slept. */
const LOOK_EVERY = 2_000;
/** How long a connection may stay silent after that. */
const AWAKE_WITHIN = 10_000;
/** More than the minute that browsers leave between two timers of a page in the background. */
const SILENCE_AT_MOST = 70_000;

/**
 * The connection to the server: subscribes, asks, reconnects and goes on where it was. What to send is decided by
 * {@link Subscriptions} and {@link Requests}; this is the socket and the clock around them.
 */
export class Stream extends Observable {
  /** @type {State} */
  state = 'closed';
  /** @type {Frame | undefined} */
  hello;
  /** The same as the offset below, as another opening of the page has noted it. @type {() => number | undefined} */
  offsetBefore = () => undefined;
  /** What sends and hears besides subscriptions: called on each greeting, and with each frame nobody else took. */
  onOpen = () => {};
  /** Whether the person for whom the page was opened is the one whom the server greets. */
  isExpected = (/** @type {string | undefined} */ _user) => true;
  onFrame = (/** @type {Frame} */ _frame) => {};
  /** The connection ended before the greeting, or the session ended. */
  onRefused = () => {};

  #url;
  #clock;
  /** @type {WebSocket | undefined} */
  #socket;
  #subscriptions = new Subscriptions();
  #requests = new Requests();
  #backoff = new Backoff();
  /** @type {number | undefined} */
  #retryTimer;
  /** @type {number | undefined} */
  #askTimer;
  /** When something was heard last, and since when the page is seen, by the monotonic clock. */
  #lastHeard = 0;
  #visibleSince = 0;
  /** Until when something has to be heard, by the monotonic clock. */
  #silentUntil = Infinity;

  /**
   * @param {string} url
   * @param {ServerClock} [clock]
   */
  constructor(url, clock = new ServerClock()) {
    super();
    this.#url = url;
    this.#clock = clock;
    setInterval(() => this.#keepAlive(), PING_EVERY);
    setInterval(() => this.#lookAtClock(), LOOK_EVERY);
    addEventListener('online', () => this.#retryNow());
    addEventListener('offline', () => this.#drop());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState !== 'visible') return;
      this.#visibleSince = performance.now();
      this.#keepAlive();
    });
  }

  /** Connects, and stays connected until closed. */
  open() {
    if (this.state === 'closed') this.#connect();
  }

  /** Ends the connection, and all subscriptions. */
  close() {
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#askTimer);
    this.state = 'closed';
    this.hello = undefined;
    this.#subscriptions = new Subscriptions();
    this.#requests = new Requests();
    shut(this.#letGo());
    this.changed();
  }

  /** Connects anew, as another user, with the subscriptions gone. */
  reopen() {
    this.close();
    this.open();
  }

  /** Whether the page is in the background, or nothing was heard since it came back from there. */
  get wasAway() {
    return document.visibilityState !== 'visible' || this.#lastHeard < this.#visibleSince;
  }

  /** How far the server's clock is ahead of this device's, in milliseconds; 0 where nothing is known of it. */
  get offset() {
    return this.#clock.offset ?? this.offsetBefore() ?? 0;
  }

  /** Now, by the server's clock. */
  now() {
    return this.#clock.now(this.offset);
  }

  /** Now, by the server's clock, or earlier: for what can't be taken back if the device's clock was set ahead. */
  sureNow() {
    return this.#clock.sure(this.offset);
  }

  /**
   * @param {Record<string, unknown>} query
   * @param {Subscriber} subscriber
   * @returns {() => void} ends it
   */
  subscribe(query, subscriber) {
    const subscriptions = this.#subscriptions;
    const { id, frame } = subscriptions.add(query, subscriber);
    this.send(frame);
    return () => {
      const frame = subscriptions.remove(id);
      if (frame && subscriptions === this.#subscriptions) this.send(frame);
    };
  }

  /**
   * Sends a frame with a key and waits for its answer, over reconnects too.
   * @param {Frame} frame
   */
  request(frame) {
    const answer = this.#requests.add(frame);
    this.send(frame);
    return answer;
  }

  /**
   * Asks no more for what a request asked.
   * @param {string} key
   * @param {Error} reason
   */
  cancel(key, reason) {
    this.#requests.cancel(key, reason);
  }

  /**
   * Sends a frame now, or not at all.
   * @param {Frame} frame
   */
  send(frame) {
    if (this.state === 'open') this.#socket?.send(JSON.stringify(frame));
  }

  #connect() {
    this.state = 'connecting';
    this.changed();
    const socket = new WebSocket(this.#url, 'yonder.v1');
    this.#socket = socket;
    this.#lastHeard = performance.now();
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data));
    socket.onclose = ({ code, reason }) => this.#ended(code, reason);
  }

  /** @param {Frame} frame */
  #receive(frame) {
    this.#lastHeard = performance.now();
    this.#silentUntil = Infinity;
    if (frame.type === 'hello') return this.#greeted(frame);
    if (frame.type === 'pong') return this.#clock.answered(frame.time);
    if (!this.#subscriptions.receive(frame)) return this.#requests.receive(frame) ? undefined : this.onFrame(frame);
    if (frame.type === 'error' || frame.type === 'ended') this.#askLater();
    return undefined;
  }

  /** Asks again for what the server refused for now, each when it has waited long enough. */
  #askLater() {
    clearTimeout(this.#askTimer);
    const { wait } = this.#subscriptions;
    if (wait === Infinity) return;
    this.#askTimer = setTimeout(() => {
      for (const frame of this.#subscriptions.due()) this.send(frame);
      this.#askLater();
    }, wait);
  }

  /** @param {Frame} hello */
  #greeted(hello) {
    // The cookie is another person's now, or nobody's: nothing that waits here is sent as them.
    if (!this.isExpected(hello.user)) return this.#drop();
    this.#backoff.reset();
    this.hello = hello;
    this.#clock.greeted(hello.time);
    this.state = 'open';
    for (const frame of this.#subscriptions.resume(this.hello)) this.send(frame);
    for (const frame of this.#requests.resume()) this.send(frame);
    this.onOpen();
    // The greeting says the server's time, but not how long it was on its way.
    this.#ping();
    this.changed();
  }

  /**
   * @param {number} code
   * @param {string} reason
   */
  #ended(code, reason) {
    const wasGreeted = this.state === 'open';
    this.#letGo();
    if (this.state === 'closed') return;
    this.state = 'waiting';
    this.#subscriptions.lost();
    if (!wasGreeted || (code === 1008 && reason === 'notSignedIn')) this.onRefused();
    if (this.state !== 'waiting') return;
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => this.#retryNow(), this.#backoff.next());
    this.changed();
  }

  #retryNow() {
    if (this.state !== 'waiting' || !navigator.onLine) return;
    clearTimeout(this.#retryTimer);
    this.#connect();
  }

  /** A socket that is cut off says so late or never; the page knows earlier. */
  #drop() {
    const socket = this.#letGo();
    if (!socket) return;
    shut(socket);
    this.#ended(1006, 'offline');
  }

  #letGo() {
    const socket = this.#socket;
    this.#silentUntil = Infinity;
    if (socket) socket.onmessage = socket.onclose = null;
    this.#socket = undefined;
    return socket;
  }

  #keepAlive() {
    if (this.state === 'waiting') return this.#retryNow();
    if (this.state !== 'open' && this.state !== 'connecting') return;
    if (performance.now() - this.#lastHeard > SILENCE_AT_MOST) return this.#drop();
    this.#ping();
  }

  #ping() {
    if (this.state === 'open') this.#clock.asked();
    this.send({ type: 'ping' });
  }

  /** The monotonic clock may stand while a device sleeps, and its connection may be gone by then. */
  #lookAtClock() {
    if (performance.now() > this.#silentUntil) this.#drop();
    if (!this.#clock.hasParted()) return;
    this.#keepAlive();
    if (this.state === 'open') this.#silentUntil = performance.now() + AWAKE_WITHIN;
  }
}

/**
 * Closes a socket; one that is only being made, once it is, for the browser takes anything else for an error.
 * @param {WebSocket | undefined} socket
 */
function shut(socket) {
  if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close(1000);
  else socket?.close(1000);
}
