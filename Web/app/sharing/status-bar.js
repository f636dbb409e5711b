// @ts-check
import { clockText } from '../freshness/age.js';
import { element, setText } from '../page/dom.js';
import { isolated } from '../words/isolated.js';
import { locale, say } from '../words/words.js';
import { stopHere } from './share-actions.js';
import { WORLD } from './sharing.js';

/**
 * What is always to be seen: whether and with whom this browser's position is shared, and whether the page is connected.
 * In a chat that is shared in, its own bar says so in place of this one.
 * @param {import('../page/page.js').Page} page
 */
export function statusBar(page) {
  const { sharer, stream } = page;
  const text = element('span');
  const stop = element('button', { type: 'button', class: 'stop', 'aria-label': say('sharing.stopEverywhere'), onclick: () => stopHere(page) }, say('sharing.stop'));
  const sharing = element('div', { class: 'pill sharing', hidden: true }, element('span', { class: 'pulse', 'aria-hidden': 'true' }), text, stop);
  const trouble = element('div', { class: 'pill trouble', role: 'status', hidden: true });
  let lostAt = 0;

  const update = () => {
    const { places } = sharer;
    const [section, chat] = page.router.path;
    const isStopping = places.length === 0 && page.shareRecords.stopping.length > 0 && stream.state !== 'open';
    sharing.hidden = !isStopping && (places.length === 0 || (section === 'chats' && chat !== undefined && places.includes(chat)));
    stop.hidden = isStopping;
    setText(text, isStopping ? say('sharing.stoppingLater') : sharing.hidden ? '' : [sentence(places.map((place) => page.nameOf(place)), sharer), endText(page)].filter(Boolean).join(' · '));
  };
  const connection = () => {
    const isLost = stream.state === 'waiting' || (stream.state === 'connecting' && !trouble.hidden);
    if (isLost && trouble.hidden) lostAt = Date.now();
    trouble.hidden = !isLost;
    const kept = sharer.places.length > 0 ? ` ${say('sharing.keptAndSent')}` : '';
    setText(trouble, !isLost ? '' : navigator.onLine ? say('status.connecting') : `${say('status.offlineSince', { time: clockText(lostAt) })}${kept}`);
  };
  sharer.observe(update);
  page.chats.observe(update);
  page.router.observe(update);
  stream.observe(() => {
    connection();
    update();
  });
  return element('div', { class: 'pills' }, sharing, trouble);
}

/**
 * Until when this browser shares: the last of its ends.
 * @param {import('../page/page.js').Page} page
 */
function endText({ sharer, ownShares, worldEnd }) {
  const ends = sharer.places.map((place) => (place === WORLD ? worldEnd ?? null : ownShares.in(place)?.until));
  if (sharer.problem || ends.includes(undefined)) return '';
  if (ends.includes(null)) return say('sharing.untilStop');
  return say('sharing.until', { time: clockText(Math.max(...ends.map(Number))) });
}

/**
 * @param {string[]} names
 * @param {import('./sharer.js').Sharer} sharer
 */
function sentence(names, sharer) {
  const where = new Intl.ListFormat(locale).format(names.map(isolated));
  if (sharer.problem) return say('sharing.sharedBut', { where, problem: sharer.problem });
  const isFinding = sharer.sharing.isOn && !sharer.sharing.lastFix;
  return say(isFinding ? 'sharing.findingFor' : 'sharing.sharesWith', { where });
}
