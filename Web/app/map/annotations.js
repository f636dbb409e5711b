// @ts-check
import { colorIn, colorOf } from '../people/color.js';
import { initials } from '../people/initials.js';
import { say } from '../words/words.js';

/** @typedef {import('../wire.d.ts').Chat} Chat */
/** @typedef {import('../wire.d.ts').Message} Message */
/** @typedef {import('../wire.d.ts').MapPin} MapPin */
/** @typedef {import('../wire.d.ts').MapTrail} MapTrail */
/**
 * What is on the map. `extent` has some of the positions of which `stops` has only what is in view, with those at the edges.
 * @typedef {{ pins: Map<string, MapPin>, trails: Map<string, MapTrail>, stops: Map<string, MapPin>, extent?: import('../wire.d.ts').Place[] }} Annotations
 */

/** A device's clock may be this far ahead of the server's. */
const AHEAD_AT_MOST = 120_000;

/** @returns {Annotations} */
export function noAnnotations() {
  return { pins: new Map(), trails: new Map(), stops: new Map() };
}

/**
 * The coordinate that a location message carries, as strings or as numbers.
 * @param {Message} message
 * @returns {{ latitude: number, longitude: number } | undefined}
 */
export function coordinateOf({ data }) {
  const latitude = degrees(data?.latitude);
  const longitude = degrees(data?.longitude);
  if (latitude === undefined || longitude === undefined) return undefined;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** @param {unknown} value */
function degrees(value) {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/**
 * When the device was there: what the message says, or when it came if that is missing or over two minutes ahead.
 * @param {Message} message
 */
export function timeOf({ data, time }) {
  const said = data?.timestamp;
  return typeof said === 'number' && said > 0 && said <= time + AHEAD_AT_MOST ? said : time;
}

/**
 * Messages by the times of their positions, then by number: mostly as they are.
 * @param {Iterable<Message>} messages
 */
function inOrder(messages) {
  return [...messages].sort((one, two) => timeOf(one) - timeOf(two) || (one.number ?? Infinity) - (two.number ?? Infinity) || 0);
}

/** What a chat's map shows of each person: one object a message, so that nothing is made again for what stays. @type {WeakMap<Message, { chat: Chat, stop: MapPin }>} */
const stopsMade = new WeakMap();

/**
 * A chat on the map: a pin per participant at their last position, and with `all` their line and every position.
 * @param {Chat} chat
 * @param {Iterable<Message>} messages location messages, shown in the order of their times
 * @param {{ all: boolean, own: string | undefined }} options
 * @returns {Annotations}
 */
export function chatAnnotations(chat, messages, { all, own }) {
  const { pins, trails, stops } = noAnnotations();
  for (const message of inOrder(messages)) {
    const stop = message.tag === 'Location' ? stopOf(chat, message, own) : undefined;
    if (!stop) continue;
    pins.set(message.sender, stop);
    if (!all) continue;
    stops.set(stop.key, stop);
    const trail = trails.get(message.sender) ?? { key: message.sender, color: stop.color, points: [] };
    trail.points.push([stop.longitude, stop.latitude]);
    trails.set(message.sender, trail);
  }
  for (const [key, stop] of pins) pins.set(key, { ...stop, key });
  return { pins, trails, stops };
}

/**
 * @param {Chat} chat
 * @param {Message} message
 * @param {string | undefined} own
 * @returns {MapPin | undefined}
 */
function stopOf(chat, message, own) {
  const made = stopsMade.get(message);
  if (made?.chat === chat && message.data !== undefined) return made.stop;
  const person = personIn(chat, message.sender);
  const coordinate = coordinateOf(message);
  if (!person || !coordinate) return undefined;
  /** @type {MapPin} */
  const stop = {
    key: `${person.user}/${message.number ?? 'now'}`, ...coordinate, color: colorIn(chat, person.user), initials: initials(person.name),
    name: person.name, email: person.email, avatar: person.avatar, time: timeOf(message), own: person.user === own, state: 'live',
  };
  stopsMade.set(message, { chat, stop });
  return stop;
}

/** @type {WeakMap<Chat, Map<string, import('../wire.d.ts').Participant>>} */
const peopleOf = new WeakMap();

/**
 * @param {Chat} chat
 * @param {string} user
 */
export function personIn(chat, user) {
  const people = peopleOf.get(chat) ?? new Map(chat.participants.map((participant) => [participant.user, participant]));
  peopleOf.set(chat, people);
  return people.get(user);
}

/**
 * The world on the map: a pin per stranger who has moved, and with `all` where they have been.
 * @param {import('../world/world.js').World} world
 * @param {{ all: boolean, own: import('../wire.d.ts').Fix | undefined }} options
 * @returns {Annotations}
 */
export function worldAnnotations(world, { all, own }) {
  const annotations = noAnnotations();
  for (const { id, place, path, time } of world.strangers.values()) {
    if (!place) continue;
    const color = colorOf({}, id);
    annotations.pins.set(id, { key: id, ...place, color, initials: '', name: strangerName(id), time, own: false, state: 'live' });
    if (all && path.length > 1) annotations.trails.set(id, { key: id, color, points: [...path] });
  }
  if (own) {
    annotations.pins.set('you', {
      key: 'you', latitude: Number(own.latitude), longitude: Number(own.longitude), color: colorOf({}, 'you'),
      initials: '', name: say('map.you'), time: own.time, own: true, state: 'live', dot: 'sharing', accuracy: own.accuracy,
    });
  }
  return annotations;
}

/**
 * What a stranger is called here: nobody knows more of them than a random id.
 * @param {string} id
 */
export function strangerName(id) {
  return say('world.stranger', { id: id.slice(0, 4) });
}
