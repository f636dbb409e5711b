// @ts-check
import { element, fill, setText } from '../page/dom.js';
import { timeElement } from '../page/clock.js';
import { avatar } from '../people/avatar.js';
import { placeText } from './place-text.js';

/** What is said of a person over their pin: name, e-mail, and when they were there. */
export class Callout {
  element = element('div', { class: 'callout-card', role: 'group', 'aria-label': 'Selected person' });

  #name = element('strong', { dir: 'auto' });
  #email = element('a', { class: 'email' });
  #time = element('span', { class: 'hint' });
  #place = element('span', { class: 'hint place' });
  #picture = element('div');
  #lastPicture = '';

  constructor() {
    this.element.append(this.#picture, element('div', { class: 'callout-text' }, this.#name, this.#email, this.#time, this.#place));
  }

  /** @param {import('../wire.d.ts').MapPin} pin */
  show(pin) {
    const picture = [pin.color, pin.initials, pin.avatar].join('|');
    if (picture !== this.#lastPicture) {
      this.#lastPicture = picture;
      fill(this.#picture, avatar({ name: pin.name, avatar: pin.avatar, color: pin.color, letters: pin.initials }));
    }
    setText(this.#name, pin.own && pin.name !== 'You' ? `${pin.name} (you)` : pin.name);
    this.#email.hidden = !pin.email;
    if (pin.email) Object.assign(this.#email, { href: `mailto:${pin.email}`, textContent: pin.email });
    if (this.#time.firstElementChild?.getAttribute('data-at') !== String(pin.time)) {
      fill(this.#time, pin.time === undefined ? '' : timeElement(pin.time, { withAbsolute: true }));
    }
    setText(this.#place, placeText(pin));
  }
}
