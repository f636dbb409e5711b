// @ts-check
import { causeText, isBatteryLow, percentText, rowAge } from '../freshness/person-text.js';
import { unplacedText } from '../freshness/unplaced-text.js';
import { coordinateOf, personIn, timeOf } from '../map/annotations.js';
import { placeText } from '../map/place-text.js';
import { element, fill, keyed, setText } from '../page/dom.js';
import { icon } from '../page/icons.js';
import { colorIn } from '../people/color.js';
import { Face } from '../people/face.js';
import { initials } from '../people/initials.js';
import { say } from '../words/words.js';
import { PeopleOrder } from './people-order.js';
import { isCardShown } from './person-card.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').Participant} Participant */
/** @typedef {import('../wire.d.ts').PersonNow} PersonNow */

/**
 * Everybody of a chat with where they are and how sure that is: what the map shows, as text.
 * @param {Page} page
 * @param {string} id
 */
export function peopleSection(page, id) {
  const order = new PeopleOrder();
  const touched = () => order.touch(performance.now());
  const root = element('ul', { class: 'rows people', 'aria-label': say('chat.people'), onpointerdown: touched, onpointermove: touched, onkeydown: touched });
  const update = () => {
    const chat = page.chats.chat(id);
    if (!chat) return;
    const live = page.chats.live(id);
    const latest = live?.last.latest() ?? new Map();
    const now = page.stream.now();
    const people = chat.participants.filter(({ user, present }) => present || latest.has(user)).map(({ user, name }) => {
      const position = latest.get(user);
      return { user, name, person: live?.person(user, now, position), moved: position ? timeOf(position) : undefined };
    });
    const persons = new Map(people.map(({ user, person }) => [user, person]));
    const users = order.sorted(people, { time: now, steady: performance.now() });
    keyed(root, users, (user) => user, (user) => personRow(page, id, user, (of) => persons.get(of)));
    for (const row of /** @type {any} */ (root.children)) row.renew(persons.get(row.dataset.key));
  };
  return { root, update };
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {string} key
 * @param {(user: string) => PersonNow | undefined} personOf
 */
function personRow(page, id, key, personOf) {
  const face = new Face();
  const name = element('strong', { dir: 'auto' });
  const age = element('span', { class: 'row-age' });
  const place = element('span', { class: 'hint place' });
  const battery = element('span', { class: 'row-battery' });
  const show = element('button', { type: 'button', class: 'row person', onclick: () => selected(page, key) },
    face.element, element('span', { class: 'row-text' },
      element('span', { class: 'row-line' }, name, age), element('span', { class: 'row-line' }, place, battery)));
  let shown = '';
  const renew = (/** @type {PersonNow | undefined} */ person) => {
    const chat = page.chats.chat(id);
    const participant = chat && personIn(chat, key);
    if (!chat || !participant) return;
    const position = page.chats.live(id)?.last.latest().get(key);
    const coordinate = position && !person?.isGone ? coordinateOf(position) : undefined;
    face.show({
      state: person && !person.isGone ? person.state : 'none', color: colorIn(chat, key), initials: initials(participant.name), avatar: participant.avatar,
    });
    const now = page.stream.now();
    const isSelected = page.map.selected() === key;
    const where = coordinate && page.whereOf(key, { ...coordinate, accuracy: person?.accuracy });
    place.title = coordinate ? placeText(coordinate) : '';
    const live = page.chats.live(id);
    const texts = rowTexts(participant, { person, where, now, isOwn: key === page.account.user?.id, unplaced: unplacedText(page, person, live) });
    const wanted = JSON.stringify([texts, isSelected, page.map.isText, isCardShown()]);
    if (wanted === shown) return;
    shown = wanted;
    setText(name, texts.name);
    setText(place, texts.place);
    setText(age, texts.age);
    age.className = `row-age ${person?.state === 'live' ? 'good' : texts.isWarned ? 'warn' : ''}`;
    fill(battery, texts.battery && icon('battery'), texts.battery);
    battery.className = `row-battery ${texts.isLow ? 'warn' : ''}`;
    show.disabled = page.map.isText || (!coordinate && !isCardShown());
    show.setAttribute('aria-pressed', String(isSelected));
  };
  renew(personOf(key));
  return Object.assign(element('li', { class: 'person-line' }, show), { renew });
}

/**
 * @param {Participant} participant
 * @param {object} known
 * @param {PersonNow | undefined} known.person
 * @param {string | undefined} known.where
 * @param {number} known.now
 * @param {boolean} known.isOwn
 * @param {string} known.unplaced what stands where no place is known
 */
function rowTexts(participant, { person, where, now, isOwn, unplaced }) {
  const name = isOwn ? say('chat.you', { name: participant.name }) : participant.name;
  if (!person || (!where && person.state !== 'ended')) {
    const place = participant.present ? unplaced : say('chat.left');
    return { name, place, age: '', battery: '', isWarned: false, isLow: false };
  }
  const parts = [where && person.state !== 'ended' ? where : '', causeText(person, now), participant.present ? '' : say('chat.left')];
  return {
    name, place: parts.filter(Boolean).join(' · '), age: rowAge(person, now), isWarned: person.state === 'stale',
    battery: person.battery === undefined || person.state === 'ended' ? '' : percentText(person.battery), isLow: isBatteryLow(person),
  };
}

/**
 * @param {Page} page
 * @param {string} key
 */
function selected(page, key) {
  const isSelected = page.map.selected() === key;
  page.map.select(isSelected ? undefined : key);
  if (!isSelected) page.scene.lookAt(key);
  page.panel.showMap();
}
