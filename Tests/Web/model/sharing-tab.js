import { followPerson } from '../../../Web/app/page/follow-person.js';
import { Person } from '../../../Web/app/session/person.js';
import { startShare, stopEverywhere, stopShare } from '../../../Web/app/sharing/share-actions.js';
import { ServerClock } from '../../../Web/app/stream/server-clock.js';
import { Stream } from '../../../Web/app/stream/stream.js';
import { FINAL } from '../../../Web/app/stream/subscriptions.js';
import { Faults } from './link.js';
import { elapsed } from './shared-browser.js';

/** One tab of the browser, without a document: the person's modules, and what follows them. */
export class SharingTab {
  /** What the person was told. */
  told = [];
  faults = new Faults((code) => FINAL.has(code));
  toasts = {
    say: (text) => { this.told.push(text); return () => {}; }, fail: (error, title) => { this.told.push(`${title ?? ''} ${error.message ?? error}`); },
    offer: (text) => { this.told.push(text); return () => {}; }, clear() {},
  };
  /** Nothing is drawn. */
  map = new Proxy({}, { get: () => () => undefined });
  panel = { showSections() {}, mapChanged() {} };
  account = {};
  router = { path: [], go() {} };

  #browser;
  #person;

  constructor(browser) {
    this.#browser = browser;
    this.stream = new Stream({ port: browser.port, get token() { return browser.account.token; }, faults: this.faults }, new ServerClock(undefined, elapsed));
    this.stream.isExpected = (user) => user === this.#person.id;
    this.stream.offsetBefore = () => this.#person?.shareRecords.clock;
    this.stream.onOpen = () => {
      this.person.stops.send();
      this.person.sender.connected();
    };
    this.stream.onFrame = (frame) => this.person.sender.receive(frame);
    this.begin();
  }

  get person() { return this.#person; }
  get chats() { return this.#person.chats; }
  get sharer() { return this.#person.sharer; }
  get ownShares() { return this.#person.ownShares; }
  get shareRecords() { return this.#person.shareRecords; }
  get stops() { return this.#person.stops; }
  get starts() { return this.#person.starts; }
  get awaitedStart() { return this.#person.awaitedStart; }
  get own() { return this.#person.own; }
  get places() { return this.#person.places; }
  get liveWorld() { return this.#person.liveWorld; }

  /** As whoever is signed in: all that was the last one's goes. */
  begin() {
    this.end();
    const { user } = this.#browser.account;
    this.account = { user: { id: user } };
    this.#person = new Person(this, user);
    followPerson(this, this.#person);
    this.#person.begin();
    this.stream.open();
  }

  /** The tab is closed, or its person's session is over. */
  end() {
    if (this.stream.state !== 'closed') this.stream.close();
    this.#person?.end();
    this.faults.reset();
  }

  get link() { return [...this.faults.links][0]; }

  share(chat) { return startShare(this, chat, { end: 'hour', keep: 'kept' }); }
  stop(chat) { stopShare(this, chat); }
  stopEverywhere() { stopEverywhere(this); }

  /** Whether nothing is on its way. */
  get isSettled() {
    const { ownShares, starts, awaitedStart, shareRecords, sender } = this.#person;
    const isAsked = starts.areUnderWay || awaitedStart.wanted !== undefined || shareRecords.stopping.length > 0 || sender.unsent().length > 0;
    return this.stream.state === 'open' && ownShares.isTold && !isAsked;
  }

  nameOf(place) { return place; }
  announce(text) { this.told.push(text); }
  tell() {}
  named() {}
  keepUp() {}
  lookAtSelected() {}
}
