// @ts-check
import { segments } from '../page/controls.js';
import { element } from '../page/dom.js';
import { chooseLanguage, chosenSetting } from '../words/locale.js';
import { say } from '../words/words.js';

/** Which language the page is in. The page is loaded anew for another one. */
export function languageSection() {
  const choices = [
    { value: 'system', label: say('settings.languageSystem') }, { value: 'en', label: 'English' }, { value: 'de', label: 'Deutsch' },
  ];
  const choose = (/** @type {string} */ value) => {
    chooseLanguage(/** @type {import('../words/locale.js').Setting} */ (value));
    location.reload();
  };
  return element('section', { class: 'card stack' }, element('h2', {}, say('settings.language')),
    segments(say('settings.language'), choices, chosenSetting(), choose),
    element('p', { class: 'hint' }, say('settings.languageHint')));
}
