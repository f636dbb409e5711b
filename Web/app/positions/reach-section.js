// @ts-check
import { keepingText, keptFor } from '../chats/position-keeping.js';
import { dayText } from '../freshness/age.js';
import { button } from '../page/controls.js';
import { element } from '../page/dom.js';
import { say } from '../words/words.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').Chat} Chat */
/** @typedef {import('./all-positions.js').AllPositions} AllPositions */

/** What is said of the newest positions. */
const WORDS = /** @type {const} */ ({ full: 'positions.full', kept: 'positions.kept', joined: 'positions.joined', whole: 'positions.whole' });

/**
 * From when the positions on the map are, why there are none before, and the way to those that are held in their place.
 * @param {Page} page
 * @param {string} id the chat's
 */
export function reachSection(page, id) {
  const all = () => page.chats.live(id)?.all;
  const earlier = button(say('positions.earlier'), () => all()?.earlier(), { icon: 'history' });
  const newest = button(say('positions.newest'), () => all()?.newest());
  const root = element('div', { class: 'actions wrap padded', hidden: true }, earlier, newest);
  /** @returns {string} what the switch says of them */
  const update = () => {
    const [held, chat] = [page.scene.all ? all() : undefined, page.chats.chat(id)];
    earlier.hidden = !held?.stretch.hasEarlier;
    newest.hidden = !held || held.stretch.isNewest;
    root.hidden = earlier.hidden && newest.hidden;
    if (!page.scene.all) return say('chat.viewsLast');
    return held && chat ? reachText(held, chat, page.stream.now()) : say('chat.viewsAll');
  };
  return { root, update };
}

/**
 * @param {AllPositions} all
 * @param {Chat} chat
 * @param {number} now
 */
export function reachText(all, chat, now) {
  const { since, until, why } = all.stretch.reach({ now, keptFor: keptFor(chat), created: chat.created });
  const { count } = all.stretch;
  if (since === undefined || until === undefined) return say(why === 'loading' ? 'positions.coming' : 'chat.viewsAll');
  const values = { count, since: sinceText(since, now), until: sinceText(until, now), keeping: keepingText(chat.positions ?? 'month') };
  if (why === 'loading') return say('positions.loading', values);
  if (!all.stretch.isNewest) return say(why === 'full' ? 'positions.between' : 'positions.betweenFirst', values);
  return `${say(WORDS[why], values)} ${say('positions.off')}`;
}

/**
 * A time with its day, and with its year if that isn't this one.
 * @param {number} time
 * @param {number} now
 */
function sinceText(time, now) {
  const [year, current] = [time, now].map((each) => new Date(each).getFullYear());
  return year === current ? dayText(time, now) : `${dayText(time, now)} ${year}`;
}
