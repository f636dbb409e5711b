// @ts-check
import { personIn } from '../map/annotations.js';
import { throttle } from '../page/throttle.js';
import { colorIn } from '../people/color.js';
import { initials } from '../people/initials.js';
import { dotsIn, linesIn, orderOf, pileOf } from './picture.js';

/** @typedef {import('../wire.d.ts').Chat} Chat */
/** @typedef {import('../wire.d.ts').MapPin} MapPin */
/** @typedef {import('../wire.d.ts').MapTrail} MapTrail */
/** @typedef {import('./all-positions.js').AllPositions} AllPositions */
/** @typedef {import('./picture.js').View} View */
/**
 * What is to be drawn: all positions of a chat as the reader sees the map.
 * @typedef {{ chat: Chat, all: AllPositions, own: string | undefined, view: View, selected: string | undefined }} Wanted
 * @typedef {{ trails: Map<string, MapTrail>, stops: Map<string, MapPin>, extent: import('../wire.d.ts').Place[] }} Drawn
 *
 * `isLossy` says that what may no longer be read was taken out, and lines with it that may be read.
 * @typedef {{ of: string, revision: string, chat: Chat, columns: object, losses: number, cell: number, isLossy?: boolean }} Made
 */

/** How often the picture is made anew at most, in milliseconds: as the map is moved, and as positions come. */
const MADE_EVERY = 250;
const FILLED_EVERY = 1_000;
/** @type {{ of: string, dot: { longitude: number, south: number }, numbers: number[] }} */
const NO_PILE = { of: '', dot: { longitude: NaN, south: NaN }, numbers: [] };

/** Of a position that isn't selected it doesn't count how many others its dot stands for. */
const ALONE = { at: 1, of: 1 };

/** How many positions say where all are, when the map is moved so that everybody is on it. */
const EXTENT = 200;

/**
 * What the map shows of all positions. A picture is made in two turns of the page's thread, so that a tap between them is answered; the one
 * before is shown meanwhile, without what may no longer be read.
 */
export class DrawnPositions {
  /** The picture that was made last, and of what. @type {(Drawn & Made) | undefined} */
  #made;
  /** @type {Wanted | undefined} */
  #wanted;
  #isMaking = false;
  #changed;
  #make = throttle(MADE_EVERY, () => this.#begin());
  #fill = throttle(FILLED_EVERY, () => this.#begin());
  /** The dot that was tapped, and the positions that are reached through it. @type {{ of: string, dot: { longitude: number, south: number }, numbers: number[] }} */
  #pile = NO_PILE;

  /** @param {() => void} changed called when a new picture is there */
  constructor(changed) {
    this.#changed = changed;
  }

  /** Whether pictures are made at the moment. */
  get isUsed() {
    return this.#wanted !== undefined;
  }

  /** Lets go of everything. */
  clear() {
    this.#wanted = undefined;
    this.#made = undefined;
    this.#pile = NO_PILE;
    this.#make.cancel();
    this.#fill.cancel();
  }

