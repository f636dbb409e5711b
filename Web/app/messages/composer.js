// @ts-check
import { sendPhoto } from '../images/image-upload.js';
import { button, iconButton } from '../page/controls.js';
import { element, fill, keyed } from '../page/dom.js';
import { icon } from '../page/icons.js';
import { say } from '../words/words.js';
import { previewText } from './preview-text.js';

/** @typedef {import('./drafts.js').Attached} Attached */

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('./message-rows.js').Line} Line */

/** How long a position may take to be found, and how old it may be. */
const POSITION = { enableHighAccuracy: true, timeout: 20_000, maximumAge: 30_000 };

/**
 * Where one writes: a text, as a reply to another message if one was chosen, a photo or a place. What isn't sent is the chat's draft.
 * @param {Page} page
 * @param {string} id
 * @param {() => void} onsent something was written, and waits to be sent
 * @param {import('../page/scope.js').Scope} scope of the chat
 */
export function composer(page, id, onsent, scope) {
  // The sender belongs to the user who opened the chat: a position that the browser returns after a change of account isn't sent.
  const { drafts, sender } = page;
  const input = element('input', {
    type: 'text', 'aria-label': say('messages.message'), placeholder: say('messages.message'), maxLength: 4_000, autocomplete: 'off', enterKeyHint: 'send',
  });
  const replied = element('div', { class: 'replied', hidden: true });
  const attached = element('ul', { class: 'attached', 'aria-label': say('messages.unsentHere'), hidden: true });
  const replyTo = (/** @type {Line} */ { number = 0, ...line }) => {
    drafts.reply(id, { number, text: previewText(line) });
    input.focus();
  };
  const send = (/** @type {string} */ tag, /** @type {{ content?: string, data?: object }} */ { content, data }) => {
    const { reply } = drafts.of(id);
    sender.send(id, tag, { content, data: reply === undefined ? data : { ...data, reply: reply.number } });
    drafts.reply(id, undefined);
    onsent();
  };
  const sendAttached = (/** @type {Attached} */ each) => sendAgain(page, id, each, (data) => send(each.tag, { data }));
  const update = () => {
    const { text, reply, attached: all } = drafts.of(id);
    if (input.value !== text) input.value = text;
    replied.hidden = reply === undefined;
    if (reply) fill(replied, icon('reply'), element('span', { dir: 'auto' }, replyText(page, id, reply)), iconButton(say('messages.noReply'), 'close', () => drafts.reply(id, undefined)));
    attached.hidden = all.length === 0;
    keyed(attached, all, ({ key }) => `${key}/${drafts.isSending(key)}`, (each) => attachedRow(page, id, each, () => sendAttached(each)));
  };
  const attachments = attachmentMenu(page, (data) => send('Place', { data }), (file) => {
    const key = drafts.attach(id, { tag: 'Photo', file });
    sendAttached({ key, tag: 'Photo', file });
  });
  const form = element('form', { class: 'composer' }, attachments.button, input,
    element('button', { class: 'primary round', 'aria-label': say('messages.send') }, icon('send')));
  input.addEventListener('input', () => drafts.write(id, input.value));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const content = input.value.trim();
    if (!content) return;
    drafts.write(id, '');
    send('Text', { content });
    drafts.settled();
    input.focus();
  });
  drafts.observe(update, scope);
  update();
  return { root: element('div', { class: 'compose' }, replied, attached, attachments.menu, form), replyTo };
}

/**
 * What the message says that is replied to: as it is known now, or as it was when it was chosen.
 * @param {Page} page
 * @param {string} id
 * @param {{ number: number, text: string }} reply
 */
function replyText(page, id, { number, text }) {
  const known = text === '' ? page.chats.followedLive(id)?.messages?.quoted(number) : undefined;
  return known ? previewText(known) : text || say('messages.earlier');
}

