// @ts-check
import { labelText } from '../freshness/person-text.js';
import { colorsInView } from '../people/color.js';
import { placeOfKey } from '../places/place.js';
import { say } from '../words/words.js';
import { chatAnnotations, noAnnotations, worldAnnotations } from './annotations.js';

/** @typedef {import('./annotations.js').Annotations} Annotations */
/** @typedef {import('../chats/live-chat.js').LiveChat} LiveChat */
/** @typedef {import('../wire.d.ts').Chat} Chat */
/** @typedef {import('../wire.d.ts').MapPin} MapPin */
/** @typedef {{ kind: 'home' } | { kind: 'chat', id: string } | { kind: 'world' }} Shown */

/** Close enough to tell a place from its neighbors. */
const PLACE_ZOOM = 12;
/** Close enough to read the names of streets. */
const PERSON_ZOOM = 15;
/** How much around the reader is shown at first, in meters. */
const AROUND_OWN = 500;

/** What the map shows at the moment: a chat, the world, or everybody of all chats. */
export class Scene {
  /** @type {Shown} */
  shown = { kind: 'home' };
  /** Whether *View all locations* is chosen. */
  all = false;

  #page;
  /** Until when, and to how many, the map is moved as people come in at first. */
  #fitting = { until: Infinity, count: 0 };
  /** The first fix moves the map to the reader, once. */
  #wasAtOwn = false;
  /** The colors of everybody in all chats, and of which chats they were made. @type {{ of: import('../wire.d.ts').Chat[], colors: Map<string, string> }} */
  #homeColors = { of: [], colors: new Map() };

  /** @param {import('../page/page.js').Page} page */
  constructor(page) {
    this.#page = page;
  }

  /** A person's day in place of what is now. @type {Annotations | undefined} */
  #day;

  /**
   * Shows a person's day, or what is so now again.
   * @param {Annotations | undefined} day
   */
  showDay(day) {
    this.#day = day;
    this.refresh();
  }

  /** @param {Shown} shown */
  show(shown) {
    const isSame = this.shown.kind === shown.kind && /** @type {any} */ (this.shown).id === /** @type {any} */ (shown).id;
    this.shown = shown;
    this.#page.map.quietPlaces(shown.kind === 'chat');
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
    this.#page.panel.mapChanged();
  }

