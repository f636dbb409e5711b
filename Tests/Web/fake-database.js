/** What IndexedDB answers comes in a turn of its own. */
export const nextTurn = () => new Promise((resolve) => { setImmediate(resolve); });
export async function turns(count) {
  for (let each = 0; each < count; each += 1) await nextTurn();
}
const soon = (work) => { setImmediate(work); };
const failure = (name) => Object.assign(new Error(name), { name });

/** What a browser's storage does to a call, beside keeping. */
export const FAULTS = ['throws', 'fails', 'full', 'closed', 'silent'];
const NAMES = { fails: 'UnknownError', full: 'QuotaExceededError', blocked: 'AbortError' };

/** Counts calls, and has a fault for those from `at` to `at + times - 1`; the first is 1. */
export class Faults {
  calls = 0;
  constructor({ fault, at = 1, times = 1 } = {}) { Object.assign(this, { fault, at, times }); }

  /** The fault of the call that is made now, if there is one. */
  next() {
    this.calls += 1;
    const hit = this.calls >= this.at && this.calls < this.at + this.times ? this.fault : undefined;
    if (hit === 'throws') throw failure('UnknownError');
    return hit;
  }
}

/**
 * IndexedDB in memory, as far as the page and its worker use it: one database, whose transactions run one after the other.
 * Each opening, erasing, transaction, request and end of a transaction is a call, which may have a fault.
 */
export class FakeDatabase {
  version = 0;
  /** Object stores by name: `{ keyPath, rows }`. */
  stores = new Map();
  connections = new Set();
  queue = [];

  constructor(faults) { this.faults = new Faults(faults); }

  rows(name) { return [...(this.stores.get(name)?.rows.values() ?? [])]; }

  open(_name, version) {
    const request = {};
    const fault = this.faults.next();
    if (fault === 'blocked') soon(() => request.onblocked?.());
    if (fault === 'blocked' || fault === 'silent') return request;
    soon(() => this.#answer(request, version ?? Math.max(1, this.version), fault));
    return request;
  }

  #answer(request, version, fault) {
    let isAborted = false;
    const before = this.version;
    request.result = new Connection(this);
    request.transaction = { abort: () => { isAborted = true; } };
    if (!fault && version > before) {
      this.version = version;
      request.onupgradeneeded?.();
    }
    if (isAborted) [this.version, this.stores] = [before, new Map()];
    request.error = fault || isAborted || version < before ? failure(NAMES[fault] ?? 'AbortError') : null;
    if (request.error) return request.onerror?.();
    this.connections.add(request.result);
    return request.onsuccess?.();
  }

  deleteDatabase() {
    const request = {};
    const fault = this.faults.next();
    soon(() => {
      for (const connection of this.connections) connection.onversionchange?.();
      soon(() => {
        if (fault === 'silent') return;
        if (fault === 'blocked' || this.connections.size > 0) return request.onblocked?.();
        if (fault) return request.onerror?.();
        [this.version, this.stores] = [0, new Map()];
        request.onsuccess?.();
      });
    });
    return request;
  }

  async databases() { return this.version > 0 ? [{ name: 'yonder' }] : []; }

  /** As a browser does it on its own: what runs is undone. */
  closeAll() {
    for (const transaction of [...this.queue]) transaction.end(failure('AbortError'));
    for (const connection of this.connections) {
      connection.close();
      connection.onclose?.();
    }
  }
}

class Connection {
  #database;
  constructor(database) { this.#database = database; }

  get objectStoreNames() { return { contains: (name) => this.#database.stores.has(name) }; }

  createObjectStore(name, { keyPath = null }) {
    this.#database.stores.set(name, { keyPath, rows: new Map(), last: 0 });
    return { createIndex: () => {} };
  }

  transaction(name, mode) {
    const database = this.#database;
    const fault = database.faults.next();
    if (fault === 'closed') database.closeAll();
    if (!database.connections.has(this)) throw failure('InvalidStateError');
    if (fault && fault !== 'silent') throw failure(NAMES[fault]);
    return new Transaction(database, name, mode, fault);
  }

  close() { this.#database.connections.delete(this); }
}

class Transaction {
  error = null;
  #requests = [];
  #isOver = false;

  constructor(database, name, mode, fault) {
    Object.assign(this, { database, mode, fault, objectStoreNames: [name], store: database.stores.get(name) });
    this.rows = undefined;
    database.queue.push(this);
    soon(() => this.#go());
  }

  objectStore() {
    const { keyPath } = this.store;
    const keyed = (key) => [...this.rows].find(([, value]) => value.key === key)?.[0];
    const ask = (work) => this.#ask(work);
    return {
      keyPath,
      transaction: this,
      index: () => ({ getKey: (key) => ask(() => keyed(key)) }),
      getAll: () => ask(() => [...this.rows.values()]),
      getAllKeys: () => ask(() => [...this.rows.keys()]),
      get: (key) => ask(() => this.rows.get(key)),
      put: (value, key) => ask(() => {
        const id = key ?? (keyPath === null ? (this.store.last += 1) : value[keyPath]);
        this.rows.set(id, structuredClone(value));
        return id;
      }),
      delete: (key) => ask(() => { this.rows.delete(key); }),
      clear: () => ask(() => this.rows.clear()),
    };
  }

  commit() { this.isCommitting = true; }

  abort() {
    if (this.#isOver || this.isCommitting) throw failure('InvalidStateError');
    this.end(null);
  }

  #ask(work) {
    const request = { work, fault: this.database.faults.next() };
    this.#requests.push(request);
    return request;
  }

  #go() {
    if (this.#isOver || this.database.queue[0] !== this || this.fault === 'silent') return;
    this.rows ??= new Map(this.store.rows);
    const request = this.#requests.shift() ?? { isEnd: true, fault: this.#endFault() };
    if (request.fault === 'closed') return this.database.closeAll();
    if (request.fault === 'silent') {
      this.fault = 'silent';
    } else if (request.fault) {
      this.#requests.unshift(request);
      this.end(failure(NAMES[request.fault]));
    } else if (request.isEnd) {
      if (this.mode === 'readwrite') this.store.rows = this.rows;
      this.#over();
      this.oncomplete?.();
    } else {
      request.result = request.work();
      request.onsuccess?.();
      soon(() => this.#go());
    }
  }

  /** The end of a transaction is no call that could throw. */
  #endFault() {
    try {
      return this.database.faults.next();
    } catch {
      return 'fails';
    }
  }

  end(error) {
    this.error = error;
    this.#over();
    for (const request of this.#requests) {
      request.error = error ?? failure('AbortError');
      request.onerror?.();
    }
    soon(() => this.onabort?.());
  }

  #over() {
    this.#isOver = true;
    this.database.queue = this.database.queue.filter((each) => each !== this);
    const next = this.database.queue[0];
    if (next) soon(() => next.#go());
  }
}
