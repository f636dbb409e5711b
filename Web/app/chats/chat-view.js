// @ts-check
import { button, emptyState, segments, toggle } from '../page/controls.js';
import { element, fill, setText } from '../page/dom.js';
import { messagesSection } from '../messages/messages-section.js';
import { shareToggle } from '../sharing/share-toggle.js';
import { addPeopleDialog, leaveChat } from './change-dialogs.js';
import { chatTitle } from './chat-title.js';
import { peopleSection } from './people-section.js';

/** @typedef {import('../page/page.js').Page} Page */

/**
 * One chat: its people on the map and in a list, sharing, and messages.
 * @param {Page} page
 * @param {string} id
 * @returns {import('../page/panel.js').View}
 */
export function chatView(page, id) {
  const top = chatTitle(page, id, { back: () => page.router.go('chats') });
  const presence = element('p', { class: 'hint presence', role: 'status' });
  const body = element('div', { class: 'chat-body' });
  const root = element('div', { class: 'view chat' }, top.root, presence, body);
  /** @type {ReturnType<typeof chatBody> | undefined} */
  let shown;
  const update = () => {
    const chat = page.chats.chat(id);
    const live = page.chats.live(id);
    if (!chat || !live || live.refusal) {
      shown = undefined;
      return fill(body, missing(page));
    }
    live.open();
    if (page.scene.all) live.openAll();
    top.update();
    setText(presence, presenceText(live.presence.online.size));
    shown ??= chatBody(page, id, body);
    shown.update();
  };
  update();
  const observing = [page.chats.observe(update), page.sharer.observe(update), page.sender.observe(update), () => page.chats.live(id)?.shut()];
  return { root, sheet: 'half', observing, mapChanged: update };
}

/** @param {number} online this page included */
function presenceText(online) {
  if (online <= 1) return 'Nobody else is online';
  return online === 2 ? 'One other is online' : `${online - 1} others are online`;
}

/** @param {Page} page */
function missing(page) {
  if (!page.chats.list.isCurrent) return element('p', { class: 'hint padded', role: 'status' }, 'Loading…');
  return emptyState('chats', 'This chat isn’t here', 'You left it, or were never in it.',
    button('Back to your chats', () => page.router.replace('chats'), { class: 'primary' }));
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {HTMLElement} body
 */
function chatBody(page, id, body) {
  const share = shareToggle(page, id, 'Share my position here', 'Only people of this chat see it.');
  const people = peopleSection(page, id);
  const messages = messagesSection(page, id);
  const all = toggle('View all locations', (isOn) => page.scene.setAll(isOn));
  all.root.classList.add('compact');
  const peoplePart = element('div', { class: 'part scroll' }, share.root, all.root, people.root, chatActions(page, id));
  const choose = (/** @type {string} */ part) => {
    peoplePart.hidden = part !== 'people';
    messages.root.hidden = part !== 'messages';
    if (part === 'messages') messages.shown();
    page.panel.stand(part === 'messages' ? 'full' : 'half');
  };
  const parts = segments('Part of the chat', [{ value: 'people', label: 'People' }, { value: 'messages', label: 'Messages' }], 'people', choose);
  messages.root.hidden = true;
  fill(body, parts, peoplePart, messages.root);
  const update = () => {
    share.update();
    people.update();
    messages.update();
    all.input.checked = page.scene.all;
    setText(all.state, page.scene.all ? 'Everywhere each person has been. Switch off to view the last location.' : 'You view the last location of each person.');
  };
  return { update };
}

/**
 * @param {Page} page
 * @param {string} id
 */
function chatActions(page, id) {
  const chat = page.chats.chat(id);
  const own = chat?.participants.find(({ user }) => user === page.account.user?.id);
  const mayChange = chat && !chat.oneToOne && own?.role === 'owner';
  return element('div', { class: 'actions wrap padded' },
    mayChange && button('Add people', () => addPeopleDialog(page, id), { icon: 'add' }),
    button('Leave', () => leaveChat(page, id), { icon: 'leave', class: 'quiet' }));
}
