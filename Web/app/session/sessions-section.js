// @ts-check
import { button, whileBusy } from '../page/controls.js';
import { element, fill } from '../page/dom.js';
import { absoluteTime, relativeTime } from '../people/times.js';
import { say, sayWith } from '../words/words.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('./account.js').Session} Session */
/** @typedef {import('./account.js').AccountEvent} AccountEvent */

/** @type {Record<AccountEvent['change'], import('../words/english.js').Key>} */
const CHANGES = {
  password: 'sessions.changedPassword', email: 'sessions.changedEmail', login: 'sessions.changedLogin',
  link: 'sessions.changedLink', token: 'sessions.changedToken',
};

/** @type {Record<AccountEvent['by'], import('../words/english.js').Key>} */
const AUTHORS = { user: 'sessions.byUser', operator: 'sessions.byOperator', server: 'sessions.byServer' };

/**
 * The section's parts that are filled once the server has answered.
 * @typedef {object} Parts
 * @property {HTMLElement} list
 * @property {HTMLElement} endOthers
 * @property {HTMLElement} changes
 * @property {HTMLElement} events
 */

/**
 * Where one is signed in, each with a button that ends it, and what was changed of the sign-in.
 * @param {Page} page
 */
export function sessionsSection(page) {
  const list = element('ul', { class: 'rows', 'aria-label': say('sessions.list') });
  const events = element('ul', { class: 'rows', 'aria-label': say('sessions.changes') });
  const endOthers = button(say('sessions.endOthers'), () => endAll(page, parts));
  const changes = element('div', { class: 'stack', hidden: true }, element('h3', {}, say('sessions.changes')),
    element('p', { class: 'hint' }, say('sessions.changesHint')), events);
  const parts = { list, endOthers, changes, events };
  endOthers.hidden = true;
  show(page, parts);
  return element('section', { class: 'card stack' }, element('h2', {}, say('sessions.title')),
    element('p', { class: 'hint' }, say('sessions.hint')), list, endOthers, changes);
}

/**
 * @param {Page} page
 * @param {Parts} parts
 */
async function show(page, parts) {
  try {
    const { sessions, events } = await page.account.sessions();
    fill(parts.list, sessions.map((session) => row(page, parts, session)));
    fill(parts.events, events.map((event) => eventRow(page, event)));
    parts.changes.hidden = events.length === 0;
    parts.endOthers.hidden = sessions.every((session) => session.current);
  } catch (error) {
    page.toasts.fail(error);
  }
}

/**
 * @param {Page} page
 * @param {AccountEvent} event
 */
function eventRow(page, event) {
  const now = page.stream.now();
  const time = element('time', { dateTime: new Date(event.time).toISOString(), title: absoluteTime(event.time, now) }, relativeTime(event.time, now));
  const place = event.network ? ` · ${event.network}` : '';
  return element('li', { class: 'row' }, element('span', { class: 'row-text' }, element('strong', {}, say(CHANGES[event.change])),
    element('span', { class: 'hint' }, say(AUTHORS[event.by]), ' · ', time, place)));
}

/**
 * @param {Page} page
 * @param {Parts} parts
 */
async function endAll(page, parts) {
  try {
    await whileBusy(parts.endOthers, () => page.account.endOtherSessions());
    page.toasts.say(say('sessions.othersEnded'));
  } catch (error) {
    page.toasts.fail(error);
  }
  await show(page, parts);
}

/**
 * @param {Page} page
 * @param {Parts} parts
 * @param {Session} session
 */
function row(page, parts, session) {
  const name = session.label || say('sessions.unknown');
  const now = page.stream.now();
  const seen = session.lastSeen ?? session.created;
  const time = element('time', { dateTime: new Date(seen).toISOString(), title: absoluteTime(seen, now) }, relativeTime(seen, now));
  const place = session.network ? ` · ${session.network}` : '';
  const text = element('span', { class: 'row-text' }, element('strong', {}, name),
    element('span', { class: 'hint' }, session.current ? say('sessions.thisBrowser') : element('span', {}, sayWith('sessions.lastSeen', { time })), place));
  if (session.current) return element('li', { class: 'row' }, text);
  const end = button(say('sessions.end'), () => endSession(page, parts, session, end, name));
  end.setAttribute('aria-label', say('sessions.endOf', { name: name + place }));
  return element('li', { class: 'row' }, text, end);
}

/**
 * @param {Page} page
 * @param {Parts} parts
 * @param {Session} session
 * @param {HTMLElement} control
 * @param {string} name
 */
async function endSession(page, parts, session, control, name) {
  try {
    await whileBusy(control, () => page.account.endSession(session.id));
    page.toasts.say(say('sessions.ended', { name }));
  } catch (error) {
    page.toasts.fail(error);
  }
  await show(page, parts);
}
