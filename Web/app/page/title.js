// @ts-check
import { isolated } from '../words/isolated.js';

let title = '';
/** @type {number | undefined} */
let count;

/**
 * What the page is about, as its window says it.
 * @param {string} text
 */
export function setTitle(text) {
  title = text;
  show();
}

/**
 * How much is new: in front of the title, and at the app's icon where there is one.
 * @param {number} unread
 */
export function setUnread(unread) {
  if (unread === count) return;
  count = unread;
  show();
  const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel="icon"]'));
  if (icon) icon.href = unread > 0 ? '/icon-unread.svg' : '/icon.svg';
  const app = /** @type {{ setAppBadge?: (count: number) => Promise<void> }} */ (navigator);
  // Without a number it is taken away. A browser that doesn't let this page is left alone.
  app.setAppBadge?.(unread).catch(() => {});
}

function show() {
  const name = title ? `${isolated(title)} · Yonder` : 'Yonder';
  document.title = count ? `(${count}) ${name}` : name;
}
