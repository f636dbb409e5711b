// @ts-check
import { element, setText } from '../page/dom.js';
import { icon } from '../page/icons.js';
import { say } from '../words/words.js';
import { countText } from './count-text.js';

/**
 * How many places are on the map and of how many, over the map; it leads to the list and to what is shown. Without any
 * places on this server there is nothing.
 * @param {import('../page/page.js').Page} page
 * @param {import('../page/scope.js').Scope} scope of the person
 */
export function placesCount(page, scope) {
  const shown = element('span', { 'aria-hidden': 'true' });
  const spoken = element('span', { class: 'hidden' });
  const root = element('a', { class: 'pill', href: '#/places' }, icon('place'), shown, spoken);
  const update = () => {
    const { count, kinds, isCurrent } = page.places;
    root.hidden = !kinds?.length;
    const text = count ? countText(count) : { shown: say('places.title'), spoken: say('places.title') };
    setText(shown, text.shown);
    setText(spoken, text.spoken);
    root.toggleAttribute('data-current', count !== undefined && isCurrent);
  };
  page.places.observe(update, scope);
  update();
  return root;
}
