// @ts-check
import { clockText, dayText } from '../freshness/age.js';
import { heard, heardKey } from '../freshness/heard-text.js';
import { causeText, distanceText, isBatteryLow, isMoving, isWarned, percentText, speedText } from '../freshness/person-text.js';
import { unplacedText } from '../freshness/unplaced-text.js';
import { coordinateOf, personIn, timeOf } from '../map/annotations.js';
import { directionsLink, metersBetween } from '../map/directions.js';
import { placeText } from '../map/place-text.js';
import { button, iconButton, toggle } from '../page/controls.js';
import { element, fill, setText } from '../page/dom.js';
import { icon } from '../page/icons.js';
import { colorIn } from '../people/color.js';
import { Face } from '../people/face.js';
import { initials } from '../people/initials.js';
import { say } from '../words/words.js';
import { personActions } from './person-actions.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').PersonNow} PersonNow */

const NARROW = matchMedia('(max-width: 759.98px)');

/** Whether a person opens in place of the list, as on a phone. Beside a wide map a callout says it. */
export function isCardShown() {
  return NARROW.matches;
}

/**
 * One person of a chat in the sheet: where they are, how sure that is and why, and what one can do.
 * @param {Page} page
 * @param {string} id the chat's
 * @param {string} user
 * @param {() => void} back
 */
export function personCard(page, id, user, back) {
  const face = new Face();
  const name = element('h2', { class: 'title', dir: 'auto' });
  const share = element('p', { class: 'hint' });
  const place = element('p', { class: 'person-place' });
  const seen = element('p', { class: 'hint' });
  const note = element('p', { class: 'warning', role: 'status' });
  const tiles = element('ul', { class: 'figures' });
  const directions = element('a', { class: 'button primary', target: '_blank', rel: 'noreferrer' }, icon('directions'), element('span', {}, say('person.directions')));
  const ask = button(say('person.ask'), () => askWhere(page, id, user), { icon: 'ask', class: 'tint' });
  const day = element('a', { class: 'button', href: `#/chats/${encodeURIComponent(id)}/day/${encodeURIComponent(user)}` },
    icon('history'), element('span', {}, say('history.day')));
  const follow = toggle('', (isOn) => {
    page.map.follow(isOn ? user : undefined);
    if (isOn) page.map.select(user);
  });
  const tell = toggle('', (isOn) => page.watcher.set(user, isOn));
  setText(tell.state, say('person.tellHint'));
  const more = personActions(page, id, user, back);
  const root = element('div', { class: 'person-card scroll' },
    element('header', { class: 'person-head' }, iconButton(say('page.back'), 'back', back), face.element, element('div', {}, name, share)),
    place, seen, note, tiles, element('div', { class: 'person-actions' }, directions, ask, day), follow.root, tell.root, more.root);
  const update = () => {
    const chat = page.chats.chat(id);
    const participant = chat && personIn(chat, user);
    if (!chat || !participant) return back();
    const now = page.stream.now();
    const live = page.chats.live(id);
    const position = live?.last.latest().get(user);
    const person = live?.person(user, now);
    const coordinate = position && !person?.isGone ? coordinateOf(position) : undefined;
    face.show({ state: person && !person.isGone ? person.state : 'none', color: colorIn(chat, user), initials: initials(participant.name), avatar: participant.avatar });
    setText(name, participant.name);
    setText(share, [page.nameOf(id), shareText(person)].filter(Boolean).join(' · '));
    setText(place, coordinate ? page.whereOf(user, { ...coordinate, accuracy: person?.accuracy }) : noPlaceText(page, person, live));
    place.title = coordinate ? placeText(coordinate) : '';
    setText(seen, coordinate && person ? seenText(page, user, coordinate, timeOf(position), now) : '');
    note.hidden = !person || !isWarned(person);
    setText(note, person && !note.hidden ? warningText(person, { name: participant.name, now, isCurrent: live?.isCurrent ?? false }) : '');
    fill(tiles, person && coordinate ? figures(person) : []);
    directions.hidden = !coordinate;
    if (coordinate) directions.href = directionsLink(coordinate);
    ask.hidden = user === page.account.user?.id;
    follow.root.hidden = !coordinate || page.map.isText;
    follow.input.checked = page.map.followed() === user;
    setText(/** @type {Element} */ (follow.root.querySelector('label')), say('person.follow', { name: participant.name }));
    tell.root.hidden = user === page.account.user?.id;
    tell.input.checked = page.watcher.has(user);
    setText(/** @type {Element} */ (tell.root.querySelector('label')), say('person.tell', { name: participant.name }));
    more.update();
    return undefined;
  };
  update();
  return { root, update };
}

