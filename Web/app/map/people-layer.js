// @ts-check
import { compareStates } from '../freshness/freshness.js';
import { element, setText } from '../page/dom.js';
import { pageScope } from '../page/scope.js';
import { photos } from '../people/photos.js';
import { isolated } from '../words/isolated.js';
import { say } from '../words/words.js';
import { CLUSTER_RADIUS, drawCluster } from './cluster-image.js';
import { besideDots, fanned, joined, levelsUntilParted } from './crowd.js';
import { labelsOf } from './labels.js';
import { disc, drawPin, outlineIn, PIN_BOX } from './pin-image.js';

/** @typedef {import('../wire.d.ts').MapPin} MapPin */
/** @typedef {import('./crowd.js').Mark} Mark */
/** @typedef {import('./crowd.js').Placed} Placed */
/** @typedef {Mark & { latitude: number, longitude: number, dx: number, dy: number, under: number, name: string, age: string }} Shown */

const TILE = 512;
/** The map zooms in no farther to part people; then they fan out. */
const PARTED_UNTIL = 18;
/** A pin jumps where it would glide farther than this, in meters. */
const GLIDES_AT_MOST = 500;
const MARGIN = 90;
const METERS_A_DEGREE = 111_320;
/** A position this coarse has no tip that points at a place, in meters. */
const COARSE_FROM = 500;

/**
 * Everybody's pin, over the map: heads with their labels, several at one place as a number, one's own dot. Each is an
 * element, so that it is reached by keys and glides without a frame of the map being drawn.
 */
export class PeopleLayer {
  element = element('div', { class: 'people-layer', role: 'group', 'aria-label': say('map.people') });

  #map;
  /** @type {Map<string, MapPin>} */
  #pins = new Map();
  /** @type {string | undefined} */
  #selected;
  /** The cluster that is fanned out. @type {string | undefined} */
  #fan;
  /** @type {Shown[]} */
  #marks = [];
  /** @type {Map<string, MarkElement>} */
  #elements = new Map();
  #free = { left: 0, top: 0, right: 0, bottom: 0 };
  #isDark = false;
  #zoom = NaN;

