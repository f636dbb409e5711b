// @ts-check
import { placeText } from '../map/place-text.js';
import { coordinateOf } from '../map/annotations.js';
import { button } from '../page/controls.js';
import { element, fill, setText } from '../page/dom.js';
import { icon } from '../page/icons.js';
import { colorIn } from '../people/color.js';
import { timeOfDay } from '../people/times.js';
import { isolated } from '../words/isolated.js';
import { say } from '../words/words.js';
import { linkedText } from './linked-text.js';
import { previewText } from './preview-text.js';
import { readersOf } from './readers.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('./message-rows.js').Line} Line */

/**
 * What may be done with a message.
 * @typedef {object} Doing
 * @property {(line: Line) => void} reply
 * @property {(number: number) => void} jump shows the message of that number
 */

/** Images of this server's own, as messages name them. */
const IMAGE = /^[\w-]{1,64}$/u;

/**
 * One message as a bubble. A tap on it shows what may be done with it, and who has read it.
 * @param {Page} page
 * @param {string} id
 * @param {Line} line
 * @param {boolean} isFirst of those that stand together under one name
 * @param {Doing} doing
 */
export function messageBubble(page, id, line, isFirst, doing) {
  const own = page.account.user?.id;
  const isOwn = line.sender === own;
  const name = isOwn ? element('span', { class: 'hidden' }, say('messages.you')) : element('strong', { dir: 'auto' }, nameIn(page, id, line.sender));
  const body = element('div', { class: 'message-body' });
  const foot = element('span', { class: 'message-foot' });
  const menu = element('div', { class: 'message-menu', hidden: true });
  const more = element('button', { type: 'button', class: 'message-more', 'aria-expanded': 'false', 'aria-label': say('messages.actions'), onclick: () => toggle() }, icon('more'));
  const root = element('li', { class: `message${isOwn ? ' own' : ''}` }, name, body, foot, more, menu);
  root.style.setProperty('--color', colorIn(page.chats.chat(id), line.sender));
  let shown = line;
  let drawn = '';
  const toggle = () => {
    menu.hidden = !menu.hidden;
    more.setAttribute('aria-expanded', String(!menu.hidden));
    if (menu.hidden) return;
    fill(menu, menuItems(page, id, shown, doing));
    menu.scrollIntoView({ block: 'nearest' });
  };
  root.addEventListener('click', ({ target }) => {
    if (!(/** @type {Element} */ (target).closest('a, button'))) toggle();
  });
  const update = (/** @type {Line} */ next, /** @type {boolean} */ isFirst) => {
    const isStored = shown.number === undefined && next.number !== undefined;
    shown = next;
    if (next.number !== undefined) root.dataset.number = String(next.number);
    root.classList.toggle('first', isFirst);
    if (!isOwn) name.classList.toggle('hidden', !isFirst);
    const state = [next.content, next.recalled, next.data !== undefined, next.data?.reply && quotedText(page, id, next.data.reply)].join('|');
    if (state !== drawn) {
      drawn = state;
      root.classList.toggle('empty-message', isEmpty(next));
      if (isEmpty(next)) menu.hidden = true;
      fill(body, quote(page, id, next, doing), content(page, next));
    }
    more.hidden = isEmpty(next) || next.isUnsent === true;
    if (isStored && !menu.hidden) fill(menu, menuItems(page, id, next, doing));
    setText(foot, footText(page, id, next));
  };
  update(line, isFirst);
  return Object.assign(root, { update });
}

