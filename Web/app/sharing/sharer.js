// @ts-check
import { Observable } from '../page/observable.js';
import { fixFrom, heartbeatFix, locationData } from './fix.js';
import { forgetReported, keepReported, reportedBefore } from './reported.js';
import { ScreenLock } from './screen-lock.js';
import { reportedAt } from './share-record.js';
import { Silence } from './silence.js';
import { Sharing, WORLD } from './sharing.js';
import { Tabs } from './tabs.js';
import { say } from '../words/words.js';

/** @typedef {import('../wire.d.ts').Fix} Fix */
/** @typedef {import('./share-record.js').ShareRecord} ShareRecord */
/** @typedef {import('./share-records.js').ShareRecords} ShareRecords */

/**
 * What a browser says when it won't tell the position, in words that help.
 * @param {number} code
 */
function reasonOf(code) {
  if (code === 1) return say('sharing.denied');
  return say(code === 2 ? 'sharing.unknown' : 'sharing.slow');
}

/** The longest time between two looks at the ends of shares, in milliseconds. */
const ENDS_EVERY = 60_000;
/** How often a device says that it is still there, without a message. */
const HEARTBEAT = 15_000;
/** A sensor that says nothing for so long is asked anew, in milliseconds. */
const SILENT_AFTER = 40_000;
/** A tab that is loaded again goes on by itself where it last reported at most so long ago, in milliseconds. */
const GOES_ON_WITHIN = 600_000;

/**
 * Watches this device's position while it is shared anywhere, and keeps the screen awake meanwhile. Of a browser's tabs
 * one does this; all of them show it and can stop it. Where it is shared stands in the records alone.
 */
export class Sharer extends Observable {
  sharing = new Sharing();
  /** Why there is no position, in words. @type {string | undefined} */
  problem;
  /** The browser may not tell where it is: everything started has to end. */
  onDenied = () => this.stopAll();
  /** Called when a place that was reported in is over, by its time or the server. */
  onEnded = (/** @type {string} */ _place) => {};
  /** Whether the browser is asked where it is, before a start. */
  isAsking = false;
  tabs;
  records;

  #send;
  #beat;
  #clock;
  /** @type {number | undefined} */
  #watch;
  /** @type {number | undefined} */
  #timer;
  /** @type {number | undefined} */
  #endTimer;
  /** Where this browser reported, as this tab last knew, each with how often it was stopped. @type {Map<string, number | undefined>} */
  #reported = new Map();
  /** When the sensor last said anything, by the monotonic clock. */
  #heardAt = 0;
  #silence;
  #screen = new ScreenLock();
  #scope;
  /** @type {{ level: number, charging: boolean } | undefined} */
  #battery;

