// @ts-check
/** @typedef {'unsent' | 'shares'} Name which object store */

const DATABASE = 'yonder';
const VERSION = 2;
/** How long a call waits for the database, in milliseconds. */
const ANSWERED_WITHIN = 4_000;

/** Has what is needed to make each object store. @type {Record<Name, (database: IDBDatabase) => void>} */
const MADE = {
  /** Messages, oldest first: their number says when each came. */
  unsent: (database) => database.createObjectStore('unsent', { autoIncrement: true }).createIndex('key', 'key'),
  shares: (database) => database.createObjectStore('shares', { keyPath: 'id' }),
};

/**
 * What this browser keeps over reloads, in IndexedDB. Any call may find that it can't be kept: in a private window, on a full
 * phone, or where the browser closes the database or never answers. No call throws, and each is answered after four seconds
 * at most, so callers go on without a database.
 */
export class Store {
  /** @type {Promise<IDBDatabase> | undefined} */
  #database;
  /** A call waits for longer than it may: until the database answers it, others are told at once. */
  #isSilent = false;

  /**
   * Every record of an object store.
   * @param {Name} name
   * @returns {Promise<any[] | undefined>} oldest first; `undefined` if it can't be read
   */
  async load(name) {
    const { record } = await this.#call(name, 'readonly', (store) => result(store.getAll()));
    return record;
  }

  /**
   * Adds a record to `unsent`; to `shares`, in place of the one with its id.
   * @param {Name} name
   * @param {any} record
   * @returns {Promise<boolean>} whether it is kept
   */
  async put(name, record) {
    return (await this.#call(name, 'readwrite', (store) => result(store.put(record)))).isKept;
  }

  /**
   * Removes the record with a key: an unsent message's `key`, a share's `id`.
   * @param {Name} name
   * @param {string} key
   * @returns {Promise<boolean>} whether it is gone
   */
  async remove(name, key) {
    const { isKept } = await this.#call(name, 'readwrite', async (store) => {
      const id = await idOf(store, key);
      if (id !== undefined) store.delete(id);
    });
    return isKept;
  }

  /**
   * Reads a record and writes what becomes of it, in one transaction: no other tab writes it in between.
   * @template {object} T
   * @param {Name} name
   * @param {string} key an unsent message's `key`, a share's `id`
   * @param {(before: T | undefined) => T | undefined} change `undefined` leaves the record as it is; may be called twice
   * @returns {Promise<{ isKept: boolean, record?: T }>} the record as it is now kept, if it is
   */
  update(name, key, change) {
    return this.#call(name, 'readwrite', async (store) => {
      const id = await idOf(store, key);
      const before = id === undefined ? undefined : await result(store.get(id));
      const after = change(before);
      if (after !== undefined) store.put(after, store.keyPath === null ? id : undefined);
      return after ?? before;
    });
  }

  /**
   * Removes every record.
   * @returns {Promise<boolean>} whether all are gone
   */
  async clear() {
    const cleared = /** @type {Name[]} */ (Object.keys(MADE)).map((name) => this.#call(name, 'readwrite', (store) => result(store.clear())));
    return (await Promise.all(cleared)).every(({ isKept }) => isKept);
  }

  /**
   * @template T
   * @param {Name} name
   * @param {IDBTransactionMode} mode
   * @param {(store: IDBObjectStore) => Promise<T>} work
   * @returns {Promise<{ isKept: boolean, record?: T }>}
   */
  #call(name, mode, work) {
    if (this.#isSilent) return Promise.resolve({ isKept: false });
    const over = new AbortController();
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#isSilent = true;
        resolve({ isKept: false });
        over.abort();
      }, ANSWERED_WITHIN);
      this.#tried(name, mode, work, over.signal).then((answer) => {
        clearTimeout(timer);
        if (over.signal.aborted) this.#isSilent = false;
        resolve(answer);
      });
    });
  }

  /**
   * Does the work; if the browser has closed the database meanwhile, once more after opening it again.
   * @template T
   * @param {Name} name
   * @param {IDBTransactionMode} mode
   * @param {(store: IDBObjectStore) => Promise<T>} work
   * @param {AbortSignal} over when nobody waits for it any more
   * @returns {Promise<{ isKept: boolean, record?: T }>}
   */
  async #tried(name, mode, work, over) {
    for (let attempt = 0; attempt < 2 && !over.aborted; attempt += 1) {
      const opening = this.#opened();
      try {
        const database = await opening;
        // What was answered with *not kept* isn't kept afterwards.
        if (over.aborted) break;
        return { isKept: true, record: await done(database.transaction(name, mode), work, over) };
      } catch (error) {
        this.#forget(opening);
        if (/** @type {DOMException} */ (error)?.name === 'QuotaExceededError') break;
      }
    }
    return { isKept: false };
  }

  #opened() {
    /** @type {Promise<IDBDatabase>} */
    const opening = this.#database ?? opened(() => this.#forget(opening));
    this.#database = opening;
    return opening;
  }

  /**
   * The next call opens the database again.
   * @param {Promise<IDBDatabase>} opening
   */
  #forget(opening) {
    if (this.#database === opening) this.#database = undefined;
    opening.then((database) => database.close(), () => {});
  }
}

/**
 * @param {() => void} closed called when the browser has closed it, or when another tab is about to erase it
 * @returns {Promise<IDBDatabase>}
 */
async function opened(closed) {
  const request = indexedDB.open(DATABASE, VERSION);
  request.onupgradeneeded = () => {
    const there = request.result.objectStoreNames;
    for (const [name, make] of Object.entries(MADE)) if (!there.contains(name)) make(request.result);
  };
  const database = await result(request);
  database.onclose = closed;
  database.onversionchange = closed;
  return database;
}

/**
 * Does work in a transaction.
 * @template T
 * @param {IDBTransaction} transaction
 * @param {(store: IDBObjectStore) => Promise<T>} work
 * @param {AbortSignal} over
 * @returns {Promise<T>} after its end
 */
async function done(transaction, work, over) {
  const store = transaction.objectStore(transaction.objectStoreNames[0]);
  const ended = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  const abort = () => transaction.abort();
  over.addEventListener('abort', abort);
  try {
    const [record] = await Promise.all([work(store), ended]);
    return record;
  } finally {
    over.removeEventListener('abort', abort);
  }
}

/**
 * The number or id by which an object store keeps the record with a key.
 * @param {IDBObjectStore} store
 * @param {string} key
 * @returns {Promise<IDBValidKey | undefined>}
 */
function idOf(store, key) {
  return store.keyPath === null ? result(store.index('key').getKey(key)) : Promise.resolve(key);
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function result(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
