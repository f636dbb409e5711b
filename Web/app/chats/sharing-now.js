// @ts-check
import { heard, heardKey } from '../freshness/heard-text.js';
import { summaryOf } from '../freshness/standing.js';
import { untilTime } from '../people/times.js';
import { isBeingSeen, ownStanding } from '../sharing/own-standing.js';
import { isolated } from '../words/isolated.js';
import { say } from '../words/words.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').Chat} Chat */
/** @typedef {import('../freshness/standing.js').Standing} Standing */
/** @typedef {{ name: string, standing: Standing, until: number | null }} Sharer */

/** How many of those who share are named. */
const NAMED_AT_MOST = 2;

/**
 * Makes the line about sharing in a chat's row: the people whose positions are live, the reader among them, then the people who share but
 * whose devices are silent, with the time they were last heard of. The line is empty if this page knows of no running share in the chat.
 * @param {Page} page
 * @param {Chat} chat
 * @returns {{ kind: 'own' | 'live' | 'held', text: string }} `own` if others see this device's position; else
 *   `live` if somebody else's position is live; else `held`
 */
export function sharingNow(page, chat) {
  const others = sharersIn(page, chat);
  const { live } = summaryOf(others.map(({ standing }) => standing));
  const own = ownStanding(page, chat.id);
  const now = page.stream.now();
  const isSeen = own === 'seen';
  const parts = isSeen ? [live > 0 ? say('chats.youAndOthersShare', { count: live }) : say('chats.youShare')] : [ownText(page, chat, own), liveText(chat, others, now)];
  return { kind: isBeingSeen(own) ? 'own' : live > 0 ? 'live' : 'held', text: [...parts, ...silentTexts(chat, others, now)].filter(Boolean).join(' · ') };
}

/**
 * Everybody else whose share runs.
 * @param {Page} page
 * @param {Chat} chat
 * @returns {Sharer[]}
 */
function sharersIn(page, chat) {
  const live = page.chats.followedLive(chat.id);
  if (!live) return [];
  const own = page.account.user?.id;
  const shares = new Map(live.shares.running.map((share) => [share.user, share]));
  const latest = shares.size > 0 ? live.last.latest() : new Map();
  return chat.participants.flatMap(({ user, name, present }) => {
    const share = shares.get(user);
    if (!present || user === own || !share) return [];
    return [{ name: isolated(name.split(/\s+/u)[0]), standing: live.standing(user, page.stream.now(), latest.get(user)), until: share.until }];
  });
}

/**
 * What is to be said of the reader's own share where others don't see where the reader is now.
 * @param {Page} page
 * @param {Chat} chat
 * @param {import('../sharing/own-standing.js').OwnStanding} own
 */
function ownText(page, chat, own) {
  switch (own) {
    case 'finding': return say('chats.youFinding');
    case 'unsent': return say('chats.youUnsent');
    case 'paused': return say('chats.youPaused');
    case 'stopping': return page.stream.state === 'open' ? '' : say('sharing.stoppingLater');
    case 'elsewhere': return elsewhereText(page, chat);
    default: return '';
  }
}

/**
 * @param {Page} page
 * @param {Chat} chat
 */
function elsewhereText(page, chat) {
  const now = page.stream.now();
  const standing = page.chats.followedLive(chat.id)?.standing(page.account.user?.id ?? '', now);
  if (standing?.kind !== 'heard') return say('chats.youElsewhere');
  const values = heard(standing.at, now);
  return say(heardKey(values, 'chats.youHeardAgo', 'chats.youHeardAt'), values);
}

/**
 * @param {Chat} chat
 * @param {Sharer[]} others
 * @param {number} now
 */
function liveText(chat, others, now) {
  const live = others.filter(({ standing }) => standing.kind === 'live');
  if (live.length === 0) return '';
  const [{ until }] = live;
  if (chat.oneToOne) return until ? say('chats.sharesUntil', { time: untilTime(until, now) }) : say('chats.sharesNow');
  if (live.length > NAMED_AT_MOST) return say('chats.othersShare', { count: live.length });
  return say('chats.shareNow', { count: live.length, names: named(live) });
}

/**
 * @param {Chat} chat
 * @param {Sharer[]} others
 * @param {number} now
 */
function silentTexts(chat, others, now) {
  const { newest } = summaryOf(others.map(({ standing }) => standing));
  const [silent, paused, unknown] = ['heard', 'paused', 'unknown'].map((kind) => others.filter(({ standing }) => standing.kind === kind));
  const values = heard(newest ?? 0, now);
  const texts = [];
  if (silent.length > 0 && chat.oneToOne) texts.push(say(heardKey(values, 'fresh.heardAgo', 'fresh.heardAt'), values));
  else if (silent.length > 0) texts.push(say(heardKey(values, 'chats.heardAgo', 'chats.heardAt'), { ...values, count: silent.length, names: named(silent) }));
  if (paused.length > 0) texts.push(chat.oneToOne ? say('fresh.paused') : say('chats.paused', { count: paused.length, names: named(paused) }));
  if (unknown.length > 0) texts.push(chat.oneToOne ? say('fresh.noFix') : say('chats.unknown', { count: unknown.length, names: named(unknown) }));
  return texts;
}

/** @param {Sharer[]} sharers */
function named(sharers) {
  return sharers.map(({ name }) => name).join(', ');
}
