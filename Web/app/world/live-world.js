// @ts-check
import { Observable } from '../page/observable.js';
import { World } from './world.js';

/** @typedef {import('../stream/stream.js').Stream} Stream */

/** How many arrivals and departures are remembered. */
const EVENTS_AT_MOST = 20;

/**
 * The world, followed while somebody looks at it or is shared in it. Following it makes this page somebody there.
 */
export class LiveWorld extends Observable {
  world = new World();
  /** Who came and left, newest first. @type {{ id: string, kind: 'came' | 'left', time: number }[]} */
  events = [];
  /** Why there is none: closed, or for members only. @type {import('../wire.d.ts').Refusal | undefined} */
  refusal;
  /** Called when this page has become somebody there, anew at each connection. */
  onJoined = () => {};
  /** Called when the connection is lost, and this page's pin with it. */
  onLost = () => {};

  #stream;
  /** @type {(() => void) | undefined} */
  #end;
  #isLookedAt = false;
  #isSharedIn = false;

  /** @param {Stream} stream */
  constructor(stream) {
    super();
    this.#stream = stream;
  }

  /** @param {boolean} isLookedAt */
  look(isLookedAt) {
    this.#isLookedAt = isLookedAt;
    this.#settle();
  }

  /**
   * Who stops sharing leaves the world, and comes back as somebody else if they still look at it: there is no other
   * way to take a pin away.
   * @param {boolean} isSharedIn
   */
  share(isSharedIn) {
    const wasSharedIn = this.#isSharedIn;
    this.#isSharedIn = isSharedIn;
    if (wasSharedIn && !isSharedIn) this.#leave();
    this.#settle();
  }

  /** Asks again, after a refusal or as another user. */
  retry() {
    this.refusal = undefined;
    this.#leave();
    this.#settle();
  }

  /**
   * Moves this page's pin.
   * @param {import('../wire.d.ts').Fix} fix
   * @param {number} [until] when the server takes the pin away, in milliseconds
   */
  move({ latitude, longitude }, until) {
    if (this.world.isCurrent) this.#stream.send({ type: 'pin', at: `${latitude},${longitude}`, ...(until === undefined ? {} : { until }) });
  }

  #settle() {
    const isWanted = this.#isLookedAt || this.#isSharedIn;
    if (isWanted && !this.#end && !this.refusal) this.#join();
    if (!isWanted && this.#end) this.#leave();
    this.changed();
  }

  #join() {
    this.#end = this.#stream.subscribe({ query: 'world' }, {
      answer: (frame, isFirst) => this.#answered(frame, isFirst),
      change: (frame) => this.#note(this.world.change(frame, this.#stream.now()), frame.pin),
      ended: (refusal) => this.refuse(refusal),
      lost: () => {
        this.world.isCurrent = false;
        this.onLost();
      },
    });
  }

  #leave() {
    this.#end?.();
    this.#end = undefined;
    this.world.clear();
    this.events = [];
    this.changed();
  }

  /**
   * @param {import('../wire.d.ts').Frame} frame
   * @param {boolean} isFirst
   */
  #answered(frame, isFirst) {
    for (const id of this.world.answer(frame, isFirst, this.#stream.now())) this.#note('left', id);
    if (frame.current) this.onJoined();
    this.changed();
  }

  /**
   * There is no world for this page.
   * @param {import('../wire.d.ts').Refusal} refusal
   */
  refuse(refusal) {
    this.#end = undefined;
    this.world.clear();
    this.refusal = refusal;
    this.changed();
  }

  /**
   * @param {'came' | 'moved' | 'left' | undefined} kind
   * @param {string} id
   */
  #note(kind, id) {
    if (kind === 'came' || kind === 'left') {
      this.events.unshift({ id, kind, time: this.#stream.now() });
      this.events.length = Math.min(this.events.length, EVENTS_AT_MOST);
    }
    this.changed();
  }
}
