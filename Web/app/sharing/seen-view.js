// @ts-check
import { clockText } from '../freshness/age.js';
import { button, emptyState, heading } from '../page/controls.js';
import { element, fill, keyed, setText } from '../page/dom.js';
import { icon } from '../page/icons.js';
import { say } from '../words/words.js';
import { stopEverywhere, stopShare } from './share-actions.js';
import { WORLD } from './sharing.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').Share} Share */
/** @typedef {{ place: string, share: Share | undefined, isHere: boolean }} Running */

/**
 * Who can see the reader: every running share with its end and a stop, from this browser and from elsewhere.
 * @param {Page} page
 * @returns {import('../page/panel.js').View}
 */
export function seenView(page) {
  const top = heading(say('seen.title'));
  const summary = element('p', { class: 'seen-summary', role: 'status' });
  const here = section(say('seen.here'));
  const elsewhere = section(say('seen.elsewhere'));
  const none = emptyState('eye', say('seen.nobody'), say('seen.nobodyHint'));
  const world = element('p', { class: 'hint padded' });
  const stop = button(say('seen.stopEverywhere'), () => stopEverywhere(page), { class: 'share main wide' });
  const foot = element('footer', { class: 'seen-foot' }, stop, element('p', { class: 'hint' }, say('seen.stopHint')));
  const root = element('div', { class: 'view' }, top.root,
    element('div', { class: 'scroll seen' }, summary, none, here.root, elsewhere.root, world), foot);
  const update = () => {
    const running = runningOf(page);
    const viewers = new Set(running.flatMap(({ place }) => viewersOf(page, place)));
    summary.hidden = foot.hidden = running.length === 0;
    none.hidden = running.length > 0;
    setText(summary, say('seen.people', { count: viewers.size }));
    for (const [{ root, list }, isHere] of /** @type {const} */ ([[here, true], [elsewhere, false]])) {
      const shown = running.filter((each) => each.isHere === isHere);
      root.hidden = shown.length === 0;
      keyed(list, shown, ({ place, share }) => `${place}/${share?.share ?? ''}`, (each) => runningRow(page, each));
    }
    setText(world, say(page.sharer.isSharedIn(WORLD) ? 'seen.worldOn' : 'seen.worldOff'));
  };
  update();
  return { root, sheet: 'full', observing: [page.sharer, page.ownShares, page.chats].map((each) => each.observe(update)) };
}

/** @param {string} title */
function section(title) {
  const list = element('ul', { class: 'rows' });
  return { root: element('section', {}, element('h2', { class: 'section-title' }, title), list), list };
}

/**
 * @param {Page} page
 * @returns {Running[]}
 */
function runningOf({ sharer, ownShares }) {
  const shares = ownShares.running.map((share) => ({ place: share.chat, share, isHere: sharer.isSharedIn(share.chat) }));
  const unkept = sharer.places.filter((place) => place !== WORLD && !shares.some((each) => each.place === place));
  return [...shares, ...unkept.map((place) => ({ place, share: undefined, isHere: true }))];
}

/**
 * @param {Page} page
 * @param {string} place
 */
function viewersOf(page, place) {
  const own = page.account.user?.id;
  return (page.chats.chat(place)?.participants ?? []).flatMap(({ user, present }) => (present && user !== own ? [user] : []));
}

/**
 * @param {Page} page
 * @param {Running} running
 */
function runningRow(page, { place, share }) {
  const name = element('strong', { dir: 'auto' });
  const text = element('span', { class: 'hint' });
  const stop = element('button', { type: 'button', class: 'stop', onclick: () => stopShare(page, place) }, say('sharing.stop'));
  const root = element('li', { class: 'row' }, element('span', { class: 'seen-picture' }, icon('chats')), element('span', { class: 'row-text' }, name, text), stop);
  const update = () => {
    setText(name, page.nameOf(place));
    stop.setAttribute('aria-label', say('seen.stopIn', { chat: page.nameOf(place) }));
    const now = share && page.ownShares.get(share.share);
    fill(text, [say('chat.count', { count: viewersOf(page, place).length }), endText(now ?? share), now ? say(now.keep === 'kept' ? 'seen.kept' : 'seen.erased') : ''].filter(Boolean).join(' · '));
  };
  update();
  return Object.assign(root, { update });
}

/** @param {Share | undefined} share */
function endText(share) {
  if (typeof share?.until === 'number') return say('sharing.until', { time: clockText(share.until) });
  return say(share?.arrival ? 'sharing.untilYouArrive' : 'sharing.untilYouStop');
}
