// @ts-check
// The map's one style: the compiled-in world, and over it the street maps of this server's operator, whichever of three schemas
// they have, or images. schemas.js says where each kind is found, kinds.js how it is drawn.

import { DARK, LIGHT } from './colors.js';
import { boundaries, placeLabels, roads, streetLabels, surfaces } from './kinds.js';
import { Lettering } from './lettering.js';
import { SCHEMAS } from './schemas.js';

export { LABEL_FONT } from './lettering.js';

/**
 * A map as the server describes it (`/tiles/map.json`).
 * @typedef {object} MapSource
 * @property {string} id
 * @property {'vector' | 'raster'} kind
 * @property {import('./schemas.js').Schema} [schema]
 * @property {string} tiles the address of a tile, with {z}, {x} and {y}
 * @property {number} minzoom
 * @property {number} maxzoom
 * @property {number} [tileSize]
 * @property {[number, number, number, number]} [bounds] west, south, east, north
 * @property {string} attribution plain text
 * @property {boolean} [sea] whether it has the sea
 */

/**
 * @typedef {object} MapStyleOptions
 * @property {MapSource} world
 * @property {MapSource[]} [sources] over the world, the first lowest
 * @property {string} [towns] the address of the gazetteer's tiles
 * @property {boolean} [dark] The dark colors instead of the light ones.
 * @property {string} [language] The language of names where a tile has it, as in `navigator.language`.
 */

/** @typedef {import('./kinds.js').Layer} Layer */
/** @typedef {import('./kinds.js').Drawn} Drawn */

/** From here on streets, towns and borders come from elsewhere than from the built-in world. */
const WORLD_ENDS = 7;
/** From here on two names of one town would stand beside each other. */
const TOWNS_END = 11.5;
/** The first zoom of the gazetteer's tiles, and the last. */
export const TOWN_ZOOMS = { first: 7, last: 10 };

/**
 * The whole style, as MapLibre takes it.
 * @param {MapStyleOptions} options
 */
export function mapStyle({ world, sources = [], towns, dark = false, language = 'en' }) {
  const color = dark ? DARK : LIGHT;
  const lettering = new Lettering(language);
  const drawn = sources.filter(({ kind, schema }) => kind === 'raster' || schema !== undefined);
  const streets = drawn.filter(({ kind }) => kind === 'vector');
  const hasAll = drawn.some(isWhole);
  const over = { from: WORLD_ENDS - 1 };
  const townsEnd = hasAll ? {} : { to: towns ? WORLD_ENDS : undefined };
  return {
    version: 8,
    sources: Object.fromEntries([
      [world.id, tiles(world)], ...drawn.map((source) => [source.id, tiles(source)]),
      ...drawn.filter(hidesSea).map((source) => [`${source.id}-ground`, ground(source)]),
      ...(towns && !hasAll ? [['towns', townTiles(towns)]] : []),
    ]),
    layers: [
      { id: 'background', type: 'background', paint: { 'background-color': color.land } },
      ...layersOf(world, surfaces(color)),
      ...drawn.filter(hidesSea).map((source) => groundLayer(source, color.land)),
      ...drawn.filter(({ kind }) => kind === 'raster').map((source) => imageLayer(source, color.imageBrightness)),
      ...streets.flatMap((source) => layersOf(source, surfaces(color), over)),
      ...layersOf(world, boundaries(color), { to: drawn.length > 0 ? 10 : undefined }),
      ...streets.flatMap((source) => layersOf(source, roads(color), over)),
      ...streets.flatMap((source) => layersOf(source, boundaries(color), { from: WORLD_ENDS })),
      ...streets.flatMap((source) => layersOf(source, streetLabels(color, lettering), over)),
      ...layersOf(world, streetLabels(color, lettering).filter(({ kind }) => kind === 'waterName')),
      ...(towns && !hasAll ? townLayers(towns, placeLabels(color, lettering), streets) : []),
      ...layersOf(world, placeLabels(color, lettering), townsEnd),
      ...streets.flatMap((source) => layersOf(source, placeLabels(color, lettering), { from: WORLD_ENDS })),
    ],
  };
}

/** Whether a source covers the world from the beginning. @param {MapSource} source */
export function isWhole({ bounds, minzoom }) {
  return bounds === undefined && minzoom <= WORLD_ENDS;
}

