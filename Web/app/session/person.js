// @ts-check
import { Chats } from '../chats/chats.js';
import { Contacts } from '../contacts/contacts.js';
import { Watcher } from '../freshness/watcher.js';
import { Scene } from '../map/scene.js';
import { Drafts } from '../messages/drafts.js';
import { Notifications } from '../messages/notifications.js';
import { Scope } from '../page/scope.js';
import { photos } from '../people/photos.js';
import { PlaceNames } from '../places/place-names.js';
import { Places } from '../places/places.js';
import { rest } from '../rest/rest.js';
import { AwaitedStart } from '../sharing/awaited-start.js';
import { OwnPlace } from '../sharing/own-place.js';
import { OwnShares } from '../sharing/own-shares.js';
import { Sender } from '../sharing/sender.js';
import { ShareRecords } from '../sharing/share-records.js';
import { Sharer } from '../sharing/sharer.js';
import { WORLD } from '../sharing/sharing.js';
import { Starts } from '../sharing/starts.js';
import { Stops } from '../sharing/stops.js';
import { browserShelf } from '../storage/shelf.js';
import { Store } from '../storage/store.js';
import { LiveWorld } from '../world/live-world.js';

/** @typedef {import('../page/page.js').Page} Page */

/**
 * Everything in this page that belongs to the signed-in person, or to a visitor: made when their session begins, and dropped whole when it
 * ends. Nothing else keeps such a value, and whatever observes one of them does so within `scope` or a view.
 */
export class Person {
  /** Ends with the session. */
  scope = new Scope();
  /** A place that is to be shown, and isn't known yet. @type {string | undefined} */
  toLookAt;
  /** How often the stream was refused since it was last open. */
  refusals = 0;

  #stream;

  /**
   * @param {Page} page
   * @param {string | undefined} id of the user; `undefined` for a visitor
   */
  constructor(page, id) {
    const { stream } = page;
    const { scope } = this;
    this.id = id;
    this.contacts = new Contacts(stream, scope);
    this.chats = new Chats(stream);
    this.liveWorld = new LiveWorld(stream);
    this.sender = new Sender(stream, scope);
    this.drafts = new Drafts(new Store(), scope);
    this.ownShares = new OwnShares(stream);
    this.shareRecords = new ShareRecords(new Store(), scope);
    this.stops = new Stops(stream, this.shareRecords, scope);
    this.starts = new Starts(scope);
    this.awaitedStart = new AwaitedStart(scope);
    this.#stream = stream;
    this.sharer = new Sharer(this.shareRecords, (place, data, fix) => this.#sendFix(place, data, fix), (chat, beat) => this.#beat(chat, beat), stream, scope);
    this.own = new OwnPlace(this.sharer, scope);
    this.watcher = new Watcher((text, chat, user) => page.tell(text, chat, user));
    this.places = new Places(stream, (path) => rest('GET', path), browserShelf);
    this.placeNames = new PlaceNames(() => page.named());
    this.notifications = new Notifications(page, this.chats);
    this.scene = new Scene(page, scope);
  }

  /** Asks the server for what is theirs. */
  begin() {
    const { id } = this;
    this.drafts.begin(id);
    this.sender.begin(id);
    this.watcher.begin(id);
    if (id !== undefined) {
      this.chats.follow();
      this.contacts.follow();
      this.ownShares.follow();
    }
    this.places.load();
  }

  /** The session is over: nothing of it runs on. */
  end() {
    this.scope.end();
    this.chats.clear();
    this.places.clear();
    this.placeNames.clear();
    photos.clear();
  }

  /** When this device's pin in the world is taken away, by the server's clock; `undefined` if not by itself. @returns {number | undefined} */
  get worldEnd() {
    return this.sharer.isSharedIn(WORLD) ? this.shareRecords.get(WORLD)?.until : undefined;
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

  /** @param {import('../wire.d.ts').Fix} fix */
  #moveInWorld(fix) {
    const end = this.worldEnd;
    if (end === undefined || end > this.#stream.now()) this.liveWorld.move(fix, end);
  }

  /**
   * Says that this device is still there. It is no message, and isn't kept for later.
   * @param {string} chat
   * @param {object} beat
   */
  #beat(chat, beat) {
    if (this.ownShares.isKnown) this.#stream.send({ type: 'heartbeat', chat, ...beat });
  }
}
