// @ts-check
// How each kind of thing on the map is drawn, whichever schema it comes from; lowest first.

import { HOUSE_NUMBER } from './schemas.js';

/** @typedef {import('./colors.js').Colors} Colors */
/** @typedef {import('./lettering.js').Lettering} Lettering */
/** @typedef {Record<string, any>} Layer */
/** @typedef {{ kind: string, of: string } & Layer} Drawn a layer without its source: `kind` is where it is looked up, `of` its name */

/** @param {number} base @param {...any} stops */
export const byZoom = (base, ...stops) => ['interpolate', ['exponential', base], ['zoom'], ...stops];

const ROUND = { 'line-cap': 'round', 'line-join': 'round' };

/** @param {string} kind @param {any} color @param {number} opacity @param {Layer} [more] @returns {Drawn} */
const area = (kind, color, opacity = 1, more = {}) => ({
  kind, of: kind, type: 'fill', paint: { 'fill-color': color, 'fill-opacity': opacity, 'fill-antialias': true }, ...more,
});

/** @param {Colors} color @returns {Drawn[]} */
export function surfaces(color) {
  return [
    area('urban', color.urban, 0.9),
    area('field', color.field, 0.9),
    area('grass', color.grass, 0.8),
    area('sand', color.sand, 0.8),
    area('wood', color.wood, 0.85),
    area('park', color.park, 0.85),
    area('ice', color.ice, 0.85),
    area('sea', color.water),
    area('water', color.water),
    {
      kind: 'waterway', of: 'waterway', type: 'line', layout: ROUND,
      paint: { 'line-color': color.water, 'line-width': byZoom(1.4, 8, 0.6, 13, 1.6, 16, 5, 19, 12) },
    },
    {
      kind: 'building', of: 'building', type: 'fill', minzoom: 13,
      paint: {
        'fill-color': color.building, 'fill-outline-color': color.buildingEdge, 'fill-opacity': byZoom(1, 13, 0, 14, 1),
      },
    },
  ];
}

/** @param {string} kind @param {any} color @param {any} width @param {Layer} [more] @param {string} [of] @returns {Drawn} */
const line = (kind, color, width, more = {}, of = kind) => ({
  kind, of, type: 'line', layout: ROUND, ...more, paint: { 'line-color': color, 'line-width': width, ...more.paint },
});

/** How wide roads are, with their casing and without. */
const WIDTHS = {
  motorway: [byZoom(1.5, 6, 0.8, 12, 4, 15, 9, 19, 40), byZoom(1.5, 6, 0.6, 12, 2.8, 15, 7, 19, 36)],
  major: [byZoom(1.5, 8, 0.8, 12, 3.4, 15, 8.5, 19, 36), byZoom(1.5, 8, 0.6, 12, 2.2, 15, 6.8, 19, 32)],
  minor: [byZoom(1.5, 12, 1.1, 14, 3.4, 16, 8, 19, 30), byZoom(1.5, 12, 0.6, 14, 2.2, 16, 6.4, 19, 27)],
  service: [byZoom(1.5, 13.5, 0.6, 16, 4.4, 19, 16), byZoom(1.5, 13.5, 0.4, 16, 3.2, 19, 14)],
};

/** @param {Colors} color @returns {Drawn[]} */
export function roads(color) {
  return [
    line('rail', color.rail, byZoom(1.4, 10, 0.5, 15, 1.4, 19, 3), { minzoom: 10 }),
    line('path', color.path, byZoom(1.4, 13, 0.6, 16, 1.4, 19, 3), {
      minzoom: 13, layout: { 'line-join': 'round' }, paint: { 'line-dasharray': [2.5, 1.5] },
    }),
    line('service', color.minorCasing, WIDTHS.service[0], { minzoom: 13.5 }, 'service-casing'),
    line('minor', color.minorCasing, WIDTHS.minor[0], { minzoom: 12 }, 'minor-casing'),
    line('major', color.majorCasing, WIDTHS.major[0], { minzoom: 11 }, 'major-casing'),
    line('motorway', color.majorCasing, WIDTHS.motorway[0], { minzoom: 9 }, 'motorway-casing'),
    line('service', color.minor, WIDTHS.service[1], { minzoom: 13.5 }),
    line('minor', color.minor, WIDTHS.minor[1], { minzoom: 11 }),
    line('major', color.major, WIDTHS.major[1]),
    line('motorway', color.motorway, WIDTHS.motorway[1]),
  ];
}

/** @param {Colors} color @returns {Drawn[]} */
export function boundaries(color) {
  const width = byZoom(1.2, 0, 0.4, 4, 0.9, 10, 2);
  return [
    line('division', color.division, byZoom(1.2, 4, 0.5, 10, 1.2), {
      minzoom: 3.5, layout: { 'line-join': 'round' }, paint: { 'line-dasharray': [4, 2] },
    }),
    line('border', color.border, width, { layout: { 'line-join': 'round' } }),
    line('disputed', color.border, width, { layout: { 'line-join': 'round' }, paint: { 'line-dasharray': [3, 2] } }),
  ];
}

