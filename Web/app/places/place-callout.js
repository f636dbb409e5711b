// @ts-check
import { placeText } from '../map/place-text.js';
import { button } from '../page/controls.js';
import { element, fill, setText } from '../page/dom.js';
import { say } from '../words/words.js';
import { placeTile } from './place-tile.js';

/** What is said of a place over it: name, address, and the way to the rest. */
export class PlaceCallout {
  element = element('div', { class: 'callout-card place-callout', role: 'group', 'aria-label': say('places.selected') });

  #name = element('strong', { dir: 'auto' });
  #address = element('span', { class: 'hint', dir: 'auto' });
  #picture = element('div');
  #look = '';
  #key = '';

  /** @param {(key: string) => void} open */
  constructor(open) {
    const opens = button(say('places.open'), () => open(this.#key), { class: 'small primary' });
    this.element.append(this.#picture, element('div', { class: 'callout-text' }, this.#name, this.#address, opens));
  }

  /** @param {import('../wire.d.ts').MapPlace} place */
  show(place) {
    this.#key = place.key;
    const look = place.color + place.letter;
    if (look !== this.#look) fill(this.#picture, placeTile(place));
    this.#look = look;
    setText(this.#name, place.title);
    setText(this.#address, place.subtitle ?? placeText(place));
  }
}