  /** Shows what is so now; the first time somebody is there, moves the map to them. */
  refresh() {
    const annotations = this.annotations();
    this.#page.map.show(annotations);
    if (this.#day || this.#lookAtOwn()) return;
    const count = [...annotations.pins.values()].filter(({ dot }) => dot !== 'quiet').length;
    if (count <= this.#fitting.count || performance.now() > this.#fitting.until || this.#page.map.selected() !== undefined) return;
    this.#fitting = { until: Math.min(this.#fitting.until, performance.now() + 2_000), count };
    this.fit();
  }

  /** Moves the map so that everybody is on it. In the world not closer than a country. */
  fit() {
    this.#page.map.fit({ zoomAtMost: this.shown.kind === 'world' ? 5 : 16 });
  }

  /** Moves the map to where the reader is. */
  lookAtOwn() {
    const fix = this.#page.own.fix;
    if (fix) this.#page.map.showAround({ latitude: Number(fix.latitude), longitude: Number(fix.longitude) }, AROUND_OWN);
  }

  /**
   * Moves the map to a person or a place, once.
   * @param {string} key
   */
  lookAt(key) {
    // Who is shown something isn't carried off to the people who come in later.
    this.#fitting.until = 0;
    if (placeOfKey(key)) return this.#page.map.lookAt(key, PLACE_ZOOM);
    this.#page.map.lookAt(key, this.shown.kind === 'world' ? 4 : PERSON_ZOOM);
  }

  /** @returns {Annotations} */
  annotations() {
    if (this.#day) return this.#day;
    if (this.shown.kind === 'world') return this.#world();
    const annotations = this.shown.kind === 'chat' ? this.#chat(this.shown.id) : this.#home();
    this.#addOwn(annotations.pins);
    return annotations;
  }

  /**
   * Where one may say that one arrives: the middle of the map, and where others stand.
   * @returns {{ label: string, latitude: number, longitude: number }[]}
   */
  arrivals() {
    const people = [...this.annotations().pins.values()].filter(({ own, state }) => !own && state !== 'ended');
    const middle = this.#page.map.center();
    return [
      ...(middle ? [{ label: say('sharing.mapMiddle'), ...middle }] : []),
      ...people.map(({ name, latitude, longitude }) => ({ label: say('sharing.whereIs', { name }), latitude, longitude })),
    ];
  }

  /** @returns {boolean} whether the map was moved to the reader now */
  #lookAtOwn() {
    const { map, own } = this.#page;
    if (this.#wasAtOwn || !own.fix || this.shown.kind === 'world' || map.wasMoved() || map.selected() !== undefined) return false;
    this.#wasAtOwn = true;
    this.#fitting.until = 0;
    this.lookAtOwn();
    return true;
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
    const own = this.#page.account.user?.id;
    const { pins } = chatAnnotations(chat, live.last.latest().values(), { all: false, own });
    this.#age(pins, live);
    if (!this.all || !live.all) return { pins, trails: this.#recentTrails(pins, live), stops: new Map() };
    const { trails, stops } = chatAnnotations(chat, [...live.all.messages, ...live.all.unstored.values()], { all: true, own });
    return { pins, trails, stops };
  }

  /** Everybody once, where they were seen last in any chat. */
  #home() {
    const { pins, trails, stops } = noAnnotations();
    const own = this.#page.account.user?.id;
    for (const { chat, live } of this.#page.chats.followed) {
      const here = chatAnnotations(chat, live.last.latest().values(), { all: false, own }).pins;
      this.#age(here, live);
      for (const pin of here.values()) {
        if ((pins.get(pin.key)?.time ?? 0) <= (pin.time ?? 0)) pins.set(pin.key, pin);
      }
    }
    const colors = this.homeColors();
    for (const pin of pins.values()) pin.color = colors.get(pin.key) ?? pin.color;
    return { pins, trails, stops };
  }

  /**
   * Everybody's color where all chats are in one view, on the map and in the list beside it.
   * @returns {Map<string, string>} by user
   */
  homeColors() {
    const chats = this.#page.chats.followed.map(({ chat }) => chat);
    const { of, colors } = this.#homeColors;
    if (chats.length === of.length && chats.every((chat, index) => chat === of[index])) return colors;
    const hues = new Map(chats.flatMap(({ participants }) => participants.map(({ user, hue }) => [user, hue])));
    this.#homeColors = { of: chats, colors: colorsInView([...hues].map(([id, hue]) => ({ id, hue }))) };
    return this.#homeColors.colors;
  }

  /**
   * Says how fresh each pin is, and takes away those that are shown no more.
   * @param {Map<string, MapPin>} pins
   * @param {LiveChat} live
   */
  #age(pins, live) {
    const now = this.#page.stream.now();
    const latest = live.last.latest();
    for (const [key, pin] of pins) {
      const person = live.person(key, now, latest.get(key));
      this.#page.watcher.look(key, pin.name, person);
      if (!person || person.isGone) pins.delete(key);
      else Object.assign(pin, { state: person.state, age: labelText(person, now), accuracy: person.accuracy, course: person.course, person });
    }
  }

  /**
   * @param {Map<string, MapPin>} pins
   * @param {LiveChat} live
   */
  #recentTrails(pins, live) {
    const now = this.#page.stream.now();
    /** @type {Annotations['trails']} */
    const trails = new Map();
    for (const { key, color } of pins.values()) {
      const pieces = live.lines.pieces(key, now);
      if (pieces.length > 0) trails.set(key, { key, color, points: pieces[pieces.length - 1].points, pieces });
    }
    return trails;
  }

  /**
   * The reader is a dot, where this device is, or where another one shares from.
   * @param {Map<string, MapPin>} pins
   */
  #addOwn(pins) {
    const { account, own, sharer } = this.#page;
    const { user } = account;
    if (!user) return;
    const pin = pins.get(user.id);
    const isSharing = sharer.sharing.isOn || (pin?.person?.share !== undefined && pin.state !== 'ended');
    if (own.fix) {
      const { latitude, longitude, time, accuracy } = own.fix;
      pins.set(user.id, {
        ...pin, key: user.id, latitude: Number(latitude), longitude: Number(longitude), color: pin?.color ?? '#0f6a73', initials: '', name: user.name, time,
        accuracy, own: true, state: 'live', age: undefined, dot: isSharing ? 'sharing' : 'quiet', course: undefined,
      });
    } else if (pin && isSharing) {
      Object.assign(pin, { dot: 'sharing', age: undefined, course: undefined });
    }
  }
}
