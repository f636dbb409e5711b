// @ts-check
import { Observable } from '../page/observable.js';
import { emptyRecord, ended, EVERYWHERE, laterOf, started, stopped, told } from './share-record.js';

/** @typedef {import('./share-record.js').ShareRecord} ShareRecord */
/**
 * Whether what was started would go on after a reload.
 * @typedef {object} Kept
 * @property {boolean} isKept by now
 * @property {Promise<boolean>} isKeptAtLast once the browser's database has answered
 */

const CHANNEL = 'yonder.shares';
/** How long a start waits to be kept, in milliseconds. */
const KEPT_WITHIN = 200;

/**
 * Where this browser shares, and the stops that it hasn't sent to the server yet: a record for each place, kept in the
 * browser's database and sent to the other tabs. A tab changes its own copy at once; of two changes of a record the later one
 * holds, in whatever order a tab receives them.
 */
export class ShareRecords extends Observable {
  /** Called when another tab has stopped. */
  onStopped = () => {};

  #store;
  /** @type {Map<string, ShareRecord>} */
  #records = new Map();
  /** @type {string | undefined} */
  #user;
  #tell;

  /**
   * @param {import('../storage/store.js').Store} store
   * @param {import('../page/scope.js').Scope} scope of the person whose records these are
   */
  constructor(store, scope) {
    super();
    this.#store = store;
    this.#tell = scope.channel(CHANNEL, (data) => this.#heard(data));
    scope.add(() => {
      this.#user = undefined;
      this.#records.clear();
    });
  }

  /**
   * As another person, or nobody.
   * @param {string | undefined} user
   * @returns {Promise<void>} when what was kept is known
   */
  async begin(user) {
    this.#user = user;
    this.#records.clear();
    this.#tell?.({ ask: user });
    await this.load();
  }

  /** Reads what is kept: a record that the channel didn't bring. */
  async load() {
    // Where nobody is signed in, no database is made.
    if (this.#user === undefined) return this.changed();
    const kept = await this.#store.load('shares');
    for (const record of kept ?? []) this.#take(record);
    this.changed();
  }

  /** @param {string} place */
  get(place) {
    return this.#records.get(place);
  }

  /** Whose these are. */
  get user() {
    return this.#user;
  }

  /** The places in which the person wants to be seen. */
  get wanted() {
    return [...this.#records.values()].filter(({ isWanted }) => isWanted);
  }

  /** How far the server's clock is ahead of this browser's, in milliseconds, as last noted; `undefined` without a share. */
  get clock() {
    const [newest] = [...this.#records.values()].filter(({ clock }) => clock !== undefined).sort((a, b) => b.reported - a.reported);
    return newest?.clock;
  }

  /** When the newest of their shares began, by the server's clock; 0 for none. A stop of now can't be before it, whatever this browser's clock says. */
  get newestStart() {
    return Math.max(0, ...[...this.#records.values()].map(({ begun }) => begun ?? 0));
  }

  /** The stops that the server hasn't yet. */
  get stopping() {
    return [...this.#records.values()].filter(({ stopping }) => stopping !== undefined);
  }

  /**
   * Whether a stop of a place, or of everything, waits.
   * @param {string} place
   */
  isStopping(place) {
    return this.stopping.some((record) => record.place === place || record.place === EVERYWHERE);
  }

  /**
   * @param {string} place
   * @param {{ share?: string, until?: number, reported: number, clock?: number, begun?: number }} what
   * @returns {Promise<Kept>} within 200 ms
   */
  async start(place, { share, until, clock, begun, reported }) {
    const isKeptAtLast = this.#change(place, (record) => started(record, { share, until, clock, begun, reported }));
    const late = new Promise((/** @type {(isKept: boolean) => void} */ resolve) => { setTimeout(() => resolve(false), KEPT_WITHIN); });
    return { isKept: await Promise.race([isKeptAtLast, late]), isKeptAtLast };
  }

  /**
   * A share of which nothing is kept any more waits for the person to go on with it.
   * @param {string} chat
   * @param {string} share
   */
  recover(chat, share) {
    if (!this.get(chat)) this.#change(chat, (record) => ({ ...started(record, { share, reported: 0 }), isPaused: true }));
  }

  /**
   * @param {string} place
   * @param {number} [at] the time of the tap, where the server has to be told
   * @returns {Promise<boolean>} whether it is kept
   */
  stop(place, at) {
    return this.#change(place, (record) => stopped(record, at));
  }

  /** @param {string} place */
  end(place) {
    if (this.get(place)?.isWanted) this.#change(place, ended);
  }

  /**
   * @param {string} place
   * @param {number} at
   */
  told(place, at) {
    this.#change(place, (record) => told(record, at));
  }

  /**
   * @param {string} place
   * @param {Partial<ShareRecord>} part what is otherwise
   */
  note(place, part) {
    if (this.get(place)?.isWanted) this.#change(place, (record) => ({ ...record, ...part, turn: record.turn + 1 }));
  }

  /**
   * @param {string} place
   * @param {(record: ShareRecord) => ShareRecord} change
   * @returns {Promise<boolean>} whether it is kept
   */
  async #change(place, change) {
    const user = this.#user;
    if (user === undefined) return false;
    const after = change(this.get(place) ?? emptyRecord(user, place));
    this.#records.set(place, after);
    this.#tell?.({ record: after });
    this.changed();
    const { isKept, record } = await this.#store.update('shares', after.id, (before) => {
      const latest = laterOf(/** @type {ShareRecord | undefined} */ (before), after);
      return latest === after ? after : undefined;
    });
    // Another tab may have written a later one meanwhile.
    if (record && this.#take(/** @type {ShareRecord} */ (record))) this.changed();
    return isKept;
  }

  /** @param {{ ask?: string, record?: ShareRecord }} message */
  #heard({ ask, record }) {
    if (ask !== undefined && ask === this.#user) for (const each of this.#records.values()) this.#tell?.({ record: each });
    if (!record) return;
    const stops = this.get(record.place)?.stops ?? 0;
    if (!this.#take(record)) return;
    if (record.stops > stops) this.onStopped();
    this.changed();
  }

  /**
   * @param {ShareRecord} record
   * @returns {boolean} whether it is news
   */
  #take(record) {
    const known = this.#records.get(record.place);
    if (record.user !== this.#user || record === known || laterOf(known, record) === known) return false;
    this.#records.set(record.place, record);
    return true;
  }
}
