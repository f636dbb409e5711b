// @ts-check
import { isolated } from '../words/isolated.js';

/** What the page is about, and how much is new, as its window, its tab and its icon say it. */
export class Title {
  #text = '';
  /** @type {number | undefined} */
  #unread;

  /** @param {string} text */
  set(text) {
    this.#text = text;
    this.#show();
  }

  /**
   * In front of the title, and at the app's icon where there is one: at the first call in any case, as an icon keeps its number while the
   * page is closed.
   * @param {number} unread
   */
  setUnread(unread) {
    if (unread === this.#unread) return;
    this.#unread = unread;
    this.#show();
    const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel="icon"]'));
    if (icon) icon.href = unread > 0 ? '/icon-unread.svg' : '/icon.svg';
    const app = /** @type {{ setAppBadge?: (count: number) => Promise<void> }} */ (navigator);
    // Without a number it is taken away. A browser that doesn't let this page is left alone.
    app.setAppBadge?.(unread).catch(() => {});
  }

  #show() {
    const name = this.#text ? `${isolated(this.#text)} · Yonder` : 'Yonder';
    document.title = this.#unread ? `(${this.#unread}) ${name}` : name;
  }
}
