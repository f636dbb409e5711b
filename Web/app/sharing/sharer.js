// @ts-check
import { Observable } from '../page/observable.js';
import { fixFrom, locationData } from './fix.js';
import { Sharing, WORLD } from './sharing.js';

/** @typedef {import('../wire.d.ts').Fix} Fix */

/** What a browser says when it won't tell the position, in words that help. */
const REASONS = ['', 'This page may not see your position. Allow it in the browser’s settings for this page, then try again.',
  'Your device doesn’t know where it is. It keeps trying.', 'Your device takes long to find where it is. It keeps trying.'];

/** Watches this device's position while it is shared anywhere, and keeps the screen awake meanwhile. */
export class Sharer extends Observable {
  sharing = new Sharing();
  /** Why there is no position, in words. @type {string | undefined} */
  problem;

  #send;
  /** @type {number | undefined} */
  #watch;
  /** @type {WakeLockSentinel | undefined} */
  #wakeLock;

  /** @param {(place: string, data: object, fix: Fix) => void} send takes a position to a place: a chat's id or *world* */
  constructor(send) {
    super();
    this.#send = send;
    document.addEventListener('visibilitychange', () => this.#stayAwake());
  }

  /** Whether this browser can tell positions at all. */
  get isPossible() {
    return 'geolocation' in navigator && isSecureContext;
  }

  /** @param {string} place */
  isSharedIn(place) {
    return this.sharing.places.has(place);
  }

  /**
   * @param {string} place
   * @param {boolean} isOn
   */
  set(place, isOn) {
    if (isOn) this.#deliver(this.sharing.start(place));
    else this.sharing.stop(place);
    this.#settle();
  }

  stopAll() {
    this.sharing.stopAll();
    this.#settle();
  }

  /** The world is new: nobody there knows this device yet. */
  worldJoined() {
    this.#deliver(this.sharing.forgotten(WORLD));
  }

  #settle() {
    if (this.sharing.isOn && this.#watch === undefined) this.#startWatch();
    if (!this.sharing.isOn && this.#watch !== undefined) this.#stopWatch();
    this.#stayAwake();
    this.changed();
  }

  #startWatch() {
    this.problem = undefined;
    this.#watch = navigator.geolocation.watchPosition((position) => {
      this.problem = undefined;
      this.#deliver(this.sharing.fix(fixFrom(position)));
      this.changed();
    }, (error) => this.#failed(error), { enableHighAccuracy: true, maximumAge: 0, timeout: 30_000 });
  }

  #stopWatch() {
    navigator.geolocation.clearWatch(/** @type {number} */ (this.#watch));
    this.#watch = undefined;
    this.problem = undefined;
  }

  /** @param {GeolocationPositionError} error */
  #failed(error) {
    const isDenied = error.code === error.PERMISSION_DENIED;
    if (isDenied) this.stopAll();
    this.problem = REASONS[error.code];
    this.changed();
  }

  /** @param {{ place: string, fix: Fix }[]} due */
  #deliver(due) {
    for (const { place, fix } of due) this.#send(place, locationData(fix), fix);
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
