// @ts-check
import { element } from '../page/dom.js';
import { icon } from '../page/icons.js';
import { distanceText } from '../freshness/person-text.js';
import { say, sayWith } from '../words/words.js';
import { browserShelf } from '../storage/shelf.js';

/** From this zoom on one expects streets. */
const STREET_ZOOM = 11.5;
/** Where it is kept what was said before: which hosts the tiles come from, and that there are no streets. */
const HOSTS = 'yonder.map-hosts';
const STREETS = 'yonder.no-streets';

/**
 * The calm note on the map: that streets can't be read; that the reader's own place is known roughly; once each, in a chat that
 * there are no streets here and what to set, and which other servers the tiles come from.
 */
export class MapNote {
  #root;
  #base;
  /** The chat in which it was said that there are no streets, while the page is open. @type {string | undefined} */
  #saidIn;

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
   * @param {object} view
   * @param {ReturnType<import('./base-map.js').BaseMap['streetsAt']>} view.streets in the middle of what is seen
   * @param {number} view.zoom
   * @param {number} view.nearest how near the page itself moves the map there
   * @param {string | undefined} view.chat the chat that is open
   * @param {number | undefined} view.coarse how far off the reader's own dot may be, in meters, where that is to be said
   */
  update({ streets, zoom, nearest, chat, coarse }) {
    const { origins } = this.#base.offer;
    if (origins.length > 0 && browserShelf.get(HOSTS) !== origins.join(' ')) return this.#sayHosts(origins);
    if (coarse !== undefined) {
      const title = say('map.coarse', { distance: distanceText(coarse) });
      return this.#show(`coarse ${title}`, [line('me', title, [say('map.coarseHint')])]);
    }
    if (streets === 'failing' && zoom >= STREET_ZOOM) {
      return this.#show('failing', [line('warn', say('map.streetsFail'), [say('map.streetsFailHint')])]);
    }
    const isMissed = streets === 'none' && chat !== undefined && zoom > Math.min(STREET_ZOOM, nearest) - 0.1;
    if (!isMissed || !this.#isFirstSaid(chat)) return this.#show('', []);
    return this.#show('none', [line('warn', say('map.noStreets'), sayWith('map.noStreetsHint', { flag: element('code', {}, '--map') }))]);
  }

  /**
   * Whether it is said in this chat that there are no streets: in the first one in which it is so, on this device.
   * @param {string} chat
   */
  #isFirstSaid(chat) {
    if (this.#saidIn === undefined && browserShelf.get(STREETS) === null) {
      this.#saidIn = chat;
      browserShelf.put(STREETS, 'said');
    }
    return this.#saidIn === chat;
  }

  /** @param {string[]} origins */
  #sayHosts(origins) {
    const hosts = origins.map((origin) => new URL(origin).host).join(', ');
    const button = element('button', { type: 'button', class: 'quiet' }, say('map.understood'));
    button.addEventListener('click', () => {
      browserShelf.put(HOSTS, origins.join(' '));
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

/**
 * One line, so that it covers little of the map; the rest when it is opened.
 * @param {string} picture
 * @param {string} title
 * @param {(string | Node)[]} hint
 */
function line(picture, title, hint) {
  return element('details', {}, element('summary', {}, icon(picture), title), element('span', {}, ...hint));
}
