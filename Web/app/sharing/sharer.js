// @ts-check
import { Observable } from '../page/observable.js';
import { fixFrom, heartbeatFix, locationData } from './fix.js';
import { Sharing, WORLD } from './sharing.js';
import { Tabs } from './tabs.js';
import { say } from '../words/words.js';

/** @typedef {import('../wire.d.ts').Fix} Fix */

/**
 * What a browser says when it won't tell the position, in words that help.
 * @param {number} code
 */
function reasonOf(code) {
  if (code === 1) return say('sharing.denied');
  return say(code === 2 ? 'sharing.unknown' : 'sharing.slow');
}

/** How often a device says that it is still there, without a message. */
const HEARTBEAT = 15_000;
/** Where it is kept which shares this browser reports for, so that a reload can go on. */
const KEPT = 'yonder.shares';

/**
 * Watches this device's position while it is shared anywhere, and keeps the screen awake meanwhile. Of a browser's tabs
 * one does this; all of them show it and can stop it.
 */
export class Sharer extends Observable {
  sharing = new Sharing();
  /** Why there is no position, in words. @type {string | undefined} */
  problem;
  /** The browser may not tell where it is: everything started has to end. */
  onDenied = () => this.stopAll();
  tabs = new Tabs();

  #send;
  #beat;
  /** The share that a place's positions belong to, where the server keeps it. @type {Map<string, string>} */
  #shares = new Map();
  /** @type {number | undefined} */
  #watch;
  /** @type {number | undefined} */
  #timer;
  /** @type {WakeLockSentinel | undefined} */
  #wakeLock;
  /** @type {string | undefined} */
  #user;
  /** @type {{ level: number, charging: boolean } | undefined} */
  #battery;