  /**
   * @param {ShareRecords} records
   * @param {(place: string, data: object, fix: Fix) => void} send takes a position to a place: a chat's id or *world*
   * @param {(chat: string, beat: { share?: string, fix?: object, battery?: number, charging?: boolean }) => void} beat says
   *   to a chat that this device is still there
   * @param {{ now(): number, sureNow(): number, offset: number }} clock the server's time, the same or an earlier one while the device's
   *   clock may have been set ahead, and how far the server's time is ahead of this device's, in milliseconds
   * @param {import('../page/scope.js').Scope} scope ends when the person whose device this is signs out
   */
  constructor(records, send, beat, clock, scope) {
    super();
    this.records = records;
    this.tabs = new Tabs(scope);
    this.#scope = scope;
    this.#send = send;
    this.#beat = beat;
    this.#clock = clock;
    this.#silence = new Silence(this.#device(), document.visibilityState === 'hidden');
    this.tabs.onHeld = (isHeld) => this.#held(isHeld);
    this.tabs.observe(() => this.#settle(), scope);
    records.observe(() => this.#settle(), scope);
    scope.listen(document, 'visibilitychange', () => {
      this.#silence.seen(this.#device(), document.visibilityState === 'hidden');
      this.#screen.keep(this.sharing.isOn);
    });
    scope.listen(globalThis, 'pageshow', ({ persisted }) => { if (persisted) this.#settle(); });
    scope.add(() => this.#ended());
  }

  /** Nobody shares here any more. */
  #ended() {
    clearTimeout(this.#endTimer);
    this.sharing.report([]);
    if (this.#watch !== undefined) this.#stopWatch();
    this.#screen.keep(false);
    forgetReported();
  }

  /** How far the server's clock is ahead of this device's, in milliseconds. */
  get offset() {
    return this.#clock.offset;
  }

  /** The time by this device's own clock, as the offset isn't known before the first greeting. */
  #device() {
    return this.#clock.now() - this.#clock.offset;
  }

  /** Whether this browser can tell positions at all. */
  get isPossible() {
    return 'geolocation' in navigator && isSecureContext;
  }

  /**
   * Whether this page may see the position; asks the reader if they haven't been asked. Before that nothing is shared.
   * @returns {Promise<boolean>}
   */
  async isAllowed() {
    this.problem = undefined;
    this.isAsking = true;
    this.changed();
    const isAllowed = await new Promise((/** @type {(isAllowed: boolean) => void} */ resolve) => {
      navigator.geolocation.getCurrentPosition(() => resolve(true), (error) => {
        const isDenied = error.code === error.PERMISSION_DENIED;
        if (isDenied) this.#failed(error);
        resolve(!isDenied);
      }, { maximumAge: Infinity, timeout: 5_000 });
    });
    this.isAsking = false;
    this.changed();
    return isAllowed;
  }

  /** Whether a tab of this browser has the sensor for what is shared. */
  get #isReporting() {
    return this.tabs.isHolder || this.tabs.isHeldElsewhere || this.tabs.isWaiting;
  }

  /** Where this browser reports, in whichever tab. @returns {string[]} */
  get places() {
    return this.#isReporting ? this.records.wanted.filter(({ isPaused }) => !isPaused).map(({ place }) => place) : [];
  }

  /** @param {string} place */
  isSharedIn(place) {
    return this.places.includes(place);
  }

  /**
   * Whether the person wants to be seen in a place and no tab reports there, until they say that it goes on.
   * @param {string} place
   */
  isPausedIn(place) {
    return (this.records.get(place)?.isWanted ?? false) && this.isPossible && !this.isSharedIn(place);
  }

  /** Whether the person wants to be seen somewhere, and no tab reports anywhere. */
  get isPaused() {
    return this.places.length === 0 && this.records.wanted.some(({ place }) => this.isPausedIn(place));
  }

  /**
   * As another user, or nobody.
   * @param {string | undefined} user
   * @returns {Promise<void>} when it is known what was shared before
   */
  async begin(user) {
    this.tabs.begin(user);
    await this.records.begin(user);
  }

  /**
   * Goes on by itself after a reload of the tab that reported. The world isn't gone on with: it asks.
   * @param {(share: string | undefined) => boolean} isRunning whether the server keeps a share running
   * @returns {Promise<string[]>} the chats in which it goes on
   */
  async goOnAfterReload(isRunning) {
    const reported = reportedBefore(this.records.user);
    // What the browser's database didn't keep is still a share of this tab.
    for (const [chat, share] of reported ?? []) if (share !== null && isRunning(share)) this.records.recover(chat, share);
    if (!this.isPossible || !reported || document.visibilityState !== 'visible' || !await isGranted()) return [];
    const isRecent = (/** @type {number} */ time) => this.#clock.now() - time < GOES_ON_WITHIN;
    const wasHere = (/** @type {ShareRecord} */ { place, share }) => reported.some(([known, id]) => known === place && id === (share ?? null));
    const recent = this.records.wanted.filter((record) => record.place !== WORLD && !record.isPaused && wasHere(record) && isRecent(record.reported) && isRunning(record.share));
    if (recent.length === 0 || this.#isReporting) return [];
    this.#pauseBut(recent.map(({ place }) => place));
    this.tabs.hold();
    return recent.map(({ place }) => place);
  }

  /**
   * Reports into a place from this browser.
   * @param {string} place
   * @param {{ share?: string, until?: number, begun?: number }} [what] the share's id, end and start, where they aren't as before
   * @returns {Promise<import('./share-records.js').Kept>} whether it would go on after a reload
   */
  async start(place, what) {
    if (!this.#isReporting) this.#pauseBut([place]);
    const { share, until, reported } = this.records.get(place) ?? {};
    const now = this.#clock.now();
    const kept = this.records.start(place, { reported: now, ...what ?? { share, until, reported: reported ?? now }, clock: this.offset });
    this.#settle();
    if (!this.tabs.isHeldElsewhere) this.tabs.hold();
    return kept;
  }

  /**
   * Reports no more, in no tab.
   * @param {string} place
   * @param {number} [at] the time of the tap, where the server has to be told
   */
  stop(place, at) {
    this.records.stop(place, at);
    this.#settle();
  }

  stopAll() {
    for (const { place } of this.records.wanted) this.records.stop(place);
    this.#settle();
  }

  /**
   * What the server ended, or its time did.
   * @param {string} place
   */
  end(place) {
    this.records.end(place);
    this.#settle();
  }

  /**
   * Reports no more until the person says that it goes on.
   * @param {string} place
   */
  suspend(place) {
    this.records.note(place, { isPaused: true });
    this.#settle();
  }

  /**
   * The share that a place's positions belong to.
   * @param {string} place
   */
  shareIn(place) {
    return this.records.get(place)?.share;
  }

  /** The world is new: nobody there knows this device yet. */
  worldJoined() {
    this.#deliver(this.sharing.forgotten(WORLD));
  }

  /**
   * What nobody reported for doesn't begin with another place.
   * @param {string[]} places
   */
  #pauseBut(places) {
    for (const { place, isPaused } of this.records.wanted) {
      if (!places.includes(place) && !isPaused) this.records.note(place, { isPaused: true });
    }
  }

  /** @param {boolean} isHeld */
  async #held(isHeld) {
    // Another tab may have written a stop while this one waited.
    if (isHeld) await this.records.load();
    this.#settle();
  }

  #settle() {
    if (this.#scope.isOver) return;
    this.#endInTime();
    const wanted = this.records.wanted.filter(({ isPaused }) => !isPaused);
    if (wanted.length > 0 && this.tabs.isHeldElsewhere) this.tabs.hold();
    if (wanted.length === 0) this.tabs.release();
    const places = this.tabs.isHolder ? wanted.map(({ place }) => place) : [];
    if (places.length > 0) keepReported(wanted[0].user, wanted.map(({ place, share }) => [place, share ?? null]));
    else if (this.tabs.isHeldElsewhere || (this.sharing.isOn && wanted.length === 0)) forgetReported();
    const due = this.sharing.report(places);
    if (this.sharing.isOn && this.#watch === undefined) this.#startWatch();
    if (!this.sharing.isOn && this.#watch !== undefined) this.#stopWatch();
    this.#deliver(due);
    this.#screen.keep(this.sharing.isOn);
    this.#sayEnded();
    this.changed();
  }

  /** Says in each tab what ended, whichever tab found that out; what the person stopped needs no word. */
  #sayEnded() {
    for (const [place, stops] of this.#reported) {
      const record = this.records.get(place);
      if (record && !record.isWanted && record.stops === stops) this.onEnded(place);
    }
    this.#reported = new Map(this.places.map((place) => [place, this.records.get(place)?.stops]));
  }

  /** A share ends when its time comes, with or without a connection. */
  #endInTime() {
    clearTimeout(this.#endTimer);
    // By a clock that was set ahead a share would end that goes on at the server.
    const now = this.#clock.sureNow();
    const ends = this.records.wanted.flatMap(({ place, until }) => (until === undefined ? [] : [{ place, until }]));
    for (const { place } of ends.filter(({ until }) => until <= now)) this.end(place);
    const next = Math.min(...ends.filter(({ until }) => until > now).map(({ until }) => until));
    // Looked at each minute: meanwhile the server's time may be measured anew.
    if (next < Infinity) this.#endTimer = setTimeout(() => this.#settle(), Math.min(next - now + 1, ENDS_EVERY));
  }

  #startWatch() {
    this.problem = undefined;
    this.#silence.listens(this.#device());
    this.#timer = setInterval(() => this.#beatAll(), HEARTBEAT);
    this.#watchBattery();
    this.#listen();
  }

  #listen() {
    this.#heardAt = performance.now();
    this.#watch = navigator.geolocation.watchPosition((position) => this.#moved(position), (error) => this.#failed(error), { enableHighAccuracy: true, maximumAge: 0, timeout: 30_000 });
  }

  /** @param {GeolocationPosition} position */
  #moved(position) {
    if (!this.sharing.isOn) return;
    this.#heardAt = performance.now();
    const now = this.#clock.now();
    this.#noteReported(this.#clock.sureNow());
    this.#silence.heard(this.#device());
    this.problem = undefined;
    const fix = fixFrom(position, { offset: this.offset, maximumAge: 0 });
    // A new offset never puts a position before the one that was sent last, unless that came from a clock that had just been set ahead.
    this.#deliver(this.sharing.fix({ ...fix, time: Math.max(fix.time, Math.min(this.sharing.lastFix?.time ?? fix.time, now)) }));
    this.changed();
  }

  #stopWatch() {
    navigator.geolocation.clearWatch(/** @type {number} */ (this.#watch));
    clearInterval(this.#timer);
    this.#watch = undefined;
    this.problem = undefined;
  }

  #beatAll() {
    const fix = this.sharing.lastFix;
    for (const { place, share, isPaused } of this.records.wanted) {
      if (isPaused) continue;
      if (place !== WORLD) this.#beat(place, { share, ...(fix ? { fix: heartbeatFix(fix) } : {}), ...batteryOf(this.#battery) });
    }
    if (performance.now() - this.#heardAt < SILENT_AFTER || this.#watch === undefined) return;
    // Some browsers' watches say where one is once, and then never again.
    navigator.geolocation.clearWatch(this.#watch);
    this.#listen();
  }

  /** @param {number} now */
  #noteReported(now) {
    for (const record of this.records.wanted) {
      const news = record.isPaused ? undefined : reportedAt(record, now, this.#silence.causeSince(record.reported - this.offset, this.#device()));
      if (news) this.records.note(record.place, news);
    }
  }

  async #watchBattery() {
    try {
      this.#battery ??= await /** @type {any} */ (navigator).getBattery?.();
    } catch {
      // Few browsers tell.
    }
  }

  /** @param {GeolocationPositionError} error */
  #failed(error) {
    const isDenied = error.code === error.PERMISSION_DENIED;
    if (isDenied) this.onDenied();
    this.problem = reasonOf(error.code);
    this.changed();
  }

  /** @param {{ place: string, fix: Fix }[]} due */
  #deliver(due) {
    for (const { place, fix } of due) {
      const share = place === WORLD ? undefined : this.shareIn(place);
      this.#send(place, { ...locationData(fix), ...(share === undefined ? {} : { share }) }, fix);
    }
  }
}

/** @param {{ level: number, charging: boolean } | undefined} battery */
function batteryOf(battery) {
  return battery ? { battery: Math.round(battery.level * 100) / 100, charging: battery.charging } : {};
}

/** Whether the browser tells where it is without asking the reader. */
async function isGranted() {
  try {
    return (await navigator.permissions.query({ name: 'geolocation' })).state === 'granted';
  } catch {
    return false;
  }
}
