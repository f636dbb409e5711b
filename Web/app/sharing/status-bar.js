// @ts-check
import { button } from '../page/controls.js';
import { element, setText } from '../page/dom.js';

/**
 * What is always to be seen: whether and with whom this device's position is shared, and whether the page is connected.
 * @param {import('../page/page.js').Page} page
 */
export function statusBar(page) {
  const { sharer, stream } = page;
  const text = element('span');
  const stop = button('Stop', () => page.sharer.stopAll(), { class: 'small' });
  const sharing = element('div', { class: 'pill sharing', hidden: true }, element('span', { class: 'pulse', 'aria-hidden': 'true' }), text, stop);
  const trouble = element('div', { class: 'pill trouble', role: 'status', hidden: true });

  const update = () => {
    const places = [...sharer.sharing.places];
    sharing.hidden = places.length === 0;
    setText(text, sharing.hidden ? '' : sentence(places.map((place) => page.nameOf(place)), sharer));
    stop.setAttribute('aria-label', 'Stop sharing everywhere');
  };
  const connection = () => {
    const isLost = stream.state === 'waiting' || (stream.state === 'connecting' && !trouble.hidden);
    trouble.hidden = !isLost;
    setText(trouble, isLost ? (navigator.onLine ? 'Connecting again…' : 'You are offline. It goes on when you are back.') : '');
  };
  sharer.observe(update);
  page.chats.observe(update);
  stream.observe(connection);
  return element('div', { class: 'pills' }, sharing, trouble);
}

/**
 * @param {string[]} names
 * @param {import('./sharer.js').Sharer} sharer
 */
function sentence(names, sharer) {
  const where = new Intl.ListFormat('en').format(names);
  if (sharer.problem) return `Shared with ${where}, but: ${sharer.problem}`;
  return sharer.sharing.lastFix ? `You share your position with ${where}` : `Finding where you are, for ${where}…`;
}
