// @ts-check
import { isWhole, mapStyle, TOWN_ZOOMS } from '../../map/style.js';

/** @typedef {import('../../map/style.js').MapSource} MapSource */
/** @typedef {{ world?: MapSource, sources: MapSource[], towns: boolean, style: boolean, origins: string[] }} MapOffer */

/** How long to wait for the server's word before the world alone is drawn, and until it is asked again. */
const PATIENCE = 4_000;
const RETRY = 15_000;
/** Farther in than two levels beyond this one many a view has no town's name. */
const TOWN_LEVELS = TOWN_ZOOMS.last - 1;
/** How far an operator's own style is taken to be good. */
const STYLE_LEVELS = 17;

/** @type {MapSource} */
const WORLD = {
  id: 'world', kind: 'vector', schema: 'openmaptiles', tiles: '/tiles/world/{z}/{x}/{y}.mvt', minzoom: 0, maxzoom: 6,
  attribution: 'Natural Earth · GeoNames',
};

/** The base map: which maps the server has, and the style that draws them. */
export class BaseMap {
  /** @type {MapOffer} */
  offer = { world: WORLD, sources: [], towns: false, style: false, origins: [] };

  /** A whole style of the operator's. @type {object | undefined} */
  #style;
  /** The sources whose newest tile was answered with an error. @type {Set<string>} */
  #failing = new Set();
  #changed;
  /** Whether the server has said which maps it has, and whether it was asked in vain. */
  #isKnown = false;
  #isAsked = false;

  /** @param {() => void} changed called when the style is another, and once in any case */
  constructor(changed) {
    this.#changed = changed;
    this.#load();
  }

  /** @param {boolean} dark */
  style(dark) {
    if (this.#style) return structuredClone(this.#style);
    const towns = this.offer.towns ? '/tiles/towns/{z}/{x}/{y}.mvt' : undefined;
    const world = { ...WORLD, ...this.offer.world, schema: WORLD.schema, attribution: WORLD.attribution };
    return mapStyle({ world, sources: this.offer.sources, towns, dark, language: navigator.language });
  }

  /**
   * Notes how a source's newest tile came.
   * @param {string | undefined} id
   * @param {boolean} failed whether its server answered with an error
   * @returns {boolean} whether that is new
   */
  noteTile(id, failed) {
    if (id === undefined || this.#failing.has(id) === failed) return false;
    if (failed) this.#failing.add(id);
    else this.#failing.delete(id);
    return true;
  }

  /**
   * The last zoom that there are tiles for at a place, of those that show more than a colored area.
   * @param {{ latitude: number, longitude: number }} place
   * @returns {number | undefined} `undefined` before the server has answered which maps it has, and while it can't be reached
   */
  levelsAt(place) {
    if (!this.#isAsked) return undefined;
    if (this.#style) return STYLE_LEVELS;
    const { world = WORLD, sources, towns } = this.offer;
    return Math.max(world.maxzoom, towns ? TOWN_LEVELS : 0, ...sources.filter((source) => isDrawn(source) && covers(source, place)).map(({ maxzoom }) => maxzoom));
  }

  /**
   * Whether the server has streets, or pictures of them, around a place; `failing` if it has, and can't read them; `unknown`
   * before the server has answered which maps it has.
   * @param {{ latitude: number, longitude: number }} place
   * @returns {'shown' | 'failing' | 'none' | 'unknown'}
   */
  streetsAt(place) {
    if (!this.#isKnown) return 'unknown';
    if (this.#style) return 'shown';
    const sources = this.offer.sources.filter((source) => hasStreets(source, place));
    if (sources.length === 0) return 'none';
    return sources.every(({ id }) => this.#failing.has(id)) ? 'failing' : 'shown';
  }

  async #load() {
    try {
      const offer = await answer('/tiles/map.json');
      this.#style = offer.style ? await answer('/tiles/style.json') : undefined;
      this.offer = offer;
      this.#isKnown = true;
    } catch {
      // The world may be kept by the browser: it is drawn, and the rest when the server is back.
      setTimeout(() => this.#load(), RETRY);
    }
    this.#isAsked = true;
    this.#changed();
  }
}

/**
 * Whether a source has streets around a place.
 * @param {MapSource} source
 * @param {{ latitude: number, longitude: number }} place
 */
function hasStreets(source, place) {
  return isDrawn(source) && source.maxzoom >= 10 && covers(source, place);
}

/** Whether the style draws a source: of vectors those whose schema it knows. @param {MapSource} source */
function isDrawn({ kind, schema }) {
  return kind !== 'vector' || schema !== undefined;
}

/**
 * @param {MapSource} source
 * @param {{ latitude: number, longitude: number }} place
 */
function covers(source, { latitude, longitude }) {
  if (isWhole(source) || !source.bounds) return true;
  const [west, south, east, north] = source.bounds;
  const turned = ((longitude + 180) % 360 + 360) % 360 - 180;
  return turned >= west && turned <= east && latitude >= south && latitude <= north;
}

/** @param {string} path */
async function answer(path) {
  const response = await fetch(path, { signal: AbortSignal.timeout(PATIENCE) });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}
