// @ts-check
import { emptyState, iconButton } from '../page/controls.js';
import { element, keyed, setText } from '../page/dom.js';
import { throttle } from '../page/throttle.js';
import { dayName, timeOfDay, untilTime } from '../people/times.js';
import { say } from '../words/words.js';
import { composer } from './composer.js';
import { WRITTEN_TAGS } from './live-messages.js';
import { logScroll } from './log-scroll.js';
import { messageBubble } from './message-bubble.js';
import { messageRows } from './message-rows.js';
import { noteText } from './note-text.js';
import { readUpTo, unreadIn } from './readers.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('./message-rows.js').Line} Line */
/** @typedef {import('./message-rows.js').Row} Row */

/** How near the beginning loads what is older, in pixels. */
const NEAR_BEGINNING = 300;
/** How many pages back a quoted message is looked for. */
const STEPS_TO_QUOTED = 20;

/**
 * What was written in a chat, who came, left and shared, and where one writes. What is in sight is marked as read.
 * @param {Page} page
 * @param {string} id
 * @param {import('../page/scope.js').Scope} scope of the chat
 */
export function messagesSection(page, id, scope) {
  const list = element('ol', { class: 'messages' });
  const log = element('div', { class: 'messages-log', role: 'log', 'aria-label': say('messages.title'), tabIndex: 0 }, list);
  const none = emptyState('chats', say('messages.none'), say('messages.noneHint'));
  const toEnd = iconButton(say('messages.toEnd'), 'down', () => scroll.toEnd());
  toEnd.classList.add('to-end');
  const compose = composer(page, id, () => {
    // At once: the answer may come before the next drawing.
    update();
    scroll.toEnd();
  }, scope);
  const root = element('div', { class: 'part messages-part' }, none, element('div', { class: 'messages-frame' }, log, toEnd), compose.root);
  const view = { drawn: '', first: '', readWritten: page.chats.chat(id)?.readWritten };

  const update = () => {
    const live = page.chats.live(id)?.messages;
    const chat = page.chats.chat(id);
    if (!live || !chat) return;
    const unsent = page.sender.unsent(id);
    const drawn = [live.version, JSON.stringify([chat.reads, chat.participants.map(({ name }) => name)]), unsent.map(({ key }) => `${key} ${page.sender.isBeingKept(key)}`).join(), view.readWritten].join('|');
    if (drawn === view.drawn) return;
    view.drawn = drawn;
    const rows = rowsOf(page, id, view.readWritten);
    scroll.around(() => {
      none.hidden = rows.length > 0 || !live.isCurrent;
      log.hidden = rows.length === 0;
      keyed(list, rows, ({ key }) => key, (row) => rowElement(page, id, row, { reply: compose.replyTo, jump }));
      const first = rows.find(({ kind }) => kind === 'message' || kind === 'note')?.key ?? '';
      const isExtended = view.first !== '' && first !== view.first;
      view.first = first;
      return isExtended;
    });
    looked();
  };

  const jump = async (/** @type {number} */ number) => {
    const find = () => /** @type {HTMLElement | null} */ (list.querySelector(`[data-number="${number}"]`));
    const live = page.chats.live(id)?.messages;
    for (let step = 0; !find() && live?.hasOlder && step < STEPS_TO_QUOTED; step += 1) {
      await live.extend();
      update();
    }
    const found = find();
    found?.scrollIntoView({ block: 'center' });
    scroll.notice();
    found?.classList.add('found');
    found?.addEventListener('animationend', () => found.classList.remove('found'), { once: true });
  };

  const mark = throttle(500, () => {
    const chat = page.chats.chat(id);
    const number = readUpTo(chat?.read, root.isConnected && document.visibilityState === 'visible' ? newestInSight(log) : 0);
    if (number !== undefined) page.chats.read(id, number);
  });
  const looked = () => {
    toEnd.hidden = scroll.isAtEnd();
    mark.run();
    if (log.clientHeight > 0 && log.scrollTop < NEAR_BEGINNING) {
      page.chats.live(id)?.messages?.extend().catch((error) => page.toasts.fail(error));
    }
  };
  const scroll = logScroll(log, list, { isWhole: () => page.chats.live(id)?.messages?.isCurrent ?? false, moved: looked }, scope);
  scope.listen(document, 'visibilitychange', mark.run);
  scope.add(mark.cancel);

  /** The messages came into sight: what is unread now stands below a line. */
  const shown = () => {
    view.readWritten = page.chats.chat(id)?.readWritten;
    update();
    scroll.opened();
    looked();
  };
  return { root, update, shown };
}

