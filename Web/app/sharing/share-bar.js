// @ts-check
import { ageText, clockText, leftText } from '../freshness/age.js';
import { button, iconButton } from '../page/controls.js';
import { element, fill, setText } from '../page/dom.js';
import { say } from '../words/words.js';
import { extendShare, startShare, stopShare } from './share-actions.js';
import { choiceText, lastChoice } from './share-choice.js';
import { shareDialog } from './share-dialog.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').Share} Share */

/**
 * What stands at a chat's foot: whether the reader is seen here, until when, and the way to start and to stop.
 * @param {Page} page
 * @param {string} id
 */
export function shareBar(page, id) {
  const root = element('div', { class: 'share-bar', role: 'group', 'aria-label': say('sharing.bar') });
  /** @type {{ kind: string, root: HTMLElement, update: () => void } | undefined} */
  let shown;
  const update = () => {
    const kind = kindOf(page, id);
    root.dataset.kind = kind;
    if (shown?.kind !== kind) {
      shown = { kind, ...makers[kind](page, id) };
      fill(root, shown.root);
    }
    shown.update();
  };
  update();
  return { root, update };
}

/**
 * @param {Page} page
 * @param {string} id
 * @returns {'impossible' | 'off' | 'on' | 'resume'}
 */
function kindOf({ sharer, ownShares }, id) {
  if (sharer.isSharedIn(id)) return 'on';
  const share = ownShares.in(id);
  if (share) return sharer.kept[id] === share.share && sharer.isPossible ? 'resume' : 'on';
  return sharer.isPossible ? 'off' : 'impossible';
}

const makers = { impossible, off, on, resume };

function impossible() {
  return { root: element('p', { class: 'hint' }, say('sharing.impossible')), update: () => {} };
}

/**
 * @param {Page} page
 * @param {string} id
 */
function off(page, id) {
  const label = element('span');
  const start = element('button', { type: 'button', class: 'share main', onclick: () => startShare(page, id, lastChoice()) }, label);
  const more = iconButton(say('sharing.choose'), 'lower', () => shareDialog(page, id));
  more.classList.add('round');
  more.hidden = !page.ownShares.isKnown;
  const problem = element('p', { class: 'share-problem', role: 'status' });
  const update = () => {
    more.hidden = !page.ownShares.isKnown;
    setText(label, page.ownShares.isKnown ? say('sharing.shareFor', { time: choiceText(lastChoice()) }) : say('sharing.share'));
    problem.hidden = !page.sharer.problem;
    setText(problem, page.sharer.problem ? `${page.sharer.problem} ${say('sharing.nothingShared')}` : '');
  };
  return { root: element('div', { class: 'share-off' }, problem, element('div', { class: 'share-line' }, start, more)), update };
}

/**
 * @param {Page} page
 * @param {string} id
 */
function on(page, id) {
  const state = element('span', { class: 'share-state' });
  const longer = element('button', { type: 'button', class: 'quiet longer', onclick: () => { const share = page.ownShares.in(id); if (share) extendShare(page, share); } }, say('sharing.hourMore'));
  const stop = element('button', { type: 'button', class: 'stop', onclick: () => stopShare(page, id) }, say('sharing.stop'));
  const root = element('div', { class: 'share-line on' }, element('span', { class: 'pulse', 'aria-hidden': 'true' }),
    element('div', { class: 'share-text', role: 'status' }, element('strong', {}, say('sharing.youShareHere')), state), longer, stop);
  const update = () => {
    const share = page.ownShares.in(id);
    longer.hidden = typeof share?.until !== 'number';
    setText(state, stateText(page, id, share));
  };
  return { root, update };
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {Share | undefined} share
 */
function stateText({ sharer, stream }, id, share) {
  if (sharer.problem) return sharer.problem;
  if (sharer.sharing.places.has(id) && !sharer.sharing.lastFix) return say('sharing.finding');
  const where = sharer.isSharedIn(id) ? '' : say('sharing.elsewhere');
  return [share ? endText(share, stream.now()) : say('sharing.untilYouStop'), where].filter(Boolean).join(' · ');
}

/**
 * @param {Share} share
 * @param {number} now
 */
function endText({ until, arrival }, now) {
  if (typeof until === 'number') return say('sharing.endsAt', { time: clockText(until), left: leftText(until - now) });
  return say(arrival ? 'sharing.untilYouArrive' : 'sharing.untilYouStop');
}

/**
 * @param {Page} page
 * @param {string} id
 */
function resume(page, id) {
  const title = element('strong');
  const text = element('p');
  const goOn = button(say('sharing.goOn'), () => page.sharer.start(id, page.ownShares.in(id)?.share), { class: 'share main' });
  const stop = element('button', { type: 'button', class: 'stop', onclick: () => stopShare(page, id) }, say('sharing.stop'));
  const update = () => {
    const share = page.ownShares.in(id);
    if (!share) return;
    const now = page.stream.now();
    setText(title, typeof share.until === 'number' ? say('sharing.stillRunsUntil', { time: clockText(share.until) }) : say('sharing.stillRuns'));
    setText(text, say('sharing.seenAsOf', { time: clockText(share.freshness.asOf), age: ageText(share.freshness.asOf, now) }));
  };
  return { root: element('div', { class: 'share-resume' }, title, text, element('div', { class: 'share-line' }, goOn, stop)), update };
}
