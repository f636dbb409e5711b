// @ts-check
import { browserShelf } from '../storage/shelf.js';

/** @typedef {'system' | 'en' | 'de'} Setting which language the reader chose */

/** Where the choice is kept on this device. */
const KEPT = 'yonder.language';

/** The languages that the page has words for. */
const SPOKEN = ['en', 'de'];
const RIGHT_TO_LEFT = ['ar', 'dv', 'fa', 'he', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi'];

/** @returns {Setting} */
export function chosenSetting() {
  // A page may say that its words exist in one language only.
  const only = globalThis.document?.documentElement.dataset.words;
  const kept = only ?? browserShelf.get(KEPT);
  return kept === 'en' || kept === 'de' ? kept : 'system';
}

/**
 * Keeps the reader's choice; the page has to be loaded again for it.
 * @param {Setting} setting
 */
export function chooseLanguage(setting) {
  if (setting === 'system') browserShelf.remove(KEPT);
  else browserShelf.put(KEPT, setting);
}

/** The locale for this page, by the choice kept here and the system's languages. */
export function chosenLocale() {
  return localeFor(chosenSetting(), globalThis.navigator?.languages ?? []);
}

/**
 * The first of the reader's languages that there are words for, with its region; English without any.
 * @param {Setting} setting
 * @param {readonly string[]} languages of the system, the best first
 */
export function localeFor(setting, languages) {
  const wanted = setting === 'system' ? SPOKEN : [setting];
  return languages.find((language) => wanted.includes(languageOf(language))) ?? wanted[0];
}

/**
 * Which way the page is laid out: for readers of Arabic or Hebrew from the right, also where its words are English.
 * @param {Setting} setting
 * @param {readonly string[]} languages of the system, the best first
 * @returns {'ltr' | 'rtl'}
 */
export function directionOf(setting, [first = 'en']) {
  return setting === 'system' && RIGHT_TO_LEFT.includes(languageOf(first)) ? 'rtl' : 'ltr';
}

/** @param {string} tag such as `de-AT` */
function languageOf(tag) {
  return tag.toLowerCase().split('-')[0];
}
