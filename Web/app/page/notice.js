// @ts-check
import { isolated } from '../words/isolated.js';

/**
 * Shows a notification of the device: through the worker where there is one, whose notifications can be tapped when no page is open any
 * more, and which is the only way on phones; else by the page itself.
 * @param {object} notice
 * @param {string} notice.title
 * @param {string} notice.body
 * @param {string} notice.tag one that is there of the same tag is replaced
 * @param {string} [notice.goes] the view that a tap opens, as `#/chats/77`
 */
export async function showNotice({ title, body, tag, goes }) {
  const shown = { body: isolated(body), tag, icon: '/icon.svg', data: goes === undefined ? {} : { goes } };
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    if (registration?.active) return await registration.showNotification(isolated(title), shown);
  } catch {
    // A browser that lets the page have no worker.
  }
  try {
    const notification = new Notification(isolated(title), shown);
    notification.onclick = () => {
      notification.close();
      window.focus();
      if (goes !== undefined) location.hash = goes;
    };
  } catch {
    // Browsers on phones leave this to the worker alone.
  }
  return undefined;
}

/**
 * Goes where a tapped notification leads that the worker has brought this page to the front for.
 * @param {import('./scope.js').Scope} scope
 */
export function followTaps(scope) {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  scope.listen(serviceWorker, 'message', ({ data }) => {
    if (typeof data?.goes === 'string' && data.goes.startsWith('#/')) location.hash = data.goes;
  });
}
