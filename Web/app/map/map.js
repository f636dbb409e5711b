// @ts-check
import { say } from '../words/words.js';
import { lateMap } from './late-map.js';
import { mapLibrary } from './library.js';
import { MapLibreMap } from './maplibre-map.js';
import { TextMap } from './text-map.js';

/** @typedef {import('./annotations.js').Annotations} Annotations */
/** @typedef {import('../wire.d.ts').MapPlace} MapPlace */
/** @typedef {import('../wire.d.ts').Region} Region */
/** @typedef {{ top: number, right: number, bottom: number, left: number }} Padding */
/** @typedef {{ left: number, right: number, bottom: number }} Covered how much of the map the panel lies over, in pixels */

/**
 * All that this page asks of a map, so that the library behind it can be replaced.
 * @typedef {object} PeopleMap
 * @property {(annotations: Annotations) => void} show who is there now; what keeps its key is moved, not replaced
 * @property {(places: Map<string, MapPlace>) => void} showPlaces what is there now, below the people
 * @property {(chat: string | undefined) => void} showChat the chat that is open
 * @property {(isQuiet: boolean) => void} quietPlaces whether the map is about people, with places small and nameless
 * @property {() => Region | undefined} bounds what is to be seen beside the panel, with longitudes that go on past ±180;
 *   `undefined` until the map is there
 * @property {() => import('../positions/picture.js').View | undefined} view the same with the zoom; `undefined` where there is no map to see
 * @property {(key: string | undefined) => void} select opens a person's or place's callout, which stays while they move; one
 *   that was just shown is selected as soon as it is there
 * @property {(options: { zoomAtMost: number }) => void} fit to everybody shown, or without people to all places
 * @property {(picture: import('./first-picture.js').Picture) => void} frame moves so that all of a picture is seen
 * @property {(place: { latitude: number, longitude: number }) => number | undefined} levelsAt the last zoom that the map has tiles for
 *   at a place; `undefined` while it isn't known which maps the server has
 * @property {(key: string, zoomAtLeast: number) => void} lookAt moves to a person or a place, once
 * @property {(key: string | undefined, zoomAtLeast?: number) => void} follow keeps a person in the middle, until the map is dragged; one
 *   that isn't there yet as soon as they are
 * @property {(padding: Padding, covered: Covered) => void} setPadding what the panel covers, and room for callouts beside it; a move
 *   that runs goes to the same place in what is free then
 * @property {() => string | undefined} selected
 * @property {() => { latitude: number, longitude: number } | undefined} center the middle of what is free of the map
 * @property {() => number | undefined} moves how often the reader has moved the map by hand
 * @property {(place: { latitude: number, longitude: number }, meters: number) => void} showAround moves to a place, so that
 *   a stretch of so many meters is seen
 * @property {() => string | undefined} followed
 * @property {(steps: number) => void} zoom
 * @property {boolean} isText whether there is no map to see
 */

/**
 * Who wants to know what happens on the map.
 * @typedef {object} MapListener
 * @property {() => void} changed somebody selected or dragged, or what was selected is gone
 * @property {() => void} made the map is there, or the text in its place
 * @property {() => void} charted it is known which maps the server has, or that it doesn't say
 * @property {() => void} moved another part of the Earth is to be seen; called at each step of a movement
 * @property {(key: string) => void} opened somebody wants to see all of a place
 * @property {(person: string, place: { latitude: number, longitude: number, accuracy?: number }) => string} whereOf what is said of where
 *   somebody is
 * @property {(by: number) => void} stepped the reader wants the position before or behind the selected one, of those that its dot stands for;
 *   `by` counts towards older ones
 * @property {(person: string) => string | undefined} dayOf the address of a person's day, where there is one
 */

/**
 * Lets a map write Arabic and Hebrew, once there is any.
 * @param {typeof maplibregl} library
 */
export function drawRightToLeft(library) {
  if (library.getRTLTextPluginStatus() !== 'unavailable') return;
  library.setRTLTextPlugin(new URL('../../map/right-to-left.js', import.meta.url).href, true);
}

/**
 * The map, as soon as its library has been loaded; until then it takes what it is to show.
 * @param {HTMLElement} container
 * @param {MapListener} listener
 * @returns {PeopleMap}
 */
export function makeMap(container, listener) {
  const making = mapLibrary().then((library) => mapWith(library, container, listener));
  const map = lateMap(making);
  making.then(() => listener.made());
  return map;
}

/**
 * The map, or where the library isn't there or the browser can't draw it, a text that says so.
 * @param {typeof maplibregl | undefined} library
 * @param {HTMLElement} container
 * @param {MapListener} listener
 * @returns {PeopleMap}
 */
function mapWith(library, container, listener) {
  if (!library) {
    return new TextMap(container, say('map.noLibrary'), say('map.noLibraryHint'));
  }
  drawRightToLeft(library);
  try {
    return new MapLibreMap(library, container, listener);
  } catch {
    return new TextMap(container, say('map.noWebGL'), say('map.noWebGLHint'));
  }
}
