// @ts-check
import { Observable } from '../page/observable.js';
import { say } from '../words/words.js';
import { fixFrom } from './fix.js';
import { browserShelf } from '../storage/shelf.js';

/** @typedef {import('../wire.d.ts').Fix} Fix */

/** Steps smaller than this, in degrees, aren't shown. */
const STEP = 0.00003;
/** Where it is kept that the reader has let this page see where they are, on this device. */
const KEPT = 'yonder.own-place';
/** How long somebody who asks where they are waits, in milliseconds. */
const LOCATED_WITHIN = 20_000;

/**
 * Where this device is, for its own dot. The sensor is asked where the browser has said that it may be, or where the reader has shared or
 * asked for their own place on this device before, as some browsers never say it. Nothing of it leaves the page.
 */
export class OwnPlace extends Observable {
  /** @type {Fix | undefined} */
  #seen;
  /** @type {number | undefined} */
  #watch;
  #sharer;
  #scope;
  #isAllowed = false;
  /** Whether the browser hasn't said yet if it may be seen. */
  #isAsking = false;
  /** Whether it is kept on this device that it may be seen. */
  #wasKept = false;

  /**
   * @param {import('./sharer.js').Sharer} sharer
   * @param {import('../page/scope.js').Scope} scope of the person whose place it is
   */
  constructor(sharer, scope) {
    super();
    this.#sharer = sharer;
    this.#scope = scope;
    scope.listen(document, 'visibilitychange', () => this.#settle());
    // A position that is shared was allowed to be seen.
    sharer.observe(() => { if (!this.#wasKept && sharer.sharing.lastFix) this.#allowFromNow(); }, scope);
    scope.add(() => this.#settle());
    this.#ask();
  }

  /** The newest fix, whether it is shared or not. */
  get fix() {
    const shared = this.#sharer.sharing.lastFix;
    return shared && shared.time >= (this.#seen?.time ?? 0) ? shared : this.#seen ?? shared;
  }

  /** Whether a first fix is on its way, or the browser hasn't said yet if there may be one. */
  get isAwaited() {
    return this.fix === undefined && (this.#isAsking || this.#watch !== undefined);
  }

  /**
   * Finds where this device is, because the reader wants to see it; the browser may ask them whether it may be seen.
   * @returns {Promise<string | undefined>} why it can't be found, in words; `undefined` when it is
   */
  locate() {
    return new Promise((resolve) => {
      navigator.geolocation.getCurrentPosition((position) => {
        this.#moved(this.#fixFrom(position, 10_000));
        this.#allowFromNow();
        resolve(undefined);
      }, ({ code, PERMISSION_DENIED }) => {
        if (code === PERMISSION_DENIED) this.#forbid();
        resolve(say(code === PERMISSION_DENIED ? 'sharing.denied' : 'map.ownUnknown'));
      }, { enableHighAccuracy: true, maximumAge: 10_000, timeout: LOCATED_WITHIN });
    });
  }

  async #ask() {
    if (!this.#sharer.isPossible) return;
    this.#isAsking = true;
    try {
      const permission = await navigator.permissions.query({ name: 'geolocation' });
      this.#scope.listen(permission, 'change', () => {
        if (permission.state === 'granted') this.#allow();
        if (permission.state === 'denied') this.#forbid();
      });
      if (permission.state === 'granted' || (permission.state === 'prompt' && wasAllowed())) this.#allow();
    } catch {
      // A browser that says nothing of permissions.
      if (wasAllowed()) this.#allow();
    }
    this.#isAsking = false;
    this.changed();
  }

  #allow() {
    this.#isAllowed = true;
    this.#settle();
  }

  /** The reader shared, or asked for their place: a browser that never says *granted* is asked again on this device. */
  #allowFromNow() {
    this.#wasKept = true;
    keepAllowed(true);
    this.#allow();
  }

  #forbid() {
    this.#isAllowed = this.#wasKept = false;
    keepAllowed(false);
    this.#settle();
  }

  #settle() {
    const isWanted = this.#isAllowed && !this.#scope.isOver && document.visibilityState === 'visible';
    if (isWanted && this.#watch === undefined) {
      this.#watch = navigator.geolocation.watchPosition((position) => this.#moved(this.#fixFrom(position, 60_000)), (error) => this.#failed(error), { maximumAge: 60_000 });
    }
    if (!isWanted && this.#watch !== undefined) {
      navigator.geolocation.clearWatch(this.#watch);
      this.#watch = undefined;
    }
    if (!this.#isAllowed) this.#seen = undefined;
    this.changed();
  }

  /** @param {GeolocationPositionError} error */
  #failed({ code, PERMISSION_DENIED }) {
    if (code === PERMISSION_DENIED) this.#forbid();
  }

  /**
   * @param {GeolocationPosition} position
   * @param {number} maximumAge that was asked for, in milliseconds
   */
  #fixFrom(position, maximumAge) {
    return fixFrom(position, { offset: this.#sharer.offset, maximumAge });
  }

  /** @param {Fix} fix */
  #moved(fix) {
    const before = this.#seen;
    this.#seen = fix;
    const hasMoved = !before || before.accuracy !== fix.accuracy
      || Math.hypot(Number(before.latitude) - Number(fix.latitude), Number(before.longitude) - Number(fix.longitude)) > STEP;
    if (hasMoved) this.changed();
  }
}

function wasAllowed() {
  return browserShelf.get(KEPT) !== null;
}

/** @param {boolean} isAllowed */
function keepAllowed(isAllowed) {
  if (isAllowed) browserShelf.put(KEPT, 'allowed');
  else browserShelf.remove(KEPT);
}