  /**
   * The picture as it is; another one is made if it is out of date.
   * @param {Wanted} wanted
   * @returns {Drawn}
   */
  show(wanted) {
    this.#wanted = wanted;
    this.#dropLost(wanted);
    this.#renew();
    const { trails, stops, extent } = this.#made ?? { trails: overviewOf(wanted), stops: new Map(), extent: [] };
    return { trails, stops: this.#withSelected(stops, wanted), extent };
  }

  /**
   * The key of the position before or behind the selected one among those that its dot stands for.
   * @param {number} by how far, towards older ones
   * @returns {string | undefined}
   */
  step(by) {
    const wanted = this.#wanted;
    const index = wanted ? selectedIndex(wanted) : -1;
    if (!wanted || index < 0) return undefined;
    const { columns } = wanted.all.stretch;
    const at = this.#pile.numbers.indexOf(columns.number(index)) + by;
    const position = columns.position(columns.indexOf(this.#pile.numbers[at] ?? -1));
    return position && keyOf(position);
  }

  /** Makes another picture if this one is out of date: soon if it is of another part of the map, or of what may no longer be read. */
  #renew() {
    const [made, wanted] = [this.#made, this.#wanted];
    if (!wanted) return;
    if (!made || made.of !== viewText(wanted.view) || made.isLossy) this.#make.run();
    else if (made.chat !== wanted.chat || made.revision !== revisionOf(wanted)) this.#fill.run();
  }

  /**
   * Takes what may no longer be read out of the picture. A line doesn't say which positions it is of.
   * @param {Wanted} wanted
   */
  #dropLost({ all: { stretch: { columns, losses } } }) {
    const made = this.#made;
    if (!made) return;
    if (made.columns !== columns) this.#made = undefined;
    else if (made.losses !== losses) {
      const stops = new Map([...made.stops].filter(([key]) => columns.position(columns.indexOf(numberIn(key)))));
      this.#made = { ...made, losses, stops, trails: new Map(), extent: [], isLossy: true };
    }
  }

  async #begin() {
    const wanted = this.#wanted;
    if (this.#isMaking || !wanted) return;
    this.#isMaking = true;
    const made = await this.#draw(wanted);
    this.#isMaking = false;
    if (!this.#wanted) return;
    if (made && made.columns === this.#wanted.all.stretch.columns) {
      this.#made = made;
      this.#dropLost(this.#wanted);
      this.#changed();
    }
    this.#renew();
  }

  /** @param {Wanted} wanted */
  async #draw(wanted) {
    const { chat, all: { stretch: { columns, losses } }, own, view } = wanted;
    const revision = revisionOf(wanted);
    const { dots, cell } = dotsIn(columns, view);
    const stops = new Map(dots.flatMap((index) => {
      const stop = stopOf(chat, columns.position(index), own);
      return stop ? [[stop.key, stop]] : [];
    }));
    await turn();
    // Of an emptied stretch nothing is drawn any more.
    if (!this.#wanted) return undefined;
    const trails = overviewOf(wanted);
    for (const [user, pieces] of linesIn(columns, orderOf(columns), view)) {
      const color = colorIn(chat, user);
      if (personIn(chat, user)) trails.set(user, { key: user, color, points: pieces[0].points, pieces: [...trails.get(user)?.pieces ?? [], ...pieces] });
    }
    return { of: viewText(view), revision, chat, columns, losses, cell, stops, trails, extent: extentOf(columns) };
  }

  /**
   * With the selected position, wherever it is, and how many others its dot stands for.
   * @param {Map<string, MapPin>} stops
   * @param {Wanted} wanted
   */
  #withSelected(stops, wanted) {
    const { chat, all: { stretch: { columns } }, own } = wanted;
    const index = selectedIndex(wanted);
    const stop = stopOf(chat, columns.position(index), own);
    if (!stop) return stops;
    const numbers = this.#pileAt(index, wanted);
    return new Map(stops).set(stop.key, { ...stop, pile: { at: numbers.indexOf(columns.number(index)) + 1, of: numbers.length } });
  }

  /**
   * @param {number} index
   * @param {Wanted} wanted
   * @returns {number[]}
   */
  #pileAt(index, { all: { stretch: { columns, revision } }, view }) {
    const of = `${revision} ${view.zoom}`;
    const number = columns.number(index);
    const from = (/** @type {{ longitude: number, south: number }} */ dot) => {
      this.#pile = { of, dot, numbers: pileOf(columns, dot, view, this.#made?.cell ?? 0).map((other) => columns.number(other)) };
    };
    // While the reader steps, the dot stays the one that was tapped.
    if (this.#pile.of !== of) from(this.#pile.dot);
    if (!this.#pile.numbers.includes(number)) from({ longitude: columns.longitude(index), south: columns.south(index) });
    return this.#pile.numbers;
  }
}

/** @param {View} view */
function viewText({ south, west, north, east, zoom }) {
  return [south, west, north, east, zoom].join();
}

/** @param {Wanted} wanted */
function revisionOf({ all: { stretch, overview } }) {
  return `${stretch.revision} ${overview?.revision}`;
}

/** Lets the page's thread do something else. */
function turn() {
  return new Promise((resolve) => { setTimeout(resolve); });
}

/** @param {{ sender: string, number: number }} position */
function keyOf({ sender, number }) {
  return `${sender}/${number}`;
}

/**
 * Whether the key of what is on the map is that of one of all positions, and not of a person.
 * @param {string | undefined} key
 */
export function isPosition(key) {
  return /^\d+\/\d+$/.test(key ?? '');
}

/**
 * @param {string | undefined} key
 * @returns {number} 0 for another key than that of a position
 */
function numberIn(key) {
  return Number(key?.split('/')[1] ?? 0);
}

/** @param {Wanted} wanted */
function selectedIndex({ all: { stretch: { columns } }, selected }) {
  const index = columns.indexOf(numberIn(selected));
  return columns.position(index)?.sender === selected?.split('/')[0] ? index : -1;
}

/**
 * @param {Chat} chat
 * @param {import('./position-columns.js').Position | undefined} position
 * @param {string | undefined} own
 * @returns {MapPin | undefined}
 */
function stopOf(chat, position, own) {
  const person = position && personIn(chat, position.sender);
  if (!person) return undefined;
  const { latitude, longitude, time } = position;
  return {
    key: keyOf(position), latitude, longitude, time, color: colorIn(chat, person.user), initials: initials(person.name), name: person.name,
    email: person.email, avatar: person.avatar, own: person.user === own, state: 'live', pile: ALONE,
  };
}

/**
 * The simplified lines, pale, while positions are still to come.
 * @param {Wanted} wanted
 * @returns {Map<string, MapTrail>}
 */
function overviewOf({ chat, all: { overview } }) {
  const lines = [...overview?.lines ?? []].filter(([user, points]) => points.length > 1 && personIn(chat, user));
  return new Map(lines.map(([user, points]) => {
    return [user, { key: user, color: colorIn(chat, user), points, pieces: [{ points, opacity: 0.35, width: 3 }] }];
  }));
}

/**
 * Some positions, and those at the edges, which say where all are.
 * @param {import('./position-columns.js').PositionColumns} columns
 */
function extentOf(columns) {
  const every = Math.max(1, Math.ceil(columns.count / EXTENT));
  /** @type {Set<number>} */
  const chosen = new Set();
  let [south, north, west, east] = [-1, -1, -1, -1];
  for (let index = 0; index < columns.count; index += 1) {
    if (!columns.isReadable(index)) continue;
    if (index % every === 0) chosen.add(index);
    if (south < 0 || columns.latitude(index) < columns.latitude(south)) south = index;
    if (north < 0 || columns.latitude(index) > columns.latitude(north)) north = index;
    if (west < 0 || columns.longitude(index) < columns.longitude(west)) west = index;
    if (east < 0 || columns.longitude(index) > columns.longitude(east)) east = index;
  }
  return [...chosen, south, north, west, east].flatMap((index) => {
    const position = columns.position(index);
    return position ? [{ latitude: position.latitude, longitude: position.longitude }] : [];
  });
}
