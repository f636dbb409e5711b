// @ts-check
import { chosen } from '../page/controls.js';
import { element } from '../page/dom.js';
import { stopHere } from '../sharing/share-actions.js';
import { isPosition } from '../sharing/outbox.js';
import { forgetEverything } from '../shell/shell.js';
import { Store } from '../storage/store.js';
import { isolated } from '../words/isolated.js';
import { say } from '../words/words.js';
import { depart, leave, leaveStops } from './departure.js';

/** @typedef {import('../page/page.js').Page} Page */

/** How many unsent messages are named. */
const NAMED_AT_MOST = 5;
/** How long the server may take to end the session before the page is left, in milliseconds. */
const ENDED_WITHIN = 4_000;

/**
 * Signs out: sharing stops, and what is the person's is erased from this browser at once. Without a connection the server hears of it
 * when the page is opened next. Messages that wait are named first, and stay with the person if they do.
 * @param {Page} page
 * @param {string} [link] the secret of a sign-in link that is used afterwards
 */
export async function signOut(page, link) {
  const { account, sender, shareRecords, stops } = page;
  const user = account.user?.id;
  const store = new Store();
  if (user === undefined || !(await losesUnsent(page, await unsentOf(user, sender.unsent(), store)))) return undefined;
  stopHere(page);
  if (page.stream.state === 'open') await stops.settled();
  // Set before the note is written: another tab erases the storage when it reads the note, and this tab would then leave a second time, without the
  // link.
  account.isLeaving = true;
  const isNoted = leave(user);
  // Those that another person's session left in this browser, too.
  leaveStops([...((await store.load('shares')) ?? []), ...shareRecords.stopping]);
  try {
    // A browser that keeps no note would open signed in: the session ends first.
    if (!isNoted) await account.signOut();
  } catch (error) {
    page.toasts.fail(error);
    return undefined;
  }
  page.leave();
  await forgetEverything({ keepsProgram: true });
  const late = new Promise((resolve) => { setTimeout(() => resolve(false), ENDED_WITHIN); });
  // The program's files stay only where they are needed to open the page without a connection.
  const departing = depart(forgetEverything).then(() => isNoted || forgetEverything(), () => {});
  await Promise.race([departing, late]);
  if (link === undefined) return location.replace('/');
  // Out of the address again as soon as the page reads it.
  history.replaceState(null, '', `/#link=${encodeURIComponent(link)}`);
  return location.reload();
}

/**
 * What waits to be sent in whichever tab, positions apart.
 * @param {string} user
 * @param {import('../wire.d.ts').Unsent[]} here what this tab sends
 * @param {Store} store
 */
async function unsentOf(user, here, store) {
  const kept = /** @type {import('../wire.d.ts').Unsent[]} */ ((await store.load('unsent')) ?? []);
  const others = kept.filter((entry) => entry.user === user && !isPosition(entry) && !here.some(({ key }) => key === entry.key));
  return [...here, ...others];
}

/**
 * @param {Page} page
 * @param {import('../wire.d.ts').Unsent[]} unsent
 * @returns {Promise<boolean>} whether nothing waits, or the reader wants to lose it
 */
async function losesUnsent(page, unsent) {
  if (unsent.length === 0) return true;
  const named = unsent.slice(0, NAMED_AT_MOST).map(({ chat, content }) => `${isolated(page.nameOf(chat))}: ${isolated(content || say('settings.withoutText'))}`);
  const more = unsent.length - named.length;
  const list = element('ul', {}, [...named, ...(more > 0 ? [say('settings.moreUnsent', { count: more })] : [])].map((text) => element('li', {}, text)));
  const way = await chosen(say('settings.unsentQuestion', { count: unsent.length }), say('settings.unsentHint'), { lose: say('settings.signOutAnyway') }, list);
  return way === 'lose';
}
