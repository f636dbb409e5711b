// @ts-check
import { button, whileBusy } from '../page/controls.js';
import { element, fill } from '../page/dom.js';
import { absoluteTime, relativeTime } from '../people/times.js';
import { say, sayWith } from '../words/words.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('./account.js').Session} Session */

/**
 * Where one is signed in, each with a button that ends it.
 * @param {Page} page
 */
export function sessionsSection(page) {
  const list = element('ul', { class: 'rows', 'aria-label': say('sessions.list') });
  const root = element('section', { class: 'card stack' }, element('h2', {}, say('sessions.title')),
    element('p', { class: 'hint' }, say('sessions.hint')), list);
  show(page, list);
  return root;
}

/**
 * @param {Page} page
 * @param {HTMLElement} list
 */
async function show(page, list) {
  try {
    const sessions = await page.account.sessions();
    fill(list, sessions.map((session) => row(page, list, session)));
  } catch (error) {
    page.toasts.fail(error);
  }
}

/**
 * @param {Page} page
 * @param {HTMLElement} list
 * @param {Session} session
 */
function row(page, list, session) {
  const name = session.label || say('sessions.unknown');
  const now = page.stream.now();
  const seen = session.lastSeen ?? session.created;
  const time = element('time', { dateTime: new Date(seen).toISOString(), title: absoluteTime(seen, now) }, relativeTime(seen, now));
  const place = session.network ? ` · ${session.network}` : '';
  const text = element('span', { class: 'row-text' }, element('strong', {}, name),
    element('span', { class: 'hint' }, session.current ? say('sessions.thisBrowser') : element('span', {}, sayWith('sessions.lastSeen', { time })), place));
  if (session.current) return element('li', { class: 'row' }, text);
  const end = button(say('sessions.end'), () => endSession(page, list, session, end, name));
  end.setAttribute('aria-label', say('sessions.endOf', { name: name + place }));
  return element('li', { class: 'row' }, text, end);
}

/**
 * @param {Page} page
 * @param {HTMLElement} list
 * @param {Session} session
 * @param {HTMLElement} control
 * @param {string} name
 */
async function endSession(page, list, session, control, name) {
  try {
    await whileBusy(control, () => page.account.endSession(session.id));
    page.toasts.say(say('sessions.ended', { name }));
  } catch (error) {
    page.toasts.fail(error);
  }
  await show(page, list);
}
