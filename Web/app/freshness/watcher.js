// @ts-check
import { say } from '../words/words.js';
import { isBatteryLow, percentText } from './person-text.js';

/** @typedef {import('../wire.d.ts').PersonNow} PersonNow */
/** @typedef {'back' | 'stopped' | 'offline' | 'low'} News */

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

/** Tells when people change for whom the reader asked for it, while a page is open. Kept on this device. */
export class Watcher {
  /** @type {Set<string>} */
  #users;
  /** @type {Map<string, PersonNow>} */
  #before = new Map();
  #tell;

  /** @param {(text: string) => void} tell */
  constructor(tell) {
    this.#tell = tell;
    this.#users = new Set(kept());
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
    if (isOn) this.#users.add(user);
    else this.#users.delete(user);
    if (isOn && 'Notification' in globalThis && Notification.permission === 'default') Notification.requestPermission();
    try {
      localStorage.setItem(KEPT, JSON.stringify([...this.#users]));
    } catch {
      // A browser that keeps nothing tells until the page is closed.
    }
  }

  /**
   * @param {string} user
   * @param {string} name
   * @param {PersonNow | undefined} person
   */
  look(user, name, person) {
    if (!this.#users.has(user)) return;
    const news = newsOf(this.#before.get(user), person);
    if (person) this.#before.set(user, person);
    if (news) this.#tell(newsText(news, name, person));
  }
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

/** @returns {string[]} */
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? '[]');
  } catch {
    return [];
  }
}