// The layer drawn last has the first choice of room, so the names that matter most come at the end.
/** @param {Colors} color @param {Lettering} lettering @returns {Drawn[]} */
export function streetLabels(color, lettering) {
  const halo = { 'text-halo-color': color.halo, 'text-halo-width': 1.5 };
  const name = { 'text-field': lettering.text, 'text-font': lettering.regular };
  const along = { ...name, 'symbol-placement': 'line', 'symbol-spacing': 320, 'text-padding': 4, 'text-max-angle': 35 };
  const water = { 'text-color': color.waterName, 'text-halo-color': color.waterHalo, 'text-halo-width': 1.2 };
  return [
    {
      kind: 'houseNumber', of: 'house-number', type: 'symbol', minzoom: 16.5,
      layout: { 'text-field': HOUSE_NUMBER, 'text-font': lettering.regular, 'text-size': byZoom(1, 16.5, 9, 19, 12), 'text-padding': 1 },
      paint: { 'text-color': color.number, 'text-halo-color': color.halo, 'text-halo-width': 1 },
    },
    {
      kind: 'pathName', of: 'path-name', type: 'symbol', minzoom: 15,
      layout: { ...along, 'text-size': byZoom(1, 15, 10, 18, 12) }, paint: { ...halo, 'text-color': color.name },
    },
    {
      kind: 'waterwayName', of: 'waterway-name', type: 'symbol', minzoom: 12.5,
      layout: { ...along, 'text-font': lettering.regular, 'text-size': 12, 'text-letter-spacing': 0.08 }, paint: water,
    },
    {
      kind: 'roadName', of: 'road-name', type: 'symbol', minzoom: 13,
      layout: { ...along, 'text-size': byZoom(1, 13, 10.5, 16, 12.5, 19, 15) }, paint: { ...halo, 'text-color': color.name },
    },
    {
      kind: 'waterNameLine', of: 'water-name-line', type: 'symbol',
      layout: { ...along, 'text-size': 12, 'text-letter-spacing': 0.1 }, paint: water,
    },
    {
      kind: 'waterName', of: 'water-name', type: 'symbol',
      layout: {
        ...name, 'text-letter-spacing': 0.12, 'text-max-width': 6,
        'text-size': byZoom(1, 0, ['match', ['get', 'class'], 'ocean', 11, 10], 6, ['match', ['get', 'class'], 'ocean', 18, 13]),
      },
      paint: water,
    },
  ];
}

/** @param {Colors} color @param {Lettering} lettering @returns {Drawn[]} */
export function placeLabels(color, lettering) {
  const paint = { 'text-color': color.place, 'text-halo-color': color.halo, 'text-halo-width': 1.5 };
  const name = { 'text-field': lettering.text, 'text-font': lettering.regular, 'text-max-width': 8, 'text-padding': 3 };
  const rank = ['coalesce', ['get', 'rank'], ['get', 'min_zoom'], 20];
  const isCapital = ['==', ['to-string', ['get', 'capital']], '2'];
  /** @param {string} kind @param {any} size @param {Layer} [more] @returns {Drawn} */
  const place = (kind, size, more = {}) => ({
    kind, of: kind, type: 'symbol', paint, ...more, layout: { ...name, 'symbol-sort-key': rank, 'text-size': size, ...more.layout },
  });
  return [
    place('part', byZoom(1, 12, 11, 16, 15), { minzoom: 12 }),
    place('village', byZoom(1, 9, 11, 13, 14, 16, 18), { minzoom: 9, layout: { 'text-font': lettering.bold } }),
    place('state', byZoom(1, 4, 9, 7, 12), {
      minzoom: 4, maxzoom: 8, paint: { ...paint, 'text-color': color.state },
      layout: { 'text-transform': 'uppercase', 'text-letter-spacing': 0.1, 'text-max-width': 7, 'text-padding': 6 },
    }),
    place('town', byZoom(1, 3, 10, 6, 11, 10, 14, 16, 20), { layout: { 'text-font': lettering.bold } }),
    place('city', byZoom(1, 3, ['case', isCapital, 11, 10], 6, ['case', isCapital, 14, 12.5], 10, 17, 16, 22), {
      layout: { 'text-font': lettering.bold },
    }),
    place('country', byZoom(1, 1, 10, 3, ['case', ['<=', rank, 3], 13, 11], 6, ['step', rank, 17, 4, 15, 6, 12]), {
      maxzoom: 7, paint: { ...paint, 'text-color': color.country },
      layout: { 'text-font': lettering.bold, 'text-max-width': 6, 'text-padding': 4 },
    }),
  ];
}
