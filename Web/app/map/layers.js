// @ts-check

import { LABEL_FONT } from '../../map/style.js';

/** What lies over the base map, lowest first: places, lines, where people were, and where they are. */
export const SOURCES = ['places', 'accuracy', 'old-trails', 'trails', 'old-stops', 'stops'];

/** Where a click finds somebody or something. */
export const CLICKED = ['stops', 'old-stops', 'places'];
/** The dots of where people were: of these the nearest to the click counts. */
export const DOTS = ['stops', 'old-stops'];

/** @type {Record<string, any>[]} */
const LAYERS = [
  // Below the squares, so that these are placed first and no name lies over one.
  {
    id: 'place-names', type: 'symbol', source: 'places', minzoom: 11,
    layout: {
      'text-field': ['get', 'name'], 'text-font': LABEL_FONT, 'text-size': 12, 'text-anchor': 'top', 'text-offset': [0, 1.3], 'text-padding': 1,
      'text-max-width': 9, 'symbol-sort-key': ['-', 0, ['get', 'order']],
    },
  },
  {
    id: 'places', type: 'symbol', source: 'places',
    layout: {
      'icon-image': ['get', 'image'], 'icon-padding': 0, 'symbol-sort-key': ['get', 'order'],
    },
  },
  {
    id: 'accuracy', type: 'circle', source: 'accuracy', filter: ['>=', ['zoom'], ['get', 'from']],
    paint: {
      'circle-radius': ['interpolate', ['exponential', 2], ['zoom'], 0, ['get', 'radius'], 22, ['get', 'wide']],
      'circle-color': ['get', 'color'], 'circle-opacity': 0.12,
      'circle-stroke-color': ['get', 'color'], 'circle-stroke-width': 1, 'circle-stroke-opacity': 0.6,
    },
  },
  ...lines('old-trails'), ...lines('trails'), ...stops('old-stops'), ...stops('stops'),
];

/**
 * Lines over a casing that holds on any ground; where nothing was heard, dots.
 * @param {string} source
 */
function lines(source) {
  const layout = { 'line-cap': 'round', 'line-join': 'round' };
  const isLine = ['!', ['get', 'isGap']];
  return [
    {
      id: `${source}-casings`, type: 'line', source, layout, filter: isLine,
      paint: { 'line-color': '#ffffff', 'line-width': ['+', ['get', 'width'], 3], 'line-opacity': ['get', 'opacity'] },
    },
    { id: source, type: 'line', source, layout, filter: isLine, paint: { 'line-color': ['get', 'color'], 'line-width': ['get', 'width'], 'line-opacity': ['get', 'opacity'] } },
    {
      id: `${source}-gaps`, type: 'line', source, layout, filter: ['get', 'isGap'],
      paint: { 'line-color': ['get', 'color'], 'line-width': 3, 'line-opacity': 0.6, 'line-dasharray': [0.1, 2.4] },
    },
  ];
}

/**
 * Where people were: dots, and where a day has a stop a ring of 14 px with its name and times.
 * @param {string} source
 */
function stops(source) {
  const isRing = ['!=', ['get', 'ring'], ''];
  const byKind = (/** @type {unknown} */ ring, /** @type {unknown} */ dot) => ['case', isRing, ring, dot];
  return [
    {
      id: source, type: 'circle', source,
      paint: {
        'circle-color': byKind('#ffffff', ['get', 'color']), 'circle-radius': ['interpolate', ['linear'], ['zoom'], 8, byKind(4, 1.5), 14, byKind(4, 5)],
        'circle-stroke-color': byKind(['get', 'color'], '#ffffff'),
        'circle-stroke-width': ['interpolate', ['linear'], ['zoom'], 9, byKind(3, 0), 12, byKind(3, 1), 15, byKind(3, 2)],
      },
    },
    {
      id: `${source}-names`, type: 'symbol', source, filter: isRing,
      layout: {
        'text-field': ['get', 'ring'], 'text-font': LABEL_FONT, 'text-size': 12, 'text-variable-anchor': ['left', 'right', 'top', 'bottom'],
        'text-radial-offset': 1, 'text-justify': 'auto', 'text-max-width': 12,
      },
    },
  ];
}

const SIZES = ['interpolate', ['linear'], ['zoom'], 2, 0.5, 9, 0.75, 13, 1];
const QUIET_SIZES = ['interpolate', ['linear'], ['zoom'], 2, 0.3, 13, 0.4, 15, 0.6, 17, 1];

/**
 * How places look: as what the map is about, or small, without names and none over another where it is about people.
 * @param {boolean} isQuiet
 * @returns {[layer: string, property: string, value: unknown][]}
 */
export function placeLayout(isQuiet) {
  return [
    ['places', 'icon-size', isQuiet ? QUIET_SIZES : SIZES],
    ['places', 'icon-allow-overlap', !isQuiet],
    ['place-names', 'visibility', isQuiet ? 'none' : 'visible'],
  ];
}

/**
 * The layers in the map's colors.
 * @param {boolean} dark
 */
export function layers(dark) {
  const paint = { 'text-color': dark ? '#d3dbe3' : '#34383e', 'text-halo-color': dark ? 'rgba(24,30,37,0.9)' : 'rgba(255,255,255,0.9)', 'text-halo-width': 1.4 };
  return LAYERS.map((layer) => (layer.type === 'symbol' && layer.id !== 'places' ? { ...layer, paint } : layer));
}
