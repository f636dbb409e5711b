// @ts-check
import { rest } from '../rest/rest.js';
import { say } from '../words/words.js';

/** @typedef {{ latitude: number, longitude: number, accuracy?: number }} Where */
/** @typedef {{ street?: string, settlement?: string, distance: number }} PlaceName */
/** @typedef {(names: { positions: Where[], language: string }) => Promise<{ names: (PlaceName | null)[] }>} Ask */

/** A name holds for so many meters, and is asked for again after so long when the server couldn't say. */
const REACH = 100;
const AGAIN = 30_000;
/** What is asked for within this time goes into one request, of at most so many. */
const TOGETHER = 600;
const AT_ONCE = 50;
/** How many people's names are kept. */
const KEPT = 500;
/** A settlement's middle may be so far away without being *near* it. */
const IN = 2_000;

/**
 * What people's positions are called, asked for together and kept until somebody has gone 100 m.
 *
 * `nameOf` answers at once with what is known; `changed` is called when there is more to show.
 */
export class PlaceNames {
  /** @type {Map<string, { at: Where, name?: PlaceName | null, asked: number }>} */
  #known = new Map();
  /** @type {Map<string, Where>} */
  #wanted = new Map();
  #isWaiting = false;
  #changed;
  #ask;

  /**
   * @param {() => void} changed
   * @param {Ask} [ask]
   */
  constructor(changed, ask = (names) => rest('POST', '/geocoding/names', names)) {
    this.#changed = changed;
    this.#ask = ask;
  }

  /**
   * What the place is called where somebody is now, or `undefined` while that isn't known or if nothing is near.
   * @param {string} person whom it is about: their names take the place of each other
   * @param {Where} at
   * @returns {PlaceName | undefined}
   */
  nameOf(person, at) {
    const known = this.#known.get(person);
    if (!known || metersBetween(known.at, at) > REACH || this.#isDue(known)) this.#want(person, at);
    if (!known || metersBetween(known.at, at) > 5 * REACH) return undefined;
    return known.name ?? undefined;
  }

  /** Forgets everything, also what is being asked. */
  clear() {
    this.#known = new Map();
    this.#wanted.clear();
  }

  /** @param {{ name?: PlaceName | null, asked: number }} known */
  #isDue({ name, asked }) {
    return name === undefined && performance.now() - asked > AGAIN;
  }

  /**
   * @param {string} person
   * @param {Where} at
   */
  #want(person, at) {
    this.#wanted.set(person, at);
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setTimeout(() => this.#fetch(), TOGETHER);
  }

  async #fetch() {
    const asked = [...this.#wanted].slice(0, AT_ONCE);
    for (const [person] of asked) this.#wanted.delete(person);
    if (asked.length > 0) await this.#askFor(asked);
    this.#isWaiting = false;
    if (this.#wanted.size > 0) this.#want(...[...this.#wanted][0]);
  }

  /** @param {[person: string, at: Where][]} asked */
  async #askFor(asked) {
    const known = this.#known;
    // Taken as known before the answer, so that nobody asks twice for the same place.
    for (const [person, at] of asked) this.#keep(person, { ...known.get(person), at, asked: performance.now() });
    const names = await this.#namesOf(asked.map(([, at]) => at));
    if (known !== this.#known) return;
    asked.forEach(([person, at], index) => this.#keep(person, { at, name: names?.[index], asked: performance.now() }));
    if (names) this.#changed();
  }

  /**
   * @param {Where[]} places
   * @returns {Promise<(PlaceName | null)[] | undefined>} `undefined` where the server couldn't say: coordinates are shown, and it is asked again later
   */
  async #namesOf(places) {
    const positions = places.map(({ latitude, longitude, accuracy }) => (accuracy === undefined ? { latitude, longitude } : { latitude, longitude, accuracy }));
    try {
      return (await this.#ask({ positions, language: globalThis.navigator?.language ?? 'en' })).names;
    } catch {
      return undefined;
    }
  }

  /**
   * @param {string} person
   * @param {{ at: Where, name?: PlaceName | null, asked: number }} entry
   */
  #keep(person, entry) {
    this.#known.delete(person);
    this.#known.set(person, entry);
    if (this.#known.size > KEPT) this.#known.delete([...this.#known.keys()][0]);
  }
}

/**
 * A name as one reads it: *Städtle, Vaduz*, *Vaduz*, or *near Vaduz*.
 * @param {PlaceName} name
 * @param {(settlement: string) => string} [near]
 */
export function placeNameText({ street, settlement, distance }, near = (town) => say('map.near', { town })) {
  if (street) return settlement ? `${street}, ${settlement}` : street;
  if (!settlement) return '';
  return distance > IN ? near(settlement) : settlement;
}

/**
 * On a plane, which does for the few hundred meters that this is about.
 * @param {Where} a
 * @param {Where} b
 */
function metersBetween(a, b) {
  const turn = Math.abs(a.longitude - b.longitude);
  const east = Math.min(turn, 360 - turn) * Math.cos((a.latitude + b.latitude) / 360 * Math.PI);
  return Math.hypot(a.latitude - b.latitude, east) * 111_195;
}
