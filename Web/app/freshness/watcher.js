// @ts-check
import { say } from '../words/words.js';
import { compareStates } from './freshness.js';
import { isBatteryLow, percentText } from './person-text.js';
import { browserShelf } from '../storage/shelf.js';

/** @typedef {import('../wire.d.ts').PersonNow} PersonNow */
/** @typedef {'back' | 'stopped' | 'offline' | 'low'} News */
/** @typedef {{ user: string, name: string, person: PersonNow, chat?: string }} Seen how a person stands in one chat */

const KEPT = 'yonder.tell';

/**
 * What is worth telling of somebody between two looks: that they stopped, went offline, run low, or are back.
 * @param {PersonNow | undefined} before
 * @param {PersonNow | undefined} after
 * @returns {News | undefined}
 */
export function newsOf(before, after) {
  if (!before || !after) return undefined;
  const wasAway = before.state === 'offline' || before.state === 'ended' || before.state === 'stale';
  if (wasAway && (after.state === 'live' || after.state === 'slow')) return 'back';
  if (before.state !== 'ended' && after.state === 'ended') return 'stopped';
  if (before.state !== 'offline' && after.state === 'offline') return 'offline';
  return !isBatteryLow(before) && isBatteryLow(after) ? 'low' : undefined;
}

/**
 * Tells the person who is signed in when people change for whom they asked for it, while a page is open: of each person once, by how they
 * stand in all chats together. Kept on this device, and gone with the person.
 */
export class Watcher {
  /** Whose wishes these are. @type {string | undefined} */
  #owner;
  /** @type {Set<string>} */
  #users = new Set();
  /** @type {Map<string, PersonNow>} */
  #before = new Map();
  #tell;

  /** @param {(text: string, chat: string | undefined, user: string) => void} tell shows a notification: its text, the chat to open, and the id of the person in it */
  constructor(tell) {
    this.#tell = tell;
  }

  /**
   * As another person, or nobody.
   * @param {string | undefined} owner
   */
  begin(owner) {
    this.#owner = owner;
    this.#users = keptOf(owner);
    this.#before.clear();
  }

  /** @param {string} user */
  has(user) {
    return this.#users.has(user);
  }

  /**
   * @param {string} user
   * @param {boolean} isOn
   */
  set(user, isOn) {
    // Another tab may have stored another person since.
    this.#users = keptOf(this.#owner);
    if (isOn) this.#users.add(user);
    else this.#users.delete(user);
    this.#before.delete(user);
    if (isOn && 'Notification' in globalThis && Notification.permission === 'default') Notification.requestPermission();
    browserShelf.put(KEPT, JSON.stringify({ owner: this.#owner, users: [...this.#users] }));
  }

  /**
   * Looks at everybody in all chats.
   * @param {() => Iterable<Seen>} people asked for only where somebody is watched
   */
  look(people) {
    if (this.#users.size === 0) return;
    /** @type {Map<string, Seen>} */
    const best = new Map();
    for (const seen of people()) {
      if (!this.#users.has(seen.user)) continue;
      const known = best.get(seen.user);
      if (!known || compareStates(seen.person.state, known.person.state) < 0) best.set(seen.user, seen);
    }
    for (const [user, { name, person, chat }] of best) {
      const news = newsOf(this.#before.get(user), person);
      this.#before.set(user, person);
      if (news) this.#tell(newsText(news, name, person), chat, user);
    }
  }
}

/**
 * Reads from the browser's storage the ids of the people about whom a user wants to be notified.
 * @param {string | undefined} owner
 * @returns {Set<string>}
 */
function keptOf(owner) {
  const kept = browserShelf.value(KEPT);
  // Older versions of the page stored no owner; signing out erased the list.
  const { owner: whose, users } = Array.isArray(kept) ? { owner, users: kept } : Object(kept);
  return new Set(owner !== undefined && whose === owner && Array.isArray(users) ? users : []);
}

/**
 * @param {News} news
 * @param {string} name
 * @param {PersonNow | undefined} person
 */
function newsText(news, name, person) {
  switch (news) {
    case 'back': return say('tell.back', { name });
    case 'stopped': return say(person?.arrived ? 'tell.arrived' : 'tell.stopped', { name });
    case 'offline': return say('tell.offline', { name });
    default: return say('tell.low', { name, percent: percentText(person?.battery ?? 0) });
  }
}
