// @ts-check
import { isWhole, mapStyle } from '../../map/style.js';

/** @typedef {import('../../map/style.js').MapSource} MapSource */
/** @typedef {{ world?: MapSource, sources: MapSource[], towns: boolean, style: boolean, origins: string[] }} MapOffer */

/** How long to wait for the server's word before the world alone is drawn, and until it is asked again. */
const PATIENCE = 4_000;
const RETRY = 15_000;

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
  #changed;

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
   * Whether the server has streets, or pictures of them, around a place.
   * @param {{ latitude: number, longitude: number }} place
   */
  hasStreets({ latitude, longitude }) {
    if (this.#style) return true;
    return this.offer.sources.some((source) => {
      if ((source.kind === 'vector' && !source.schema) || source.maxzoom < 10) return false;
      if (isWhole(source) || !source.bounds) return true;
      const [west, south, east, north] = source.bounds;
      const turned = ((longitude + 180) % 360 + 360) % 360 - 180;
      return turned >= west && turned <= east && latitude >= south && latitude <= north;
    });
  }

  async #load() {
    try {
      const offer = await answer('/tiles/map.json');
      this.#style = offer.style ? await answer('/tiles/style.json') : undefined;
      this.offer = offer;
    } catch {
      // The world may be kept by the browser: it is drawn, and the rest when the server is back.
      setTimeout(() => this.#load(), RETRY);
    }
    this.#changed();
  }
}

/** @param {string} path */
async function answer(path) {
  const response = await fetch(path, { signal: AbortSignal.timeout(PATIENCE) });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}
