// @ts-check
/** @typedef {import('../wire.d.ts').Frame} Frame */
/** @typedef {import('../wire.d.ts').User} User */

/** The caller's contacts as the stream or REST has them: first all, then each change. No socket inside. */
export class ContactList {
  /** @type {Map<string, User>} */
  users = new Map();
  /** Whether a first full answer has come. */
  isCurrent = false;

  /** @type {Set<string>} */
  #answered = new Set();

  /** By name. @returns {User[]} */
  get all() {
    return [...this.users.values()].sort((a, b) => a.name.localeCompare(b.name));
  }

  /**
   * A frame of the stream's answer.
   * @param {Frame} frame
   * @param {boolean} isFirst
   * @returns {User[]} who is a contact now and wasn't before, once it was known who is
   */
  answer(frame, isFirst) {
    if (isFirst) this.#answered.clear();
    const added = this.#add(frame.contacts);
    for (const { id } of frame.contacts) this.#answered.add(id);
    if (!frame.current) return added;
    this.isCurrent = true;
    this.#keep(this.#answered);
    return added;
  }

  /**
   * @param {Frame} frame `contact` or `contactGone`
   * @returns {User[]} who is new
   */
  change(frame) {
    if (frame.type === 'contact') {
      this.#answered.add(frame.contact.id);
      return this.#add([frame.contact]);
    }
    if (frame.type === 'contactGone') {
      this.#answered.delete(frame.user);
      this.users.delete(frame.user);
    }
    return [];
  }

  /**
   * REST's whole answer.
   * @param {User[]} users
   * @returns {User[]} who is new
   */
  replace(users) {
    const added = this.#add(users);
    this.#keep(new Set(users.map(({ id }) => id)));
    this.isCurrent = true;
    return added;
  }

  /** @param {User[]} users */
  #add(users) {
    const added = this.isCurrent ? users.filter(({ id }) => !this.users.has(id)) : [];
    for (const user of users) this.users.set(user.id, user);
    return added;
  }

  /** @param {Set<string>} ids */
  #keep(ids) {
    for (const id of [...this.users.keys()]) if (!ids.has(id)) this.users.delete(id);
  }
}
