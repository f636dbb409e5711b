// @ts-check
import { say } from '../words/words.js';
import { element } from './dom.js';
import { icon } from './icons.js';

/** Short notices over the page. Errors stay until closed or for ten seconds. */
export class Toasts {
  #list;

  /** @param {HTMLElement} list a live region */
  constructor(list) {
    this.#list = list;
  }

  /**
   * @param {string} text
   * @returns {() => void} takes it back
   */
  say(text) {
    const toast = this.#show(text, 'said', 5_000);
    return () => toast.remove();
  }

  /**
   * Says what went wrong, in the server's words where it has any.
   * @param {unknown} error
   * @param {string} [before] what was tried
   * @returns {() => void} takes it back
   */
  fail(error, before = '') {
    const reason = error instanceof Error ? error.message : String(error);
    const toast = this.#show(before ? `${before} ${reason}` : reason, 'failure', 10_000);
    return () => toast.remove();
  }

  /**
   * Offers something that is done with one tap, or not at all.
   * @param {string} text
   * @param {string} label
   * @param {() => void} action
   * @param {boolean} [stays] until it is closed, else for a minute
   * @returns {() => void} takes it back
   */
  offer(text, label, action, stays = false) {
    const toast = this.#show(text, 'said', stays ? undefined : 60_000);
    const act = () => {
      toast.remove();
      action();
    };
    toast.insertBefore(element('button', { type: 'button', class: 'toast-action', onclick: act }, label), toast.lastChild);
    return () => toast.remove();
  }

  /** Takes all back, as what they say, and offer to do, was another person's. */
  clear() {
    this.#list.replaceChildren();
  }

  /**
   * @param {string} text
   * @param {string} kind
   * @param {number} [duration] in milliseconds; without it the toast stays until the reader closes it
   */
  #show(text, kind, duration) {
    for (const other of this.#list.children) {
      if (other.firstChild?.textContent === text) other.remove();
    }
    const toast = element('div', { class: `toast ${kind}` }, element('p', {}, text));
    const close = () => toast.remove();
    toast.append(element('button', { type: 'button', class: 'plain', 'aria-label': say('page.dismiss'), onclick: close }, icon('close')));
    this.#list.append(toast);
    if (duration !== undefined) setTimeout(close, duration);
    return toast;
  }
}
