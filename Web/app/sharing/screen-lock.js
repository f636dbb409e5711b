// @ts-check

/**
 * Keeps the screen awake while it is wanted. At most one lock is held or asked for; the browser takes it away when the page is hidden,
 * so it is asked for again when the page is seen.
 */
export class ScreenLock {
  #isWanted = false;
  #isAsking = false;
  /** @type {WakeLockSentinel | undefined} */
  #lock;
  #wakeLock;

  /** @param {WakeLock | undefined} [wakeLock] the browser's, where it has one */
  constructor(wakeLock = globalThis.navigator?.wakeLock) {
    this.#wakeLock = wakeLock;
  }

  /** @param {boolean} isWanted */
  async keep(isWanted) {
    this.#isWanted = isWanted;
    if (!isWanted) this.#release();
    if (!isWanted || this.#isAsking || document.visibilityState !== 'visible' || (this.#lock && !this.#lock.released)) return;
    this.#isAsking = true;
    try {
      this.#lock = await this.#wakeLock?.request('screen');
    } catch {
      // Refused when the battery is low: sharing goes on while the screen is.
    } finally {
      this.#isAsking = false;
    }
    if (!this.#isWanted) this.#release();
  }

  #release() {
    this.#lock?.release().catch(() => {});
    this.#lock = undefined;
  }
}
