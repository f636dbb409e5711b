// @ts-check
import { placeText } from '../map/place-text.js';
import { element } from '../page/dom.js';
import { numberText } from '../page/numbers.js';
import { locale, say } from '../words/words.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').EntityField} EntityField */

const DATE = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' });

/**
 * A field's value as somebody reads it, by its type.
 * @param {Page} page
 * @param {EntityField} field
 * @param {any} value
 * @returns {Node[]}
 */
export function fieldValue(page, { type, entity }, value) {
  switch (type) {
    case 'text': return [element('span', { class: 'text', dir: 'auto' }, value)];
    case 'number': return [element('span', {}, numberText(value))];
    case 'date': return [element('time', { dateTime: new Date(value).toISOString() }, DATE.format(value))];
    case 'boolean': return [element('span', {}, value ? say('place.yes') : say('place.no'))];
    case 'reference': return [reference(page, entity ?? '', String(value))];
    case 'location': return locationLines(value);
    default: return [element('pre', { tabIndex: 0 }, JSON.stringify(value, null, 2))];
  }
}

/** @param {{ latitude?: number, longitude?: number, altitude?: number, address?: string }} location */
function locationLines({ latitude, longitude, altitude, address }) {
  const isPlaced = latitude !== undefined && longitude !== undefined;
  const lines = [address, isPlaced ? placeText({ latitude, longitude }) : say('place.notOnMap'),
    altitude !== undefined && say('place.aboveSea', { meters: numberText(altitude) })];
  return lines.filter(Boolean).map((line, index) => element('span', { class: index === 0 ? 'line' : 'line hint' }, line));
}

/**
 * The object that is referred to, by its name as soon as that is known.
 * @param {Page} page
 * @param {string} entity
 * @param {string} id
 */
function reference(page, entity, id) {
  const link = element('a', { href: `#/places/${encodeURIComponent(entity)}/${encodeURIComponent(id)}` }, `…${id.slice(-4)}`);
  page.places.nameOf(entity, id).then((name) => link.replaceChildren(name), () => link.replaceWith(`…${id.slice(-4)}`));
  return link;
}
