// @ts-check
import { keepingIn } from '../chats/position-keeping.js';
import { clockText } from '../freshness/age.js';
import { stateAt } from '../freshness/freshness.js';
import { loadingText } from '../page/loading-text.js';
import { button, emptyState, heading } from '../page/controls.js';
import { element, keyed, setText } from '../page/dom.js';
import { icon } from '../page/icons.js';
import { isolated } from '../words/isolated.js';
import { locale, say } from '../words/words.js';
import { ownStanding } from './own-standing.js';
import { seenSummary } from './seen-summary.js';
import { stopEverywhere, stopShare } from './share-actions.js';
import { EVERYWHERE } from './share-record.js';
import { WORLD } from './sharing.js';
import { namedOf, pausedChats, runningOf, viewersOf } from './who-sees.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').Share} Share */
/** @typedef {import('./who-sees.js').Running} Running */

/** @type {Record<import('./own-standing.js').OwnStanding, import('./seen-summary.js').When>} */
const WHEN = { seen: 'now', finding: 'soon', unsent: 'before', unshown: 'never', paused: 'before', stopping: 'before', elsewhere: 'now', off: 'never' };

/**
 * Who can see the reader: the world and every running share with whom it reaches, its end and a stop, from this browser and from
 * elsewhere.
 * @param {Page} page
 * @param {import('../page/scope.js').Scope} scope of the view
 * @returns {import('../page/panel.js').View}
 */
export function seenView(page, scope) {
  const top = heading(say('seen.title'));
  const summary = element('p', { class: 'seen-summary', role: 'status' });
  const here = section(say('seen.here'));
  const elsewhere = section(say('seen.elsewhere'));
  const none = emptyState('eye', say('seen.nobody'), say('seen.nobodyHint'));
  const loading = element('p', { class: 'hint padded', role: 'status' });
  const world = element('p', { class: 'hint padded' }, say('seen.worldOff'));
  const stop = button(say('seen.stopEverywhere'), () => stopEverywhere(page), { class: 'share main wide' });
  const hint = element('p', { class: 'hint' });
  const foot = element('footer', { class: 'seen-foot' }, stop, hint);
  const root = element('div', { class: 'view' }, top.root,
    element('div', { class: 'scroll seen' }, summary, none, loading, here.root, elsewhere.root, world), foot);
  const update = () => {
    const running = runningNow(page);
    const isInWorld = page.sharer.isSharedIn(WORLD);
    summary.hidden = running.length === 0;
    foot.hidden = running.every(({ state }) => state === 'stopping');
    // Until the server has told every share it isn't known that nobody can.
    none.hidden = running.length > 0 || !page.ownShares.isTold;
    loading.hidden = page.ownShares.isTold;
    world.hidden = isInWorld || running.length === 0;
    setText(summary, summaryText(page, running));
    setText(hint, say(page.stream.state === 'open' ? 'seen.stopHint' : 'seen.stopHintLater'));
    setText(loading, loadingText(page));
    for (const [{ root, list }, isHere] of /** @type {const} */ ([[here, true], [elsewhere, false]])) {
      const shown = running.filter((each) => each.isHere === isHere);
      root.hidden = shown.length === 0;
      keyed(list, shown, ({ place, share, state }) => `${place}/${share?.share ?? ''}/${state ?? ''}`, (each) => runningRow(page, each));
    }
  };
  update();
  for (const each of [page.sharer, page.ownShares, page.chats, page.stream]) each.observe(update, scope);
  return { root, sheet: 'full' };
}

/**
 * @param {Page} page
 * @returns {Running[]}
 */
function runningNow(page) {
  const { ownShares, sharer } = page;
  return runningOf(ownShares.running, sharer.places, { paused: pausedChats(page), stopping: ownShares.stopped(EVERYWHERE) });
}

/**
 * @param {Page} page
 * @param {Running[]} running
 */
function summaryText(page, running) {
  return seenSummary(running.map(({ place, share, isHere, state }) => ({
    isWorld: place === WORLD, when: state !== undefined ? 'before' : isHere ? WHEN[ownStanding(page, place)] : isHeardNow(page, share) ? 'now' : 'before',
    viewers: peopleIn(page, place)?.map(({ user }) => user),
  })));
}

/**
 * Whether another device's share brings positions at the moment, as far as is known.
 * @param {Page} page
 * @param {Share | undefined} share
 */
function isHeardNow({ stream }, share) {
  return share !== undefined && stream.state === 'open' && stateAt(share.freshness, stream.now()) === 'live';
}

/**
 * Who can see the reader through a chat; `undefined` while the chat isn't known.
 * @param {Page} page
 * @param {string} place
 */
function peopleIn(page, place) {
  const chat = page.chats.chat(place);
  return chat && viewersOf(chat, page.account.user?.id);
}

/** @param {string} title */
function section(title) {
  const list = element('ul', { class: 'rows' });
  return { root: element('section', {}, element('h2', { class: 'section-title' }, title), list), list };
}

/**
 * @param {Page} page
 * @param {Running} running
 */
function runningRow(page, { place, share, state }) {
  const name = element('strong', { dir: 'auto' });
  const viewers = element('span', { class: 'seen-viewers', dir: 'auto' });
  const text = element('span', { class: 'hint' });
  const stop = element('button', { type: 'button', class: 'stop', hidden: state === 'stopping', onclick: () => stopShare(page, place) }, say('sharing.stop'));
  const goOn = state === 'paused' && button(say('sharing.goOn'), () => page.sharer.start(place), { class: 'quiet' });
  const root = element('li', { class: 'row' },
    element('span', { class: 'seen-picture' }, icon(place === WORLD ? 'world' : 'chats')), element('span', { class: 'row-text' }, name, viewers, text), element('span', { class: 'seen-actions' }, goOn, stop));
  const update = () => {
    setText(name, place === WORLD ? say('page.world') : page.nameOf(place));
    stop.setAttribute('aria-label', say('seen.stopIn', { chat: page.nameOf(place) }));
    const now = share && page.ownShares.get(share.share);
    setText(viewers, place === WORLD ? say('seen.worldViewers') : viewersText(peopleIn(page, place)));
    const end = place === WORLD ? untilText(page.worldEnd) : endText(now ?? share ?? page.shareRecords.get(place));
    if (state === 'stopping') setText(text, say(page.stream.state === 'open' ? 'sharing.stopping' : 'sharing.stoppingLater'));
    else setText(text, [state === 'paused' && say('sharing.paused'), end, now ? keepText(page, now) : ''].filter(Boolean).join(' · '));
  };
  update();
  return Object.assign(root, { update });
}

/**
 * @param {Page} page
 * @param {Share} share
 */
function keepText(page, { chat, keep }) {
  if (keep !== 'kept') return say('seen.erased');
  return page.chats.chat(chat) ? say('seen.kept', { keeping: keepingIn(page, chat) }) : '';
}

/** @param {{ name: string }[] | undefined} people */
function viewersText(people) {
  if (people === undefined) return say('seen.viewersUnknown');
  const { names, more } = namedOf(people);
  const all = [...names.map(isolated), ...(more > 0 ? [say('seen.more', { count: more })] : [])];
  return all.length === 0 ? say('seen.nobodyInChat') : new Intl.ListFormat(locale).format(all);
}

/** @param {number | undefined} until */
function untilText(until) {
  return until === undefined ? say('sharing.untilYouStop') : say('sharing.until', { time: clockText(until) });
}

/** @param {{ until?: number | null, arrival?: object } | undefined} share */
function endText(share) {
  if (!share?.until && share?.arrival) return say('sharing.untilYouArrive');
  return untilText(share?.until ?? undefined);
}
