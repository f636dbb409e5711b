// @ts-check
import { button, emptyState, heading } from '../page/controls.js';
import { element, fill, keyed, setText } from '../page/dom.js';
import { timeElement } from '../page/clock.js';
import { icon } from '../page/icons.js';
import { avatar } from '../people/avatar.js';
import { hexColor } from '../people/color.js';
import { leaveChat } from './change-dialogs.js';
import { chatName, chatSummary, others } from './chat-name.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').Chat} Chat */

/**
 * All chats of this person.
 * @param {Page} page
 * @returns {import('../page/panel.js').View}
 */
export function chatListView(page) {
  const start = () => button('New chat', () => page.router.go('new'), { icon: 'add', class: 'primary' });
  const newChat = start();
  const list = element('ul', { class: 'rows', 'aria-label': 'Chats' });
  const body = element('div', { class: 'scroll' });
  const update = () => {
    const { all, list: { isCurrent } } = page.chats;
    newChat.hidden = all.length === 0;
    if (!isCurrent && all.length === 0) return fill(body, element('p', { class: 'hint padded', role: 'status' }, 'Loading…'));
    if (all.length === 0) return fill(body, none(page, start));
    keyed(list, all, ({ id }) => id, (chat) => row(page, chat));
    if (list.parentElement !== body) fill(body, list);
  };
  update();
  const top = heading('Chats', { actions: [newChat] });
  const observing = [page.chats.observe(update), page.sharer.observe(update), page.contacts.observe(update)];
  return { root: element('div', { class: 'view' }, top.root, body), sheet: 'half', observing };
}

/**
 * @param {Page} page
 * @param {() => HTMLElement} start
 */
function none(page, start) {
  if (page.contacts.all?.length) {
    return emptyState('chats', 'No chats yet', 'A chat is a map that you share with some people. Start one with your contacts.', start());
  }
  const invite = button('Invite somebody', () => page.router.go('contacts'), { icon: 'add', class: 'primary' });
  const world = button('Look at the world', () => page.router.go('world'), { icon: 'world' });
  return emptyState('chats', 'Welcome to Yonder',
    'First invite somebody you know. Once they accept, start a chat and see each other on the map.', invite, world);
}

/**
 * @param {Page} page
 * @param {Chat} chat
 */
function row(page, chat) {
  const own = page.account.user?.id;
  const pictures = element('span', { class: 'pictures' });
  const name = element('strong');
  const summary = element('span', { class: 'hint' });
  const shared = element('span', { class: 'badge', hidden: true }, 'Sharing');
  const link = element('a', { class: 'row', href: `#/chats/${chat.id}` }, pictures, element('span', { class: 'row-text' }, name, summary), shared);
  let faces = '';
  const update = (/** @type {Chat} */ chat) => {
    setText(name, chatName(chat, own));
    showSummary(page, chat, summary);
    shared.hidden = !page.sharer.isSharedIn(chat.id);
    const shown = others(chat, own).slice(0, 2);
    const wanted = JSON.stringify(shown);
    if (wanted === faces) return;
    faces = wanted;
    fill(pictures, shown.map(({ name, avatar: source, color }) => avatar({ name, avatar: source, color: hexColor(color), small: shown.length > 1 })));
  };
  update(chat);
  const leave = element('button', { type: 'button', class: 'swiped', onclick: () => leaveChat(page, chat.id) }, icon('leave'), element('span', {}, 'Leave'));
  const line = element('li', { class: 'swipe' }, link, leave);
  line.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    leave.scrollIntoView({ inline: 'end', block: 'nearest' });
    leave.focus({ preventScroll: true });
  });
  return Object.assign(line, { update });
}

/**
 * Who is in it, and when somebody was last seen there.
 * @param {Page} page
 * @param {Chat} chat
 * @param {HTMLElement} summary
 */
function showSummary(page, chat, summary) {
  const times = [...page.chats.live(chat.id)?.last.latest().values() ?? []].map(({ time }) => time);
  const last = times.length > 0 ? Math.max(...times) : undefined;
  const state = `${chatSummary(chat)}|${last}`;
  if (summary.dataset.state === state) return;
  summary.dataset.state = state;
  fill(summary, chatSummary(chat), last !== undefined && ' · ', last !== undefined && timeElement(last));
}
