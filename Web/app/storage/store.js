// @ts-check
/** @typedef {'unsent' | 'shares' | 'drafts'} Name which object store */

const DATABASE = 'yonder';
const VERSION = 3;
/** How long a call to the browser's storage may take, in milliseconds. */
const ANSWERED_WITHIN = 4_000;

/** Makes each object store. @type {Record<Name, (database: IDBDatabase) => void>} */
const MADE = {
  unsent: (database) => database.createObjectStore('unsent', { autoIncrement: true }).createIndex('key', 'key'),
  shares: (database) => database.createObjectStore('shares', { keyPath: 'id' }),
  drafts: (database) => database.createObjectStore('drafts', { keyPath: 'id' }),
};

/**
 * What this browser keeps over reloads, in IndexedDB. Any call may find that it can't: in a private window, on a full phone,
 * or where the browser closes the database or never answers. No call throws, and none takes longer than four seconds, twice that
 * if the database falls silent while it writes: callers go on without it. A database that was closed is opened again.
 *
 * A record's key is its `key` in `unsent`, its `id` elsewhere.
 */
export class Store {
  /** @type {Promise<IDBDatabase> | undefined} */
  #database;
  /** A call took too long. Until the database answers it, other calls end at once. */
  #isSilent = false;

  /**
   * Every record of an object store, oldest first.
   * @param {Name} name
   * @returns {Promise<any[] | undefined>} `undefined` if they can't be read
   */
  async load(name) {
    return (await this.#call(name, 'readonly', (store) => result(store.getAll()))).record;
  }

  /**
   * Adds a record to `unsent`; elsewhere, in place of the one with its id.
   * @param {Name} name
   * @param {object} record
   * @returns {Promise<boolean>} whether it is kept
   */
  async put(name, record) {
    return (await this.#call(name, 'readwrite', async (store) => {
      store.put(record);
      // Else it would be undone if the page were closed right now.
      store.transaction.commit?.();
    })).isKept;
  }

  /**
   * @param {Name} name
   * @param {string} key
   * @returns {Promise<boolean>} whether no record has the key
   */
  async remove(name, key) {
    return (await this.#call(name, 'readwrite', async (store) => {
      const id = await idOf(store, key);
      if (id !== undefined) store.delete(id);
    })).isKept;
  }

  /**
   * Removes a record, for one of several tabs that want it.
   * @param {Name} name
   * @param {string} key
   * @returns {Promise<boolean>} whether it was there
   */
  async take(name, key) {
    return (await this.#call(name, 'readwrite', async (store) => {
      const id = await idOf(store, key);
      const record = id === undefined ? undefined : await result(store.get(id));
      if (id !== undefined) store.delete(id);
      return record;
    })).record !== undefined;
  }

  /**
   * Reads a record and writes what becomes of it in one transaction: no other tab writes in between.
   * @template {object} T
   * @param {Name} name
   * @param {string} key
   * @param {(before: T | undefined) => T | undefined} change `undefined` leaves the record as it is; may be called twice
   * @returns {Promise<{ isKept: boolean, record?: T }>} the record as it is kept now
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

  /** Removes every record. */
  async clear() {
    for (const name of /** @type {Name[]} */ (Object.keys(MADE))) await this.#call(name, 'readwrite', (store) => result(store.clear()));
  }

  /**
   * Does work in a transaction, and once more if that fails, with the database opened again.
   * @template T
   * @param {Name} name
   * @param {IDBTransactionMode} mode
   * @param {(store: IDBObjectStore) => Promise<T>} work
   * @returns {Promise<{ isKept: boolean, record?: T }>}
   */
  async #call(name, mode, work) {
    if (this.#isSilent) return { isKept: false };
    let isOver = false;
    /** @type {IDBTransaction | undefined} */
    let transaction;
    const once = async () => {
      const opening = this.#opened();
      try {
        const database = await opening;
        // What was said not to be kept isn't kept afterwards.
        if (isOver) throw new Error('too late');
        transaction = database.transaction(name, mode);
        return { isKept: true, record: await done(transaction, work) };
      } catch (error) {
        transaction = undefined;
        this.#forget(opening);
        throw error;
      }
    };
    const ended = once().catch(once).catch(() => ({ isKept: false }));
    const answer = await inTime(ended);
    if (answer) return answer;
    isOver = true;
    this.#isSilent = true;
    ended.then(() => { this.#isSilent = false; });
    try {
      transaction?.abort();
      return { isKept: false };
    } catch {
      // It is written already, or just now.
      return (await inTime(ended)) ?? { isKept: false };
    }
  }

  #opened() {
    /** @type {Promise<IDBDatabase>} */
    const opening = this.#database ?? opened(() => this.#forget(opening));
    this.#database = opening;
    return opening;
  }

  /** @param {Promise<IDBDatabase>} opening */
  #forget(opening) {
    if (this.#database === opening) this.#database = undefined;
    opening.then((database) => database.close(), () => {});
  }
}

/**
 * What a promise of the browser's storage is fulfilled with.
 * @template T
 * @param {Promise<T> | undefined} promise
 * @returns {Promise<T | undefined>} `undefined` if it fails or takes longer than four seconds
 */
export function inTime(promise) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), ANSWERED_WITHIN);
    Promise.resolve(promise).then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer));
  });
}

/**
 * @param {() => void} closing called when the browser has closed the database, and before another page changes or erases it
 * @returns {Promise<IDBDatabase>}
 */
async function opened(closing) {
  const request = indexedDB.open(DATABASE, VERSION);
  request.onupgradeneeded = () => {
    const there = request.result.objectStoreNames;
    for (const [name, make] of Object.entries(MADE)) if (!there.contains(name)) make(request.result);
  };
  const database = await result(request);
  database.onclose = database.onversionchange = closing;
  return database;
}

/**
 * @template T
 * @param {IDBTransaction} transaction of one object store
 * @param {(store: IDBObjectStore) => Promise<T>} work
 * @returns {Promise<T>} when it is written
 */
async function done(transaction, work) {
  const store = transaction.objectStore(transaction.objectStoreNames[0]);
  const ended = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  return (await Promise.all([Promise.resolve(store).then(work), ended]))[0];
}

/**
 * The number or id by which a record is kept.
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
