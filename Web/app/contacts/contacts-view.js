// @ts-check
import { button, emptyState, heading, whileBusy } from '../page/controls.js';
import { element, fill, keyed } from '../page/dom.js';
import { avatar } from '../people/avatar.js';
import { hexColor, indexOfStranger } from '../people/color.js';
import { invitationDialog } from './invitation-dialog.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').User} User */

/**
 * Who one may start a chat with, and how they get more.
 * @param {Page} page
 * @returns {import('../page/panel.js').View}
 */
export function contactsView(page) {
  const invite = () => button('Invite somebody', () => invited(page), { icon: 'add', class: 'primary' });
  const another = invite();
  const list = element('ul', { class: 'rows', 'aria-label': 'Contacts' });
  const body = element('div', { class: 'scroll' });
  const update = () => {
    const { all, failure } = page.contacts;
    another.hidden = !all?.length;
    if (!all) return fill(body, failure ? unreachable(page) : element('p', { class: 'hint padded', role: 'status' }, 'Loading…'));
    if (all.length === 0) return fill(body, nobody(invite()));
    keyed(list, all, ({ id }) => id, (user) => row(page, user));
    if (list.parentElement !== body) fill(body, list);
  };
  update();
  page.contacts.refresh();
  const top = heading('Contacts', { actions: [another] });
  return { root: element('div', { class: 'view' }, top.root, body), sheet: 'full', observing: [page.contacts.observe(update)] };
}

/** @param {HTMLElement} invite */
function nobody(invite) {
  return emptyState('contacts', 'Nobody here yet',
    'Invite people with a link. Once they accept, you can start a chat and see each other on the map.', invite);
}

/** @param {Page} page */
function unreachable(page) {
  const again = button('Try again', () => page.contacts.load(), { class: 'primary' });
  return emptyState('contacts', 'Contacts can’t be loaded', 'The server doesn’t answer. Check your connection.', again);
}

/**
 * @param {Page} page
 * @param {User} user
 */
function row(page, user) {
  const chat = button('Chat', () => page.router.go('new', user.id), { icon: 'chats' });
  chat.setAttribute('aria-label', `Start a chat with ${user.name}`);
  return element('li', { class: 'row' },
    avatar({ name: user.name, avatar: user.avatar, color: hexColor(indexOfStranger(user.id)) }),
    element('div', { class: 'row-text' }, element('strong', {}, user.name), user.email && element('span', { class: 'hint' }, user.email)),
    chat);
}

/** @param {Page} page */
async function invited(page) {
  const control = /** @type {HTMLElement | null} */ (document.activeElement);
  try {
    await whileBusy(control, async () => invitationDialog(page, await page.contacts.invite()));
  } catch (error) {
    page.toasts.fail(error);
  }
}