/** @param {PersonNow | undefined} person */
function shareText(person) {
  if (person?.state === 'ended') return say(person.arrived ? 'fresh.arrivedAt' : 'fresh.stoppedAt', { time: clockText(person.until ?? person.heard) });
  const until = person?.share?.until;
  if (typeof until !== 'number') return '';
  return say(person?.state === 'live' ? 'person.sharesUntil' : 'person.runsUntil', { time: clockText(until) });
}

/**
 * @param {Page} page
 * @param {PersonNow | undefined} person
 * @param {{ isCurrent: boolean } | undefined} live
 */
function noPlaceText(page, person, live) {
  return person?.state === 'ended' ? say('chat.notShown') : unplacedText(page, person, live);
}

/**
 * @param {Page} page
 * @param {string} user
 * @param {{ latitude: number, longitude: number }} coordinate
 * @param {number} time
 * @param {number} now
 */
function seenText(page, user, coordinate, time, now) {
  const own = user === page.account.user?.id ? undefined : page.own.fix;
  const away = own && metersBetween(coordinate, { latitude: Number(own.latitude), longitude: Number(own.longitude) });
  return [away === undefined ? '' : say('person.away', { distance: distanceText(away) }), say('person.seenAt', { time: dayText(time, now) })].filter(Boolean).join(' · ');
}

/**
 * @param {PersonNow} person
 * @param {{ name: string, now: number, isCurrent: boolean }} known `isCurrent` if the server would have said that they stopped
 */
function warningText(person, { name, now, isCurrent }) {
  const values = heard(person.heard, now);
  const parts = [say(heardKey(values, 'person.lastHeardAgo', 'person.lastHeardAt'), values)];
  if (person.battery !== undefined && isBatteryLow(person)) parts.push(say('person.batteryWas', { percent: percentText(person.battery) }));
  else if (person.state === 'offline') parts.push(`${causeText(person, now)}.`);
  if (person.share && isCurrent) parts.push(say('person.stillShares', { name }));
  return parts.join(' ');
}

/** @param {PersonNow} person */
function figures(person) {
  const { speed, battery, accuracy } = person;
  const made = [];
  if (isMoving(speed)) made.push(figure(speedText(speed), say('person.speed'), false));
  if (battery !== undefined) made.push(figure(percentText(battery), say('person.battery'), isBatteryLow(person)));
  if (accuracy !== undefined) made.push(figure(`± ${distanceText(accuracy)}`, say('person.accuracy'), false));
  return made;
}

/**
 * @param {string} value
 * @param {string} label
 * @param {boolean} isLow
 */
function figure(value, label, isLow) {
  return element('li', {}, element('strong', { class: isLow ? 'warn' : '' }, value), element('span', {}, label));
}

/**
 * Sends a user the question where they are. If the server refuses the question, a toast says why; no message is sent to the chat.
 * @param {Page} page
 * @param {string} chat
 * @param {string} user
 */
async function askWhere({ ownShares, toasts }, chat, user) {
  try {
    await ownShares.ask(chat, user);
    toasts.say(say('person.asked'));
  } catch (error) {
    toasts.fail(error);
  }
}
