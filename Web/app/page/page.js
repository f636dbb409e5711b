// @ts-check
import { Chats } from '../chats/chats.js';
import { chatName } from '../chats/chat-name.js';
import { Contacts } from '../contacts/contacts.js';
import { PendingInvitation } from '../invitations/pending-invitation.js';
import { Watcher } from '../freshness/watcher.js';
import { makeMap } from '../map/map.js';
import { mapButtons } from '../map/map-buttons.js';
import { placeText } from '../map/place-text.js';
import { Scene } from '../map/scene.js';
import { PlaceNames, placeNameText } from '../places/place-names.js';
import { Places } from '../places/places.js';
import { placesCount } from '../places/places-count.js';
import { rest } from '../rest/rest.js';
import { Account } from '../session/account.js';
import { forgetStop, leaveStops, leaving, stopsOf } from '../session/departure.js';
import { AwaitedStart } from '../sharing/awaited-start.js';
import { followShares } from '../sharing/follow-shares.js';
import { OwnPlace } from '../sharing/own-place.js';
import { OwnShares } from '../sharing/own-shares.js';
import { Sender } from '../sharing/sender.js';
import { isStarting, offerPosition, stopHere, stopShare } from '../sharing/share-actions.js';
import { endOf, lastChoice } from '../sharing/share-choice.js';
import { ShareRecords } from '../sharing/share-records.js';
import { Sharer } from '../sharing/sharer.js';
import { WORLD } from '../sharing/sharing.js';
import { announceStart } from '../sharing/spoken.js';
import { statusBar } from '../sharing/status-bar.js';
import { Stops } from '../sharing/stops.js';
import { forgetEverything, keepPage, keepUp, sendLater } from '../shell/shell.js';
import { browserShelf } from '../storage/shelf.js';
import { Store } from '../storage/store.js';
import { Stream } from '../stream/stream.js';
import { LiveWorld } from '../world/live-world.js';
import { followReturns } from '../world/world-return.js';
import { say, sayPage, sayRefusal } from '../words/words.js';
import { keepUnread } from '../chats/unread-badge.js';
import { Notifications } from '../messages/notifications.js';
import { setClock } from './clock.js';
import { Panel } from './panel.js';
import { Router, takeSecret } from './router.js';
import { throttle } from './throttle.js';
import { Toasts } from './toasts.js';

/** How often it is looked whether messages have expired. */
const EXPIRE_EVERY = 5_000;

/** How often it is looked whether somebody changed of whom the reader wants to be told, at most. */
const WATCHED_EVERY = 1_000;

/** How often what the map shows is put together anew, at most. */
const DRAWN_EVERY = 200;

