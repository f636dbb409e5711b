// @ts-check
import { element } from '../page/dom.js';
import { icon } from '../page/icons.js';
import { say, sayWith } from '../words/words.js';

/** From this zoom on one expects streets. */
const STREET_ZOOM = 11.5;
const SEEN = 'yonder.map-hosts';

/**
 * The calm note on the map: that there are no streets here, and what to set; that they can't be read; and once, which other servers the tiles come from.
 */
export class MapNote {
  #root;
  #base;

  /**
   * @param {HTMLElement} container
   * @param {import('./base-map.js').BaseMap} base
   */
  constructor(container, base) {
    this.#base = base;
    this.#root = element('div', { class: 'map-note', role: 'status', hidden: '' });
    container.append(this.#root);
  }

  /**
   * @param {{ latitude: number, longitude: number }} center
   * @param {number} zoom
   */
  update(center, zoom) {
    const { origins } = this.#base.offer;
    if (origins.length > 0 && seenHosts() !== origins.join(' ')) return this.#sayHosts(origins);
    const streets = zoom < STREET_ZOOM ? 'shown' : this.#base.streetsAt(center);
    if (streets === 'shown') return this.#show('', []);
    const fails = streets === 'failing';
    const hint = fails ? [say('map.streetsFailHint')]
      : sayWith('map.noStreetsHint', { flag: element('code', {}, '--map') });
    // One line, so that it covers little of the map; the rest when it is opened.
    this.#show(streets, [
      element('details', {}, element('summary', {}, icon('warn'), say(fails ? 'map.streetsFail' : 'map.noStreets')),
        element('span', {}, ...hint)),
    ]);
  }

  /** @param {string[]} origins */
  #sayHosts(origins) {
    const hosts = origins.map((origin) => new URL(origin).host).join(', ');
    const button = element('button', { type: 'button', class: 'quiet' }, say('map.understood'));
    button.addEventListener('click', () => {
      rememberHosts(origins.join(' '));
      this.#show('', []);
    });
    this.#show('hosts', [
      element('strong', {}, say('map.elsewhere')),
      element('span', {}, say('map.elsewhereHint', { hosts })),
      button,
    ]);
  }

  /**
   * @param {string} kind
   * @param {HTMLElement[]} content
   */
  #show(kind, content) {
    if (this.#root.dataset.note === kind) return;
    this.#root.dataset.note = kind;
    this.#root.hidden = kind === '';
    this.#root.replaceChildren(...content);
  }
}

function seenHosts() {
  try {
    return localStorage.getItem(SEEN);
  } catch {
    return null;
  }
}

/** @param {string} hosts */
function rememberHosts(hosts) {
  try {
    localStorage.setItem(SEEN, hosts);
  } catch {
    // Without storage it is said again at the next opening.
  }
}
