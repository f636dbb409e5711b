// @ts-check
/** @typedef {import('../wire.d.ts').Unsent} Unsent */

const STORE = 'unsent';

/** Keeps what is unsent in IndexedDB, in the order of its coming, over reloads. Without it (a private window), in memory alone. */
export class OutboxStore {
  /** @type {Promise<IDBDatabase | undefined> | undefined} */
  #database;

  /** @returns {Promise<Unsent[]>} oldest first */
  async load() {
    const store = await this.#store('readonly');
    return store ? (await result(store.getAll())) ?? [] : [];
  }

  /**
   * Returns when it is kept.
   * @param {Unsent} entry
   */
  async add(entry) {
    const store = await this.#store('readwrite');
    store?.put(entry);
    if (store) await ended(store.transaction);
  }

  /** @param {string} key */
  async remove(key) {
    const store = await this.#store('readwrite');
    const id = store && (await result(store.index('key').getKey(key)));
    if (store && id !== undefined) store.delete(/** @type {IDBValidKey} */ (id));
  }

  /** @param {IDBTransactionMode} mode */
  async #store(mode) {
    this.#database ??= opened(() => { this.#database = undefined; });
    return (await this.#database)?.transaction(STORE, mode).objectStore(STORE);
  }
}

/**
 * @param {() => void} closed called when another tab erases it
 * @returns {Promise<IDBDatabase | undefined>}
 */
function opened(closed) {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open('yonder', 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore(STORE, { autoIncrement: true }).createIndex('key', 'key');
      };
      request.onsuccess = () => {
        const database = request.result;
        database.onversionchange = () => {
          database.close();
          closed();
        };
        resolve(database);
      };
      request.onerror = () => resolve(undefined);
    } catch {
      resolve(undefined);
    }
  });
}

/**
 * @param {IDBTransaction} transaction
 * @returns {Promise<void>}
 */
function ended(transaction) {
  return new Promise((resolve) => {
    transaction.oncomplete = transaction.onabort = () => resolve();
  });
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T | undefined>}
 */
function result(request) {
  return new Promise((resolve) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(undefined);
  });
}
