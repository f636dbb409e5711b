// @ts-check
import { decoded } from './decoded.js';
import { Observable } from './observable.js';

/** Which view is open, as it stands in the address's fragment: `#/chats/77` is `['chats', '77']`. */
export class Router extends Observable {
  constructor() {
    super();
    addEventListener('hashchange', () => this.changed());
  }

  /** Empty for the home screen, and for an address that can't be read. @returns {string[]} */
  get path() {
    return this.#parts ?? [];
  }

  /** Whether the address names a view in a way that can't be read. */
  get isUnreadable() {
    return this.#parts === undefined;
  }

  /** @returns {string[] | undefined} */
  get #parts() {
    if (!location.hash.startsWith('#/')) return [];
    const parts = location.hash.slice(2).split('/').map(decoded);
    return parts.every((part) => part !== undefined) ? parts : undefined;
  }

  /** @param {...string} path */
  go(...path) {
    const hash = `#/${path.map(encodeURIComponent).join('/')}`;
    if (location.hash === hash) this.changed();
    else location.hash = hash;
  }

  /** Goes on without leaving the present view in the history. @param {...string} path */
  replace(...path) {
    history.replaceState(null, '', `#/${path.map(encodeURIComponent).join('/')}`);
    this.changed();
  }
}

/**
 * Takes a secret out of the fragment, so that it stands neither in the address nor in the history.
 * @param {'link' | 'invitation'} name
 * @returns {string | undefined}
 */
export function takeSecret(name) {
  const match = new RegExp(`^#${name}=([^&]+)`).exec(location.hash);
  if (!match) return undefined;
  history.replaceState(null, '', location.pathname + location.search);
  return decoded(match[1]) ?? match[1];
}
