// @ts-check
import { button, freshID } from '../../app/page/controls.js';
import { element, setText } from '../../app/page/dom.js';
import { Asking } from '../panel/asking.js';
import { Combobox } from '../panel/combobox.js';
import { labelled, requiredMark } from '../panel/inputs.js';
import { degreesText, readPlace } from '../objects/values.js';
import { CandidateList } from './candidate-list.js';
import { creditOf, searchPlaces } from './geocoding.js';
import { makePlaceMap } from './place-map.js';

/** @typedef {import('../control.d.ts').Candidate} Candidate */
/** @typedef {import('../control.d.ts').Place} Place */
/** @typedef {import('./place-map.js').Coordinates} Coordinates */

/**
 * A location: an address that is searched for, coordinates, and a map to see and choose both on.
 * @param {import('../control.d.ts').Field} field
 * @param {Place | undefined} value
 * @returns {import('../control.d.ts').FieldControl}
 */
export function locationField(field, value) {
  return new LocationField(field, value).control();
}

class LocationField {
  #isRequired;
  #before;
  #asking = new Asking();
  #candidates = new CandidateList((candidate) => this.#chose(candidate));
  #state = element('p', { class: 'hint place-state', role: 'status' });
  #problem = element('p', { class: 'problem', id: freshID(), hidden: true });
  #search = button('Search coordinates', () => this.#searched(), { icon: 'search' });
  #address;
  #latitude;
  #longitude;
  #altitude;
  #combobox;
  #mapElement = element('div', { class: 'place-map', role: 'group', 'aria-label': 'Map' });
  /** @type {import('./place-map.js').PlaceMap | undefined} */
  #map;
  #root;

