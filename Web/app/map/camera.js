// @ts-check
import { pictureAround } from './first-picture.js';

/** @typedef {import('./first-picture.js').Picture} Picture */

/** What is left free around people whom the map is fitted to, for their heads above and their names below. */
const FIT_PADDING = { top: 52, bottom: 76, left: 44, right: 44 };
/** So long after a move ended a change of the padding makes it anew, in milliseconds. */
const AIMED_FOR = 2_000;

/**
 * What of the Earth the map shows: moved by the page until the reader moves it. A move that a change of the padding cuts short, or
 * that was made for what was free before it, is made again.
 */
export class Camera {
  #library;
  #map;
  #padding = '';
  /** How often the reader has moved the map. */
  moves = 0;
  /** The page's last move, and until when a change of the padding makes it again, once it has ended. @type {{ move: () => void, until: number } | undefined} */
  #aim;
  #levelsAt;
  #now;

  /**
   * @param {typeof maplibregl} library
   * @param {maplibregl.Map} map
   * @param {(place: { latitude: number, longitude: number }) => number} levelsAt the last zoom that the map has tiles for
   * @param {() => number} [now] in milliseconds
   */
  constructor(library, map, levelsAt, now = () => performance.now()) {
    this.#now = now;
    this.#library = library;
    this.#map = map;
    this.#levelsAt = levelsAt;
    // A move of the reader's comes with what they did: a drag, a turn of the wheel, a key.
    map.on('movestart', ({ originalEvent }) => { if (originalEvent) this.#moved(); });
    map.on('moveend', () => { if (this.#aim?.until === Infinity) this.#aim.until = this.#now() + AIMED_FOR; });
  }

  /** @param {Picture} picture */
  frame({ bounds: { west, south, east, north }, zoomAtMost }) {
    const bounds = new this.#library.LngLatBounds().extend([west, south]).extend([east, north]);
    this.#move(() => this.#map.fitBounds(bounds, { padding: FIT_PADDING, maxZoom: zoomAtMost, duration: 700 }));
  }

  /**
   * Moves a place into the middle, so that a stretch of so many meters is seen.
   * @param {{ latitude: number, longitude: number }} place
   * @param {number} meters
   */
  around(place, meters) {
    const { bounds: { west, south, east, north }, zoomAtMost } = pictureAround(place, meters / 2, this.#levelsAt(place));
    const bounds = new this.#library.LngLatBounds().extend([west, south]).extend([east, north]);
    this.#move(() => {
      const zoom = this.#map.cameraForBounds(bounds, { maxZoom: zoomAtMost })?.zoom ?? zoomAtMost;
      this.#map.easeTo({ center: [place.longitude, place.latitude], zoom, duration: 400 });
    });
  }

  /**
   * Moves a place into the middle, and nearer if it is farther away than this.
   * @param {{ latitude: number, longitude: number }} place
   * @param {number} zoomAtLeast
   */
  center(place, zoomAtLeast) {
    const zoom = Math.max(this.#map.getZoom(), zoomAtLeast);
    this.#move(() => this.#map.easeTo({ center: [place.longitude, place.latitude], zoom, duration: 400 }));
  }

  /** @param {import('./map.js').Padding} padding */
  pad(padding) {
    // It stops a move where the map is, so only if something changes.
    const written = JSON.stringify(padding);
    if (written === this.#padding) return;
    this.#padding = written;
    const aim = this.#aim;
    const isAimed = aim && this.#now() < aim.until;
    this.#map.setPadding(padding);
    if (isAimed) this.#move(aim.move);
  }

  /**
   * By the reader's buttons.
   * @param {number} steps
   */
  zoom(steps) {
    this.#moved();
    if (steps > 0) this.#map.zoomIn();
    else this.#map.zoomOut();
  }

  /** @param {() => void} move */
  #move(move) {
    // The end of the move before it isn't its own.
    this.#map.stop();
    this.#aim = { move, until: Infinity };
    move();
  }

  #moved() {
    this.moves += 1;
    this.#aim = undefined;
  }
}
