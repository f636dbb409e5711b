// @ts-check
import { extentOf } from '../../app/map/extent.js';
import { BaseMap } from '../../app/map/base-map.js';
import { element } from '../../app/page/dom.js';
import { icon } from '../../app/page/icons.js';

/** @typedef {import('./place-map.js').Coordinates} Coordinates */
/** @typedef {import('../control.d.ts').Candidate} Candidate */

/** Close enough to tell one town from the next, far enough for names to stand around it. */
const PLACE_ZOOM = 8;
const FITTED_ZOOM = 10;

/** A map to choose a place on, over MapLibre GL. */
export class MapLibrePlaceMap {
  #library;
  #map;
  #listener;
  #scheme = matchMedia('(prefers-color-scheme: dark)');
  #restyle = () => this.#map.setStyle(this.#base.style(this.#scheme.matches), { diff: false });
  #base;
  /** @type {maplibregl.Marker | undefined} */
  #pin;
  /** @type {maplibregl.Marker[]} */
  #numbers = [];

  /**
   * @param {typeof maplibregl} library
   * @param {HTMLElement} container
   * @param {{ choosePlace: (place: Coordinates) => void, chooseCandidate: (candidate: Candidate) => void }} listener
   */
  constructor(library, container, listener) {
    this.#library = library;
    this.#listener = listener;
    this.#map = new library.Map({
      container, center: [12, 30], zoom: 1, maxZoom: 19, attributionControl: false,
      fadeDuration: 0, dragRotate: false, pitchWithRotate: false, touchPitch: false, cooperativeGestures: false,
    });
    this.#map.addControl(new library.AttributionControl({ compact: true }), 'bottom-right');
    this.#map.addControl(new library.NavigationControl({ showCompass: false }), 'top-right');
    container.append(element('span', { class: 'crosshair', 'aria-hidden': 'true' }));
    this.#base = new BaseMap(this.#restyle);
    this.#listen(container);
  }

  /**
   * @param {Coordinates | undefined} place
   * @param {{ center?: boolean }} [options]
   */
  showPlace(place, { center = false } = {}) {
    if (!place) {
      this.#pin?.remove();
      this.#pin = undefined;
      return;
    }
    this.#pin ??= new this.#library.Marker({ element: element('div', { class: 'place-pin', 'aria-hidden': 'true' }, icon('pin')), anchor: 'bottom' });
    this.#pin.setLngLat([place.longitude, place.latitude]).addTo(this.#map);
    if (center) this.#look(place);
  }

  /** @param {Candidate[]} candidates */
  showCandidates(candidates) {
    for (const marker of this.#numbers) marker.remove();
    this.#numbers = candidates.map((candidate, index) => this.#number(candidate, index));
    if (candidates.length === 1) this.#look(candidates[0]);
    else this.#fit(candidates);
  }

  close() {
    this.#scheme.removeEventListener('change', this.#restyle);
    this.#map.remove();
  }

  /** @param {HTMLElement} container */
  #listen(container) {
    const map = this.#map;
    const canvas = map.getCanvas();
    canvas.setAttribute('aria-label', 'Map. Arrow keys move it, plus and minus zoom, Enter sets the place in its middle.');
    map.on('error', () => {});
    map.on('click', ({ lngLat }) => this.#choose(lngLat));
    canvas.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      this.#choose(map.getCenter());
    });
    for (const event of ['movestart', 'dataloading']) map.on(event, () => { container.dataset.map = 'busy'; });
    map.on('idle', () => { container.dataset.map = 'idle'; });
    this.#scheme.addEventListener('change', this.#restyle);
    // On a small map the credits are behind their button from the start.
    map.once('load', () => container.querySelector('.maplibregl-compact-show')?.classList.remove('maplibregl-compact-show'));
  }

  /** @param {{ lng: number, lat: number }} point where the world may be drawn again beyond ±180 */
  #choose({ lng, lat }) {
    const longitude = ((lng + 180) % 360 + 360) % 360 - 180;
    this.#listener.choosePlace({ latitude: lat, longitude });
  }

  /**
   * @param {Candidate} candidate
   * @param {number} index
   */
  #number(candidate, index) {
    // The list beside the map is for the keyboard and for readers; here it is for the eye and the pointer.
    const shown = element('div', { class: 'candidate-pin', 'aria-hidden': 'true' }, String(index + 1));
    shown.addEventListener('click', (event) => {
      event.stopPropagation();
      this.#listener.chooseCandidate(candidate);
    });
    return new this.#library.Marker({ element: shown, anchor: 'center' }).setLngLat([candidate.longitude, candidate.latitude]).addTo(this.#map);
  }

  /** @param {Coordinates & { extent?: Candidate['extent'] }} place */
  #look({ latitude, longitude, extent }) {
    if (extent && extent.west < extent.east && extent.south < extent.north) {
      const bounds = new this.#library.LngLatBounds().extend([extent.west, extent.south]).extend([extent.east, extent.north]);
      this.#map.fitBounds(bounds, { padding: 24, maxZoom: 16, duration: 500 });
      return;
    }
    this.#map.easeTo({ center: [longitude, latitude], zoom: Math.max(this.#map.getZoom(), PLACE_ZOOM), duration: 500 });
  }

  /** @param {Candidate[]} candidates */
  #fit(candidates) {
    const extent = extentOf(candidates);
    if (!extent) return;
    const bounds = new this.#library.LngLatBounds().extend([extent.west, extent.south]).extend([extent.east, extent.north]);
    this.#map.fitBounds(bounds, { padding: 40, maxZoom: FITTED_ZOOM, duration: 500 });
  }
}
