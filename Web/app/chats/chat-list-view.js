// @ts-check
import { isFound } from '../contacts/name-search.js';
import { namedPreview } from '../messages/preview-text.js';
import { unreadIn } from '../messages/readers.js';
import { loadingText } from '../page/loading-text.js';
import { button, emptyState, heading, iconButton } from '../page/controls.js';
import { element, fill, keyed, setText } from '../page/dom.js';
import { icon } from '../page/icons.js';
import { throttle } from '../page/throttle.js';
import { avatar } from '../people/avatar.js';
import { colorIn } from '../people/color.js';
import { listTime } from '../people/times.js';
import { say } from '../words/words.js';
import { leaveChat } from './change-dialogs.js';
import { chatName, chatSummary, others } from './chat-name.js';
import { sharingNow } from './sharing-now.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').Chat} Chat */

/** How often the list is put together anew, at most. */
const LISTED_EVERY = 500;

/** How often rows that nothing happened in are drawn anew, in milliseconds: what they say of somebody grows old. */
const AGED_EVERY = 5_000;

/** From how many chats on they can be searched. */
const SEARCHED_FROM = 6;

/**
 * All chats of this person, by last activity: who wrote what, how much is new, and who shares now.
 * @param {Page} page
 * @param {import('../page/scope.js').Scope} scope of the view
 * @returns {import('../page/panel.js').View}
 */
export function chatListView(page, scope) {
  const start = () => button(say('chats.new'), () => page.router.go('new'), { icon: 'add', class: 'primary' });
  const newChat = start();
  const search = element('input', { type: 'search', class: 'list-search', hidden: true, 'aria-label': say('chats.search'), placeholder: say('chats.search'), autocomplete: 'off' });
  const find = iconButton(say('chats.search'), 'search', () => {
    search.hidden = !search.hidden;
    search.value = '';
    update();
    search.focus();
  });
  const list = element('ul', { class: 'rows chats', 'aria-label': say('chats.list') });
  const nothing = element('p', { class: 'hint padded', role: 'status' }, say('chats.notFound'));
  const body = element('div', { class: 'scroll' });
  const update = () => {
    const { all, list: { isCurrent } } = page.chats;
    newChat.hidden = all.length === 0;
    find.hidden = all.length < SEARCHED_FROM;
    if (!isCurrent && all.length === 0) return fill(body, element('p', { class: 'hint padded', role: 'status' }, loadingText(page)));
    if (all.length === 0) return fill(body, none(page, start));
    const found = search.value ? all.filter((chat) => isFound(search.value, chat.subject, ...chat.participants.map(({ name }) => name))) : all;
    nothing.hidden = found.length > 0;
    keyed(list, found, ({ id }) => id, (chat) => row(page, chat));
    if (list.parentElement !== body) fill(body, list, nothing);
  };
  search.addEventListener('input', update);
  update();
  // Each position of anybody changes the chats.
  const lively = throttle(LISTED_EVERY, update);
  const top = heading(say('chats.title'), { actions: [find, newChat] });
  for (const each of [page.chats, page.sharer, page.contacts, page.stream]) each.observe(lively.run, scope);
  scope.add(lively.cancel);
  return { root: element('div', { class: 'view' }, top.root, search, body), sheet: 'half' };
}

/**
 * @param {Page} page
 * @param {() => HTMLElement} start
 */
function none(page, start) {
  if (page.contacts.all?.length) return emptyState('chats', say('chats.none'), say('chats.noneHint'), start());
  const invite = button(say('chats.invite'), () => page.router.go('contacts'), { icon: 'add', class: 'primary' });
  const world = button(say('chats.toWorld'), () => page.router.go('world'), { icon: 'world' });
  return emptyState('chats', say('chats.welcome'), say('chats.welcomeHint'), invite, world);
}

/**
 * @param {Page} page
 * @param {Chat} chat
 */
function row(page, chat) {
  const own = page.account.user?.id;
  const pictures = element('span', { class: 'pictures' });
  const name = element('strong', { dir: 'auto' });
  const time = element('span', { class: 'when' });
  const preview = element('span', { class: 'preview', dir: 'auto' });
  const count = element('span', { class: 'count' });
  const sharing = element('span', { class: 'sharing-now' });
  const link = element('a', { class: 'row', href: `#/chats/${chat.id}` }, pictures,
    element('span', { class: 'row-text' }, element('span', { class: 'line' }, name, time), element('span', { class: 'line' }, preview, count), sharing));
  let faces = '';
  /** What the row was drawn of. @type {unknown[]} */
  let drawn = [];
  const update = (/** @type {Chat} */ chat) => {
    const wanted = stateOf(page, chat);
    if (drawn.length > 0 && wanted.every((value, index) => value === drawn[index])) return;
    drawn = wanted;
    draw(chat);
  };
  const draw = (/** @type {Chat} */ chat) => {
    setText(name, chatName(chat, own));
    setText(time, listTime(page.chats.activeAt(chat), page.stream.now()));
    setText(preview, chat.preview ? namedPreview(chat.preview, chat, own) : chatSummary(chat));
    showUnread(link, count, unreadIn(chat, own));
    showSharing(sharing, sharingNow(page, chat));
    const shown = others(chat, own).slice(0, 2).map(({ user, name, avatar: source }) => ({ name, avatar: source, color: colorIn(chat, user) }));
    const wanted = JSON.stringify(shown);
    if (wanted === faces) return;
    faces = wanted;
    fill(pictures, shown.map((person) => avatar({ ...person, small: shown.length > 1 })));
  };
  update(chat);
  const leave = element('button', { type: 'button', class: 'swiped', onclick: () => leaveChat(page, chat.id) }, icon('leave'), element('span', {}, say('chats.leave')));
  const line = element('li', { class: 'swipe' }, link, leave);
  line.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    leave.scrollIntoView({ inline: 'end', block: 'nearest' });
    leave.focus({ preventScroll: true });
  });
  return Object.assign(line, { update });
}

/**
 * Everything that a chat's row depends on: a position of somebody in another chat isn't among it. Ages in it are drawn anew every five seconds.
 * @param {Page} page
 * @param {Chat} chat
 */
function stateOf({ account, chats, sharer, shareRecords, ownShares, stream }, chat) {
  const { id } = chat;
  return [chat, account.user, chats.followedLive(id)?.changes, sharer.isSharedIn(id), sharer.isPausedIn(id), shareRecords.isStopping(id),
    ownShares.in(id), stream.state, Math.floor(stream.now() / AGED_EVERY)];
}

/**
 * @param {HTMLElement} link
 * @param {HTMLElement} badge
 * @param {number} count
 */
function showUnread(link, badge, count) {
  link.classList.toggle('unread', count > 0);
  badge.hidden = count === 0;
  if (badge.dataset.count === String(count)) return;
  badge.dataset.count = String(count);
  fill(badge, count > 0 && element('span', { 'aria-hidden': 'true' }, count > 99 ? '99+' : count), count > 0 && element('span', { class: 'hidden' }, say('chats.unread', { count })));
}

/**
 * @param {HTMLElement} shown
 * @param {ReturnType<typeof sharingNow>} sharing
 */
function showSharing(shown, { kind, text }) {
  shown.hidden = text === '';
  shown.dataset.kind = kind;
  setText(shown, text);
}
