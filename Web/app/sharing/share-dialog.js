// @ts-check
import { clockText } from '../freshness/age.js';
import { keepingIn } from '../chats/position-keeping.js';
import { freshID, iconButton, segments } from '../page/controls.js';
import { element, fill, setText } from '../page/dom.js';
import { icon } from '../page/icons.js';
import { colorIn } from '../people/color.js';
import { Face } from '../people/face.js';
import { initials } from '../people/initials.js';
import { isolated } from '../words/isolated.js';
import { locale, say } from '../words/words.js';
import { startShare } from './share-actions.js';
import { ARRIVAL_RADIUS, choiceText, endOf, keepChoice, lastChoice } from './share-choice.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('./share-choice.js').Choice} Choice */
/** @typedef {import('./share-choice.js').End} End */

const FACES = 5;
const HOUR = 3_600_000;

/**
 * How long to share, what becomes of the way afterwards, and who will see it.
 * @param {Page} page
 * @param {string} chat
 */
export function shareDialog(page, chat) {
  const id = freshID();
  /** @type {Choice} */
  const choice = lastChoice();
  const start = element('button', { type: 'button', class: 'share main wide' });
  const afterwards = element('p', { class: 'hint' });
  const changed = () => {
    setText(start, say('sharing.shareForButton', { time: choiceText(choice) }));
    setText(afterwards, choice.keep === 'kept' ? say('sharing.keptHint', { keeping: keepingIn(page, chat) }) : say('sharing.erasedHint'));
    start.disabled = choice.end === 'arrival' && !choice.arrival;
  };
  const dialog = element('dialog', { class: 'sheet-dialog', 'aria-labelledby': id },
    element('header', { class: 'sheet-dialog-head' }, element('div', {}, element('h2', { id, class: 'title' }, say('sharing.share')),
      element('p', { class: 'hint' }, say('sharing.inChat', { chat: page.nameOf(chat) }))), iconButton(say('page.dismiss'), 'close', () => dialog.close())),
    ends(page, choice, changed),
    element('h3', {}, say('sharing.afterwards')),
    segments(say('sharing.afterwards'), [{ value: 'kept', label: say('sharing.keep') }, { value: 'expiring', label: say('sharing.erase') }], choice.keep, (keep) => {
      choice.keep = /** @type {Choice['keep']} */ (keep);
      changed();
    }),
    afterwards,
    element('h3', {}, say('sharing.whoSees')), viewers(page, chat),
    element('footer', {}, start, element('p', { class: 'hint' }, say('sharing.stopAnyTime'))));
  start.addEventListener('click', () => {
    keepChoice(choice);
    dialog.close();
    startShare(page, chat, choice);
  });
  dialog.addEventListener('close', () => dialog.remove());
  changed();
  document.body.append(dialog);
  dialog.showModal();
}

/**
 * @param {Page} page
 * @param {Choice} choice
 * @param {() => void} changed
 */
function ends(page, choice, changed) {
  const name = freshID();
  const now = page.stream.now();
  const time = element('input', { type: 'time', 'aria-label': say('sharing.untilTime'), value: hoursAndMinutes(now + 2 * HOUR) });
  const timeLine = element('div', { class: 'share-detail', hidden: choice.end !== 'time' }, time);
  const places = arrivalPlaces(page, choice, changed);
  const choose = (/** @type {End} */ end) => {
    choice.end = end;
    choice.until = end === 'time' ? nextTime(time.value, page.stream.now()) : undefined;
    if (end !== 'arrival') choice.arrival = undefined;
    timeLine.hidden = end !== 'time';
    places.hidden = end !== 'arrival';
    changed();
  };
  time.addEventListener('input', () => choose('time'));
  const option = (/** @type {End} */ end, /** @type {string} */ label, /** @type {string} */ hint, /** @type {SVGElement} */ picture) =>
    element('label', { class: 'share-option' }, element('input', { type: 'radio', name, value: end, checked: choice.end === end, onchange: () => choose(end) }),
      element('span', {}, picture, element('strong', {}, label), hint && element('small', {}, hint)));
  const quick = (/** @type {End} */ end) => element('label', { class: 'share-quick' },
    element('input', { type: 'radio', name, value: end, checked: choice.end === end, onchange: () => choose(end) }),
    element('span', {}, element('strong', {}, choiceText({ end, keep: 'kept' })), element('small', {}, say('sharing.until', { time: clockText(endOf({ end, keep: 'kept' }, now) ?? now) }))));
  return element('fieldset', {}, element('legend', {}, say('sharing.howLong')),
    element('div', { class: 'share-quicks' }, quick('quarter'), quick('hour'), quick('eight')),
    element('div', { class: 'share-options' },
      option('arrival', say('sharing.untilArrival'), '', icon('flag')), places,
      option('time', say('sharing.untilTime'), '', icon('clock')), timeLine,
      option('stop', say('sharing.untilStop'), '', icon('stop'))));
}

/**
 * Where one may arrive: in the middle of the map, or where somebody of the chat is.
 * @param {Page} page
 * @param {Choice} choice
 * @param {() => void} changed
 */
function arrivalPlaces(page, choice, changed) {
  const places = page.scene.arrivals();
  const select = element('select', { 'aria-label': say('sharing.arrivalPlace') },
    element('option', { value: '' }, say('sharing.choosePlace')),
    places.map(({ label }, index) => element('option', { value: String(index) }, label)));
  select.addEventListener('change', () => {
    const place = places[Number(select.value)];
    choice.arrival = select.value && place ? { latitude: place.latitude, longitude: place.longitude, radius: ARRIVAL_RADIUS } : undefined;
    changed();
  });
  return element('div', { class: 'share-detail', hidden: choice.end !== 'arrival' }, select);
}

/**
 * @param {Page} page
 * @param {string} id
 */
function viewers(page, id) {
  const chat = page.chats.chat(id);
  const others = (chat?.participants ?? []).filter(({ user, present }) => present && user !== page.account.user?.id);
  const faces = element('span', { class: 'share-faces' });
  fill(faces, others.slice(0, FACES).map((participant) => {
    const face = new Face();
    face.show({ state: 'none', color: colorIn(chat, participant.user), initials: initials(participant.name), avatar: participant.avatar });
    return face.element;
  }));
  const more = others.length - FACES;
  const names = others.slice(0, FACES).map(({ name }) => isolated(name));
  const list = new Intl.ListFormat(locale).format(more > 0 ? [...names, say('sharing.others', { count: more })] : names);
  return element('div', { class: 'share-viewers' }, faces, element('p', {}, others.length === 0 ? say('sharing.nobodyYet') : say(chat?.oneToOne ? 'sharing.nobodyElse' : 'sharing.andAdded', { names: list })));
}

/** @param {number} time */
function hoursAndMinutes(time) {
  const date = new Date(time);
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`;
}

/**
 * The next time that a clock shows this.
 * @param {string} written such as *14:05*, by this device's time zone
 * @param {number} now
 */
export function nextTime(written, now) {
  const [hours, minutes] = written.split(':').map(Number);
  const date = new Date(now);
  date.setHours(hours || 0, minutes || 0, 0, 0);
  // The next day has 23 or 25 hours where the clocks change.
  if (date.getTime() <= now) date.setDate(date.getDate() + 1);
  return date.getTime();
}
