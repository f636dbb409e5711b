// @ts-check
import { button, whileBusy } from '../page/controls.js';
import { element, keyed } from '../page/dom.js';
import { rest } from '../rest/rest.js';
import { say } from '../words/words.js';

/** @typedef {import('../page/page.js').Page} Page */

/**
 * The groups that this person stays out of, and how to take that back; hidden while there is none.
 * @param {Page} page
 */
export function leftGroupsSection(page) {
  const list = element('ul', { class: 'rows', 'aria-label': say('contacts.leftTitle') });
  const root = element('section', { class: 'card stack' },
    element('h2', {}, say('contacts.leftTitle')), element('p', { class: 'hint' }, say('contacts.leftHint')), list);
  const update = () => {
    root.hidden = page.contacts.leftGroups.length === 0;
    keyed(list, page.contacts.leftGroups, ({ id }) => id, (group) => row(page, group));
  };
  update();
  page.contacts.loadLeftGroups();
  return { root, update };
}

/**
 * @param {Page} page
 * @param {{ id: string, subject: string }} group
 */
function row(page, { id, subject }) {
  const name = subject || say('contacts.leftUnnamed');
  const allow = button(say('contacts.comeBack'), async () => {
    try {
      await whileBusy(allow, () => rest('DELETE', `/me/stays-out/${id}`));
      await page.contacts.loadLeftGroups();
    } catch (error) {
      page.toasts.fail(error);
    }
  });
  allow.setAttribute('aria-label', say('contacts.comeBackTo', { chat: name }));
  return element('li', { class: 'row' }, element('span', { class: 'row-text' }, element('strong', { dir: 'auto' }, name)), allow);
}
