// @ts-check

import { LABEL_FONT } from '../../map/style.js';

/** What lies over the base map, lowest first: places, lines, where people were, and where they are. */
export const SOURCES = ['places', 'trails', 'stops', 'pins'];

/** Where a click finds somebody or something, what is looked for first at the front. */
export const CLICKED = ['pins', 'stops', 'places'];

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
      'icon-image': ['get', 'image'], 'icon-allow-overlap': true, 'icon-padding': 0,
      'symbol-sort-key': ['get', 'order'], 'icon-size': ['interpolate', ['linear'], ['zoom'], 2, 0.5, 9, 0.75, 13, 1],
    },
  },
  {
    id: 'trail-casings', type: 'line', source: 'trails', layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: { 'line-color': '#ffffff', 'line-width': 6.5, 'line-opacity': 0.75 },
  },
  {
    id: 'trails', type: 'line', source: 'trails', layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: { 'line-color': ['get', 'color'], 'line-width': 3.5, 'line-opacity': 0.9 },
  },
  {
    id: 'stops', type: 'circle', source: 'stops',
    paint: {
      'circle-color': ['get', 'color'], 'circle-radius': ['interpolate', ['linear'], ['zoom'], 8, 1.5, 14, 5],
      'circle-stroke-color': '#ffffff', 'circle-stroke-width': ['interpolate', ['linear'], ['zoom'], 9, 0, 12, 1, 15, 2],
    },
  },
  {
    id: 'pins', type: 'symbol', source: 'pins',
    layout: {
      'icon-image': ['get', 'image'], 'icon-anchor': 'bottom', 'icon-offset': [0, 4],
      'icon-allow-overlap': true, 'icon-ignore-placement': true, 'symbol-sort-key': ['get', 'order'],
    },
    paint: { 'icon-opacity': ['get', 'opacity'] },
  },
];

/**
 * The layers in the map's colors.
 * @param {boolean} dark
 */
export function layers(dark) {
  const paint = { 'text-color': dark ? '#d3dbe3' : '#34383e', 'text-halo-color': dark ? 'rgba(24,30,37,0.9)' : 'rgba(255,255,255,0.9)', 'text-halo-width': 1.4 };
  return LAYERS.map((layer) => (layer.id === 'place-names' ? { ...layer, paint } : layer));
}
