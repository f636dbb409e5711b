// @ts-check
import { button, whileBusy } from '../page/controls.js';
import { element, keyed } from '../page/dom.js';
import { rest } from '../rest/rest.js';
import { say } from '../words/words.js';

/** @typedef {import('../page/page.js').Page} Page */

/**
 * Whom this person has blocked, and how to unblock them; not there while it is nobody, or on a server that doesn't block.
 * @param {Page} page
 */
export function blockedSection(page) {
  const list = element('ul', { class: 'rows', 'aria-label': say('contacts.blockedTitle') });
  const root = element('section', { class: 'card stack' }, element('h2', {}, say('contacts.blockedTitle')), list);
  const update = () => {
    root.hidden = page.contacts.blocked.length === 0;
    keyed(list, page.contacts.blocked, ({ id }) => id, (user) => row(page, user));
  };
  update();
  page.contacts.loadBlocked();
  return { root, update };
}

/**
 * @param {Page} page
 * @param {import('../wire.d.ts').User} user
 */
function row(page, { id, name }) {
  const unblock = button(say('contacts.unblock'), async () => {
    try {
      await whileBusy(unblock, () => rest('DELETE', `/blocks/${id}`));
      await page.contacts.loadBlocked();
    } catch (error) {
      page.toasts.fail(error);
    }
  });
  unblock.setAttribute('aria-label', say('contacts.unblockNamed', { name }));
  return element('li', { class: 'row' }, element('span', { class: 'row-text' }, element('strong', { dir: 'auto' }, name)), unblock);
}
