// @ts-check
import { Observable } from './observable.js';

/** Which view is open, as it stands in the address's fragment: `#/chats/77` is `['chats', '77']`. */
export class Router extends Observable {
  constructor() {
    super();
    addEventListener('hashchange', () => this.changed());
  }

  /** @returns {string[]} */
  get path() {
    return location.hash.startsWith('#/') ? location.hash.slice(2).split('/').map(decodeURIComponent) : [];
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
  return decodeURIComponent(match[1]);
}
