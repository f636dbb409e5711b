// @ts-check
import { Observable } from '../page/observable.js';
import { rest } from '../rest/rest.js';

/** @typedef {import('../wire.d.ts').User} User */

/** Who this person may start a chat with. */
export class Contacts extends Observable {
  /** `undefined` until the server has said. @type {User[] | undefined} */
  all;
  /** @type {unknown} */
  failure;

  async load() {
    try {
      const { contacts } = await rest('GET', '/contacts');
      this.all = contacts.sort((/** @type {User} */ a, /** @type {User} */ b) => a.name.localeCompare(b.name));
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
    }
    this.changed();
  }

  clear() {
    this.all = undefined;
    this.changed();
  }

  /** @returns {Promise<{ url: string, expires: number }>} a link good once */
  invite() {
    return rest('POST', '/invitations');
  }
}
