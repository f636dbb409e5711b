// @ts-check
import { Observable } from '../page/observable.js';
import { fixFrom } from './fix.js';

/** @typedef {import('../wire.d.ts').Fix} Fix */

/** Steps smaller than this, in degrees, aren't shown. */
const STEP = 0.00003;

/**
 * Where this device is, for its own dot. It is asked for without a question only: where the reader has allowed it
 * before. Nothing of it leaves the page.
 */
export class OwnPlace extends Observable {
  /** @type {Fix | undefined} */
  #seen;
  /** @type {number | undefined} */
  #watch;
  #sharer;
  #isAllowed = false;

  /** @param {import('./sharer.js').Sharer} sharer */
  constructor(sharer) {
    super();
    this.#sharer = sharer;
    document.addEventListener('visibilitychange', () => this.#settle());
    this.#ask();
  }

  /** The newest fix, whether it is shared or not. */
  get fix() {
    const shared = this.#sharer.sharing.lastFix;
    return shared && shared.time >= (this.#seen?.time ?? 0) ? shared : this.#seen ?? shared;
  }

  async #ask() {
    if (!this.#sharer.isPossible || !navigator.permissions) return;
    try {
      const permission = await navigator.permissions.query({ name: 'geolocation' });
      const look = () => {
        this.#isAllowed = permission.state === 'granted';
        this.#settle();
      };
      permission.onchange = look;
      look();
    } catch {
      // A browser that doesn't tell isn't asked: it might ask the reader.
    }
  }

  #settle() {
    const isWanted = this.#isAllowed && document.visibilityState === 'visible';
    if (isWanted && this.#watch === undefined) {
      this.#watch = navigator.geolocation.watchPosition((position) => this.#moved(fixFrom(position)), () => {}, { maximumAge: 60_000 });
    }
    if (!isWanted && this.#watch !== undefined) {
      navigator.geolocation.clearWatch(this.#watch);
      this.#watch = undefined;
    }
    if (!this.#isAllowed) this.#seen = undefined;
    this.changed();
  }

  /** @param {Fix} fix */
  #moved(fix) {
    const before = this.#seen;
    this.#seen = fix;
    const hasMoved = !before || Math.hypot(Number(before.latitude) - Number(fix.latitude), Number(before.longitude) - Number(fix.longitude)) > STEP;
    if (hasMoved) this.changed();
  }
}
