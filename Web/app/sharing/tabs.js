// @ts-check
import { Observable } from '../page/observable.js';

const LOCK = 'yonder.sharer';
const CHANNEL = 'yonder.sharing';
/** How long a hidden tab may take to give the sensor to the one in front, in milliseconds. */
const YIELDED_WITHIN = 2_000;

/**
 * The tabs of one browser as one: a single one of them has the sensor. That one holds a lock; when it is closed, another tab that waits
 * goes on, and one that comes to the front takes the lock from a hidden one. Where the browser shares isn't known here.
 */
export class Tabs extends Observable {
  /** Called when this tab has got the sensor, and when it has lost it to another one. */
  onHeld = (/** @type {boolean} */ _isHeld) => {};

  /** Whether this tab has the sensor. */
  isHolder = false;
  /** Whether another one has, as far as this tab heard. */
  isHeldElsewhere = false;

  /** @type {AbortController | undefined} */
  #waiting;
  /** @type {(() => void) | undefined} */
  #release;
  #isHolderHidden = false;
  #tell;
  /** @type {string | undefined} */
  #user;

  /** @param {import('../page/scope.js').Scope} scope of the person whose tabs these are */
  constructor(scope) {
    super();
    this.#tell = scope.channel(CHANNEL, (data) => this.#heard(data));
    scope.listen(document, 'visibilitychange', () => this.#shown());
    // A page in the browser's back-forward cache has no sensor, and keeps no other tab from it.
    scope.listen(globalThis, 'pagehide', () => this.release());
    scope.add(() => this.release());
  }

  /**
   * Only tabs of the same person are one.
   * @param {string | undefined} user
   */
  begin(user) {
    this.release();
    this.#user = user;
    this.isHeldElsewhere = false;
    this.#post('ask');
  }

  /** Whether this tab waits for the sensor. */
  get isWaiting() {
    return this.#waiting !== undefined;
  }

  /** Waits for the sensor, as long as another tab has it; a tab that has it and doesn't say so loses it. */
  hold() {
    if (this.isHolder || this.#waiting) return;
    if (!navigator.locks) {
      if (!this.isHeldElsewhere) this.#held();
      return;
    }
    const waiting = new AbortController();
    this.#waiting = waiting;
    this.#request({ signal: waiting.signal });
    this.#takeUnless(waiting, () => this.isHeldElsewhere);
  }

  /**
   * Takes the sensor if this tab still waits for it after two seconds.
   * @param {AbortController} waiting
   * @param {() => boolean} isOwned whether another tab may keep it
   */
  #takeUnless(waiting, isOwned) {
    setTimeout(() => {
      if (this.#waiting !== waiting || isOwned() || document.visibilityState === 'hidden') return;
      waiting.abort();
      this.#request({ steal: true });
    }, YIELDED_WITHIN);
  }

  /** Lets another tab have it. */
  release() {
    this.#waiting?.abort();
    this.#waiting = undefined;
    if (!this.isHolder) return;
    this.#lost();
    this.#post('free');
  }

  /** @param {LockOptions} options */
  async #request(options) {
    try {
      await navigator.locks.request(LOCK, options, () => {
        this.#waiting = undefined;
        const over = new Promise((/** @type {(value?: unknown) => void} */ resolve) => { this.#release = resolve; });
        this.#held();
        return over;
      });
    } catch {
      // Given up while it waited, or taken by the tab in front.
      if (this.#release && this.isHolder) {
        this.#lost();
        this.isHeldElsewhere = true;
        this.hold();
      }
    }
  }

  #held() {
    this.isHolder = true;
    this.isHeldElsewhere = false;
    this.#post('held');
    this.onHeld(true);
    this.changed();
  }

  #lost() {
    this.isHolder = false;
    this.#release?.();
    this.#release = undefined;
    this.onHeld(false);
    this.changed();
  }

  /** @param {'ask' | 'held' | 'free' | 'yield'} kind */
  #post(kind) {
    if (this.#user) this.#tell?.({ kind, user: this.#user, isHidden: document.visibilityState === 'hidden' });
  }

  /** @param {{ kind: string, user: string, isHidden: boolean }} message */
  #heard({ kind, user, isHidden }) {
    if (user !== this.#user) return;
    if (kind === 'ask' && this.isHolder) this.#post('held');
    if (kind === 'free') this.isHeldElsewhere = false;
    if (kind === 'yield' && this.isHolder && document.visibilityState === 'hidden') {
      this.release();
      this.isHeldElsewhere = true;
      this.hold();
    }
    if (kind === 'held') {
      this.isHeldElsewhere = !this.isHolder;
      this.#isHolderHidden = isHidden;
      this.#shown();
    }
    this.changed();
  }

  /** The tab in front takes the sensor from a hidden one; one that doesn't answer has lost it. */
  #shown() {
    if (this.isHolder) return this.#post('held');
    if (document.visibilityState === 'hidden' || !this.#waiting || !this.#isHolderHidden) return undefined;
    this.#post('yield');
    this.#takeUnless(this.#waiting, () => !this.#isHolderHidden);
    return undefined;
  }
}