/**
 * Sends a chosen photo, or again what the server refused. What can't be sent stays in the draft, also while another chat is open.
 * @param {Page} page
 * @param {string} id
 * @param {Attached} attached
 * @param {(data: object) => void} send
 */
async function sendAgain({ drafts, toasts }, id, { key, file, data }, send) {
  if (drafts.isSending(key)) return;
  drafts.setSending(key, true);
  try {
    const { image, width, height } = file ? await sendPhoto(file) : data;
    // The session may be over by now, and with it the draft.
    if (!drafts.of(id).attached.some((each) => each.key === key)) return;
    send(file ? { image, width, height } : data);
    drafts.detach(id, key);
  } catch (error) {
    toasts.fail(error);
  } finally {
    drafts.setSending(key, false);
  }
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {Attached} attached
 * @param {() => void} send
 */
function attachedRow({ drafts }, id, { key, tag }, send) {
  const what = say(tag === 'Photo' ? 'messages.photo' : 'messages.place');
  if (drafts.isSending(key)) return element('li', { class: 'replied', 'aria-busy': 'true' }, icon('camera'), element('span', {}, say('messages.sendingPhoto')));
  return element('li', { class: 'replied' }, icon(tag === 'Photo' ? 'camera' : 'pin'), element('span', {}, say('messages.notSentYet', { what })),
    button(say('messages.send'), send, { class: 'small' }), iconButton(say('messages.discard', { what }), 'close', () => drafts.detach(id, key)));
}

/**
 * What can be sent besides text.
 * @param {Page} page
 * @param {(place: object) => void} sendPlace
 * @param {(file: File) => void} choose
 */
function attachmentMenu(page, sendPlace, choose) {
  const file = element('input', { type: 'file', accept: 'image/*', hidden: true, 'aria-label': say('messages.sendPhoto'), onchange: () => {
    const [chosen] = file.files ?? [];
    if (chosen) choose(chosen);
    file.value = '';
  } });
  const menu = element('div', { class: 'attachments', hidden: true });
  const opener = iconButton(say('messages.attach'), 'add', () => show(Boolean(menu.hidden)));
  const show = (/** @type {boolean} */ isShown) => {
    menu.hidden = !isShown;
    opener.setAttribute('aria-expanded', String(isShown));
  };
  show(false);
  menu.append(file,
    button(say('messages.sendPhoto'), () => {
      show(false);
      file.click();
    }, { icon: 'camera', class: 'quiet' }),
    button(say('messages.sendPosition'), () => {
      show(false);
      ownPosition(page).then(sendPlace, (error) => page.toasts.fail(error));
    }, { icon: 'follow', class: 'quiet' }),
    page.map.isText ? '' : button(say('messages.sendMiddle'), () => {
      show(false);
      sendPlace(middleOf(page.map.bounds()));
    }, { icon: 'pin', class: 'quiet' }));
  return { button: opener, menu };
}

/**
 * Where this device is: as it is shared at the moment, or asked for once.
 * @param {Page} page
 * @returns {Promise<{ latitude: string, longitude: string }>}
 */
function ownPosition(page) {
  const last = page.sharer.sharing.lastFix;
  if (last) return Promise.resolve({ latitude: last.latitude, longitude: last.longitude });
  return new Promise((resolve, reject) => {
    navigator.geolocation.getCurrentPosition(({ coords }) => resolve(placed(coords.latitude, coords.longitude)),
      () => reject(new Error(say('messages.noPosition'))), POSITION);
  });
}

/** @param {import('../wire.d.ts').Region} region possibly with longitudes past ±180 */
export function middleOf({ south, north, west, east }) {
  const longitude = (west + (east < west ? east + 360 : east)) / 2;
  return placed((south + north) / 2, ((longitude + 540) % 360 + 360) % 360 - 180);
}

/**
 * @param {number} latitude
 * @param {number} longitude
 */
function placed(latitude, longitude) {
  return { latitude: latitude.toFixed(6), longitude: longitude.toFixed(6) };
}
