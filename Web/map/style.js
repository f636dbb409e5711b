// @ts-check
// How the base map looks: one style for the compiled-in world and for any tiles of the OpenMapTiles schema.
//
// Without `glyphs` MapLibre draws labels itself from the fonts of the page, so nothing is fetched for text.

/**
 * @typedef {object} MapStyleOptions
 * @property {string[]} tiles URL templates with {z}, {x} and {y}.
 * @property {boolean} [dark] The dark colors instead of the light ones.
 * @property {string} [language] The language of names where a tile has it, as in `navigator.language`.
 * @property {number} [maxzoom] The last zoom there are tiles for; beyond it they are enlarged. 6 for the world.
 * @property {string} [attribution] Shown on the map.
 * @property {string} [glyphs] The URL template of a glyph server, where an operator has one.
 */

/** @typedef {Record<string, any>} Layer */

const LIGHT = {
  land: '#f4f1ea', water: '#b5d5e6', ice: '#ffffff', urban: '#e9e4da', park: '#d8e9cc', wood: '#cfe3c4',
  building: '#e2dbd0', road: '#ffffff', major: '#fbe3ab', casing: '#d6cfc2', rail: '#bdb7b0',
  border: '#9b8fab', division: '#cfc6d4', name: '#34383e', country: '#574d68', state: '#746b82',
  halo: 'rgba(255,255,255,0.9)', waterName: '#4a7c9d',
};

const DARK = {
  land: '#262d35', water: '#12202c', ice: '#333e49', urban: '#292f37', park: '#222f2a', wood: '#1f2c26',
  building: '#2b323a', road: '#39434e', major: '#55503e', casing: '#171c21', rail: '#434b54',
  border: '#7b7391', division: '#454655', name: '#d3dbe3', country: '#b9b2cc', state: '#8f8aa0',
  halo: 'rgba(24,30,37,0.9)', waterName: '#6d9cbd',
};

/** The page's own fonts, for labels over the map. */
export const LABEL_FONT = ['DejaVu Sans', 'Noto Sans', 'Arial', 'sans-serif'];
const BOLD = ['DejaVu Sans Bold', 'Noto Sans Bold', 'DejaVu Sans', 'Arial', 'sans-serif'];

const MAJOR_ROADS = ['motorway', 'trunk', 'primary', 'secondary'];
const MINOR_ROADS = ['minor', 'service', 'tertiary', 'track', 'path', 'raceway'];

/** @param {string} field @param {string[]} values */
const isOneOf = (field, values) => ['in', ['get', field], ['literal', values]];

/** @param {number} base @param {...any} stops */
const byZoom = (base, ...stops) => ['interpolate', ['exponential', base], ['zoom'], ...stops];

/**
 * The whole style, as MapLibre takes it.
 * @param {MapStyleOptions} options
 */
export function mapStyle({ tiles, dark = false, language = 'en', maxzoom = 6, attribution, glyphs }) {
  const color = dark ? DARK : LIGHT;
  const source = { type: 'vector', tiles, minzoom: 0, maxzoom, ...(attribution ? { attribution } : {}) };
  return {
    version: 8,
    ...(glyphs ? { glyphs } : {}),
    sources: { base: source },
    layers: [
      { id: 'background', type: 'background', paint: { 'background-color': color.land } },
      ...surfaces(color),
      ...roads(color),
      ...boundaries(color),
      ...labels(color, new Lettering(language, Boolean(glyphs))),
    ].map((layer) => (layer.type === 'background' ? layer : { source: 'base', ...layer })),
  };
}

