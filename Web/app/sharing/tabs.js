// @ts-check
import { Observable } from '../page/observable.js';

const LOCK = 'yonder.sharer';
const CHANNEL = 'yonder.sharing';

/** @typedef {[string, string | undefined][]} Places each place shared in, with its share's id */

/**
 * The tabs of one browser as one: a single one of them reports the position, all of them show that and can stop it. The
 * tab that reports holds a lock; when it is closed, another one goes on in its place.
 */
export class Tabs extends Observable {
  /** Where another tab shares. @type {Map<string, string | undefined>} */
  elsewhere = new Map();
  /** Called when another tab stops sharing in a place, or everywhere. */
  onStop = (/** @type {string | undefined} */ _place) => {};
  /** Called when another tab starts sharing, and this one is the one that reports; or when it takes over. */
  onStart = (/** @type {string} */ _place, /** @type {string | undefined} */ _share) => {};
  /** Says where this tab shares. @type {() => Places} */
  places = () => [];

  /** @type {(() => void) | undefined} */
  #release;
  #channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(CHANNEL) : undefined;
  /** @type {string | undefined} */
  #user;
  #isWaiting = false;

  constructor() {
    super();
    if (this.#channel) this.#channel.onmessage = ({ data }) => this.#received(data);
  }

  /**
   * Only tabs of the same person are one.
   * @param {string | undefined} user
   */
  begin(user) {
    this.#user = user;
    this.elsewhere.clear();
    this.#post({ kind: 'ask' });
  }

  /**
   * Makes this tab the one that reports.
   * @returns {Promise<boolean>} `false` if another one is
   */
  hold() {
    if (this.#release) return Promise.resolve(true);
    if (!navigator.locks) return Promise.resolve(this.elsewhere.size === 0);
    return new Promise((resolve) => {
      navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock ? this.#held() : undefined;
      });
    });
  }

  /** Lets another tab report. */
  release() {
    this.#release?.();
    this.#release = undefined;
  }

  /** Tells the others where this tab shares. */
  tell() {
    this.#post({ kind: 'state', places: this.places() });
  }

  /**
   * Has the tab that reports share in a place too.
   * @param {string} place
   * @param {string | undefined} share
   */
  start(place, share) {
    this.#post({ kind: 'start', place, share });
  }

  /** @param {string} [place] everywhere if it isn't said */
  stop(place) {
    if (place === undefined) this.elsewhere.clear();
    else this.elsewhere.delete(place);
    this.#post({ kind: 'stop', place });
    this.changed();
  }

  #held() {
    return new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
      this.#release = resolve;
    });
  }

  /** @param {{ kind: string, places?: Places, place?: string, share?: string }} message */
  #post(message) {
    if (this.#user) this.#channel?.postMessage({ ...message, user: this.#user });
  }

  /** @param {{ kind: string, user: string, places?: Places, place?: string, share?: string }} message */
  #received({ kind, user, places = [], place, share }) {
    if (user !== this.#user) return;
    if (kind === 'ask' && this.places().length > 0) this.tell();
    if (kind === 'stop') this.onStop(place);
    if (kind === 'start' && place !== undefined && this.#release) this.onStart(place, share);
    if (kind !== 'state') return;
    this.elsewhere = new Map(places);
    if (this.elsewhere.size > 0) this.#waitForTurn();
    this.changed();
  }

  /** Waits until the tab that reports is gone, and then goes on where it shared. */
  async #waitForTurn() {
    if (this.#isWaiting || this.#release || !navigator.locks) return;
    this.#isWaiting = true;
    await navigator.locks.request(LOCK, () => {
      this.#isWaiting = false;
      const places = [...this.elsewhere];
      this.elsewhere.clear();
      if (places.length === 0) return undefined;
      const held = this.#held();
      for (const [place, share] of places) this.onStart(place, share);
      return held;
    });
  }
}
