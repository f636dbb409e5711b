// @ts-check
import { keptFor } from '../chats/position-keeping.js';
import { personAtPin } from '../freshness/person-now.js';
import { coarseText, labelText } from '../freshness/person-text.js';
import { Observable } from '../page/observable.js';
import { throttle } from '../page/throttle.js';
import { placeOfKey } from '../places/place.js';
import { DrawnPositions } from '../positions/drawn-positions.js';
import { isBeingSeen, isOfThisBrowser, ownStanding } from '../sharing/own-standing.js';
import { WORLD } from '../sharing/sharing.js';
import { say } from '../words/words.js';
import { chatAnnotations, noAnnotations, worldAnnotations } from './annotations.js';
import { firstPicture } from './first-picture.js';
import { addOwnDot, OWN_DOT } from './own-dot.js';
import { Opening, PATIENCE } from './opening.js';

/** @typedef {import('./annotations.js').Annotations} Annotations */
/** @typedef {import('../chats/live-chat.js').LiveChat} LiveChat */
/** @typedef {import('../wire.d.ts').Chat} Chat */
/** @typedef {import('../wire.d.ts').MapPin} MapPin */
/** @typedef {{ kind: 'home', isOfPlaces?: boolean } | { kind: 'chat', id: string } | { kind: 'world' }} Shown */

/** Close enough to tell a place from its neighbors. */
const PLACE_ZOOM = 12;
/** Close enough to read the names of streets. */
const PERSON_ZOOM = 15;
const STREET_ZOOM = 16;
/** How much around the reader is shown, in meters. */
const AROUND_OWN = 500;
/** In the world nobody is shown closer than in a country, or in their part of it. */
const WORLD_ZOOM = 5;
const STRANGER_ZOOM = 4;
/** How often all positions are drawn anew while the map is moved, at most. */
const MOVED_EVERY = 250;

/** What the map shows at the moment: a chat, the world, or everybody of all chats. It tells when somebody is followed, or no more. */
export class Scene extends Observable {
  /** @type {Shown} */
  shown = { kind: 'home' };
  /** Whether *View all locations* is chosen. */
  all = false;

  #page;
  #scope;
  #opening = new Opening(performance.now());
  /** Whether the reader has asked for their own place: in the world it is shown to them then alone, or while they are shown there. */
  #isOwnAsked = false;
  /** How often the reader had moved the map when the view was opened. */
  #moves = 0;
  /** The key of the reader's dot, as it was drawn last. */
  #ownKey = OWN_DOT;
  #positions = new DrawnPositions(() => this.refresh());
  #moved = throttle(MOVED_EVERY, () => this.refresh());

