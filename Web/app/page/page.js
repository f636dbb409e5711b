// @ts-check
import { chatName } from '../chats/chat-name.js';
import { PendingInvitation } from '../invitations/pending-invitation.js';
import { makeMap } from '../map/map.js';
import { mapButtons } from '../map/map-buttons.js';
import { placeText } from '../map/place-text.js';
import { placeNameText } from '../places/place-names.js';
import { placesCount } from '../places/places-count.js';
import { Account } from '../session/account.js';
import { forgetStop, leaveStops, leaving, stopsOf } from '../session/departure.js';
import { askAboutLink } from '../session/link-question.js';
import { Person } from '../session/person.js';
import { offerPosition, shareInWorld, stopShare } from '../sharing/share-actions.js';
import { WORLD } from '../sharing/sharing.js';
import { statusBar } from '../sharing/status-bar.js';
import { forgetEverything, keepPage, keepUp, sendLater } from '../shell/shell.js';
import { browserShelf } from '../storage/shelf.js';
import { Store } from '../storage/store.js';
import { Stream } from '../stream/stream.js';
import { say, sayPage, sayRefusal } from '../words/words.js';
import { keepUnread } from '../chats/unread-badge.js';
import { setClock } from './clock.js';
import { followPerson } from './follow-person.js';
import { followTaps, showNotice } from './notice.js';
import { Panel } from './panel.js';
import { Router, takeSecret } from './router.js';
import { pageScope } from './scope.js';
import { Title } from './title.js';
import { Toasts } from './toasts.js';

