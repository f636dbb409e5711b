// @ts-check

/** What lies over the base map, lowest first: lines, where people were, and where they are. */
export const SOURCES = ['trails', 'stops', 'pins'];

/** @type {Record<string, any>[]} */
export const LAYERS = [
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
