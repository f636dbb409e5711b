// @ts-check
import { english } from './english.js';
import { german } from './german.js';
import { isolated } from './isolated.js';
import { chosenLocale, chosenSetting, directionOf } from './locale.js';

/** @typedef {import('./english.js').Key} Key */
/** @typedef {import('./english.js').Words} Words */
/** @typedef {Record<string, string | number>} Values */

/** The locale of every word, number, time and date on the page, such as `de-AT`. It is chosen once, when the page loads. */
export const locale = chosenLocale();

/** @type {Record<Key, Words>} */
const table = locale.startsWith('de') ? german : english;
const plural = new Intl.PluralRules(locale);
const number = new Intl.NumberFormat(locale);

/**
 * What the page says, in the reader's language: the table's text with its `{name}`s replaced. Where the table has forms
 * for several numbers, `count` chooses one. Numbers are written as the locale writes them, and texts are isolated.
 * @param {Key} key
 * @param {Values} [values]
 * @returns {string}
 */
export function say(key, values = {}) {
  return sayWith(key, values).join('');
}

/**
 * The same with elements among the values: the pieces in their order, to be given to `element` or `fill`.
 * @template {Node} Part
 * @param {Key} key
 * @param {Record<string, string | number | Part>} values
 * @returns {(string | Part)[]}
 */
export function sayWith(key, values) {
  return textOf(key, values.count).split(/\{(\w+)\}/).map((piece, index) => {
    if (index % 2 === 0) return piece;
    const value = values[piece] ?? '';
    if (typeof value === 'number') return number.format(value);
    return typeof value === 'string' ? isolated(value) : value;
  });
}

/**
 * What a refusal says in the reader's language.
 * @param {string | undefined} code
 * @param {string} message the server's own, in English
 */
export function sayRefusal(code, message) {
  const key = /** @type {Key} */ (`error:${code}`);
  return table === english || !(key in table) ? message : say(key);
}

/**
 * Puts the words into a page whose HTML names them: `data-say` is an element's text, `data-say-label` its label. Sets
 * the page's language and direction.
 * @param {Document} page
 */
export function sayPage(page) {
  page.documentElement.lang = table === german ? 'de' : 'en';
  page.documentElement.dir = directionOf(chosenSetting(), page.defaultView?.navigator.languages ?? []);
  for (const said of page.querySelectorAll('[data-say]')) said.textContent = say(keyIn(said, 'data-say'));
  for (const said of page.querySelectorAll('[data-say-label]')) said.setAttribute('aria-label', say(keyIn(said, 'data-say-label')));
}

/**
 * @param {Element} said
 * @param {string} attribute
 */
function keyIn(said, attribute) {
  return /** @type {Key} */ (said.getAttribute(attribute));
}

/**
 * @param {Key} key
 * @param {unknown} count
 */
function textOf(key, count) {
  const words = table[key];
  if (typeof words === 'string') return words;
  const form = plural.select(Number(count));
  return (form === 'one' ? words.one : words.other);
}
