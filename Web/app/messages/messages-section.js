// @ts-check
import { emptyState } from '../page/controls.js';
import { element, fill, keyed, setText } from '../page/dom.js';
import { icon } from '../page/icons.js';
import { timeElement } from '../page/clock.js';
import { hexColor } from '../people/color.js';
import { untilTime } from '../people/times.js';
import { noteText } from './note-text.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').Message} Message */
/** @typedef {Message & { key: string, isUnsent?: boolean }} Line */

/**
 * The texts of a chat, who came and left, and where one writes.
 * @param {Page} page
 * @param {string} id
 */
export function messagesSection(page, id) {
  const list = element('ol', { class: 'messages' });
  const log = element('div', { class: 'messages-log', role: 'log', 'aria-label': 'Messages', tabIndex: 0 }, list);
  const none = emptyState('chats', 'Nothing said yet', 'Write the first message below.');
  const root = element('div', { class: 'part messages-part' }, none, log, composer(page, id));
  const update = () => {
    const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 60;
    const lines = linesOf(page, id);
    none.hidden = lines.length > 0;
    log.hidden = lines.length === 0;
    keyed(list, lines, ({ key }) => key, (line) => lineElement(page, id, line));
    if (isAtEnd) log.scrollTop = log.scrollHeight;
  };
  const shown = () => {
    update();
    log.scrollTop = log.scrollHeight;
  };
  return { root, update, shown };
}

/**
 * @param {Page} page
 * @param {string} id
 * @returns {Line[]}
 */
function linesOf(page, id) {
  const live = page.chats.live(id);
  const kept = [...live?.texts.messages ?? [], ...live?.notes.messages ?? []].sort((a, b) => (a.number ?? 0) - (b.number ?? 0));
  const naming = namingIn(page, id);
  const shown = kept.filter((message) => message.tag === 'Text' || noteText(message, naming) !== undefined);
  const numbered = shown.map((message) => ({ ...message, key: `n${message.number}` }));
  const unsent = page.sender.unsent(id).filter(({ tag }) => tag === 'Text').map(({ key, user, chat, tag, content, time }) =>
    ({ key, sender: user, chat, tag, content, time, isUnsent: true }));
  return [...numbered, ...unsent];
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {Line} line
 */
function lineElement(page, id, line) {
  if (line.tag !== 'Text') return noteElement(page, id, line);
  const isOwn = line.sender === page.account.user?.id;
  const person = page.chats.chat(id)?.participants.find(({ user }) => user === line.sender);
  const text = element('p');
  const foot = element('span', { class: 'hint' });
  const root = element('li', { class: isOwn ? 'message own' : 'message' },
    isOwn ? element('span', { class: 'hidden' }, 'You:') : element('strong', {}, person?.name ?? 'Somebody'), text, foot);
  root.style.setProperty('--color', hexColor(person?.color ?? 0));
  const recall = isOwn && line.number !== undefined ? recallButton(page, id, line.number) : undefined;
  const update = (/** @type {Line} */ line) => {
    root.classList.toggle('empty-message', !line.content);
    setText(text, line.content || (line.recalled ? 'This message was taken back.' : 'This message has expired.'));
    const state = line.isUnsent ? 'waiting' : line.content ? 'sent' : 'empty';
    if (foot.dataset.state === state) return;
    foot.dataset.state = state;
    fill(foot, line.isUnsent ? 'Waiting to be sent…' : timeElement(line.time), line.content && recall);
  };
  update(line);
  return Object.assign(root, { update });
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {Line} line
 */
function noteElement(page, id, line) {
  return element('li', { class: 'note' }, noteText(line, namingIn(page, id)), ' · ', timeElement(line.time));
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
    nameOf: (user) => people.find((participant) => participant.user === user)?.name ?? 'Somebody',
    timeOf: (time) => untilTime(time, page.stream.now()),
  };
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {number} number
 */
function recallButton(page, id, number) {
  const recall = () => page.chats.recall(id, number).catch((/** @type {Error} */ error) => page.toasts.fail(error));
  return element('button', { type: 'button', class: 'link-like', onclick: recall }, 'Take back');
}

/**
 * @param {Page} page
 * @param {string} id
 */
function composer(page, id) {
  const input = element('input', {
    type: 'text', 'aria-label': 'Message', placeholder: 'Message', maxLength: 4_000, autocomplete: 'off', enterKeyHint: 'send',
  });
  const form = element('form', { class: 'composer' }, input, element('button', { class: 'primary round', 'aria-label': 'Send' }, icon('send')));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const content = input.value.trim();
    if (!content) return;
    page.sender.send(id, 'Text', { content });
    input.value = '';
    input.focus();
  });
  return form;
}
