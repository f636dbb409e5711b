// @ts-check
import { MapLibreMap } from './maplibre-map.js';
import { TextMap } from './text-map.js';

/** @typedef {import('./annotations.js').Annotations} Annotations */
/** @typedef {{ top: number, right: number, bottom: number, left: number }} Padding */

/**
 * All that this page asks of a map, so that the library behind it can be replaced.
 * @typedef {object} PeopleMap
 * @property {(annotations: Annotations) => void} show what is there now; what keeps its key is moved, not replaced
 * @property {(key: string | undefined) => void} select opens a person's callout, which stays while they move
 * @property {(options: { zoomAtMost: number }) => void} fit to everybody shown
 * @property {(key: string, zoomAtLeast: number) => void} lookAt moves to a person, once
 * @property {(key: string | undefined) => void} follow keeps a person in the middle, until the map is dragged
 * @property {(padding: Padding) => void} setPadding what the panel covers
 * @property {() => string | undefined} selected
 * @property {() => string | undefined} followed
 * @property {(steps: number) => void} zoom
 * @property {boolean} isText whether there is no map to see
 * @property {() => void} changed called when somebody selected or dragged
 */

/**
 * The map, or where the library isn't there or the browser can't draw it, a text that says so.
 * @param {HTMLElement} container
 * @param {() => void} changed
 * @returns {PeopleMap}
 */
export function makeMap(container, changed) {
  const library = window.maplibregl;
  if (!library) {
    return new TextMap(container, 'The map library is not in this server.',
      'Its operator gets it with Scripts/setup-web and builds again. People and their positions are listed in the panel.');
  }
  try {
    return new MapLibreMap(library, container, changed);
  } catch {
    return new TextMap(container, 'This browser can’t draw the map.',
      'It needs WebGL, which may be switched off in its settings. People and their positions are listed in the panel.');
  }
}
