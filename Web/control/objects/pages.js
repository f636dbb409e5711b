// @ts-check

/** @typedef {import('../control.d.ts').StoredObject} StoredObject */
/** @typedef {{ objects: StoredObject[], cursor?: string }} Page */

/** How many times the server is asked for one page, before who waits is asked whether to go on. */
const ASKED_AT_MOST = 12;

/**
 * Goes through a list by its cursors, forth and back. A page of the server can have fewer objects than asked for and
 * still have a cursor, where few of those it looked at were wanted: then it is asked again.
 */
export class Pages {
  #ask;
  #size;
  /** Where this page and those before it begin. @type {(string | undefined)[]} */
  #starts = [undefined];
  /** @type {string | undefined} */
  #next;

  /** @type {StoredObject[]} */
  objects = [];
  /** How many objects lie on the pages before this. */
  offset = 0;
  /** @type {number[]} */
  #counts = [];

  /**
   * @param {(cursor: string | undefined, limit: number) => Promise<Page>} ask
   * @param {number} size of a page
   */
  constructor(ask, size) {
    this.#ask = ask;
    this.#size = size;
  }

  get hasNext() {
    return this.#next !== undefined;
  }

  get hasPrevious() {
    return this.#starts.length > 1;
  }

  /** Whether the server looked at many and didn't find enough for a page yet. */
  get isPartial() {
    return this.hasNext && this.objects.length < this.#size;
  }

  /** Reads this page anew. */
  async load() {
    await this.#read(this.#starts);
  }

  async next() {
    if (this.#next === undefined) return;
    const count = this.objects.length;
    await this.#read([...this.#starts, this.#next]);
    this.#counts.push(count);
    this.offset += count;
  }

  async previous() {
    if (!this.hasPrevious) return;
    await this.#read(this.#starts.slice(0, -1));
    this.offset -= this.#counts.pop() ?? 0;
  }

  /**
   * Nothing changes if the server refuses.
   * @param {(string | undefined)[]} starts
   */
  async #read(starts) {
    /** @type {StoredObject[]} */
    const objects = [];
    let cursor = starts[starts.length - 1];
    for (let asked = 0; asked < ASKED_AT_MOST && objects.length < this.#size; asked += 1) {
      const page = await this.#ask(cursor, this.#size - objects.length);
      objects.push(...page.objects);
      cursor = page.cursor;
      if (cursor === undefined) break;
    }
    this.#starts = starts;
    this.objects = objects;
    this.#next = cursor;
  }
}