  /**
   * @param {import('../control.d.ts').Field} field
   * @param {Place} [value]
   */
  constructor({ name, required }, value = {}) {
    this.#isRequired = required ?? false;
    const degrees = (/** @type {number | undefined} */ number) => (number === undefined ? '' : degreesText(number));
    const number = (/** @type {string} */ label, /** @type {string} */ text) => labelled(label, element('input', {
      type: 'text', inputMode: 'decimal', autocomplete: 'off', value: text, oninput: () => this.#wroteCoordinates(),
    }));
    this.#address = labelled('Address', element('input', { type: 'text', dir: 'auto', value: value.address ?? '', maxLength: 1_000, oninput: () => this.#wroteAddress() }));
    this.#latitude = number('Latitude', degrees(value.latitude));
    this.#longitude = number('Longitude', degrees(value.longitude));
    this.#altitude = number('Altitude in meters', value.altitude === undefined ? '' : String(value.altitude));
    this.#combobox = this.#suggestions();
    this.#before = JSON.stringify(this.#texts());
    this.#root = this.#layOut(name);
    // A map needs its place in the page to know its size.
    requestAnimationFrame(() => this.#addMap());
  }

  /** @returns {import('../control.d.ts').FieldControl} */
  control() {
    return {
      root: this.#root,
      read: () => readPlace(this.#texts()),
      isChanged: () => JSON.stringify(this.#texts()) !== this.#before,
      refuse: (problem) => this.#refuse(problem),
      focus: () => this.#address.input.focus(),
      close: () => {
        this.#asking.cancel();
        this.#combobox.close();
        this.#map?.close();
        this.#map = undefined;
      },
    };
  }

  /** @param {string} name */
  #layOut(name) {
    const { root } = this.#address;
    root.insertBefore(this.#combobox.root, root.children[1]);
    // The button stands beside the address, where no suggestion covers it.
    const address = element('div', { class: 'address-line' }, root, this.#search);
    const inputs = element('div', { class: 'place-inputs' }, this.#candidates.root,
      element('div', { class: 'coordinate-line' }, this.#latitude.root, this.#longitude.root, this.#altitude.root),
      this.#problem, this.#state, element('div', { class: 'actions wrap' }, button('Clear the location', () => this.#clear(), { class: 'small', icon: 'close' })));
    this.#tell();
    return element('fieldset', { class: 'location-field', 'aria-describedby': this.#problem.id },
      element('legend', {}, name, this.#isRequired && requiredMark(), this.#isRequired && element('span', { class: 'hidden' }, ' (required)')),
      element('div', { class: 'place-parts' }, address, inputs, this.#mapElement));
  }

  #suggestions() {
    /** @type {Combobox<Candidate>} */
    const combobox = new Combobox(this.#address.input, {
      label: 'Suggested places',
      shortest: 2,
      find: (text, signal) => searchPlaces(text, { isPartial: true, limit: 6, signal }),
      show: ({ label, kind }) => ({ text: label, detail: kind }),
      choose: (candidate) => this.#chose(candidate),
      credit: creditOf,
      enter: () => this.#searched(),
    });
    return combobox;
  }

  #addMap() {
    if (!this.#mapElement.isConnected) return;
    this.#map = makePlaceMap(this.#mapElement, {
      choosePlace: (place) => this.#choseOnMap(place), chooseCandidate: (candidate) => this.#chose(candidate),
    });
    if (!this.#map) this.#mapElement.replaceWith(element('p', { class: 'hint place-map-missing' }, 'No map can be drawn here. The address and the coordinates do without.'));
    else this.#map.showPlace(this.#coordinates(), { center: true });
    this.#tell();
  }

  #texts() {
    return {
      latitude: this.#latitude.input.value, longitude: this.#longitude.input.value,
      altitude: this.#altitude.input.value, address: this.#address.input.value,
    };
  }

  /** @returns {Coordinates | undefined} */
  #coordinates() {
    const { place } = readPlace({ ...this.#texts(), altitude: '', address: '' });
    return place?.latitude === undefined || place.longitude === undefined ? undefined : { latitude: place.latitude, longitude: place.longitude };
  }

  #wroteCoordinates() {
    this.#map?.showPlace(this.#coordinates(), { center: true });
    this.#tell();
  }

  #wroteAddress() {
    this.#found([]);
    this.#candidates.say('');
    this.#tell();
  }

  /** The best places for what is written, to choose one of. */
  async #searched() {
    const address = this.#address.input.value.trim();
    this.#found([]);
    if (!address) {
      this.#candidates.say('Write an address first.');
      this.#address.input.focus();
      return;
    }
    this.#candidates.say('Searching…');
    try {
      const candidates = await this.#asking.ask((signal) => searchPlaces(address, { signal }));
      if (candidates) this.#found(candidates, address);
    } catch (error) {
      this.#candidates.say(/** @type {Error} */ (error).message);
    }
  }

  /**
   * @param {Candidate[]} candidates
   * @param {string} [address] that was searched for
   */
  #found(candidates, address) {
    this.#candidates.show(candidates);
    this.#map?.showCandidates(candidates);
    if (address === undefined) return;
    const { length } = candidates;
    this.#candidates.say(length === 0 ? `No place is found for “${address}”. The address can be kept as it is.`
      : length === 1 ? 'One place is found. Choose it to keep its coordinates.' : `${length} places are found. Choose one to keep its coordinates.`);
    this.#candidates.focus();
  }

  /** @param {Candidate} candidate */
  #chose({ label, latitude, longitude }) {
    this.#found([]);
    this.#candidates.say('');
    this.#address.input.value = label;
    this.#setCoordinates({ latitude, longitude }, true);
    this.#address.input.focus();
  }

  /** @param {Coordinates} place */
  #choseOnMap(place) {
    this.#setCoordinates(place, false);
  }

  /**
   * @param {Coordinates} place
   * @param {boolean} center
   */
  #setCoordinates(place, center) {
    this.#latitude.input.value = degreesText(place.latitude);
    this.#longitude.input.value = degreesText(place.longitude);
    this.#map?.showPlace(place, { center });
    this.#refuse();
    this.#tell();
  }

  #clear() {
    for (const { input } of [this.#address, this.#latitude, this.#longitude, this.#altitude]) input.value = '';
    this.#wroteAddress();
    this.#wroteCoordinates();
    this.#refuse();
    this.#address.input.focus();
  }

  /** @param {string} [problem] */
  #refuse(problem) {
    setText(this.#problem, problem ?? '');
    this.#problem.hidden = !problem;
    for (const { input } of [this.#address, this.#latitude, this.#longitude, this.#altitude]) input.toggleAttribute('aria-invalid', false);
    if (problem) this.#address.input.setAttribute('aria-invalid', 'true');
  }

  /** Says where it is by now. */
  #tell() {
    const place = this.#coordinates();
    const how = this.#map ? ' Click the map or use its arrow keys and Enter to move it.' : '';
    setText(this.#state, place ? `On the map.${how}`
      : this.#address.input.value.trim() ? 'An address alone: it has no place on the map yet.' : `No place yet.${this.#map ? ' Search an address, click the map, or write coordinates.' : ' Search an address or write coordinates.'}`);
  }
}
