// @ts-check
import { chatName } from '../chats/chat-name.js';
import { Observable } from '../page/observable.js';
import { namedPreview } from './preview-text.js';
import { isolated } from '../words/isolated.js';
import { browserShelf } from '../storage/shelf.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').Chat} Chat */
/** @typedef {import('../wire.d.ts').Preview} Preview */

/** Where it is kept on this device that they are wanted. */
const KEPT = 'yonder.notifications';

/** Says who wrote what, by this device's own notifications, while the page is open and the chat isn't in sight. */
export class Notifications extends Observable {
  #page;

  /**
   * @param {Page} page
   * @param {import('../chats/chats.js').Chats} chats
   */
  constructor(page, chats) {
    super();
    this.#page = page;
    chats.onWritten = (chat, preview) => this.#written(chat, preview);
  }

  /** `unavailable` in browsers without them. @returns {NotificationPermission | 'unavailable'} */
  get permission() {
    return 'Notification' in globalThis ? Notification.permission : 'unavailable';
  }

  /** Whether new messages are notified of. */
  get isOn() {
    return this.permission === 'granted' && browserShelf.get(KEPT) === 'on';
  }

  /**
   * Asks the browser for permission if it is needed; to be called by a tap.
   * @param {boolean} isOn
   */
  async set(isOn) {
    if (isOn && this.permission === 'default') await Notification.requestPermission();
    if (isOn && this.permission === 'granted') browserShelf.put(KEPT, 'on');
    else browserShelf.remove(KEPT);
    this.changed();
  }

  /**
   * @param {Chat} chat
   * @param {Preview} preview
   */
  #written(chat, preview) {
    const { account, router, panel } = this.#page;
    const isSeen = document.visibilityState === 'visible' && router.path[0] === 'chats' && router.path[1] === chat.id;
    if (!this.isOn || isSeen || preview.sender === account.user?.id) return;
    const open = () => {
      window.focus();
      router.go('chats', chat.id);
      panel.refresh();
    };
    notify(chatName(chat, account.user?.id) || 'Yonder', namedPreview(preview, chat, account.user?.id), `chat-${chat.id}`, open);
  }
}

/**
 * @param {string} title
 * @param {string} body
 * @param {string} tag one that is there of the same tag is replaced
 * @param {() => void} onclick
 */
function notify(title, body, tag, onclick) {
  try {
    const shown = new Notification(isolated(title), { body: isolated(body), tag, icon: '/icon.svg' });
    shown.onclick = () => {
      shown.close();
      onclick();
    };
  } catch {
    // Browsers on phones leave this to a service worker; without one nothing is shown.
    navigator.serviceWorker?.getRegistration().then((worker) => worker?.showNotification(isolated(title), { body: isolated(body), tag, icon: '/icon.svg' }));
  }
}