/** @param {typeof LIGHT} color @returns {Layer[]} */
function surfaces(color) {
  const cover = ['match', ['get', 'class'], 'ice', color.ice, ['wood', 'forest'], color.wood, ['grass', 'farmland'],
    color.park, color.land];
  return [
    { id: 'landcover', type: 'fill', 'source-layer': 'landcover', paint: { 'fill-color': cover, 'fill-opacity': 0.85 } },
    {
      id: 'landuse', type: 'fill', 'source-layer': 'landuse', paint: { 'fill-color': color.urban },
      filter: isOneOf('class', ['residential', 'suburb', 'commercial', 'industrial']),
    },
    { id: 'park', type: 'fill', 'source-layer': 'park', paint: { 'fill-color': color.park, 'fill-opacity': 0.6 } },
    { id: 'water', type: 'fill', 'source-layer': 'water', paint: { 'fill-color': color.water } },
    {
      id: 'waterway', type: 'line', 'source-layer': 'waterway',
      paint: { 'line-color': color.water, 'line-width': byZoom(1.3, 3, 0.5, 8, 1.4, 16, 5) },
    },
    {
      id: 'building', type: 'fill', 'source-layer': 'building', minzoom: 13,
      paint: { 'fill-color': color.building, 'fill-outline-color': color.casing },
    },
  ];
}

/** @param {typeof LIGHT} color @returns {Layer[]} */
function roads(color) {
  const isMajor = isOneOf('class', MAJOR_ROADS);
  const isMinor = isOneOf('class', MINOR_ROADS);
  const layout = { 'line-cap': 'round', 'line-join': 'round' };
  const road = { type: 'line', 'source-layer': 'transportation', layout };
  return [
    {
      ...road, id: 'road-casing', minzoom: 12, filter: ['any', isMinor, isMajor],
      paint: {
        'line-color': color.casing,
        'line-width': byZoom(1.5, 12, ['case', isMajor, 2.5, 1], 18, ['case', isMajor, 26, 14]),
      },
    },
    {
      ...road, id: 'road-minor', filter: isMinor,
      paint: { 'line-color': color.road, 'line-width': byZoom(1.5, 12, 0.6, 18, 12) },
    },
    {
      ...road, id: 'road-major', filter: isMajor,
      paint: { 'line-color': color.major, 'line-width': byZoom(1.5, 6, 0.5, 12, 1.8, 18, 23) },
    },
    {
      id: 'rail', type: 'line', 'source-layer': 'transportation', filter: ['==', ['get', 'class'], 'rail'],
      paint: { 'line-color': color.rail, 'line-width': 1 },
    },
  ];
}

/** @param {typeof LIGHT} color @returns {Layer[]} */
function boundaries(color) {
  const isCountry = ['all', ['==', ['get', 'admin_level'], 2], ['!=', ['get', 'maritime'], 1]];
  const isDisputed = ['==', ['get', 'disputed'], 1];
  const line = { type: 'line', 'source-layer': 'boundary', layout: { 'line-join': 'round' } };
  const width = byZoom(1.2, 0, 0.4, 4, 0.9, 10, 2);
  return [
    {
      ...line, id: 'division', minzoom: 3.5, filter: ['==', ['get', 'admin_level'], 4],
      paint: { 'line-color': color.division, 'line-width': byZoom(1.2, 4, 0.5, 10, 1.2), 'line-dasharray': [4, 2] },
    },
    {
      ...line, id: 'border', filter: ['all', isCountry, ['!', isDisputed]],
      paint: { 'line-color': color.border, 'line-width': width },
    },
    {
      ...line, id: 'border-disputed', filter: ['all', isCountry, isDisputed],
      paint: { 'line-color': color.border, 'line-width': width, 'line-dasharray': [3, 2] },
    },
  ];
}

/** Which words labels use, and which fonts. */
class Lettering {
  /** @param {string} language @param {boolean} hasGlyphs */
  constructor(language, hasGlyphs) {
    const primary = language.split('-')[0] || 'en';
    this.text = ['coalesce', ['get', `name:${primary}`], ['get', `name_${primary}`], ['get', 'name:latin'], ['get', 'name']];
    this.regular = hasGlyphs ? ['Noto Sans Regular'] : LABEL_FONT;
    this.bold = hasGlyphs ? ['Noto Sans Bold'] : BOLD;
  }
}