  /**
   * @param {(place: string, data: object, fix: Fix) => void} send takes a position to a place: a chat's id or *world*
   * @param {(chat: string, beat: { share?: string, fix?: object, battery?: number, charging?: boolean }) => void} beat says
   *   to a chat that this device is still there
   */
  constructor(send, beat) {
    super();
    this.#send = send;
    this.#beat = beat;
    this.tabs.places = () => [...this.sharing.places].map((place) => [place, this.#shares.get(place)]);
    this.tabs.onStart = (place, share) => this.#start(place, share);
    this.tabs.onStop = (place) => (place === undefined ? this.#leaveAll() : this.#leave(place));
    this.tabs.observe(() => this.changed());
    document.addEventListener('visibilitychange', () => this.#stayAwake());
  }

  /** Whether this browser can tell positions at all. */
  get isPossible() {
    return 'geolocation' in navigator && isSecureContext;
  }

  /**
   * Whether this page may see the position; asks the reader if they haven't been asked. Before that nothing is shared.
   * @returns {Promise<boolean>}
   */
  isAllowed() {
    this.problem = undefined;
    return new Promise((resolve) => {
      navigator.geolocation.getCurrentPosition(() => resolve(true), (error) => {
        const isDenied = error.code === error.PERMISSION_DENIED;
        if (isDenied) this.#failed(error);
        resolve(!isDenied);
      }, { maximumAge: Infinity, timeout: 5_000 });
    });
  }

  /** Where this browser shares, in whichever tab. */
  get places() {
    return [...new Set([...this.sharing.places, ...this.tabs.elsewhere.keys()])];
  }

  /** @param {string} place */
  isSharedIn(place) {
    return this.sharing.places.has(place) || this.tabs.elsewhere.has(place);
  }

  /**
   * As another user, or nobody.
   * @param {string | undefined} user
   */
  begin(user) {
    this.#leaveAll();
    this.#user = user;
    this.tabs.begin(user);
  }

  /**
   * The shares that this browser reported for when its page was closed.
   * @returns {{ [place: string]: string }}
   */
  get kept() {
    try {
      const { user, places } = JSON.parse(localStorage.getItem(KEPT) ?? '{}');
      return user === this.#user && places ? places : {};
    } catch {
      return {};
    }
  }

  /**
   * Reports into a place from this browser.
   * @param {string} place
   * @param {string} [share] the share's id, where the server keeps one
   */
  async start(place, share) {
    if (await this.tabs.hold()) this.#start(place, share);
    else this.tabs.start(place, share);
  }

  /**
   * Reports no more, in no tab.
   * @param {string} place
   */
  stop(place) {
    this.tabs.stop(place);
    this.#leave(place);
    this.#keep();
  }

  /**
   * Reports no more from this tab, and keeps in mind that it did, so that the reader can go on.
   * @param {string} place
   */
  suspend(place) {
    this.#leave(place);
  }

  stopAll() {
    this.tabs.stop();
    this.#leaveAll();
    this.#keep();
  }

  /**
   * The share that a place's positions belong to.
   * @param {string} place
   */
  shareIn(place) {
    return this.#shares.get(place) ?? this.tabs.elsewhere.get(place);
  }

  /** The world is new: nobody there knows this device yet. */
  worldJoined() {
    this.#deliver(this.sharing.forgotten(WORLD));
  }

  /**
   * @param {string} place
   * @param {string | undefined} share
   */
  #start(place, share) {
    if (share !== undefined) this.#shares.set(place, share);
    this.#deliver(this.sharing.start(place));
    this.#settle();
    this.#keep();
  }

  /** @param {string} place */
  #leave(place) {
    this.sharing.stop(place);
    this.#shares.delete(place);
    this.#settle();
  }

  #leaveAll() {
    this.sharing.stopAll();
    this.#shares.clear();
    this.#settle();
  }

  #keep() {
    try {
      const places = Object.fromEntries(this.#shares);
      if (Object.keys(places).length > 0) localStorage.setItem(KEPT, JSON.stringify({ user: this.#user, places }));
      else localStorage.removeItem(KEPT);
    } catch {
      // A browser that keeps nothing asks for nothing after a reload.
    }
  }

  #settle() {
    if (this.sharing.isOn && this.#watch === undefined) this.#startWatch();
    if (!this.sharing.isOn && this.#watch !== undefined) this.#stopWatch();
    if (!this.sharing.isOn) this.tabs.release();
    this.tabs.tell();
    this.#stayAwake();
    this.changed();
  }

  #startWatch() {
    this.problem = undefined;
    this.#timer = setInterval(() => this.#beatAll(), HEARTBEAT);
    this.#watchBattery();
    this.#watch = navigator.geolocation.watchPosition((position) => {
      this.problem = undefined;
      this.#deliver(this.sharing.fix(fixFrom(position)));
      this.changed();
    }, (error) => this.#failed(error), { enableHighAccuracy: true, maximumAge: 0, timeout: 30_000 });
  }

  #stopWatch() {
    navigator.geolocation.clearWatch(/** @type {number} */ (this.#watch));
    clearInterval(this.#timer);
    this.#watch = undefined;
    this.problem = undefined;
  }

  #beatAll() {
    const fix = this.sharing.lastFix;
    for (const place of this.sharing.places) {
      if (place !== WORLD) this.#beat(place, { share: this.#shares.get(place), ...(fix ? { fix: heartbeatFix(fix) } : {}), ...batteryOf(this.#battery) });
    }
  }

  async #watchBattery() {
    try {
      this.#battery ??= await /** @type {any} */ (navigator).getBattery?.();
    } catch {
      // Few browsers tell.
    }
  }

  /** @param {GeolocationPositionError} error */
  #failed(error) {
    const isDenied = error.code === error.PERMISSION_DENIED;
    if (isDenied) this.onDenied();
    this.problem = reasonOf(error.code);
    this.changed();
  }

  /** @param {{ place: string, fix: Fix }[]} due */
  #deliver(due) {
    for (const { place, fix } of due) {
      const share = this.#shares.get(place);
      this.#send(place, { ...locationData(fix), ...(share === undefined ? {} : { share }) }, fix);
    }
  }

  /** The lock ends by itself when the page is hidden, so it is asked for each time it is shown. */
  async #stayAwake() {
    if (!this.sharing.isOn) {
      this.#wakeLock?.release();
      this.#wakeLock = undefined;
      return;
    }
    if (document.visibilityState !== 'visible' || (this.#wakeLock && !this.#wakeLock.released)) return;
    try {
      this.#wakeLock = await navigator.wakeLock?.request('screen');
      if (!this.sharing.isOn) this.#stayAwake();
    } catch {
      // Refused when the battery is low: sharing goes on while the screen is.
    }
  }
}

/** @param {{ level: number, charging: boolean } | undefined} battery */
function batteryOf(battery) {
  return battery ? { battery: Math.round(battery.level * 100) / 100, charging: battery.charging } : {};
}
