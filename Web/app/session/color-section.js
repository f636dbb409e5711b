// @ts-check
import { freshID } from '../page/controls.js';
import { element, fill } from '../page/dom.js';
import { colorOfHue, hueOf } from '../people/color.js';
import { say } from '../words/words.js';

/** The hues to choose from. Red stands for sharing, so none is red. */
const HUES = /** @type {const} */ ([
  [30, 'settings.colorBrown'], [55, 'settings.colorOlive'], [85, 'settings.colorMoss'], [115, 'settings.colorGreen'],
  [145, 'settings.colorEmerald'], [170, 'settings.colorTeal'], [195, 'settings.colorPetrol'], [212, 'settings.colorBlue'],
  [235, 'settings.colorUltramarine'], [262, 'settings.colorViolet'], [288, 'settings.colorPurple'], [318, 'settings.colorPink'],
]);

/**
 * The color in which everybody sees the reader, with others to choose from. A choice is kept at once.
 * @param {import('../page/page.js').Page} page
 * @param {() => void} changed
 */
export function colorSection(page, changed) {
  const root = element('fieldset', { class: 'hues' });
  const name = freshID();
  const show = () => {
    const { user } = page.account;
    if (!user) return;
    const own = hueOf(user, user.id);
    const known = HUES.some(([hue]) => hue === own);
    const choices = known ? HUES : [/** @type {const} */ ([own, 'settings.colorNow']), ...HUES];
    fill(root, element('legend', {}, say('settings.color')), choices.map(([hue, word]) => swatch(hue, say(word), hue === own)));
  };
  /**
   * @param {number} hue
   * @param {string} label
   * @param {boolean} checked
   */
  const swatch = (hue, label, checked) => {
    const disc = element('span', { class: 'hue' });
    disc.style.setProperty('--color', colorOfHue(hue));
    const input = element('input', { type: 'radio', name, value: String(hue), checked, 'aria-label': label, onchange: () => choose(hue) });
    return element('label', { title: label }, input, disc);
  };
  const choose = async (/** @type {number} */ hue) => {
    try {
      await page.account.change({ hue });
      page.toasts.say(say('page.saved'));
      changed();
    } catch (error) {
      page.toasts.fail(error);
      show();
    }
  };
  show();
  return root;
}