  /**
   * @param {import('../page/page.js').Page} page
   * @param {import('../page/scope.js').Scope} scope of the person who looks
   */
  constructor(page, scope) {
    super();
    this.#page = page;
    this.#scope = scope;
    scope.add(() => {
      this.#moved.cancel();
      this.#positions.clear();
    });
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
    this.#page.map.showChat(shown.kind === 'chat' ? shown.id : undefined);
    this.#page.map.quietPlaces(shown.kind === 'chat' || (shown.kind === 'home' && !shown.isOfPlaces));
    if (!isSame) {
      this.#opening = new Opening(performance.now());
      this.#moves = this.#page.map.moves() ?? 0;
      this.#scope.after(PATIENCE, () => this.refresh());
      if (!placeOfKey(this.#page.map.selected())) this.#page.map.select(undefined);
      this.#page.map.follow(undefined);
    }
    this.refresh();
  }

  /** @param {boolean} all */
  setAll(all) {
    this.all = all;
    if (this.shown.kind === 'chat') this.followAll(this.shown.id);
    this.refresh();
    this.#page.panel.mapChanged();
  }

  /**
   * Holds every position of a chat, or lets go of them, as the reader has chosen.
   * @param {string} id
   */
  followAll(id) {
    const live = this.#page.chats.live(id);
    if (this.all) live?.openAll(keptFor(this.#page.chats.chat(id)));
    else live?.shutAll();
  }

  /** Another part of the Earth is to be seen: of all positions those that are in view are drawn. */
  moved() {
    if (this.#positions.isUsed) this.#moved.run();
  }

  /**
   * Selects the position before or behind the selected one, among those that its dot stands for.
   * @param {number} by how far, towards older ones
   */
  step(by) {
    const key = this.#positions.step(by);
    if (key === undefined) return;
    this.#page.map.select(key);
    this.refresh();
  }

  /** Shows what is so now, and moves the map to those who belong into its first picture. */
  refresh() {
    if (this.#scope.isOver) return;
    const annotations = this.annotations();
    this.#page.map.show(annotations);
    if (!this.#day && !this.#opening.isOver) this.#open([...annotations.pins.values()]);
  }

  /** Moves the map so that everybody is on it. In the world not closer than a country. */
  fit() {
    this.#opening.end();
    this.#page.map.fit({ zoomAtMost: this.shown.kind === 'world' ? WORLD_ZOOM : STREET_ZOOM });
  }

  /** Shows where the reader is and follows that until they move the map; asks the browser where it may have to be asked. */
  async showOwn() {
    const { own, map, toasts } = this.#page;
    this.#opening.end();
    if (!own.fix) {
      const moves = map.moves();
      const problem = await own.locate();
      if (problem) return toasts.say(problem);
      if (map.moves() !== moves) return undefined;
    }
    return this.#lookAtOwn();
  }

  #lookAtOwn() {
    const { own, map } = this.#page;
    const place = own.fix && placeOf(own.fix);
    if (!place) return;
    this.#isOwnAsked = true;
    map.show(this.annotations());
    map.follow(this.#ownKey);
    map.showAround(place, Math.max(AROUND_OWN, 2 * (place.accuracy ?? 0)));
  }

  /** Whether the map follows the reader. */
  get followsOwn() {
    const followed = this.#page.map.followed();
    return followed !== undefined && followed === this.#ownKey;
  }


  /**
   * Moves the map to a person, whom it follows from then on, or to a place, once.
   * @param {string} key
   */
  lookAt(key) {
    // Otherwise the opening would move the map on, to the people whose positions come later.
    this.#opening.end();
    const { map } = this.#page;
    if (placeOfKey(key)) return map.lookAt(key, PLACE_ZOOM);
    return map.follow(key, this.shown.kind === 'world' ? STRANGER_ZOOM : PERSON_ZOOM);
  }

  /** @returns {Annotations} */
  annotations() {
    if (this.#day || this.shown.kind !== 'chat') this.#positions.clear();
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

  /** @param {MapPin[]} pins */
  #open(pins) {
    const { map, own } = this.#page;
    if (map.selected() !== undefined) return;
    if ((map.moves() ?? 0) !== this.#moves || map.followed() !== undefined) return this.#opening.end();
    const isWorld = this.shown.kind === 'world';
    // What another device of the reader's shares is a person as others are.
    const others = pins.filter((pin) => !pin.own || (pin.dot === undefined && sharesNow(pin)));
    const sharing = others.filter((pin) => isWorld || sharesNow(pin));
    const shared = pins.find((pin) => pin.own && pin.dot === 'sharing');
    const me = isWorld ? undefined : own.fix ? placeOf(own.fix) : shared;
    const places = [...sharing, ...(me ? [me] : []), ...others];
    const levels = places.length > 0 ? map.levelsAt(places[0]) : undefined;
    const picture = firstPicture({ sharing, seen: others, me, levels: levels ?? 0, zoomAtMost: isWorld ? WORLD_ZOOM : STREET_ZOOM });
    const isReady = levels !== undefined && this.#isKnown();
    const who = [...sharing.map(({ key }) => key).sort(), levels, me && `${coarseText(me.accuracy)} me`, sharing.length > 0 ? 0 : others.length].join();
    const wanted = this.#opening.next(picture, { who, isReady, isSettled: isReady && !own.isAwaited, now: performance.now() });
    if (wanted) map.frame(wanted);
    return undefined;
  }

  /** Whether everybody of the view has been told by the server. */
  #isKnown() {
    const { chats, liveWorld } = this.#page;
    const { shown } = this;
    if (shown.kind === 'world') return liveWorld.world.isCurrent || liveWorld.refusal !== undefined;
    if (!chats.list.isCurrent) return false;
    return shown.kind === 'chat' ? chats.live(shown.id)?.isKnown ?? true : chats.followed.every(({ live }) => live.isKnown);
  }

  #world() {
    const { liveWorld, own } = this.#page;
    const isShared = isBeingSeen(ownStanding(this.#page, WORLD));
    this.#ownKey = OWN_DOT;
    const annotations = worldAnnotations(liveWorld.world, { all: this.all, own: isShared || this.#isOwnAsked ? own.fix : undefined });
    const pin = annotations.pins.get(OWN_DOT);
    if (pin && !isShared) pin.dot = 'quiet';
    return annotations;
  }

  /** @param {string} id */
  #chat(id) {
    const chat = this.#page.chats.chat(id);
    const live = this.#page.chats.live(id);
    if (!live?.all) this.#positions.clear();
    if (!chat || !live) return noAnnotations();
    const own = this.#page.account.user?.id;
    const { pins } = chatAnnotations(chat, live.last.latest().values(), { all: false, own });
    this.#age(pins, live);
    const view = this.#page.map.view();
    if (this.all && live.all && view) {
      return { pins, ...this.#positions.show({ chat, all: live.all, own, view, selected: this.#page.map.selected() }) };
    }
    this.#positions.clear();
    return { pins, trails: this.#recentTrails(pins, live), stops: new Map() };
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
    return { pins, trails, stops };
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
      if (!person || person.isGone) pins.delete(key);
      else Object.assign(pin, { state: person.state, age: labelText(person, now), accuracy: person.accuracy, course: person.course, person: personAtPin(person) });
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

  /** @param {Map<string, MapPin>} pins */
  #addOwn(pins) {
    const { account, own, sharer } = this.#page;
    if (!account.user) return;
    const pin = pins.get(account.user.id);
    const share = pin?.person?.share;
    this.#ownKey = addOwnDot(pins, {
      user: account.user, fix: own.fix, isOfOtherDevice: share !== undefined && pin?.state !== 'ended' && !isOfThisBrowser(this.#page, share),
      isPaused: this.shown.kind === 'chat' ? sharer.isPausedIn(this.shown.id) : sharer.isPaused,
      isSeen: sharer.places.some((place) => isBeingSeen(ownStanding(this.#page, place))),
    });
  }
}

/**
 * Whether somebody's position is on its way at the moment: by their share, or where the server keeps none, by its age.
 * @param {MapPin} pin
 */
function sharesNow({ state, person }) {
  return state !== 'ended' && (person?.share !== undefined || state !== 'offline');
}

/** @param {import('../wire.d.ts').Fix} fix */
function placeOf({ latitude, longitude, accuracy }) {
  return { latitude: Number(latitude), longitude: Number(longitude), accuracy };
}
