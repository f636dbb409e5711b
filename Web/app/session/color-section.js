// @ts-check
import { freshID } from '../page/controls.js';
import { element, fill, setText } from '../page/dom.js';
import { colorOfHue } from '../people/color.js';
import { namesNear, ownHue } from '../people/own-hue.js';
import { isolated } from '../words/isolated.js';
import { locale, say } from '../words/words.js';

/** The hues to choose from. Red stands for sharing, so none is red. */
const HUES = /** @type {const} */ ([
  [30, 'settings.colorBrown'], [55, 'settings.colorOlive'], [85, 'settings.colorMoss'], [115, 'settings.colorGreen'],
  [145, 'settings.colorEmerald'], [170, 'settings.colorTeal'], [195, 'settings.colorPetrol'], [212, 'settings.colorBlue'],
  [235, 'settings.colorUltramarine'], [262, 'settings.colorViolet'], [288, 'settings.colorPurple'], [318, 'settings.colorPink'],
]);
const NAMED_AT_MOST = 3;

/**
 * The color in which everybody sees the reader, with others to choose from, and whose are hard to tell from it. A choice is kept at once.
 * @param {import('../page/page.js').Page} page
 * @returns {{ root: HTMLElement, update: () => void }}
 */
export function colorSection(page) {
  const name = freshID();
  /** One that isn't among those to choose from. */
  const other = element('span', { class: 'other' });
  const hint = element('p', { class: 'hint' });
  let shown = '';
  const update = () => {
    const { user } = page.account;
    if (!user) return;
    const known = { contacts: page.contacts.all ?? [], chats: page.chats.all };
    const own = ownHue(user, known.chats);
    const near = own === undefined ? [] : namesNear(own, user, known).slice(0, NAMED_AT_MOST);
    const wanted = JSON.stringify([own, near]);
    if (wanted === shown) return;
    shown = wanted;
    fill(other, own !== undefined && !HUES.some(([hue]) => hue === own) && swatch(own, say('settings.colorNow')));
    for (const input of root.querySelectorAll('input')) input.checked = Number(input.value) === own;
    setText(hint, hintText(own, near));
    hint.hidden = hint.textContent === '';
  };
  /**
   * @param {number} hue
   * @param {string} label
   */
  const swatch = (hue, label) => {
    const disc = element('span', { class: 'hue' });
    disc.style.setProperty('--color', colorOfHue(hue));
    const input = element('input', { type: 'radio', name, value: String(hue), 'aria-label': label, onchange: () => choose(hue) });
    return element('label', { title: label }, input, disc);
  };
  const choose = async (/** @type {number} */ hue) => {
    try {
      await page.account.change({ hue });
      page.toasts.say(say('page.saved'));
    } catch (error) {
      page.toasts.fail(error);
      shown = '';
      update();
    }
  };
  const root = element('fieldset', { class: 'hues' }, element('legend', {}, say('settings.color')), other, HUES.map(([hue, word]) => swatch(hue, say(word))), hint);
  update();
  return { root, update };
}

/**
 * @param {number | undefined} own
 * @param {string[]} near
 */
function hintText(own, near) {
  if (own === undefined) return say('settings.colorNone');
  return near.length === 0 ? '' : say('settings.colorNear', { names: new Intl.ListFormat(locale).format(near.map(isolated)) });
}
