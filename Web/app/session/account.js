// @ts-check
import { Observable } from '../page/observable.js';
import { rest } from '../rest/rest.js';
import { browserShelf } from '../storage/shelf.js';

/** @typedef {import('../wire.d.ts').User} User */

/**
 * @typedef {object} Session
 * @property {string} id
 * @property {string} label which browser it is; possibly empty
 * @property {number} created
 * @property {number} [lastSeen]
 * @property {string} [network] the network address that it was last used from
 * @property {boolean} [current] whether it is this browser's
 */

/**
 * @typedef {object} AccountEvent a change of what signs one in
 * @property {number} time
 * @property {'password' | 'email' | 'login' | 'link' | 'token'} change
 * @property {'user' | 'operator' | 'server'} by
 * @property {string} [network] the network address of the request
 */

/** Where it is kept who was signed in last, for when the page opens without a connection. Signing out erases it. */
const KEPT = 'yonder.me';

/** Who is signed in here, if anybody. */
export class Account extends Observable {
  /** @type {User | undefined} */
  user;
  /** @type {string | undefined} */
  login;
  /** Whether they run this server. */
  isOperator = false;
  /** Whether a password is set, which a change of the sign-in asks for. */
  hasPassword = false;

  /** Whether somebody was signed in here until the server said that nobody is. */
  wasForgotten = false;

  /** Asks the server whom the cookie stands for. Without a connection it is who it was last. */
  async load() {
    this.wasForgotten = false;
    try {
      const { user, login, operator, password } = await rest('GET', '/session');
      this.hasPassword = password;
      this.#set(user, login, operator);
      keep({ user, login });
    } catch (error) {
      const { code } = /** @type {any} */ (error);
      const kept = lastKept();
      if (code === 'unreachable' && kept) return this.#set(kept.user, kept.login);
      if (code !== 'notSignedIn') throw error;
      this.wasForgotten = kept !== undefined;
      this.#set(undefined);
    }
  }

  /** @param {string} link the secret of a sign-in link */
  async signInWithLink(link) {
    await rest('POST', '/session', { link });
    await this.load();
  }

  /**
   * @param {string} login
   * @param {string} password
   */
  async signInWithPassword(login, password) {
    await rest('POST', '/session', { login, password });
    await this.load();
  }

  /** Whether the person signs out here: the page is left, and loaded anew for nobody. */
  isLeaving = false;

  /** Ends this browser's session. */
  async signOut() {
    this.isLeaving = true;
    try {
      await rest('DELETE', '/session');
    } catch (error) {
      this.isLeaving = false;
      throw error;
    }
  }

  /** @param {{ name?: string, email?: string | null, avatar?: string | null, hue?: number, current?: string }} profile `current` is the password, for a new e-mail address */
  async change(profile) {
    this.#set((await rest('PATCH', '/me', profile)).user, this.login, this.isOperator);
  }

  /** @param {{ password: string, current?: string }} passwords */
  async setPassword(passwords) {
    await rest('PUT', '/me/password', passwords);
    this.hasPassword = true;
    this.changed();
  }

  /**
   * Where one is signed in, and what was changed of the sign-in, newest first.
   * @returns {Promise<{ sessions: Session[], events: AccountEvent[] }>}
   */
  async sessions() {
    return rest('GET', '/me/sessions');
  }

  /** Ends all sessions but this browser's. */
  async endOtherSessions() {
    await rest('DELETE', '/me/sessions');
  }

  /** @param {string} id of a session of one's own, but not this browser's */
  async endSession(id) {
    await rest('DELETE', `/me/sessions/${id}`);
  }

  /**
   * An invitation accepted without an account made one.
   * @param {User} user
   */
  welcome(user) {
    this.#set(user);
  }

  /** The server ended the session. */
  ended() {
    this.#set(undefined);
  }

  /**
   * @param {User | undefined} user
   * @param {string} [login]
   * @param {boolean} [isOperator]
   */
  #set(user, login, isOperator = false) {
    this.user = user;
    this.login = login;
    this.isOperator = isOperator;
    this.changed();
  }
}

/** @param {{ user: User, login?: string }} account */
function keep(account) {
  browserShelf.put(KEPT, JSON.stringify(account));
}

/** @returns {{ user: User, login?: string } | undefined} */
function lastKept() {
  return browserShelf.value(KEPT);
}
