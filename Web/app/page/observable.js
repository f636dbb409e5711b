// @ts-check

/** Something that views look at. Changes made in one turn are told once. */
export class Observable {
  /** @type {Set<() => void>} */
  #observers = new Set();
  #isTelling = false;

  /**
   * Calls back after changes.
   * @param {() => void} observer
   * @returns {() => void} stops it
   */
  observe(observer) {
    this.#observers.add(observer);
    return () => { this.#observers.delete(observer); };
  }

  /** Tells the observers, soon. */
  changed() {
    if (this.#isTelling) return;
    this.#isTelling = true;
    queueMicrotask(() => {
      this.#isTelling = false;
      for (const observer of [...this.#observers]) observer();
    });
  }
}
