// @ts-check
import { locationOf } from './region-kinds.js';

/** @typedef {import('../wire.d.ts').PlacedObject} PlacedObject */
/** @typedef {import('../wire.d.ts').ObjectAnnotation} ObjectAnnotation */

/**
 * Objects on the map, by their key there: `place/` and the id, so that no place is taken for a person. What isn't on the
 * map isn't here.
 * @param {Iterable<PlacedObject>} objects
 * @param {string | undefined} field that holds the location
 * @param {{ title: (object: PlacedObject) => string | undefined, subtitle?: (object: PlacedObject) => string | undefined }} options
 *   the subtitle is the address unless something else is said
 * @returns {Map<string, ObjectAnnotation>}
 */
export function objectAnnotations(objects, field, { title, subtitle }) {
  /** @type {Map<string, ObjectAnnotation>} */
  const annotations = new Map();
  for (const object of objects) {
    const { latitude, longitude, address } = locationOf(object, field) ?? {};
    if (field === undefined || latitude === undefined || longitude === undefined) continue;
    const key = `place/${object.id}`;
    annotations.set(key, { key, latitude, longitude, field, title: title(object), subtitle: subtitle ? subtitle(object) : address, object });
  }
  return annotations;
}

/**
 * For {@link keyedChanges}.
 * @param {ObjectAnnotation} a
 * @param {ObjectAnnotation} b
 */
export function isSameAnnotation(a, b) {
  return a.object === b.object || (a.object.updated === b.object.updated && isSameButForPlace(a, b) && isSamePlace(a, b));
}

/**
 * Whether nothing but the place, and when it last changed, is different.
 * @param {ObjectAnnotation} a
 * @param {ObjectAnnotation} b
 */
export function isMovedAnnotation(a, b) {
  return !isSamePlace(a, b) && isSameButForPlace(a, b);
}

/**
 * @param {ObjectAnnotation} a
 * @param {ObjectAnnotation} b
 */
function isSamePlace(a, b) {
  return a.latitude === b.latitude && a.longitude === b.longitude;
}

/**
 * @param {ObjectAnnotation} a
 * @param {ObjectAnnotation} b
 */
function isSameButForPlace(a, b) {
  return a.title === b.title && a.subtitle === b.subtitle && fieldsWithoutPlace(a) === fieldsWithoutPlace(b);
}

/** @param {ObjectAnnotation} annotation */
function fieldsWithoutPlace({ object: { fields }, field }) {
  const { [field]: location, ...rest } = fields;
  return JSON.stringify([rest, location?.address]);
}
