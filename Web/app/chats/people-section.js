// @ts-check
import { placeText } from '../map/place-text.js';
import { coordinateOf, timeOf } from '../map/annotations.js';
import { timeElement } from '../page/clock.js';
import { element, fill, keyed, setText } from '../page/dom.js';
import { icon } from '../page/icons.js';
import { avatar } from '../people/avatar.js';
import { hexColor } from '../people/color.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').Participant} Participant */

/**
 * Everybody of a chat with where they were last: what the map shows, as text.
 * @param {Page} page
 * @param {string} id
 */
export function peopleSection(page, id) {
  const root = element('ul', { class: 'rows people', 'aria-label': 'People' });
  const update = () => {
    const chat = page.chats.chat(id);
    if (!chat) return;
    const latest = page.chats.live(id)?.last.latest() ?? new Map();
    const shown = chat.participants.filter(({ user, present }) => present || latest.has(user));
    keyed(root, shown, ({ user }) => user, (participant) => personRow(page, id, participant));
  };
  return { root, update };
}

/**
 * @param {Page} page
 * @param {string} id
 * @param {Participant} participant
 */
function personRow(page, id, participant) {
  const key = participant.user;
  const place = element('span', { class: 'hint place' });
  const name = element('strong');
  const face = element('span');
  const show = element('button', { type: 'button', class: 'row person', onclick: () => selected(page, key) },
    face, element('span', { class: 'row-text' }, name, place));
  const follow = element('button', { type: 'button', class: 'plain follow', onclick: () => followed(page, key) }, icon('follow'));
  let lastFace = '';
  const update = (/** @type {Participant} */ participant) => {
    const live = page.chats.live(id);
    const isOwn = key === page.account.user?.id;
    const online = live?.presence.online.has(key) ?? false;
    setText(name, isOwn ? `${participant.name} (you)` : participant.name);
    const wanted = `${participant.name}|${participant.avatar}|${participant.color}|${online}`;
    if (wanted !== lastFace) {
      lastFace = wanted;
      fill(face, avatar({ name: participant.name, avatar: participant.avatar, color: hexColor(participant.color), online }),
        element('span', { class: 'hidden' }, online ? 'online' : 'offline'));
    }
    const isPlaced = showPlace(place, participant, live?.last.latest().get(key));
    show.disabled = follow.hidden = !isPlaced || page.map.isText;
    show.setAttribute('aria-pressed', String(page.map.selected() === key));
    const isFollowed = page.map.followed() === key;
    follow.setAttribute('aria-pressed', String(isFollowed));
    follow.setAttribute('aria-label', isFollowed ? `Stop following ${participant.name}` : `Follow ${participant.name}`);
    follow.title = isFollowed ? 'Stop following' : 'Follow on the map';
  };
  update(participant);
  return Object.assign(element('li', { class: 'person-line' }, show, follow), { update });
}

/**
 * @param {HTMLElement} shown
 * @param {Participant} participant
 * @param {import('../wire.d.ts').Message | undefined} message
 * @returns {boolean} whether they have been anywhere
 */
function showPlace(shown, participant, message) {
  const coordinate = message && coordinateOf(message);
  const state = coordinate ? `${placeText(coordinate)}|${message.time}|${participant.present}` : participant.present ? 'nowhere' : 'left';
  if (shown.dataset.state === state) return Boolean(coordinate);
  shown.dataset.state = state;
  if (!coordinate) fill(shown, participant.present ? 'Has not shared a position here' : 'Left the chat');
  else fill(shown, placeText(coordinate), ' · ', timeElement(timeOf(message)), !participant.present && ' · left the chat');
  return Boolean(coordinate);
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

/**
 * @param {Page} page
 * @param {string} key
 */
function followed(page, key) {
  const isFollowed = page.map.followed() === key;
  page.map.follow(isFollowed ? undefined : key);
  if (!isFollowed) page.map.select(key);
  page.panel.showMap();
}
