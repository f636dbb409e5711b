// @ts-check
import { agedClock, clockText, leftText } from '../freshness/age.js';
import { heard, heardKey } from '../freshness/heard-text.js';
import { distanceText } from '../freshness/person-text.js';
import { button, iconButton } from '../page/controls.js';
import { element, fill, setText } from '../page/dom.js';
import { say } from '../words/words.js';
import { ownStanding } from './own-standing.js';
import { extendShare, startShare, stopShare } from './share-actions.js';
import { choiceText, lastChoice } from './share-choice.js';
import { shareDialog } from './share-dialog.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').Share} Share */

/** How long it is told that positions were missed, in milliseconds. */
const MISSED_SHOWN = 3_600_000;

/** @type {Record<import('./share-record.js').MissedCause, import('../words/english.js').Key>} */
const MISSED = { closed: 'sharing.missedClosed', paused: 'sharing.missedPaused', hidden: 'sharing.missedHidden', silent: 'sharing.missedSilent' };

/** From how many meters on a position says too little. */
const COARSE = 1_000;

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
 * @returns {'impossible' | 'off' | 'on' | 'elsewhere' | 'resume' | 'awaited' | 'stopping'}
 */
function kindOf({ sharer, ownShares, shareRecords, awaitedStart }, id) {
  if (awaitedStart.wanted?.chat === id) return 'awaited';
  if (sharer.isSharedIn(id)) return 'on';
  const share = ownShares.in(id);
  if (share) return sharer.isPausedIn(id) && sharer.shareIn(id) === share.share ? 'resume' : 'elsewhere';
  if (shareRecords.isStopping(id)) return 'stopping';
  return sharer.isPossible ? 'off' : 'impossible';
}

const makers = { impossible, off, on, elsewhere: on, resume, awaited, stopping };

function impossible() {
  return { root: element('p', { class: 'hint' }, say(isSecureContext ? 'sharing.noSensor' : 'sharing.impossible')), update: () => {} };
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
    start.classList.toggle('busy', page.sharer.isAsking);
    if (page.sharer.isAsking) setText(label, say('sharing.finding'));
    else setText(label, page.ownShares.isKnown ? say('sharing.shareFor', { time: choiceText(lastChoice()) }) : say('sharing.share'));
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
  const advice = element('span', { class: 'share-advice' });
  const longer = element('button', { type: 'button', class: 'quiet longer', onclick: () => { const share = page.ownShares.in(id); if (share) extendShare(page, share); } }, say('sharing.hourMore'));
  const stop = element('button', { type: 'button', class: 'stop', onclick: () => stopShare(page, id) }, say('sharing.stop'));
  const title = element('strong');
  const root = element('div', { class: 'share-line on' }, element('span', { class: 'pulse', 'aria-hidden': 'true' }),
    element('div', { class: 'share-text', role: 'status' }, title, state, advice), longer, stop);
  const update = () => {
    const share = page.ownShares.in(id);
    const isElsewhere = ownStanding(page, id) === 'elsewhere';
    root.classList.toggle('elsewhere', isElsewhere);
    setText(title, say(isElsewhere ? 'sharing.otherDevice' : 'sharing.youShareHere'));
    longer.hidden = typeof share?.until !== 'number';
    setText(state, isElsewhere && share ? elsewhereText(page, share) : stateText(page, id, share));
    setText(advice, adviceText(page, id));
  };
  return { root, update };
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {Share | undefined} share
 */
function stateText(page, id, share) {
  const { sharer, stream } = page;
  if (sharer.problem) return sharer.problem;
  if (ownStanding(page, id) === 'finding') return say('sharing.finding');
  return share ? endText(share, stream.now()) : say('sharing.untilYouStop');
}

/**
 * Until when another device shares, and when it was last heard of if it is silent.
 * @param {Page} page
 * @param {Share} share
 */
function elsewhereText({ account, chats, stream }, share) {
  const now = stream.now();
  const standing = chats.followedLive(share.chat)?.standing(account.user?.id ?? '', now);
  if (standing?.kind !== 'heard') return endText(share, now);
  const values = heard(standing.at, now);
  return [endText(share, now), say(heardKey(values, 'fresh.heardAgo', 'fresh.heardAt'), values)].join(' · ');
}

/**
 * What the others missed, and what the reader can do that they see better where the reader is.
 * @param {Page} page
 * @param {string} id
 */
function adviceText({ sharer, shareRecords, stream }, id) {
  if (!sharer.isSharedIn(id)) return '';
  const { accuracy } = sharer.sharing.lastFix ?? {};
  const advice = accuracy === undefined || accuracy < COARSE ? say('sharing.keepInView') : say('sharing.coarse', { distance: distanceText(accuracy) });
  return [missedText(shareRecords.get(id), stream.now()), advice].filter(Boolean).join(' ');
}

/**
 * From when to when nothing was sent, and why, if that was seen; nothing once it is an hour ago.
 * @param {Pick<import('./share-record.js').ShareRecord, 'missed' | 'missedCause'> | undefined} record
 * @param {number} now by the server's clock
 */
export function missedText({ missed, missedCause } = {}, now) {
  const [from, until] = missed ?? [0, 0];
  if (now - until > MISSED_SHOWN) return '';
  return say(missedCause === undefined ? 'sharing.missed' : MISSED[missedCause], { from: clockText(from), until: clockText(until) });
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
 * A start that waits for the connection.
 * @param {Page} page
 */
function awaited(page) {
  const takeBack = button(say('sharing.takeBack'), () => page.awaitedStart.drop(), { class: 'stop' });
  const root = element('div', { class: 'share-line on' }, element('p', { class: 'share-text', role: 'status' }, say('sharing.awaited')), takeBack);
  return { root, update: () => {} };
}

/**
 * A stop that the server hasn't yet.
 * @param {Page} page
 */
function stopping(page) {
  const text = element('p', { role: 'status' });
  const update = () => setText(text, say(page.stream.state === 'open' ? 'sharing.stopping' : 'sharing.stoppingLater'));
  return { root: element('div', { class: 'share-resume' }, text), update };
}

/**
 * @param {Page} page
 * @param {string} id
 */
function resume(page, id) {
  const title = element('strong');
  const text = element('p');
  const goOn = button(say('sharing.goOn'), () => page.sharer.start(id), { class: 'share main' });
  const stop = element('button', { type: 'button', class: 'stop', onclick: () => stopShare(page, id) }, say('sharing.stop'));
  const update = () => {
    const share = page.ownShares.in(id);
    if (!share) return;
    const now = page.stream.now();
    setText(title, typeof share.until === 'number' ? say('sharing.stillRunsUntil', { time: clockText(share.until) }) : say('sharing.stillRuns'));
    setText(text, say('sharing.seenAsOf', { when: agedClock(share.freshness.asOf, now) }));
  };
  return { root: element('div', { class: 'share-resume' }, title, text, element('div', { class: 'share-line' }, goOn, stop)), update };
}