/** @param {Line} line */
function isEmpty({ content, data }) {
  return content === '' && data === undefined;
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {string} user
 */
function nameIn(page, id, user) {
  return page.chats.chat(id)?.participants.find((participant) => participant.user === user)?.name ?? say('messages.somebody');
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {Line} line
 */
function footText(page, id, line) {
  if (line.isUnsent) return say(page.sender.isBeingKept(line.key) ? 'messages.sending' : 'messages.waiting');
  const time = timeOfDay(line.time);
  const chat = page.chats.chat(id);
  if (line.sender !== page.account.user?.id || !chat || line.number === undefined || isEmpty(line)) return time;
  const count = readersOf(chat, line.number, line.sender).length;
  if (count === 0) return time;
  return `${time} · ${chat.oneToOne ? say('messages.read') : say('messages.readBy', { count })}`;
}

/**
 * @param {Page} page
 * @param {Line} line
 */
function content(page, line) {
  if (isEmpty(line)) return element('p', {}, line.recalled ? say('messages.takenBack') : say('messages.expired'));
  if (line.tag === 'Place') return placeCard(page, line);
  if (line.tag === 'Photo') return photo(line);
  return element('p', { dir: 'auto' }, linkedText(line.content).map(({ text, href }) =>
    (href ? element('a', { href, target: '_blank', rel: 'noopener noreferrer' }, text) : text)));
}

/**
 * @param {Page} page
 * @param {Line} line
 */
function placeCard(page, line) {
  const coordinate = coordinateOf(line);
  if (!coordinate) return element('p', {}, previewText(line));
  const show = () => {
    page.map.showAround(coordinate, 600);
    page.panel.showMap();
  };
  const name = typeof line.data.name === 'string' ? line.data.name.slice(0, 200) : '';
  return [
    element('button', { type: 'button', class: 'place-card', onclick: show }, icon('pin'),
      element('span', { class: 'row-text' }, element('strong', { dir: 'auto' }, name || say('messages.place')), element('span', {}, placeText(coordinate)))),
    line.content ? element('p', { dir: 'auto' }, line.content) : '',
  ];
}

/** @param {Line} line */
function photo({ data, content: text }) {
  const image = String(data?.image ?? '');
  if (!IMAGE.test(image)) return element('p', {}, say('messages.photo'));
  const [width, height] = [side(data.width), side(data.height)];
  const source = `/v1/images/${image}`;
  return [
    element('a', { href: source, target: '_blank', rel: 'noopener', class: 'photo' },
      element('img', { src: source, alt: text || say('messages.photo'), loading: 'lazy', ...(width && height ? { width, height } : {}) })),
    text ? element('p', { dir: 'auto' }, text) : '',
  ];
}

/** @param {unknown} value */
function side(value) {
  return typeof value === 'number' && value >= 1 && value <= 20_000 ? Math.round(value) : undefined;
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {Line} line
 * @param {Doing} doing
 */
function quote(page, id, line, doing) {
  const number = line.data?.reply;
  if (typeof number !== 'number' || isEmpty(line)) return undefined;
  const quoted = page.chats.live(id)?.messages?.quoted(number);
  const shown = element('button', { type: 'button', class: 'quote', onclick: () => doing.jump(number) },
    quoted && element('strong', {}, nameIn(page, id, quoted.sender)), element('span', { dir: 'auto' }, quotedText(page, id, number)));
  if (quoted) shown.style.setProperty('--color', colorIn(page.chats.chat(id), quoted.sender));
  return shown;
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {number} number
 */
function quotedText(page, id, number) {
  const quoted = page.chats.live(id)?.messages?.quoted(number);
  return quoted ? previewText(quoted) : say('messages.earlier');
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {Line} line
 * @param {Doing} doing
 */
function menuItems(page, id, line, doing) {
  const { number } = line;
  const isOwn = line.sender === page.account.user?.id;
  const chat = page.chats.chat(id);
  const readers = chat && number !== undefined && isOwn ? readersOf(chat, number, line.sender) : [];
  return [
    number !== undefined && button(say('messages.reply'), () => doing.reply(line), { icon: 'reply', class: 'small' }),
    line.content !== '' && button(say('messages.copy'), () => copied(page, line.content), { icon: 'copy', class: 'small' }),
    isOwn && number !== undefined && button(say('messages.takeBack'), () => takenBack(page, id, number), { icon: 'remove', class: 'small' }),
    readers.length > 0 && element('p', { class: 'hint' }, say('messages.readByNames', { names: readers.map(({ name }) => isolated(name)).join(', ') })),
  ].filter(Boolean);
}

/**
 * @param {Page} page
 * @param {string} text
 */
async function copied(page, text) {
  try {
    await navigator.clipboard.writeText(text);
    page.toasts.say(say('messages.copied'));
  } catch (error) {
    page.toasts.fail(error);
  }
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {number} number
 */
async function takenBack(page, id, number) {
  try {
    await page.chats.recall(id, number);
  } catch (error) {
    page.toasts.fail(error);
  }
}
