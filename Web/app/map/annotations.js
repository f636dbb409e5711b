// @ts-check
import { hexColor, indexOfStranger } from '../people/color.js';
import { initials } from '../people/initials.js';

/** @typedef {import('../wire.d.ts').Chat} Chat */
/** @typedef {import('../wire.d.ts').Message} Message */
/** @typedef {import('../wire.d.ts').MapPin} MapPin */
/** @typedef {import('../wire.d.ts').MapTrail} MapTrail */
/** @typedef {{ pins: Map<string, MapPin>, trails: Map<string, MapTrail>, stops: Map<string, MapPin> }} Annotations */

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
 * When the device was there: what the message says, or when it came.
 * @param {Message} message
 */
export function timeOf({ data, time }) {
  const said = data?.timestamp;
  return typeof said === 'number' && said > 0 && said <= time + 60_000 ? said : time;
}

/**
 * A chat on the map: a pin per participant at their last position, and with `all` their line and every position.
 * @param {Chat} chat
 * @param {Iterable<Message>} messages location messages, oldest first
 * @param {{ all: boolean, own: string | undefined, isOnline: (user: string) => boolean }} options
 * @returns {Annotations}
 */
export function chatAnnotations(chat, messages, { all, own, isOnline }) {
  const { pins, trails, stops } = noAnnotations();
  const people = new Map(chat.participants.map((participant) => [participant.user, participant]));
  for (const message of messages) {
    const person = people.get(message.sender);
    const coordinate = coordinateOf(message);
    if (!person || !coordinate || message.tag !== 'Location') continue;
    /** @type {MapPin} */
    const pin = {
      key: person.user, ...coordinate, color: hexColor(person.color), initials: initials(person.name),
      name: person.name, email: person.email, avatar: person.avatar, time: timeOf(message),
      dimmed: !person.present || !isOnline(person.user), own: person.user === own,
    };
    pins.set(pin.key, pin);
    if (!all) continue;
    const key = `${person.user}/${message.number ?? 'now'}`;
    stops.set(key, { ...pin, key });
    const trail = trails.get(pin.key) ?? { key: pin.key, color: pin.color, points: [] };
    trail.points.push([coordinate.longitude, coordinate.latitude]);
    trails.set(pin.key, trail);
  }
  return { pins, trails, stops };
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
    const color = hexColor(indexOfStranger(id));
    annotations.pins.set(id, { key: id, ...place, color, initials: '', name: strangerName(id), time, dimmed: false, own: false });
    if (all && path.length > 1) annotations.trails.set(id, { key: id, color, points: [...path] });
  }
  if (own) {
    annotations.pins.set('you', {
      key: 'you', latitude: Number(own.latitude), longitude: Number(own.longitude), color: hexColor(0),
      initials: 'You', name: 'You', time: own.time, dimmed: false, own: true,
    });
  }
  return annotations;
}

/**
 * What a stranger is called here: nobody knows more of them than a random id.
 * @param {string} id
 */
export function strangerName(id) {
  return `Somebody ${id.slice(0, 4)}`;
}
