// @ts-check
import { button, emptyState, heading, iconButton, whileBusy } from '../page/controls.js';
import { element, fill, keyed } from '../page/dom.js';
import { loadingText } from '../page/loading-text.js';
import { avatar } from '../people/avatar.js';
import { colorOf } from '../people/color.js';
import { say } from '../words/words.js';
import { blockedSection } from './blocked-section.js';
import { invitationDialog } from './invitation-dialog.js';
import { leftGroupsSection } from './left-groups-section.js';
import { isFound } from './name-search.js';
import { blockPerson, removeContact } from './people-actions.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').User} User */

/** From how many contacts on they can be searched. */
const SEARCHED_FROM = 6;

/**
 * The people with whom one may start a chat: searched, removed, blocked; and how to get more.
 * @param {Page} page
 * @param {import('../page/scope.js').Scope} scope of the view
 * @returns {import('../page/panel.js').View}
 */
export function contactsView(page, scope) {
  const invite = () => button(say('contacts.invite'), () => invited(page), { icon: 'add', class: 'primary' });
  const another = invite();
  const search = element('input', { type: 'search', class: 'list-search', 'aria-label': say('contacts.search'), placeholder: say('contacts.search'), autocomplete: 'off' });
  const list = element('ul', { class: 'rows', 'aria-label': say('contacts.list') });
  const nothing = element('p', { class: 'hint padded', role: 'status' }, say('contacts.notFound'));
  const blockedPart = blockedSection(page);
  const leftPart = leftGroupsSection(page);
  const blocked = element('div', { class: 'padded stack' }, blockedPart.root, leftPart.root);
  const body = element('div', { class: 'scroll' });
  const update = () => {
    const { all, failure } = page.contacts;
    blockedPart.update();
    leftPart.update();
    another.hidden = !all?.length;
    search.hidden = (all?.length ?? 0) < SEARCHED_FROM;
    if (!all) return fill(body, failure ? unreachable(page) : element('p', { class: 'hint padded', role: 'status' }, loadingText(page)));
    if (all.length === 0) return fill(body, nobody(invite()), blocked);
    const found = all.filter(({ name, email }) => search.hidden || isFound(search.value, name, email));
    nothing.hidden = found.length > 0;
    keyed(list, found, ({ id, name, email, avatar: picture, hue }) => [id, name, email, picture, hue, page.contacts.isLive].join('|'), (user) => row(page, user));
    if (list.parentElement !== body) fill(body, list, nothing, blocked);
  };
  search.addEventListener('input', update);
  update();
  page.contacts.refresh();
  const top = heading(say('contacts.title'), { actions: [another] });
  for (const each of [page.contacts, page.stream]) each.observe(update, scope);
  return { root: element('div', { class: 'view' }, top.root, search, body), sheet: 'full' };
}

/** @param {HTMLElement} invite */
function nobody(invite) {
  return emptyState('contacts', say('contacts.none'), say('contacts.noneHint'), invite);
}

/** @param {Page} page */
function unreachable(page) {
  const again = button(say('page.tryAgain'), () => page.contacts.load(), { class: 'primary' });
  return emptyState('contacts', say('contacts.unreachable'), say('contacts.unreachableHint'), again);
}

/**
 * @param {Page} page
 * @param {User} user
 */
function row(page, user) {
  const chat = button(say('contacts.chat'), () => page.router.go('new', user.id), { icon: 'chats' });
  chat.setAttribute('aria-label', say('contacts.chatWith', { name: user.name }));
  const menu = element('div', { class: 'row-menu actions', hidden: true },
    button(say('contacts.remove'), () => removeContact(page, user), { icon: 'remove', class: 'small' }),
    button(say('contacts.block'), () => blockPerson(page, user), { icon: 'block', class: 'small' }));
  const more = iconButton(say('contacts.more', { name: user.name }), 'more', () => {
    menu.hidden = !menu.hidden;
    more.setAttribute('aria-expanded', String(!menu.hidden));
  });
  more.setAttribute('aria-expanded', 'false');
  more.hidden = !page.contacts.isLive;
  return element('li', {}, element('div', { class: 'row' },
    avatar({ name: user.name, avatar: user.avatar, color: colorOf(user, user.id) }),
    element('div', { class: 'row-text' }, element('strong', { dir: 'auto' }, user.name), user.email && element('span', { class: 'hint' }, user.email)),
    chat, more), menu);
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
