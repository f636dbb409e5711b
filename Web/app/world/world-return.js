// @ts-check
import { clockText } from '../freshness/age.js';
import { button } from '../page/controls.js';
import { element, setText } from '../page/dom.js';
import { stopShare } from '../sharing/share-actions.js';
import { WORLD } from '../sharing/sharing.js';
import { announceStart } from '../sharing/spoken.js';
import { say } from '../words/words.js';

/** @typedef {import('../page/page.js').Page} Page */

/**
 * A page that comes back from the background asks for the world anew: after a refusal by itself, and the reader where the
 * world lost sight of them meanwhile.
 * @param {Page} page
 * @param {import('../session/person.js').Person} person
 */
export function followReturns(page, { sharer, liveWorld, scope }) {
  const { stream } = page;
  let isAsked = false;
  const ask = () => {
    if (!isAsked || document.visibilityState !== 'visible') return;
    isAsked = false;
    if (wasShown(page)) page.toasts.offer(say('world.wasShown'), say('sharing.goOn'), () => goOn(page));
  };
  liveWorld.onLost = () => {
    if (!stream.wasAway || !sharer.isSharedIn(WORLD)) return;
    sharer.suspend(WORLD);
    isAsked = true;
    ask();
  };
  scope.listen(document, 'visibilitychange', () => {
    if (document.visibilityState !== 'visible') return;
    if (liveWorld.refusal) page.retryWorld();
    ask();
  });
}

/**
 * Whether this browser showed the reader in the world before the page was closed or went to the background, until a time that isn't over.
 * @param {Page} page
 */
function wasShown({ sharer }) {
  return sharer.isPausedIn(WORLD);
}

/** @param {Page} page */
function goOn(page) {
  if (wasShown(page)) page.sharer.start(WORLD).then(() => announceStart(page, WORLD));
}

/**
 * The question that the world's screen shows to a person whose pin was in the world before.
 * @param {Page} page
 */
export function worldReturn(page) {
  const title = element('strong');
  const actions = element('div', { class: 'share-line' },
    button(say('sharing.goOn'), () => goOn(page), { class: 'share main' }),
    button(say('sharing.stop'), () => stopShare(page, WORLD), { class: 'stop' }));
  const root = element('div', { class: 'share-resume', hidden: true }, title, element('p', {}, say('world.wasShown')), actions);
  /** @returns {boolean} whether it asks */
  const update = () => {
    root.hidden = !wasShown(page);
    const end = page.shareRecords.get(WORLD)?.until;
    setText(title, end === undefined ? say('world.wasShownOpen') : say('world.wasShownUntil', { time: clockText(end) }));
    return !root.hidden;
  };
  return { root, update };
}