  /** @param {maplibregl.Map} map */
  constructor(map) {
    this.#map = map;
    map.getCanvasContainer().append(this.element);
    map.on('movestart', () => { this.element.classList.add('moving'); });
    map.on('move', () => this.#moved());
    map.on('moveend', () => {
      this.element.classList.remove('moving');
      this.#arrange();
    });
    map.on('resize', () => this.#arrange());
    this.element.addEventListener('keydown', (event) => this.#stepped(event));
    photos.observe(() => this.redraw(), pageScope);
  }

  /** @param {Map<string, MapPin>} pins */
  show(pins) {
    this.#pins = pins;
    this.#arrange();
  }

  /** @param {string | undefined} key */
  select(key) {
    if (key === this.#selected) return;
    this.#selected = key;
    this.#arrange();
  }

  /**
   * What of the map isn't covered: labels stay inside of it.
   * @param {{ left: number, right: number, bottom: number }} covered
   */
  setCovered({ left, right, bottom }) {
    this.#free = { left, right, top: 0, bottom };
    this.#arrange();
  }

  /** @param {boolean} dark */
  setDark(dark) {
    this.#isDark = dark;
    this.redraw();
  }

  redraw() {
    for (const shown of this.#elements.values()) shown.forget();
    this.#arrange();
  }

  /**
   * The key of the person or cluster that an element of this layer stands for.
   * @param {EventTarget | null} target
   * @returns {string | undefined}
   */
  keyOf(target) {
    return target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest('.mark'))?.dataset.key : undefined;
  }

  /**
   * Opens a cluster: the map zooms in if that parts its people, else they fan out.
   * @param {string} key
   * @returns {boolean} whether it is a cluster
   */
  open(key) {
    const mark = this.#marks.find((each) => each.key === key && each.members.length > 1);
    if (!mark) return false;
    const zoom = this.#map.getZoom() + levelsUntilParted(mark.members);
    if (zoom <= PARTED_UNTIL) this.#map.easeTo({ center: [mark.longitude, mark.latitude], zoom, duration: 400 });
    else this.#fan = key;
    this.#arrange();
    return true;
  }

  /** Closes a fan. */
  close() {
    if (this.#fan === undefined) return;
    this.#fan = undefined;
    this.#arrange();
  }

  /** Where live pins are, for what mustn't cover them. */
  heads() {
    return this.#marks.map((mark) => ({ key: mark.key, ...this.#pointOf(mark) }));
  }

  #moved() {
    if (this.#fan !== undefined) this.#fan = undefined;
    if (Math.abs(this.#map.getZoom() - this.#zoom) > 0.01) return this.#arrange();
    this.#place(false);
  }

  /** Decides anew who stands where, alone or with others, and what is written at them. */
  #arrange() {
    this.#zoom = this.#map.getZoom();
    const size = TILE * 2 ** this.#zoom;
    const people = [...this.#pins.values()].map((pin) => ({ ...pin, ...worldPoint(pin, size) }));
    const marks = joined(people, (person) => Boolean(person.dot) || person.key === this.#selected);
    if (!marks.some(({ key }) => key === this.#fan)) this.#fan = undefined;
    const dots = marks.filter(({ members: [first] }) => first.dot);
    this.#marks = marks.flatMap((mark) => this.#fannedOut(mark, size, dots)).filter((mark) => this.#isInSight(mark));
    this.#label();
    this.#show();
    this.#place(true);
  }

  /**
   * @param {Mark} mark
   * @param {number} size of the whole map, in pixels
   * @param {Mark[]} dots the reader's
   * @returns {Shown[]}
   */
  #fannedOut(mark, size, dots) {
    const place = { longitude: (mark.x / size) * 360 - 180, latitude: latitudeOf(mark.y / size) };
    if (mark.members.length > 1 && mark.key === this.#fan) {
      const points = fanned(mark.members.length);
      return mark.members.map((member, index) => ({
        ...shownOf({ key: member.key, x: mark.x, y: mark.y, members: [member] }, place), dx: points[index].x, dy: points[index].y,
      }));
    }
    const { x: dx, y: dy } = besideDots(mark, dots);
    return [{ ...shownOf(mark, mark.members.length === 1 ? mark.members[0] : place), dx, dy }];
  }

  /** @param {Shown} mark */
  #isInSight(mark) {
    const { x, y } = this.#pointOf(mark);
    const { clientWidth: width, clientHeight: height } = this.#map.getContainer();
    return x > -MARGIN && y > -MARGIN && x < width + MARGIN && y < height + MARGIN;
  }

  /** @param {Shown} mark */
  #pointOf({ longitude, latitude, dx, dy }) {
    const { lng } = this.#map.getCenter();
    const near = longitude + 360 * Math.round((lng - longitude) / 360);
    const { x, y } = this.#map.project([near, latitude]);
    return { x: x + dx, y: y + dy };
  }

  #label() {
    const { clientWidth: width, clientHeight: height } = this.#map.getContainer();
    const { left, right, bottom } = this.#free;
    const onScreen = this.#marks.map((mark) => ({ ...mark, ...this.#pointOf(mark) }));
    const labels = labelsOf(onScreen, {
      zoom: this.#zoom, selected: this.#selected, sizeOf, free: { left, right: width - right, top: 0, bottom: height - bottom },
    });
    for (const mark of this.#marks) this.#elementOf(mark).label(labels.get(mark.key));
  }

  /** @param {Shown} mark */
  #elementOf(mark) {
    const known = this.#elements.get(mark.key);
    if (known) return known;
    const made = new MarkElement(mark.key);
    this.#elements.set(mark.key, made);
    this.element.append(made.element);
    return made;
  }

  #show() {
    const keys = new Set(this.#marks.map(({ key }) => key));
    for (const [key, { element: gone }] of this.#elements) {
      if (keys.has(key)) continue;
      gone.remove();
      this.#elements.delete(key);
    }
    for (const mark of this.#marks) this.#elementOf(mark).show(mark, mark.key === this.#selected, this.#isDark);
    const [first] = this.#marks;
    const focused = this.#marks.find(({ key }) => this.#elements.get(key)?.element === document.activeElement) ?? first;
    for (const { key } of this.#marks) /** @type {MarkElement} */ (this.#elements.get(key)).element.tabIndex = key === focused?.key ? 0 : -1;
  }

  /** @param {boolean} mayGlide */
  #place(mayGlide) {
    const isStill = mayGlide && !this.element.classList.contains('moving');
    for (const mark of this.#marks) this.#elements.get(mark.key)?.place(mark, this.#pointOf(mark), isStill);
  }

  /** @param {KeyboardEvent} event */
  #stepped(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const shown = this.#marks.map(({ key }) => this.#elements.get(key)?.element);
    const at = shown.findIndex((each) => each === document.activeElement);
    const next = shown[(at + step + shown.length) % shown.length];
    event.preventDefault();
    event.stopPropagation();
    if (next) next.tabIndex = 0;
    next?.focus();
  }
}

/** One element of the layer. What is the same isn't drawn again. */
class MarkElement {
  element;

  #canvas = element('canvas', { 'aria-hidden': 'true' });
  #leg = element('span', { class: 'leg', hidden: true });
  #name = element('b', { dir: 'auto' });
  #age = element('i');
  #plate = element('span', { class: 'plate' }, this.#name, this.#age);
  #drawn = '';
  /** @type {{ longitude: number, latitude: number } | undefined} */
  #place;

  /** @param {string} key */
  constructor(key) {
    this.element = element('button', { type: 'button', class: 'mark', 'data-key': key },
      this.#leg, this.#canvas, element('span', { class: 'hit' }), this.#plate);
  }

  forget() {
    this.#drawn = '';
  }

  /** @param {import('./labels.js').Label | undefined} label */
  label(label) {
    this.#plate.hidden = label === undefined;
    setText(this.#name, label?.name ?? '');
    setText(this.#age, label?.age ?? '');
    this.#plate.style.setProperty('--shift', `${Math.round(label?.shift ?? 0)}px`);
  }

  /**
   * @param {Shown} mark
   * @param {boolean} isSelected
   * @param {boolean} isDark
   */
  show(mark, isSelected, isDark) {
    const { members, name, age, dx, dy } = mark;
    const [person] = members;
    const kind = members.length > 1 ? 'cluster' : person.dot ? 'dot' : person.state;
    this.element.dataset.kind = kind;
    this.element.style.zIndex = String(layerOf(mark, isSelected));
    this.element.classList.toggle('selected', isSelected);
    this.element.classList.toggle('sharing', person.dot === 'sharing');
    this.element.setAttribute('aria-label', members.length > 1
      ? say('map.cluster', { count: members.length, names: members.slice(0, 8).map((member) => isolated(member.name)).join(', ') })
      : [isolated(name || person.name), person.dot === 'sharing' ? say('map.youSeen') : '', age].filter(Boolean).join(', '));
    this.element.setAttribute('aria-pressed', String(isSelected));
    this.#leg.hidden = dx === 0 && dy === 0;
    if (!this.#leg.hidden) Object.assign(this.#leg.style, { width: `${Math.hypot(dx, dy)}px`, rotate: `${Math.atan2(-dy, -dx)}rad` });
    this.#draw(members, isDark);
  }

  /**
   * @param {Placed[]} members
   * @param {boolean} isDark
   */
  #draw(members, isDark) {
    const [person] = members;
    const photo = members.length === 1 ? photos.get(person.avatar) : undefined;
    const wanted = [isDark, Boolean(photo), ...members.map(({ state, color, initials, course, dot, accuracy = 0 }) => [state, color, initials, course, dot, accuracy >= COARSE_FROM].join(','))].join('|');
    if (wanted === this.#drawn) return;
    this.#drawn = wanted;
    const ratio = Math.max(2, Math.ceil(devicePixelRatio));
    const { width, height, left, top } = PIN_BOX;
    this.#canvas.width = width * ratio;
    this.#canvas.height = height * ratio;
    const context = this.#canvas.getContext('2d');
    if (!context) return;
    context.scale(ratio, ratio);
    context.translate(left, top - (members.length > 1 ? CLUSTER_RADIUS + 4 : 0));
    this.#canvas.style.translate = members.length > 1 ? `0 ${CLUSTER_RADIUS + 4}px` : '';
    const outline = outlineIn(isDark);
    if (members.length > 1) drawCluster(context, members, outline);
    else if (person.dot) drawDot(context, person.dot, outline);
    else drawPin(context, { ...person, photo, isCoarse: (person.accuracy ?? 0) >= COARSE_FROM }, outline);
  }

  /**
   * @param {Shown} mark
   * @param {{ x: number, y: number }} point
   * @param {boolean} isStill whether the map stands still, so that a pin that moves may glide
   */
  place({ longitude, latitude }, { x, y }, isStill) {
    const before = this.#place;
    const hasMoved = before !== undefined && (before.longitude !== longitude || before.latitude !== latitude);
    this.#place = { longitude, latitude };
    if (isStill && hasMoved) this.element.style.transition = distance(before, this.#place) <= GLIDES_AT_MOST ? 'transform 1s linear' : 'none';
    else if (!isStill || before === undefined) this.element.style.transition = 'none';
    const transform = `translate(${Math.round(x * 2) / 2}px, ${Math.round(y * 2) / 2}px)`;
    if (this.element.style.transform !== transform) this.element.style.transform = transform;
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {'quiet' | 'sharing'} kind
 * @param {import('./pin-image.js').Outline} outline
 */
function drawDot(context, kind, { edge }) {
  disc(context, 13, edge);
  disc(context, 11.75, '#ffffff');
  disc(context, 8.5, kind === 'sharing' ? '#b4371a' : '#0f6a73');
  if (kind !== 'sharing') return;
  context.beginPath();
  context.arc(0, 0, 17, 0, 2 * Math.PI);
  context.strokeStyle = 'rgb(180 55 26 / 0.55)';
  context.lineWidth = 2;
  context.stroke();
}

/**
 * @param {Mark} mark
 * @param {{ longitude: number, latitude: number }} place
 * @returns {Shown}
 */
function shownOf(mark, { longitude, latitude }) {
  const [first, second] = mark.members;
  const isCluster = mark.members.length > 1;
  const more = mark.members.length - 2;
  const isNamed = mark.members.every(({ initials, dot }) => initials !== '' || dot !== undefined);
  const name = !isNamed ? '' : isCluster ? [`${shortName(first)}, ${shortName(second)}`, more > 0 ? `+${more}` : ''].filter(Boolean).join(' ') : shortName(first);
  const under = isCluster ? 30 : first.dot ? 18 : first.state === 'ended' ? 21 : 5;
  return { ...mark, longitude, latitude, dx: 0, dy: 0, under, name, age: isCluster ? '' : first.age ?? '' };
}

/**
 * The first name: there is no room for more under a pin.
 * @param {MapPin} pin
 */
function shortName({ dot, name }) {
  if (dot) return say('map.you');
  const [first, second] = name.split(/\s+/u);
  // Titles and numbered names say nothing by their first word.
  return second !== undefined && (first.length < 3 || /^\d/u.test(second)) ? `${first} ${second}` : first;
}

/**
 * @param {Mark} mark
 * @param {boolean} isSelected
 */
function layerOf({ members }, isSelected) {
  if (isSelected) return 20;
  if (members[0].dot) return 19;
  return members.length > 1 ? 18 : 10 - compareStates(members[0].state, 'live');
}

/** @type {CanvasRenderingContext2D | null | undefined} */
let measuring;
/** @type {Map<string, { width: number, height: number }>} */
const sizes = new Map();

/**
 * How large a label is.
 * @param {string} name
 * @param {string} age
 */
function sizeOf(name, age) {
  const known = sizes.get(`${name}\n${age}`);
  if (known) return known;
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
  measuring ??= document.createElement('canvas').getContext('2d');
  const widthOf = (/** @type {string} */ text, /** @type {number} */ weight) => {
    if (!measuring || !text) return 0;
    measuring.font = `${weight} ${0.75 * rem}px ${getComputedStyle(document.body).fontFamily}`;
    return measuring.measureText(text).width;
  };
  const gap = name && age ? 0.3 * rem : 0;
  const size = { width: widthOf(name, 650) + gap + widthOf(age, 500) + 0.875 * rem, height: 1.3 * rem };
  if (sizes.size > 2_000) sizes.clear();
  sizes.set(`${name}\n${age}`, size);
  return size;
}

/**
 * A place on the whole map, in pixels, as in Web Mercator.
 * @param {{ latitude: number, longitude: number }} place
 * @param {number} size
 */
function worldPoint({ latitude, longitude }, size) {
  const sine = Math.sin((Math.max(-85.051129, Math.min(85.051129, latitude)) * Math.PI) / 180);
  return { x: ((longitude + 180) / 360) * size, y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * size };
}

/** @param {number} y from 0 in the north to 1 in the south */
function latitudeOf(y) {
  return (360 / Math.PI) * Math.atan(Math.exp((180 - y * 360) * (Math.PI / 180))) - 90;
}

/**
 * About how far two places are apart, in meters.
 * @param {{ latitude: number, longitude: number }} a
 * @param {{ latitude: number, longitude: number }} b
 */
function distance(a, b) {
  const east = (b.longitude - a.longitude) * Math.cos((a.latitude * Math.PI) / 180);
  return Math.hypot(east, b.latitude - a.latitude) * METERS_A_DEGREE;
}
