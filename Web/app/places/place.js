// @ts-check
import { colorOf } from '../people/color.js';
import { objectAnnotations } from '../region/object-annotations.js';
import { locale } from '../words/words.js';

/** @typedef {import('../wire.d.ts').Entity} Entity */
/** @typedef {import('../wire.d.ts').PlacedObject} PlacedObject */
/** @typedef {import('../wire.d.ts').MapPlace} MapPlace */

/** What a label on a map or in a list holds at most, in characters. */
const NAME_AT_MOST = 80;

/**
 * Under what key an object is on the map: also the address of its view.
 * @param {string} entity
 * @param {string} id
 */
export function placeKey(entity, id) {
  return `places/${entity}/${id}`;
}

/**
 * @param {string | undefined} key
 * @returns {{ entity: string, id: string } | undefined} `undefined` if it is no place's key
 */
export function placeOfKey(key) {
  const [kind, entity, id] = key?.split('/') ?? [];
  return kind === 'places' && id !== undefined ? { entity, id } : undefined;
}

/**
 * The field that says where an entity's objects are, if it has one.
 * @param {Entity} entity
 */
export function locationField({ fields }) {
  return fields.find(({ type }) => type === 'location')?.name;
}

/**
 * What an object is called: its field *name* or *title*, or else its first text. Without any, its kind and the end of its id.
 * @param {Entity} entity
 * @param {PlacedObject} object
 */
export function nameOf(entity, { id, fields }) {
  const texts = entity.fields.filter(({ type }) => type === 'text');
  const field = ['name', 'title'].flatMap((wanted) => texts.find(({ name }) => name.toLowerCase() === wanted) ?? [])[0] ?? texts[0];
  const name = field && String(fields[field.name] ?? '').trim();
  return name ? shortened(name) : `${labelOf(entity.name)} …${id.slice(-4)}`;
}

/**
 * A field's or entity's name as words: *opening_hours* is *Opening hours*.
 * @param {string} name
 */
export function labelOf(name) {
  const words = name.replace(/[_-]+/g, ' ').replace(/([a-z])([A-Z])/g, (_, end, start) => `${end} ${start.toLowerCase()}`).trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * An object as the map has it.
 * @param {Entity} entity
 * @param {PlacedObject} object
 * @returns {MapPlace | undefined} `undefined` if it isn't on any map
 */
export function placeOf(entity, object) {
  const title = nameOf(entity, object);
  const [annotation] = objectAnnotations([object], locationField(entity), { title: () => title }).values();
  return annotation && { ...annotation, title, key: placeKey(entity.name, object.id), ...look(entity.name) };
}

/**
 * How an entity's places look: a color and a letter.
 * @param {string} entity
 */
export function look(entity) {
  return { color: colorOf({}, entity), letter: entity.charAt(0).toUpperCase() };
}

const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });

/**
 * By name, and what has the same name always in the same order.
 * @param {MapPlace} a
 * @param {MapPlace} b
 */
export function byName(a, b) {
  return collator.compare(a.title, b.title) || (a.key < b.key ? -1 : Number(a.key > b.key));
}

/** @param {string} text */
function shortened(text) {
  const characters = [...text];
  return characters.length <= NAME_AT_MOST ? text : `${characters.slice(0, NAME_AT_MOST - 1).join('')}…`;
}