/** @param {typeof LIGHT} color @param {Lettering} lettering @returns {Layer[]} */
function labels(color, lettering) {
  return [
    ...placeLabels(color, lettering),
    {
      id: 'road-name', type: 'symbol', 'source-layer': 'transportation_name', minzoom: 14,
      layout: { 'symbol-placement': 'line', 'text-field': lettering.text, 'text-font': lettering.regular, 'text-size': 11 },
      paint: { 'text-color': color.name, 'text-halo-color': color.halo, 'text-halo-width': 1.5 },
    },
    {
      id: 'house-number', type: 'symbol', 'source-layer': 'housenumber', minzoom: 17,
      layout: { 'text-field': ['get', 'housenumber'], 'text-font': lettering.regular, 'text-size': 9.5 },
      paint: { 'text-color': color.name, 'text-opacity': 0.7, 'text-halo-color': color.halo, 'text-halo-width': 1 },
    },
  ];
}

// The layer drawn last has the first choice of room, so the names that matter most come at the end.
/** @param {typeof LIGHT} color @param {Lettering} lettering @returns {Layer[]} */
function placeLabels(color, lettering) {
  const halo = { 'text-halo-color': color.halo, 'text-halo-width': 1.3 };
  const name = { 'text-field': lettering.text, 'text-font': lettering.regular };
  const isCapital = ['==', ['get', 'capital'], 2];
  return [
    {
      id: 'water-name', type: 'symbol', 'source-layer': 'water_name',
      layout: {
        ...name, 'text-size': byZoom(1, 0, ['match', ['get', 'class'], 'ocean', 11, 10], 6,
          ['match', ['get', 'class'], 'ocean', 18, 13]), 'text-letter-spacing': 0.12, 'text-max-width': 6,
      },
      paint: { 'text-color': color.waterName, 'text-halo-color': color.water, 'text-halo-width': 1 },
    },
    {
      id: 'state', type: 'symbol', 'source-layer': 'place', minzoom: 4, maxzoom: 8,
      filter: ['==', ['get', 'class'], 'state'],
      layout: {
        ...name, 'symbol-sort-key': ['coalesce', ['get', 'rank'], 9], 'text-size': byZoom(1, 4, 9, 7, 12),
        'text-transform': 'uppercase', 'text-letter-spacing': 0.1, 'text-max-width': 7, 'text-padding': 6,
      },
      paint: { ...halo, 'text-color': color.state, 'text-opacity': 0.85 },
    },
    {
      id: 'city', type: 'symbol', 'source-layer': 'place',
      filter: isOneOf('class', ['city', 'town', 'village', 'suburb', 'neighbourhood', 'hamlet']),
      layout: {
        ...name, 'symbol-sort-key': ['coalesce', ['get', 'rank'], 20], 'text-max-width': 8, 'text-padding': 3,
        'text-size': byZoom(1, 3, ['case', isCapital, 11, 10], 6, ['case', isCapital, 14, ['==', ['get', 'class'], 'city'],
          12.5, 11], 10, ['match', ['get', 'class'], 'city', 18, 'town', 15, 12]),
      },
      paint: { ...halo, 'text-color': color.name },
    },
    {
      id: 'country', type: 'symbol', 'source-layer': 'place', maxzoom: 7,
      filter: ['==', ['get', 'class'], 'country'],
      layout: {
        ...name, 'text-font': lettering.bold, 'symbol-sort-key': ['coalesce', ['get', 'rank'], 5],
        'text-size': byZoom(1, 1, 10, 3, ['case', ['<=', ['coalesce', ['get', 'rank'], 5], 3], 13, 11], 6,
          ['step', ['coalesce', ['get', 'rank'], 5], 17, 4, 15, 6, 12]),
        'text-max-width': 6, 'text-padding': 4,
      },
      paint: { ...halo, 'text-color': color.country },
    },
  ];
}
