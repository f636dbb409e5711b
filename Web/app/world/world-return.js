// @ts-check
import { clockText } from '../freshness/age.js';
import { button } from '../page/controls.js';
import { element, setText } from '../page/dom.js';
import { stopShare } from '../sharing/share-actions.js';
import { WORLD } from '../sharing/sharing.js';
import { say } from '../words/words.js';

/** @typedef {import('../page/page.js').Page} Page */

/**
 * A page that comes back from the background asks for the world anew: after a refusal by itself, and the reader where the
 * world lost sight of them meanwhile.
 * @param {Page} page
 */
export function followReturns(page) {
  const { stream, sharer, liveWorld } = page;
  let isAsked = false;
  const ask = () => {
    if (!isAsked || document.visibilityState !== 'visible') return;
    isAsked = false;
    if (keptEnd(page) !== undefined) page.toasts.offer(say('world.wasShown'), say('sharing.goOn'), () => goOn(page));
  };
  liveWorld.onLost = () => {
    if (!stream.wasAway || !sharer.isSharedIn(WORLD)) return;
    sharer.suspend(WORLD);
    isAsked = true;
    ask();
  };
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible') return;
    if (liveWorld.refusal) page.retryWorld();
    ask();
  });
}

/**
 * Until when this browser showed the reader in the world before the page was closed or went to the background; `undefined` if
 * it didn't, or that time is over.
 * @param {Page} page
 * @returns {string | undefined} the end in milliseconds, or *open*
 */
function keptEnd({ sharer, stream }) {
  const kept = sharer.kept[WORLD];
  const isOver = kept === undefined || sharer.isSharedIn(WORLD) || !sharer.isPossible || Number(kept) <= stream.now();
  return isOver ? undefined : kept;
}

/** @param {Page} page */
function goOn(page) {
  const kept = keptEnd(page);
  if (kept !== undefined) page.sharer.start(WORLD, kept).then(() => page.announceShare(WORLD, true));
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
    const kept = keptEnd(page);
    root.hidden = kept === undefined;
    const end = Number(kept);
    setText(title, end > 0 ? say('world.wasShownUntil', { time: clockText(end) }) : say('world.wasShownOpen'));
    return !root.hidden;
  };
  return { root, update };
}
