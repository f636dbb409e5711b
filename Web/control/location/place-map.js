// @ts-check
import { drawRightToLeft } from '../../app/map/map.js';
import { MapLibrePlaceMap } from './maplibre-place-map.js';

/** @typedef {{ latitude: number, longitude: number }} Coordinates */
/** @typedef {import('../control.d.ts').Candidate} Candidate */

/**
 * All that a location field asks of a map, so that the library behind it can be replaced.
 * @typedef {object} PlaceMap
 * @property {(place: Coordinates | undefined, options?: { center?: boolean }) => void} showPlace the pin
 * @property {(candidates: Candidate[]) => void} showCandidates numbered; one in the middle, several all in sight
 * @property {() => void} close
 */

/**
 * A map to choose a place on, or nothing where there can't be one: the inputs do without.
 * @param {HTMLElement} container
 * @param {{ choosePlace: (place: Coordinates) => void, chooseCandidate: (candidate: Candidate) => void }} listener
 * @returns {PlaceMap | undefined}
 */
export function makePlaceMap(container, listener) {
  const library = window.maplibregl;
  if (!library) return undefined;
  drawRightToLeft(library);
  try {
    return new MapLibrePlaceMap(library, container, listener);
  } catch {
    return undefined;
  }
}