/** @param {string} id */
function byID(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/** The whole page: what there is once, and how it hangs together. */
export class Page {
  toasts = new Toasts(byID('toasts'));
  router = new Router();
  account = new Account();
  stream = new Stream(`${location.origin.replace(/^http/, 'ws')}/v1/stream`);
  contacts = new Contacts(this.stream);
  chats = new Chats(this.stream);
  liveWorld = new LiveWorld(this.stream);
  sender = new Sender(this.stream);
  ownShares = new OwnShares(this.stream);
  shareRecords = new ShareRecords(new Store());
  stops = new Stops(this.stream, this.shareRecords);
  awaitedStart = new AwaitedStart();
  sharer = new Sharer(this.shareRecords, (place, data, fix) => this.#sendFix(place, data, fix), (chat, beat) => this.#beat(chat, beat), () => this.stream.now());
  own = new OwnPlace(this.sharer);
  watcher = new Watcher((text) => this.#tell(text));
  invitation = new PendingInvitation();
  places = new Places(this.stream, (path) => rest('GET', path), browserShelf);
  placeNames = new PlaceNames(() => this.#named());
  map = makeMap(byID('map'), {
    changed: () => this.#mapChanged(),
    made: () => this.#mapMade(),
    charted: () => this.scene.refresh(),
    moved: () => this.#mapMoved(),
    opened: (key) => this.router.go(...key.split('/')),
    whereOf: (person, place) => this.whereOf(person, place),
    dayOf: (person) => this.dayOf(person),
    stepped: (by) => this.scene.step(by),
  });
  scene = new Scene(this);
  notifications = new Notifications(this);
  panel = new Panel(this, byID('panel'), byID('view'), byID('sections'));

  /** @type {string | undefined} */
  #user;
  /** A place that is to be shown, and isn't known yet. @type {string | undefined} */
  #toLookAt;
  /** Follows another person's shares. */
  #beginShares = (/** @type {string | undefined} */ _user) => {};
  /** How often the stream was refused since it was last open. */
  #refusals = 0;

  async begin() {
    sayPage(document);
    setClock(() => this.stream.now());
    byID('status').append(statusBar(this));
    byID('places-count').append(placesCount(this));
    this.#connect();
    setInterval(() => this.#expire(), EXPIRE_EVERY);
    await this.#enter();
    this.#identify();
    this.stream.open();
    this.panel.begin();
    keepUnread(this, byID('sections'));
    this.#mapMoved();
    this.account.observe(() => this.#identify());
    this.#readAddress();
    this.router.observe(() => this.#readAddress());
    addEventListener('hashchange', () => this.#enterAgain());
    const look = () => { if (leaving() !== undefined) this.#left(); };
    addEventListener('storage', look);
    // A page that the browser kept aside hears of nothing meanwhile.
    addEventListener('pageshow', ({ persisted }) => { if (persisted) look(); });
  }

  /**
   * Says something to who can't see it happen.
   * @param {string} text
   */
  announce(text) {
    byID('announcer').textContent = text;
  }

  /**
   * A position in words: street and town, or the coordinates if the place has no name or the reader has no account: the
   * server sends names of places to accounts only.
   * @param {string} person
   * @param {{ latitude: number, longitude: number, accuracy?: number }} place
   */
  whereOf(person, place) {
    const name = this.account.user ? this.placeNames.nameOf(person, place) : undefined;
    return name ? placeNameText(name) : placeText(place);
  }

  /**
   * Where a person's day in the chat that is shown is to be seen.
   * @param {string} person
   * @returns {string | undefined} `undefined` outside of a chat, and on the day itself
   */
  dayOf(person) {
    const [section, chat, part] = this.router.path;
    const isIn = section === 'chats' && part === undefined && this.chats.chat(chat)?.participants.some(({ user }) => user === person);
    return isIn ? `#/chats/${encodeURIComponent(chat)}/day/${encodeURIComponent(person)}` : undefined;
  }

  /**
   * What a place shared in is called.
   * @param {string} place
   */
  nameOf(place) {
    const chat = this.chats.chat(place);
    if (place === WORLD) return say('page.theWorld');
    return chat ? chatName(chat, this.account.user?.id) : say('page.aChat');
  }

  /**
   * Starts or stops sharing in the world.
   * @param {string} place
   * @param {boolean} isOn
   * @param {() => boolean} isWanted Whether it is still wanted once the browser has allowed it.
   */
  async share(place, isOn, isWanted = () => true) {
    if (!isOn) return stopShare(this, place);
    if (!await this.sharer.isAllowed() || !isWanted()) return undefined;
    await this.sharer.start(place, { until: endOf(lastChoice(), this.stream.now()) });
    return announceStart(this, place);
  }

  /**
   * Selects a place on the map and moves the map to it.
   * @param {string} key
   */
  showPlace(key) {
    this.map.select(key);
    this.places.select(key);
    this.#toLookAt = key;
    this.#lookAtSelected();
  }

  #connect() {
    const { stream, sender, sharer, chats, liveWorld } = this;
    const draw = throttle(DRAWN_EVERY, () => this.scene.refresh());
    const watch = throttle(WATCHED_EVERY, () => this.#watch());
    // A session that ended while there was no connection: a world that is open to everybody lets the page in, but as nobody.
    stream.isExpected = (user) => user === this.account.user?.id;
    stream.onOpen = () => {
      this.#refusals = 0;
      this.stops.send();
      sender.connected();
      this.#keepUp();
      if (this.places.kinds) this.places.load();
    };
    stream.onFrame = (frame) => {
      if (frame.type === 'asked') return offerPosition(this, frame.chat, frame.user);
      if (sender.receive(frame) || frame.type !== 'error') return;
      this.toasts.fail(sayRefusal(frame.code, frame.message));
    };
    stream.onRefused = () => this.#checkSession();
    stream.observe(() => {
      if (stream.state === 'waiting' && this.account.user) sendLater();
    });
    sender.onRefused = ({ chat, tag, data }, frame) => {
      // A position can end only its own share, and one from before a share none.
      const share = /** @type {{ share?: string } | undefined} */ (data)?.share;
      if (tag === 'Location' && frame.code !== 'notShared' && share === sharer.shareIn(chat)) sharer.end(chat);
      if (tag === 'Location' && (frame.code === 'shareEnded' || frame.code === 'notShared')) return;
      this.toasts.fail(sayRefusal(frame.code, frame.message), say('page.notSent', { place: this.nameOf(chat) }));
    };
    sender.onSent = (entry, frame) => chats.live(entry.chat)?.messages?.answered(entry, frame);
    sender.onNotKept = () => this.toasts.fail(say('page.notKept'));
    this.contacts.onNew = ({ name }) => this.toasts.say(say('contacts.became', { name }));
    liveWorld.onJoined = () => sharer.worldJoined();
    followReturns(this);
    sharer.observe(() => {
      liveWorld.share(sharer.isSharedIn(WORLD));
      this.#keepUp();
      draw.run();
    });
    chats.observe(() => {
      for (const place of sharer.places) {
        if (place !== WORLD && chats.list.isCurrent && !chats.chat(place)) sharer.end(place);
      }
      if (this.scene.shown.kind !== 'world') draw.run();
      watch.run();
    });
    this.own.observe(() => draw.run());
    this.#beginShares = followShares(this);
    sharer.onDenied = () => stopHere(this);
    this.places.observe(() => {
      this.map.showPlaces(this.places.all);
      this.panel.showSections();
      this.#lookAtSelected();
    });
    liveWorld.observe(() => {
      if (liveWorld.refusal && sharer.isSharedIn(WORLD)) sharer.end(WORLD);
      if (this.scene.shown.kind === 'world') draw.run();
    });
  }

  /** When this device's pin in the world is taken away, by the server's clock; `undefined` if not by itself. @returns {number | undefined} */
  get worldEnd() {
    return this.sharer.isSharedIn(WORLD) ? this.shareRecords.get(WORLD)?.until : undefined;
  }

  /** @param {import('../wire.d.ts').Fix} fix */
  #moveInWorld(fix) {
    const end = this.worldEnd;
    if (end === undefined || end > this.stream.now()) this.liveWorld.move(fix, end);
  }

  #named() {
    this.scene.refresh();
    this.panel.mapChanged();
  }

  /** An address that can't be read opens the home screen, and says so. */
  #readAddress() {
    if (!this.router.isUnreadable) return;
    this.router.replace();
    this.toasts.say(say('page.addressUnreadable'));
  }

  /** Takes secrets out of the address and uses them, then asks who is signed in. */
  async #enter() {
    const link = takeSecret('link');
    const invitation = takeSecret('invitation');
    if (invitation) this.invitation.keep(invitation);
    try {
      if (link) await this.account.signInWithLink(link);
    } catch (error) {
      this.toasts.fail(error, say('page.linkFailed'));
    }
    try {
      if (!this.account.user) await this.account.load();
    } catch (error) {
      this.toasts.fail(error);
    }
    if (this.account.wasForgotten) await this.#forget();
  }

  /**
   * The session ended elsewhere: what is the person's is erased, but the stops that wait for their next session.
   * @param {import('../sharing/share-record.js').ShareRecord[]} [records] of where they shared, as far as this tab knows
   */
  async #forget(records) {
    leaveStops(records ?? (await new Store().load('shares')) ?? []);
    await forgetEverything();
  }

  /** A link opened while the page is open. */
  async #enterAgain() {
    if (!/^#(link|invitation)=/.test(location.hash)) return;
    await this.#enter();
    this.panel.refresh();
  }

  /** Puts everything onto another user's feet, or nobody's. */
  #identify() {
    const user = this.account.user?.id;
    const isOther = user !== this.#user;
    this.#user = user;
    if (isOther && this.stream.state !== 'closed') this.stream.close();
    if (isOther || this.stream.state === 'closed') this.#beginAs(user);
    this.panel.refresh();
  }

  /** @param {string | undefined} user */
  #beginAs(user) {
    this.#beginShares(user);
    this.chats.clear();
    this.placeNames.clear();
    this.ownShares.clear();
    this.contacts.clear();
    this.sender.begin(user);
    this.watcher.begin(user);
    if (user) {
      keepPage();
      this.chats.follow();
      this.contacts.follow();
      this.ownShares.follow();
      for (const stop of stopsOf(user)) this.shareRecords.stop(stop.place, stop.before).then((isKept) => { if (isKept) forgetStop(stop); });
    }
    this.liveWorld.retry();
    this.places.clear();
    this.places.load();
    this.stream.open();
  }

  /** Whom the reader wants to be told of, in all chats, whatever view is open. */
  #watch() {
    const now = this.stream.now();
    this.watcher.look(() => this.chats.followed.flatMap(({ chat, live }) => chat.participants.flatMap(({ user, name }) => {
      // Without a connection it is the reader who is out of reach.
      const person = live.isCurrent ? live.person(user, now) : undefined;
      return person ? [{ user, name, person }] : [];
    })));
  }

  #expire() {
    this.#watch();
    for (const { live } of this.chats.followed) live.expire(this.stream.now());
    // Pins and rows grow old by the page's own clock, with or without a connection.
    this.scene.refresh();
    this.panel.mapChanged();
    this.sharer.changed();
  }

  /** The stream was refused: perhaps the session has ended, or without an account the world isn't open. */
  async #checkSession() {
    if (this.account.isLeaving) return;
    if (leaving() !== undefined) {
      this.#left();
      return;
    }
    this.#refusals += 1;
    const before = this.account.user?.id;
    const { stopping } = this.shareRecords;
    try {
      await this.account.load();
      if (this.account.wasForgotten) await this.#forget(stopping);
      if (this.account.user?.id !== before) this.toasts.say(say('page.sessionEnded'));
      if (before === undefined && this.#refusals > 1) this.#giveUp();
    } catch {
      // The server can't be reached; the stream tries again by itself.
    }
  }

  /** The server answers, but has no stream for who isn't signed in. */
  #giveUp() {
    this.stream.close();
    this.places.setLive(false);
    this.liveWorld.refuse({ code: 'worldClosed', message: say('page.worldNotOpen') });
  }

  /** The person signs out: nothing of theirs runs on here, and the page is about to be left. */
  leave() {
    this.account.isLeaving = true;
    this.stream.close();
    this.#beginShares(undefined);
    this.sender.begin(undefined);
  }

  /** Another tab signed the person out, and the server doesn't know it yet: nobody is shown, and nobody signs in, before it does. */
  async #left() {
    if (this.account.isLeaving) return;
    this.leave();
    await forgetEverything({ keepsProgram: true });
    location.replace('/');
  }

  /** Asks for the world again, after a refusal. */
  retryWorld() {
    this.#refusals = 0;
    this.liveWorld.retry();
    this.places.setLive(true);
    this.stream.open();
  }

  /**
   * @param {string} place
   * @param {object} data
   * @param {import('../wire.d.ts').Fix} fix
   */
  #sendFix(place, data, fix) {
    if (place === WORLD) this.#moveInWorld(fix);
    else this.sender.send(place, 'Location', { data });
  }

  /**
   * Says something that the reader asked to be told: over the page, or over everything else where that is allowed.
   * @param {string} text
   */
  #tell(text) {
    this.toasts.say(text);
    if (document.visibilityState !== 'hidden' || !('Notification' in window) || Notification.permission !== 'granted') return;
    try {
      new Notification('Yonder', { body: text, tag: 'yonder.tell' });
    } catch {
      // Phones show notifications through a service worker alone.
    }
  }

  /** Another version of the page is loaded where there is a connection, but not over a share that the reader sees running, nor over a start or a stop on its way. */
  #keepUp() {
    const { wanted, stopping } = this.shareRecords;
    const isOnItsWay = stopping.length > 0 || isStarting() || this.awaitedStart.wanted !== undefined;
    const isSeen = document.visibilityState === 'visible' && wanted.length > 0;
    if (this.stream.state === 'open' && !isOnItsWay && !isSeen) keepUp(this.stream.hello?.page);
  }

  /**
   * Says that this device is still there. It is no message, and isn't kept for later.
   * @param {string} chat
   * @param {object} beat
   */
  #beat(chat, beat) {
    if (this.ownShares.isKnown) this.stream.send({ type: 'heartbeat', chat, ...beat });
  }

  /** What depends on whether there is a map to see. */
  #mapMade() {
    byID('map-buttons').append(...mapButtons(this));
    this.#mapMoved();
    this.#mapChanged();
  }

  #mapChanged() {
    this.scene?.changed();
    this.places.select(this.map.selected());
    this.panel?.mapChanged();
  }

  #mapMoved() {
    const bounds = this.map.bounds();
    if (bounds) this.places.look(bounds);
    this.scene?.moved();
  }

  /** Moves the map to the place that was to be shown, once it is known where that is. */
  #lookAtSelected() {
    const key = this.#toLookAt;
    if (key === undefined || !this.places.all.has(key)) return;
    this.#toLookAt = undefined;
    this.map.showPlaces(this.places.all);
    this.scene.lookAt(key);
  }
}
