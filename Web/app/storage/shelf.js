// @ts-check

/** What is put to find out whether anything is kept. */
const PROBE = 'yonder.probe';

/**
 * Texts that the browser keeps for this page by a key. Where it keeps none, because storage is refused or full, they are kept until the
 * page is closed: no call throws.
 */
export class Shelf {
  #storage;
  /** What the browser refused to keep. @type {Map<string, string>} */
  #unkept = new Map();

  /** @param {() => Storage | undefined} storage asking for it may throw */
  constructor(storage) {
    this.#storage = storage;
  }

  /**
   * @param {string} key
   * @returns {string | null}
   */
  get(key) {
    return this.#unkept.get(key) ?? this.#tried((storage) => storage.getItem(key)) ?? null;
  }

  /**
   * The value that was put as JSON.
   * @param {string} key
   * @returns {any} `undefined` for none, and for a text that is no JSON
   */
  value(key) {
    try {
      return JSON.parse(this.get(key) ?? 'null') ?? undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * @param {string} key
   * @param {string} text
   * @returns {boolean} whether it is there after the page was closed
   */
  put(key, text) {
    const isKept = this.#tried((storage) => { storage.setItem(key, text); return true; }) ?? false;
    if (isKept) this.#unkept.delete(key);
    else this.#unkept.set(key, text);
    return isKept;
  }

  /** Whether the browser keeps anything here at the moment: it may refuse to, or have no room. */
  keeps() {
    const isKept = this.put(PROBE, '');
    this.remove(PROBE);
    return isKept;
  }

  /** @param {string} key */
  remove(key) {
    this.#unkept.delete(key);
    this.#tried((storage) => storage.removeItem(key));
  }

  /**
   * Removes all but one.
   * @param {string} [spared]
   */
  clear(spared) {
    for (const key of this.#unkept.keys()) if (key !== spared) this.#unkept.delete(key);
    this.#tried((storage) => {
      if (spared === undefined) storage.clear();
      else for (const key of Object.keys(storage)) if (key !== spared) storage.removeItem(key);
    });
  }

  /**
   * @template T
   * @param {(storage: Storage) => T} use
   * @returns {T | undefined}
   */
  #tried(use) {
    try {
      const storage = this.#storage();
      return storage && use(storage);
    } catch {
      return undefined;
    }
  }
}

/** What this browser keeps for all its tabs. */
export const browserShelf = new Shelf(() => globalThis.localStorage);

/** What a tab keeps over a reload, and no longer than it is open. */
export const tabShelf = new Shelf(() => globalThis.sessionStorage);
