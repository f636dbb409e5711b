// @ts-check
import { sendPhoto } from '../images/image-upload.js';
import { button, iconButton, whileBusy } from '../page/controls.js';
import { element, fill } from '../page/dom.js';
import { icon } from '../page/icons.js';
import { say } from '../words/words.js';
import { previewText } from './preview-text.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('./message-rows.js').Line} Line */

/** How long a position may take to be found, and how old it may be. */
const POSITION = { enableHighAccuracy: true, timeout: 20_000, maximumAge: 30_000 };

/**
 * Where one writes: a text, as a reply to another message if one was chosen, or a place.
 * @param {Page} page
 * @param {string} id
 * @param {() => void} onsent something was written, and waits to be sent
 */
export function composer(page, id, onsent) {
  const input = element('input', {
    type: 'text', 'aria-label': say('messages.message'), placeholder: say('messages.message'), maxLength: 4_000, autocomplete: 'off', enterKeyHint: 'send',
  });
  const replied = element('div', { class: 'replied', hidden: true });
  /** @type {number | undefined} */
  let reply;
  const replyTo = (/** @type {Line | undefined} */ line) => {
    reply = line?.number;
    replied.hidden = reply === undefined;
    if (!line) return;
    fill(replied, icon('reply'), element('span', { dir: 'auto' }, previewText(line)), iconButton(say('messages.noReply'), 'close', () => replyTo(undefined)));
    input.focus();
  };
  const send = (/** @type {string} */ tag, /** @type {{ content?: string, data?: object }} */ { content, data }) => {
    page.sender.send(id, tag, { content, data: reply === undefined ? data : { ...data, reply } });
    replyTo(undefined);
    onsent();
  };
  const attachments = attachmentMenu(page, (tag, data) => send(tag, { data }));
  const form = element('form', { class: 'composer' }, attachments.button, input,
    element('button', { class: 'primary round', 'aria-label': say('messages.send') }, icon('send')));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const content = input.value.trim();
    if (!content) return;
    send('Text', { content });
    input.value = '';
    input.focus();
  });
  return { root: element('div', { class: 'compose' }, replied, attachments.menu, form), replyTo };
}

/**
 * What can be sent besides text.
 * @param {Page} page
 * @param {(tag: string, data: object) => void} send
 */
function attachmentMenu(page, send) {
  const sendPlace = (/** @type {object} */ place) => send('Place', place);
  const file = element('input', { type: 'file', accept: 'image/*', hidden: true, 'aria-label': say('messages.sendPhoto'), onchange: () => sendChosen() });
  const sendChosen = async () => {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    try {
      await whileBusy(opener, async () => {
        const { image, width, height } = await sendPhoto(chosen);
        send('Photo', { image, width, height });
      });
    } catch (error) {
      page.toasts.fail(error);
    } finally {
      file.value = '';
    }
  };
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
