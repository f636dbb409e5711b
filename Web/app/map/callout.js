// @ts-check
import { element, fill, setText } from '../page/dom.js';
import { timeElement, toldNow } from '../page/clock.js';
import { iconButton } from '../page/controls.js';
import { icon } from '../page/icons.js';
import { causeText, distanceText, isWarned, percentText } from '../freshness/person-text.js';
import { Face } from '../people/face.js';
import { say } from '../words/words.js';
import { directionsLink } from './directions.js';
import { placeText } from './place-text.js';

/** @typedef {import('../wire.d.ts').MapPin} MapPin */

/** What is said of a person beside their pin: how fresh that is, where they are, and the way there. */
export class Callout {
  element = element('div', { class: 'callout-card', role: 'group', 'aria-label': say('map.selected') });

  #face = new Face();
  #name = element('strong', { dir: 'auto' });
  #state = element('span', { class: 'hint' });
  #email = element('a', { class: 'email' });
  #time = element('span', { class: 'hint' });
  #place = element('span', { class: 'place' });
  #directions = element('a', { class: 'button primary', target: '_blank', rel: 'noreferrer' }, icon('directions'), element('span', {}, say('person.directions')));

  #among = element('span', { class: 'hint', role: 'status' });
  #before;
  #after;
  #pile;

  #follow = element('button', { type: 'button', 'aria-pressed': 'false' }, say('person.followShort'));
  #key = '';

  #day = element('a', { class: 'button' }, icon('history'), element('span', {}, say('history.day')));
  #whereOf;
  #dayOf;

  /**
   * @param {(key: string) => void} followed called when the reader wants to follow this person, or no more
   * @param {Pick<import('./map.js').MapListener, 'whereOf' | 'dayOf' | 'stepped'>} listener
   */
  constructor(followed, { whereOf, dayOf, stepped }) {
    this.#before = iconButton(say('positions.before'), 'back', () => stepped(1));
    this.#after = iconButton(say('positions.after'), 'next', () => stepped(-1));
    this.#pile = element('div', { class: 'callout-pile', hidden: true }, this.#before, this.#among, this.#after);
    this.#whereOf = whereOf;
    this.#dayOf = dayOf;
    this.#follow.addEventListener('click', () => followed(this.#key));
    this.element.append(
      element('div', { class: 'callout-head' }, this.#face.element, element('div', { class: 'callout-text' }, this.#name, this.#state)),
      element('div', { class: 'callout-text' }, this.#place, this.#time, this.#email),
      this.#pile, element('div', { class: 'callout-actions' }, this.#directions, this.#follow, this.#day));
  }

  /**
   * @param {MapPin} pin
   * @param {boolean} isFollowed
   */
  show(pin, isFollowed) {
    this.#key = pin.key;
    this.#follow.setAttribute('aria-pressed', String(isFollowed));
    this.#face.show(pin);
    setText(this.#name, pin.own && !pin.dot ? say('chat.you', { name: pin.name }) : pin.name);
    setText(this.#state, stateText(pin));
    this.#state.className = pin.person && isWarned(pin.person) ? 'hint warn' : 'hint';
    this.#email.hidden = !pin.email;
    if (pin.email) Object.assign(this.#email, { href: mailtoOf(pin.email), textContent: pin.email });
    if (this.#time.firstElementChild?.getAttribute('data-at') !== String(pin.time)) {
      fill(this.#time, pin.time === undefined ? '' : timeElement(pin.time, { withAbsolute: true }));
    }
    this.#showPile(pin.pile);
    setText(this.#place, this.#whereOf(pin.key, pin));
    this.#place.title = placeText(pin);
    this.#directions.hidden = pin.own;
    this.#directions.href = directionsLink(pin);
    const day = this.#dayOf(pin.key);
    this.#day.hidden = day === undefined;
    if (day !== undefined) this.#day.href = day;
  }

  /**
   * Which one it is of those that one dot stands for, and the way to the others.
   * @param {MapPin['pile']} pile of one of all positions
   */
  #showPile(pile) {
    this.element.classList.toggle('position', pile !== undefined);
    // A position stays where it is.
    this.#follow.hidden = pile !== undefined;
    this.#pile.hidden = pile === undefined || pile.of < 2;
    if (!pile || this.#pile.hidden) return;
    setText(this.#among, say('positions.among', { at: pile.at, of: pile.of }));
    const focused = document.activeElement;
    this.#before.disabled = pile.at === pile.of;
    this.#after.disabled = pile.at === 1;
    // A button that is off can't keep the focus, by which keys reach the map.
    if (focused === this.#before && this.#before.disabled) this.#after.focus();
    if (focused === this.#after && this.#after.disabled) this.#before.focus();
  }
}

/**
 * Where a tap on an e-mail address leads. Whatever stands in the address is the address: it adds no subject and no other receiver.
 * @param {string} email
 */
export function mailtoOf(email) {
  return `mailto:${email.split('@').map(encodeURIComponent).join('@')}`;
}

/** @param {MapPin} pin */
function stateText({ age, person, accuracy }) {
  const cause = person ? causeText(person, toldNow()) : '';
  const within = accuracy !== undefined && accuracy > 0 ? say('person.within', { distance: distanceText(accuracy) }) : '';
  const battery = person?.battery === undefined || person.state === 'ended' ? '' : say('fresh.battery', { percent: percentText(person.battery) });
  return [age, cause, within, battery].filter(Boolean).join(' · ');
}
