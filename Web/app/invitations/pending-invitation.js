// @ts-check
import { Observable } from '../page/observable.js';
import { rest } from '../rest/rest.js';
import { tabShelf } from '../storage/shelf.js';

const KEPT = 'yonder.invitation';

/** An invitation that was opened and isn't answered yet; kept over a reload and a sign-in in between. */
export class PendingInvitation extends Observable {
  /** @type {string | undefined} */
  secret = tabShelf.get(KEPT) ?? undefined;

  /** @param {string} secret */
  keep(secret) {
    this.secret = secret;
    tabShelf.put(KEPT, secret);
    this.changed();
  }

  forget() {
    this.secret = undefined;
    tabShelf.remove(KEPT);
    this.changed();
  }

  /** @returns {Promise<{ from: { name: string } }>} */
  view() {
    return rest('POST', '/invitations/view', { invitation: this.secret });
  }

  /**
   * @param {string} [name] of a new account; without it, the one signed in accepts
   * @returns {Promise<{ user?: import('../wire.d.ts').User, contact: import('../wire.d.ts').User }>}
   */
  accept(name) {
    return rest('POST', '/invitations/accept', { invitation: this.secret, ...(name ? { name } : {}) });
  }
}