/** @param {string} id */
function byID(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * The whole page: what there is once, whoever is signed in, and how it hangs together. What belongs to the signed-in person is their
 * {@link Person}'s, which the page reads through.
 */
export class Page {
  toasts = new Toasts(byID('toasts'));
  title = new Title();
  router = new Router();
  account = new Account();
  stream = new Stream(`${location.origin.replace(/^http/, 'ws')}/v1/stream`);
  invitation = new PendingInvitation();
  map = makeMap(byID('map'), {
    changed: () => this.#mapChanged(),
    made: () => this.#mapMade(),
    charted: () => this.#person?.scene.refresh(),
    moved: () => this.#mapMoved(),
    opened: (key) => this.router.go(...key.split('/')),
    whereOf: (person, place) => this.whereOf(person, place),
    dayOf: (person) => this.dayOf(person),
    stepped: (by) => this.scene.step(by),
  });
  panel = new Panel(this, byID('panel'), byID('view'), byID('sections'));

  /** Who is signed in, or a visitor; nobody before it is known. @type {Person | undefined} */
  #person;
  #isMapMade = false;

  get person() {
    return /** @type {Person} */ (this.#person);
  }

  get contacts() { return this.person.contacts; }
  get chats() { return this.person.chats; }
  get liveWorld() { return this.person.liveWorld; }
  get sender() { return this.person.sender; }
  get drafts() { return this.person.drafts; }
  get ownShares() { return this.person.ownShares; }
  get shareRecords() { return this.person.shareRecords; }
  get stops() { return this.person.stops; }
  get starts() { return this.person.starts; }
  get awaitedStart() { return this.person.awaitedStart; }
  get sharer() { return this.person.sharer; }
  get own() { return this.person.own; }
  get watcher() { return this.person.watcher; }
  get places() { return this.person.places; }
  get placeNames() { return this.person.placeNames; }
  get notifications() { return this.person.notifications; }
  get scene() { return this.person.scene; }
  /** When this device's pin in the world is taken away, by the server's clock; `undefined` if not by itself. */
  get worldEnd() { return this.person.worldEnd; }

  async begin() {
    sayPage(document);
    setClock(() => this.stream.now());
    this.#connect();
    const link = await this.#enter();
    this.#identify();
    this.panel.begin();
    if (!browserShelf.keeps()) this.toasts.fail(say('page.keepsNothing'));
    this.account.observe(() => this.#identify(), pageScope);
    this.#readAddress();
    this.router.observe(() => this.#readAddress(), pageScope);
    pageScope.listen(globalThis, 'hashchange', () => this.#enterAgain());
    const look = () => { if (leaving() !== undefined) this.#left(); };
    pageScope.listen(globalThis, 'storage', look);
    // A page that the browser kept aside hears of nothing meanwhile.
    pageScope.listen(globalThis, 'pageshow', ({ persisted }) => { if (persisted) look(); });
    followTaps(pageScope);
    if (link) askAboutLink(this, link);
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
   * @param {string} place the world
   * @param {boolean} isOn
   * @param {() => boolean} isWanted Whether it is still wanted once the browser has allowed it.
   */
  async share(place, isOn, isWanted = () => true) {
    return isOn ? shareInWorld(this, isWanted) : stopShare(this, place);
  }

  /**
   * Selects a place on the map and moves the map to it.
   * @param {string} key
   */
  showPlace(key) {
    this.map.select(key);
    this.places.select(key);
    this.person.toLookAt = key;
    this.lookAtSelected();
  }

  /** What the connection brings is the signed-in person's. */
  #connect() {
    const { stream } = this;
    // A session that ended while there was no connection: a world that is open to everybody lets the page in, but as nobody.
    stream.isExpected = (user) => user === this.account.user?.id;
    // Before the first greeting, too, a tap on *Stop* is noted in the server's time.
    stream.offsetBefore = () => this.#person?.shareRecords.clock;
    stream.onOpen = () => {
      this.person.refusals = 0;
      this.stops.send();
      this.sender.connected();
      this.keepUp();
      if (this.places.kinds) this.places.load();
    };
    stream.onFrame = (frame) => {
      if (frame.type === 'asked') return offerPosition(this, frame.chat, frame.user);
      if (this.sender.receive(frame) || frame.type !== 'error') return;
      this.toasts.fail(sayRefusal(frame.code, frame.message));
    };
    stream.onRefused = () => this.#checkSession();
    stream.observe(() => {
      if (stream.state === 'waiting' && this.account.user) sendLater();
    }, pageScope);
  }

  /** There are new names of places. */
  named() {
    this.scene.refresh();
    this.panel.mapChanged();
  }

  /** An address that can't be read opens the home screen, and says so. */
  #readAddress() {
    if (!this.router.isUnreadable) return;
    this.router.replace();
    this.toasts.say(say('page.addressUnreadable'));
  }

  /**
   * Takes secrets out of the address, asks who is signed in, and uses the secrets where nobody is.
   * @returns {Promise<string | undefined>} the secret of a sign-in link of which the person who is signed in has to be asked
   */
  async #enter() {
    const link = takeSecret('link');
    const invitation = takeSecret('invitation');
    if (invitation) this.invitation.keep(invitation);
    try {
      if (!this.account.user) await this.account.load();
    } catch (error) {
      // It isn't known whether a user is signed in, and using the link would end that user's shares without a question.
      this.toasts.fail(error, link === undefined ? undefined : say('page.linkFailed'));
      return undefined;
    }
    if (this.account.wasForgotten) await this.#forget();
    if (link === undefined || this.account.user) return link;
    try {
      await this.account.signInWithLink(link);
    } catch (error) {
      this.toasts.fail(error, say('page.linkFailed'));
    }
    return undefined;
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
    const link = await this.#enter();
    this.panel.refresh();
    if (link) askAboutLink(this, link);
  }

  /** Another person, or nobody, is signed in: all that was the last one's goes. */
  #identify() {
    if (this.account.isLeaving) return;
    const user = this.account.user?.id;
    if (!this.#person || this.#person.id !== user) this.#beginAs(user);
    else if (this.stream.state === 'closed') this.retryWorld();
    this.panel.refresh();
  }

  /** @param {string | undefined} user */
  #beginAs(user) {
    if (this.#person) this.#endPerson();
    const person = new Person(this, user);
    this.#person = person;
    followPerson(this, person);
    byID('status').replaceChildren(statusBar(this, person.scope));
    byID('places-count').replaceChildren(placesCount(this, person.scope));
    keepUnread(this, byID('sections'), person.scope);
    this.#dressMap();
    person.begin();
    if (user !== undefined) {
      keepPage();
      for (const stop of stopsOf(user)) person.shareRecords.stop(stop.place, stop.before).then((isKept) => { if (isKept) forgetStop(stop); });
    }
    this.#mapMoved();
    this.stream.open();
  }

  #endPerson() {
    if (this.stream.state !== 'closed') this.stream.close();
    this.person.end();
    if (this.person.id !== undefined) this.toasts.clear();
    for (const dialog of document.querySelectorAll('dialog[open]')) /** @type {HTMLDialogElement} */ (dialog).close();
    this.map.select(undefined);
    this.map.follow(undefined);
    this.map.showPlaces(new Map());
  }

  /** The stream was refused: perhaps the session has ended, or without an account the world isn't open. */
  async #checkSession() {
    if (this.account.isLeaving) return;
    if (leaving() !== undefined) {
      this.#left();
      return;
    }
    const { person } = this;
    person.refusals += 1;
    const before = this.account.user?.id;
    const { stopping } = this.shareRecords;
    try {
      await this.account.load();
      if (this.account.wasForgotten) await this.#forget(stopping);
      if (this.account.user?.id !== before) this.toasts.say(say('page.sessionEnded'));
      if (before === undefined && person.refusals > 1) this.#giveUp();
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
    this.person.end();
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
    this.person.refusals = 0;
    this.liveWorld.retry();
    this.places.setLive(true);
    this.stream.open();
  }

  /**
   * Says something that the reader asked to be told: over the page, or over everything else where that is allowed.
   * @param {string} text
   * @param {string | undefined} chat the chat that a tap on the notification opens
   * @param {string} user the person in the text; a notification replaces the earlier one about the same person
   */
  tell(text, chat, user) {
    this.toasts.say(text);
    if (document.visibilityState !== 'hidden' || !('Notification' in window) || Notification.permission !== 'granted') return;
    showNotice({ title: 'Yonder', body: text, tag: `yonder.tell.${user}`, ...(chat === undefined ? {} : { goes: `#/chats/${encodeURIComponent(chat)}` }) });
  }

  /** Another version of the page is loaded where there is a connection, but not over a share that the reader sees running, nor over a start or a stop on its way. */
  keepUp() {
    const { wanted, stopping } = this.shareRecords;
    const isOnItsWay = stopping.length > 0 || this.starts.areUnderWay || this.awaitedStart.wanted !== undefined;
    const isSeen = document.visibilityState === 'visible' && wanted.length > 0;
    if (this.stream.state === 'open' && !isOnItsWay && !isSeen) keepUp(this.stream.hello?.page, () => this.drafts.settled());
  }

  /** What depends on whether there is a map to see. */
  #mapMade() {
    this.#isMapMade = true;
    this.#dressMap();
    this.#mapMoved();
    this.#mapChanged();
  }

  #dressMap() {
    if (this.#isMapMade && this.#person) byID('map-buttons').replaceChildren(...mapButtons(this, this.#person.scope));
  }

  #mapChanged() {
    if (!this.#person) return;
    this.scene.changed();
    this.places.select(this.map.selected());
    this.panel.mapChanged();
  }

  #mapMoved() {
    if (!this.#person) return;
    const bounds = this.map.bounds();
    if (bounds) this.places.look(bounds);
    this.scene.moved();
  }

  /** Moves the map to the place that was to be shown, once it is known where that is. */
  lookAtSelected() {
    const key = this.person.toLookAt;
    if (key === undefined || !this.places.all.has(key)) return;
    this.person.toLookAt = undefined;
    this.map.showPlaces(this.places.all);
    this.scene.lookAt(key);
  }
}
