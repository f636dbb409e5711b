// @ts-check
import { element } from '../page/dom.js';
import { icon } from '../page/icons.js';

/** Where no map can be drawn: says why and what to do. The panel lists people and positions as text in any case. */
export class TextMap {
  isText = true;

  /** @type {string | undefined} */
  #selected;

  /**
   * @param {HTMLElement} container
   * @param {string} title
   * @param {string} advice
   */
  constructor(container, title, advice) {
    container.append(element('div', { class: 'map-missing' }, icon('world'), element('h2', {}, title), element('p', {}, advice)));
  }

  show() {}
  showPlaces() {}

  showChat() {}
  quietPlaces() {}
  /** Where nothing is seen, what is listed is from everywhere. */
  bounds() {
    return { south: -90, west: -180, north: 90, east: 180 };
  }
  view() {
    return undefined;
  }
  /** @param {string | undefined} key */
  select(key) {
    this.#selected = key;
  }
  fit() {}
  frame() {}
  levelsAt() {
    return 0;
  }
  follow() {}
  lookAt() {}
  setPadding() {}
  zoom() {}
  showAround() {}
  center() {
    return undefined;
  }
  moves() {
    return 0;
  }
  selected() {
    return this.#selected;
  }
  followed() {
    return undefined;
  }
}
