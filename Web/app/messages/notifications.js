// @ts-check
import { chatName } from '../chats/chat-name.js';
import { Observable } from '../page/observable.js';
import { showNotice } from '../page/notice.js';
import { say } from '../words/words.js';
import { namedPreview } from './preview-text.js';
import { newsFor } from './told.js';
import { browserShelf } from '../storage/shelf.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('../wire.d.ts').Chat} Chat */
/** @typedef {import('./told.js').Known} Known */

/** Where it is kept on this device that they are wanted. */
const KEPT = 'yonder.notifications';

/**
 * Shows a notification of this device for each new message, with its sender and text, while the page is open and the message's chat isn't in
 * sight. After a lost connection each chat gets one notification, for the messages that came meanwhile and that the reader hasn't read on
 * another device.
 */
export class Notifications extends Observable {
  #page;

  /**
   * @param {Page} page
   * @param {import('../chats/chats.js').Chats} chats
   */
  constructor(page, chats) {
    super();
    this.#page = page;
    chats.onWritten = (chat, before) => this.#written(chat, before);
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
   * @param {Known} before what was known of it
   */
  #written(chat, before) {
    const { account, router } = this.#page;
    const own = account.user?.id;
    const isSeen = document.visibilityState === 'visible' && router.path[0] === 'chats' && router.path[1] === chat.id;
    const news = newsFor(before, chat, { own, isSeen });
    if (!this.isOn || !news || !chat.preview) return;
    const text = namedPreview(chat.preview, chat, own);
    const body = news.count > 1 ? say('messages.newestOf', { text, count: news.count }) : text;
    showNotice({ title: chatName(chat, own) || 'Yonder', body, tag: `chat-${chat.id}`, goes: `#/chats/${encodeURIComponent(chat.id)}` });
  }
}
