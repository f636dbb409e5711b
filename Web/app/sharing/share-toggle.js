// @ts-check
import { clockText } from '../freshness/age.js';
import { toggle } from '../page/controls.js';
import { setText } from '../page/dom.js';
import { timeElement } from '../page/clock.js';
import { sayWith, say } from '../words/words.js';

/**
 * The switch that shows this device in the world, and what it does at the moment.
 * @param {import('../page/page.js').Page} page
 * @param {string} place
 * @param {string} label
 * @param {string} whoSees
 */
export function shareToggle(page, place, label, whoSees) {
  const { sharer } = page;
  // The position of the switch that a request is still to reach: until then the switch stays there, whatever else changes.
  /** @type {boolean | undefined} */
  let wish;
  let turns = 0;
  const { root, input, state } = toggle(label, async (isOn) => {
    const turn = ++turns;
    wish = isOn;
    try {
      await page.share(place, isOn, () => turn === turns);
    } finally {
      if (turn === turns) {
        wish = undefined;
        update();
      }
    }
  });
  root.classList.add('share');
  const update = () => {
    const isOn = sharer.isSharedIn(place);
    input.checked = wish ?? isOn;
    input.disabled = !sharer.isPossible;
    root.classList.toggle('on', isOn);
    if (!sharer.isPossible) return setText(state, say(isSecureContext ? 'sharing.noSensor' : 'sharing.impossible'));
    if (!isOn) return setText(state, sharer.problem ?? say('sharing.off', { who: whoSees }));
    const fix = sharer.sharing.lastFix;
    if (sharer.problem || !fix) return setText(state, sharer.problem ?? say('sharing.finding'));
    const isSaid = state.dataset.time === `${fix.time}/${page.worldEnd}`;
    if (isSaid && state.firstElementChild) return undefined;
    state.dataset.time = `${fix.time}/${page.worldEnd}`;
    const end = page.worldEnd === undefined ? say('sharing.untilStop') : say('sharing.until', { time: clockText(page.worldEnd) });
    state.replaceChildren(...sayWith('sharing.on', { end, time: timeElement(fix.time) }));
    return undefined;
  };
  update();
  return { root, update };
}
