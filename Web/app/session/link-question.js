// @ts-check
import { chosen } from '../page/controls.js';
import { element } from '../page/dom.js';
import { unreachable } from '../rest/rest.js';
import { say } from '../words/words.js';
import { signOut } from './sign-out.js';

/** @typedef {import('../page/page.js').Page} Page */

/** How long it is waited for the list of what is shared, in milliseconds. */
const KNOWN_WITHIN = 4_000;

/**
 * Asks the person who is signed in whether to use a sign-in link. Only the server knows whose account the link opens, and it says so only
 * when the link is used. The question lists where this person shares, as using the link ends these shares. On *Sign out, and use the link* the
 * person is signed out in the ordinary way, and the link is used.
 * @param {Page} page
 * @param {string} link the secret
 */
export async function askAboutLink(page, link) {
  const { person } = page;
  await known(person);
  if (page.stream.state !== 'open') return page.toasts.fail(unreachable(), say('page.linkFailed'));
  const places = person.shareRecords.wanted.map(({ place }) => element('li', { dir: 'auto' }, page.nameOf(place)));
  const shared = places.length > 0 ? element('div', {}, element('p', {}, say('signIn.linkEnds')), element('ul', {}, places)) : undefined;
  const way = await chosen(say('signIn.linkQuestion'), say('signIn.linkHint', { name: page.account.user?.name ?? '' }), { use: say('signIn.linkUse') }, shared);
  if (way === 'use' && person === page.person) await signOut(page, link);
}

/**
 * @param {import('./person.js').Person} person
 * @returns {Promise<void>} when it is known where they share and what that is called, or after four seconds
 */
function known({ chats, ownShares, scope }) {
  return new Promise((resolve) => {
    const waiting = scope.inner();
    const look = () => {
      if (chats.list.isCurrent && (ownShares.isCurrent || ownShares.areKept === false)) waiting.end();
    };
    waiting.add(resolve);
    waiting.after(KNOWN_WITHIN, () => waiting.end());
    for (const each of [chats, ownShares]) each.observe(look, waiting);
    look();
  });
}