/** @param {MapSource} source */
const hidesSea = ({ sea, kind }) => Boolean(sea) && kind === 'vector';

/** @param {string} id @param {string} template */
const absolute = (template) => (template.startsWith('/') && typeof location !== 'undefined' ? location.origin + template : template);

/** @param {MapSource} source */
function tiles({ kind, tiles: template, minzoom, maxzoom, bounds, attribution, tileSize }) {
  return {
    type: kind, tiles: [absolute(template).replace('{-y}', '{y}')], minzoom, maxzoom, ...(bounds ? { bounds } : {}),
    ...(template.includes('{-y}') ? { scheme: 'tms' } : {}), ...(kind === 'raster' ? { tileSize: tileSize ?? 256 } : {}),
    ...(attribution ? { attribution: credit(attribution) } : {}),
  };
}

/** A credit, which is plain text, as the markup that the map shows; OpenStreetMap's with the link that it asks for. @param {string} text */
export function credit(text) {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  return escaped.replace(/OpenStreetMap( contributors)?/,
    (name) => `<a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener noreferrer">${name}</a>`);
}

/** @param {string} template */
const townSource = (template) => ({ id: 'towns', kind: /** @type {const} */ ('vector'), schema: /** @type {const} */ ('openmaptiles'), tiles: template, minzoom: 7, maxzoom: 10, attribution: '' });

/** @param {string} template */
const townTiles = (template) => tiles({ ...townSource(template), minzoom: TOWN_ZOOMS.first, maxzoom: TOWN_ZOOMS.last });

/**
 * The gazetteer's towns; from a zoom on only where no source brings its own, as the two don't agree to the meter.
 * @param {string} template
 * @param {Drawn[]} layers
 * @param {MapSource[]} streets
 */
function townLayers(template, layers, streets) {
  const far = layersOf(townSource(template), layers, { from: TOWN_ZOOMS.first, to: TOWNS_END });
  const near = layersOf(townSource(template), layers, { from: TOWNS_END });
  const isCovered = ['any', ...streets.map((source) => ['within', ground(source).data.geometry])];
  return [
    ...far,
    ...near.map((layer) => ({ ...layer, id: `${layer.id}-near`, filter: streets.length > 0 ? ['all', layer.filter, ['!', isCovered]] : layer.filter })),
  ];
}

/** The land under a source that brings its own sea. @param {MapSource} source */
function ground({ bounds }) {
  const [west, south, east, north] = bounds ?? [-180, -85.0512, 180, 85.0512];
  const ring = [[west, south], [east, south], [east, north], [west, north], [west, south]];
  return { type: 'geojson', data: { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: [ring] } } };
}

/** @param {MapSource} source @param {string} color */
function groundLayer({ id, minzoom }, color) {
  return { id: `${id}:ground`, type: 'fill', source: `${id}-ground`, minzoom: Math.max(minzoom, WORLD_ENDS), paint: { 'fill-color': color } };
}

/** @param {MapSource} source @param {number} brightness */
function imageLayer({ id, minzoom }, brightness) {
  return {
    id: `${id}:image`, type: 'raster', source: id, minzoom: minzoom > 0 ? minzoom : 0,
    paint: { 'raster-brightness-max': brightness, 'raster-fade-duration': 0 }, metadata: { kind: 'image' },
  };
}

/**
 * The layers of a source, those left out whose kind its schema doesn't have.
 * @param {MapSource} source
 * @param {Drawn[]} layers
 * @param {{ from?: number, to?: number }} [zooms]
 * @returns {Layer[]}
 */
function layersOf({ id, schema, minzoom: firstTile }, layers, { from = 0, to = 24 } = {}) {
  const kinds = SCHEMAS[schema ?? 'openmaptiles'];
  return layers.flatMap(({ kind, of, ...layer }) => {
    const found = kinds[kind];
    const minzoom = Math.max(layer.minzoom ?? 0, from, from > 0 ? firstTile : 0);
    const maxzoom = Math.min(layer.maxzoom ?? 24, to);
    if (!found || minzoom >= maxzoom) return [];
    return [{
      ...layer, id: `${id}:${of}`, source: id, 'source-layer': found.layer, minzoom, maxzoom, metadata: { kind },
      ...(found.filter ? { filter: found.filter } : {}),
    }];
  });
}
