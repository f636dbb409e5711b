// @ts-check
import { button, toggle } from '../page/controls.js';
import { element, fill, setText } from '../page/dom.js';
import { say } from '../words/words.js';

/**
 * Whether this device says who wrote. The browser asks for permission by a tap here, never by itself.
 * @param {import('../page/page.js').Page} page
 * @param {import('../page/scope.js').Scope} scope of the view
 */
export function notificationsSection(page, scope) {
  const { notifications } = page;
  const root = element('section', { class: 'card stack', hidden: notifications.permission === 'unavailable' });
  const { root: row, input, state } = toggle(say('messages.notifyOn'), (isOn) => notifications.set(isOn));
  setText(state, say('messages.notifyHint'));
  const allow = button(say('messages.notifyAllow'), () => notifications.set(true));
  const update = () => {
    input.checked = notifications.isOn;
    const heading = element('h2', {}, say('messages.notify'));
    switch (notifications.permission) {
      case 'granted': return fill(root, heading, row);
      case 'denied': return fill(root, heading, element('p', { class: 'hint' }, say('messages.notifyDenied')));
      default: return fill(root, heading, element('p', { class: 'hint' }, say('messages.notifyHint')), allow);
    }
  };
  update();
  notifications.observe(update, scope);
  return root;
}
