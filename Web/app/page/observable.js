// @ts-check

/** Something that views look at, each within its {@link import('./scope.js').Scope}. Changes made in one turn are told once. */
export class Observable {
  /** @type {Set<{ observer: () => void }>} */
  #observers = new Set();
  #isTelling = false;
  /** How often it has changed. */
  changes = 0;

  /**
   * Calls back after changes, until the scope ends.
   * @param {() => void} observer
   * @param {import('./scope.js').Scope} scope
   * @returns {() => void} stops it before
   */
  observe(observer, scope) {
    const entry = { observer };
    this.#observers.add(entry);
    return scope.add(() => this.#observers.delete(entry));
  }

  /** Tells the observers, soon. */
  changed() {
    this.changes += 1;
    if (this.#isTelling) return;
    this.#isTelling = true;
    queueMicrotask(() => {
      this.#isTelling = false;
      // One that ended because of what another did hears no more.
      for (const entry of [...this.#observers]) if (this.#observers.has(entry)) entry.observer();
    });
  }
}
