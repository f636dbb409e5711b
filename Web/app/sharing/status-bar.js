// @ts-check
import { clockText } from '../freshness/age.js';
import { element, setText } from '../page/dom.js';
import { isolated } from '../words/isolated.js';
import { locale, say } from '../words/words.js';
import { isAboutToBeSeen, ownStanding } from './own-standing.js';
import { stopHere } from './share-actions.js';
import { WORLD } from './sharing.js';
import { pausedChats } from './who-sees.js';

/**
 * What is always to be seen: whether and with whom this browser's position is shared, and whether the page is connected.
 * In a chat that is shared in, its own bar says so in place of this one, and in *Who can see me* its rows do.
 * @param {import('../page/page.js').Page} page
 * @param {import('../page/scope.js').Scope} scope of the person
 */
export function statusBar(page, scope) {
  const { sharer, stream } = page;
  const text = element('span');
  const stop = element('button', { type: 'button', class: 'stop', 'aria-label': say('sharing.stopEverywhere'), onclick: () => stopHere(page) }, say('sharing.stop'));
  const goOn = element('button', { type: 'button', class: 'quiet', onclick: () => pausedChats(page).forEach((chat) => sharer.start(chat)) }, say('sharing.goOn'));
  const pulse = element('span', { class: 'pulse', 'aria-hidden': 'true' });
  const sharing = element('div', { class: 'pill sharing', hidden: true }, pulse, text, goOn, stop);
  const trouble = element('div', { class: 'pill trouble', role: 'status', hidden: true });
  let lostAt = 0;

  const update = () => {
    const { places } = sharer;
    const paused = places.length === 0 ? pausedChats(page) : [];
    const isPaused = paused.length > 0;
    const isStopping = places.length === 0 && !isPaused && page.shareRecords.stopping.length > 0 && stream.state !== 'open';
    const [section, chat = ''] = page.router.path;
    const isSaidBelow = section === 'seen' || (section === 'chats' && page.chats.chat(chat) !== undefined && [...places, ...paused].includes(chat));
    sharing.hidden = isSaidBelow || (places.length === 0 && !isPaused && !isStopping);
    stop.hidden = isStopping;
    goOn.hidden = !isPaused;
    const isRed = places.some((place) => isAboutToBeSeen(ownStanding(page, place)));
    sharing.classList.toggle('held', !isRed);
    pulse.hidden = !isRed;
    setText(text, sharing.hidden ? '' : isStopping ? say('sharing.stoppingLater') : isPaused ? pausedText(page, paused) : sharingText(page));
  };
  const connection = () => {
    const isLost = stream.state === 'waiting' || (stream.state === 'connecting' && !trouble.hidden);
    if (isLost && trouble.hidden) lostAt = stream.now();
    trouble.hidden = !isLost;
    const isKept = sharer.places.some((place) => ownStanding(page, place) === 'unsent');
    const kept = isKept ? ` ${say('sharing.keptAndSent')}` : '';
    setText(trouble, !isLost ? '' : navigator.onLine ? say('status.connecting') : `${say('status.offlineSince', { time: clockText(lostAt) })}${kept}`);
  };
  const both = () => {
    connection();
    update();
  };
  for (const each of [sharer, page.chats, page.ownShares, page.router, stream]) each.observe(both, scope);
  const root = element('div', { class: 'pills' }, sharing, trouble);
  // A sheet at its full height ends below them, so that they cover no title.
  const resized = new ResizeObserver(([{ contentRect }]) => document.documentElement.style.setProperty('--pills', `${Math.ceil(contentRect.height)}px`));
  resized.observe(root);
  scope.add(() => resized.disconnect());
  return root;
}

/**
 * @param {import('../page/page.js').Page} page
 * @param {string[]} chats
 */
function pausedText(page, chats) {
  return say('sharing.pausedWith', { where: listed(page, chats) });
}

/** @param {import('../page/page.js').Page} page */
function sharingText(page) {
  return [sentence(page), endText(page)].filter(Boolean).join(' · ');
}

/**
 * @param {import('../page/page.js').Page} page
 * @param {string[]} places
 */
function listed(page, places) {
  return new Intl.ListFormat(locale).format(places.map((place) => isolated(page.nameOf(place))));
}

/**
 * Until when this browser shares: the last of its ends.
 * @param {import('../page/page.js').Page} page
 */
function endText({ sharer, ownShares, worldEnd }) {
  if (sharer.problem) return '';
  return lastEndText(sharer.places.map((place) => (place === WORLD ? { until: worldEnd ?? null } : ownShares.in(place))));
}

/**
 * The last of several ends; nothing where one isn't known.
 * @param {({ until: number | null, arrival?: object } | undefined)[]} shares
 */
export function lastEndText(shares) {
  if (shares.includes(undefined)) return '';
  const open = shares.filter((share) => share?.until === null);
  if (open.length > 0) return say(open.every((share) => share?.arrival) ? 'sharing.untilArrival' : 'sharing.untilStop');
  return say('sharing.until', { time: clockText(Math.max(...shares.map((share) => Number(share?.until)))) });
}

/** @param {import('../page/page.js').Page} page */
function sentence(page) {
  const { places, problem } = page.sharer;
  const shown = places.filter((place) => ownStanding(page, place) !== 'unshown');
  if (shown.length === 0) return say('sharing.unshown');
  const where = listed(page, shown);
  if (problem) return say('sharing.sharedBut', { where, problem });
  return say(shown.every((place) => ownStanding(page, place) === 'finding') ? 'sharing.findingFor' : 'sharing.sharesWith', { where });
}
