// @ts-check
import { element, fill } from '../page/dom.js';
import { say } from '../words/words.js';

/** @typedef {import('../page/page.js').Page} Page */

/**
 * Keeps the number of new messages where it is seen from everywhere: on the way to the chats, in the title, at the icon.
 * @param {Page} page
 * @param {HTMLElement} sections the navigation
 * @param {import('../page/scope.js').Scope} scope of the person
 */
export function keepUnread(page, sections, scope) {
  const badge = element('span', { class: 'count nav-count' });
  let shown = -1;
  const update = () => {
    const count = page.account.user ? page.chats.unread(page.account.user.id) : 0;
    const link = sections.querySelector('[data-key="chats"]');
    if (link && badge.parentElement !== link) link.append(badge);
    if (count === shown) return;
    shown = count;
    badge.hidden = count === 0;
    fill(badge, count > 0 && element('span', { 'aria-hidden': 'true' }, count > 99 ? '99+' : count), count > 0 && element('span', { class: 'hidden' }, say('chats.unread', { count })));
    page.title.setUnread(count);
  };
  for (const each of [page.chats, page.account, page.router]) each.observe(update, scope);
  scope.add(() => badge.remove());
  update();
}
