// @ts-check
import { placeOfKey } from '../places/place.js';
import { chatAnnotations, noAnnotations, worldAnnotations } from './annotations.js';

/** @typedef {import('./annotations.js').Annotations} Annotations */
/** @typedef {{ kind: 'home' } | { kind: 'chat', id: string } | { kind: 'world' }} Shown */

/** Close enough to tell a place from its neighbors. */
const PLACE_ZOOM = 12;

/** What the map shows at the moment: a chat, the world, or everybody of all chats. */
export class Scene {
  /** @type {Shown} */
  shown = { kind: 'home' };
  /** Whether *View all locations* is chosen. */
  all = false;

  #page;
  /** Until when, and to how many, the map is moved as people come in at first. */
  #fitting = { until: Infinity, count: 0 };

  /** @param {import('../page/page.js').Page} page */
  constructor(page) {
    this.#page = page;
  }

  /** @param {Shown} shown */
  show(shown) {
    const isSame = this.shown.kind === shown.kind && /** @type {any} */ (this.shown).id === /** @type {any} */ (shown).id;
    this.shown = shown;
    if (!isSame) {
      this.#fitting = { until: Infinity, count: 0 };
      if (!placeOfKey(this.#page.map.selected())) this.#page.map.select(undefined);
      this.#page.map.follow(undefined);
    }
    this.refresh();
  }

  /** @param {boolean} all */
  setAll(all) {
    this.all = all;
    if (this.shown.kind === 'chat' && all) this.#page.chats.live(this.shown.id)?.openAll();
    this.refresh();
  }

  /** Shows what is so now; the first time somebody is there, moves the map to them. */
  refresh() {
    const annotations = this.annotations();
    this.#page.map.show(annotations);
    const count = annotations.pins.size;
    if (count <= this.#fitting.count || performance.now() > this.#fitting.until || this.#page.map.selected() !== undefined) return;
    this.#fitting = { until: Math.min(this.#fitting.until, performance.now() + 2_000), count };
    this.fit();
  }

  /** Moves the map so that everybody is on it. In the world not closer than a country. */
  fit() {
    this.#page.map.fit({ zoomAtMost: this.shown.kind === 'world' ? 5 : 13 });
  }

  /**
   * Moves the map to a person or a place, once.
   * @param {string} key
   */
  lookAt(key) {
    // Who is shown something isn't carried off to the people who come in later.
    this.#fitting.until = 0;
    if (placeOfKey(key)) return this.#page.map.lookAt(key, PLACE_ZOOM);
    this.#page.map.lookAt(key, this.shown.kind === 'world' ? 4 : 9.5);
  }

  /** @returns {Annotations} */
  annotations() {
    if (this.shown.kind === 'world') return this.#world();
    return this.shown.kind === 'chat' ? this.#chat(this.shown.id) : this.#home();
  }

  #world() {
    const { liveWorld, sharer } = this.#page;
    const isShared = sharer.isSharedIn('world');
    return worldAnnotations(liveWorld.world, { all: this.all, own: isShared ? sharer.sharing.lastFix : undefined });
  }

  /** @param {string} id */
  #chat(id) {
    const chat = this.#page.chats.chat(id);
    const live = this.#page.chats.live(id);
    if (!chat || !live) return noAnnotations();
    const options = { own: this.#page.account.user?.id, isOnline: (/** @type {string} */ user) => live.presence.online.has(user) };
    if (this.all && live.all) {
      const { pins } = chatAnnotations(chat, live.last.latest().values(), { ...options, all: false });
      const { trails, stops, pins: newest } = chatAnnotations(chat, [...live.all.messages, ...live.all.unstored.values()], { ...options, all: true });
      return { pins: new Map([...pins, ...newest]), trails, stops };
    }
    return chatAnnotations(chat, live.last.latest().values(), { ...options, all: false });
  }

  /** Everybody once, where they were seen last in any chat. */
  #home() {
    const { pins, trails, stops } = noAnnotations();
    const options = { all: false, own: this.#page.account.user?.id, isOnline: () => true };
    for (const { chat, live } of this.#page.chats.followed) {
      for (const pin of chatAnnotations(chat, live.last.latest().values(), options).pins.values()) {
        if ((pins.get(pin.key)?.time ?? 0) <= (pin.time ?? 0)) pins.set(pin.key, pin);
      }
    }
    return { pins, trails, stops };
  }
}
