// @ts-check
import { chosen } from '../page/controls.js';
import { element } from '../page/dom.js';
import { unreachable } from '../rest/rest.js';
import { say } from '../words/words.js';
import { signOut } from './sign-out.js';

/** @typedef {import('../page/page.js').Page} Page */

/** The longest wait for the user's shares and chats on an open connection, and for a connection that is still being opened, in milliseconds. */
const KNOWN_WITHIN = 4_000;
const OPEN_WITHIN = 20_000;

/**
 * Asks the person who is signed in whether to use a sign-in link. Only the server knows whose account the link opens, and it says so only
 * when the link is used. The question lists where this person shares, as using the link ends these shares. On *Sign out, and use the link* the
 * person is signed out in the ordinary way, and the link is used.
 * @param {Page} page
 * @param {string} link the secret
 */
export async function askAboutLink(page, link) {
  const { person } = page;
  await known(person, page.stream);
  if (page.stream.state !== 'open') return page.toasts.fail(unreachable(), say('page.linkFailed'));
  const places = person.shareRecords.wanted.map(({ place }) => element('li', { dir: 'auto' }, page.nameOf(place)));
  const shared = places.length > 0 ? element('div', {}, element('p', {}, say('signIn.linkEnds')), element('ul', {}, places)) : undefined;
  const way = await chosen(say('signIn.linkQuestion'), say('signIn.linkHint', { name: page.account.user?.name ?? '' }), { use: say('signIn.linkUse') }, shared);
  if (way === 'use' && person === page.person) await signOut(page, link);
}

/**
 * @param {import('./person.js').Person} person
 * @param {import('../stream/stream.js').Stream} stream
 * @returns {Promise<void>} resolves when the user's shares and chats are known; else after four seconds, or after twenty while the connection is
 *   still being opened
 */
function known({ chats, ownShares, scope }, stream) {
  return new Promise((resolve) => {
    const waiting = scope.inner();
    let isLate = false;
    let isOpen = stream.state === 'open';
    const look = () => {
      const isKnown = chats.list.isCurrent && (ownShares.isCurrent || ownShares.areKept === false);
      if (!isOpen && stream.state === 'open') {
        // The answers come behind the greeting.
        [isOpen, isLate] = [true, false];
        waiting.after(KNOWN_WITHIN, late);
      }
      if (isKnown || (isLate && stream.state !== 'connecting')) waiting.end();
    };
    const late = () => { isLate = true; look(); };
    waiting.add(resolve);
    waiting.after(KNOWN_WITHIN, late);
    waiting.after(OPEN_WITHIN, () => waiting.end());
    for (const each of [chats, ownShares, stream]) each.observe(look, waiting);
    look();
  });
}