/**
 * *Messages 2*, or *Messages* when all are read.
 * @param {Page} page
 * @param {string} id
 */
export function messagesLabel(page, id) {
  const chat = page.chats.chat(id);
  const count = chat ? unreadIn(chat, page.account.user?.id) : 0;
  return count > 0 ? say('messages.titleUnread', { count }) : say('messages.title');
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {number | undefined} readWritten
 */
function rowsOf(page, id, readWritten) {
  const own = page.account.user?.id;
  const naming = namingIn(page, id);
  const isWritten = (/** @type {{ tag: string }} */ { tag }) => WRITTEN_TAGS.includes(tag);
  const kept = (page.chats.live(id)?.messages?.all ?? []).filter((message) => isWritten(message) || noteText(message, naming) !== undefined);
  const unsent = page.sender.unsent(id).filter(isWritten);
  const lines = page.chats.live(id)?.messages?.writtenHere.lines(kept, unsent) ?? [];
  return messageRows(lines, { own, readWritten, isNote: (line) => !isWritten(line) });
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {Row} row
 * @param {import('./message-bubble.js').Doing} doing
 * @returns {HTMLElement & { update?: (row: Row) => void }}
 */
function rowElement(page, id, row, doing) {
  switch (row.kind) {
    case 'day': return element('li', { class: 'note' }, dayName(row.time, page.stream.now()));
    case 'new': return newLine(row);
    case 'note': return element('li', { class: 'note', 'data-number': row.line.number }, `${noteText(row.line, namingIn(page, id))} · ${timeOfDay(row.line.time)}`);
    default: {
      const bubble = messageBubble(page, id, row.line, row.isFirst, doing);
      const { update } = bubble;
      return Object.assign(bubble, { update: (/** @type {any} */ next) => update(next.line, next.isFirst) });
    }
  }
}

/** @param {Extract<Row, { kind: 'new' }>} row */
function newLine(row) {
  const line = element('li', { class: 'new-line' });
  const update = (/** @type {any} */ { count, isAll }) => setText(line, say(isAll ? 'messages.new' : 'messages.newAtLeast', { count }));
  update(row);
  return Object.assign(line, { update });
}

/**
 * The number of the newest message whose beginning is to be seen; 0 if none is.
 * @param {HTMLElement} log
 */
function newestInSight(log) {
  const { bottom, height } = log.getBoundingClientRect();
  if (height < 40) return 0;
  const rows = /** @type {NodeListOf<HTMLElement>} */ (log.querySelectorAll('[data-number]'));
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    if (rows[index].getBoundingClientRect().top < bottom - 8) return Number(rows[index].dataset.number);
  }
  return 0;
}

/**
 * @param {Page} page
 * @param {string} id
 * @returns {import('./note-text.js').Naming}
 */
function namingIn(page, id) {
  const people = page.chats.chat(id)?.participants ?? [];
  return {
    own: page.account.user?.id,
    nameOf: (user) => people.find((participant) => participant.user === user)?.name ?? say('messages.somebody'),
    timeOf: (time) => untilTime(time, page.stream.now()),
    endsByArrival: (share) => share !== undefined && page.chats.followedLive(id)?.shares.shares.get(share)?.arrival !== undefined,
  };
}
