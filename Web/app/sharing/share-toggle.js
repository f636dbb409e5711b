// @ts-check
import { toggle } from '../page/controls.js';
import { setText } from '../page/dom.js';
import { timeElement } from '../page/clock.js';

/**
 * The switch that shares this device's position in one place, and what it does at the moment.
 * @param {import('../page/page.js').Page} page
 * @param {string} place a chat's id, or *world*
 * @param {string} label
 * @param {string} whoSees
 */
export function shareToggle(page, place, label, whoSees) {
  const { sharer } = page;
  const { root, input, state } = toggle(label, (isOn) => page.share(place, isOn));
  root.classList.add('share');
  const update = () => {
    const isOn = sharer.isSharedIn(place);
    input.checked = isOn;
    input.disabled = !sharer.isPossible;
    root.classList.toggle('on', isOn);
    if (!sharer.isPossible) return setText(state, 'Browsers tell positions to pages with https or on this same device only.');
    if (!isOn) return setText(state, sharer.problem ?? `Off. ${whoSees}`);
    const fix = sharer.sharing.lastFix;
    if (sharer.problem || !fix) return setText(state, sharer.problem ?? 'On. Finding where you are…');
    if (state.dataset.time === String(fix.time) && state.firstElementChild) return undefined;
    state.dataset.time = String(fix.time);
    state.replaceChildren('On, last position ', timeElement(fix.time),
      '. Keep this page in view: the web can’t share in the background.');
    return undefined;
  };
  update();
  return { root, update };
}
