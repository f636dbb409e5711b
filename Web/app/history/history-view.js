// @ts-check
import { personIn } from '../map/annotations.js';
import { placeText } from '../map/place-text.js';
import { button, heading, iconButton } from '../page/controls.js';
import { element, fill, keyed, setText } from '../page/dom.js';
import { icon } from '../page/icons.js';
import { loadingText } from '../page/loading-text.js';
import { colorIn } from '../people/color.js';
import { placeNameText, PlaceNames } from '../places/place-names.js';
import { locale, say } from '../words/words.js';
import { dayAnnotations } from './day-annotations.js';
import { clockText, daySlider } from './day-slider.js';
import { dayTrack, TOLERANCE } from './day-track.js';
import { dayOf, piecesOf } from './day.js';

/** @typedef {import('../page/page.js').Page} Page */
/** @typedef {import('./day.js').Piece} Piece */
/** @typedef {import('./day.js').Position} Position */

/** How long a replay takes, in milliseconds, however long the day was. */
const REPLAY = 20_000;

const DATE = new Intl.DateTimeFormat(locale, { weekday: 'long', day: 'numeric', month: 'long' });
const KILOMETERS = new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilometer', maximumFractionDigits: 1 });
const METERS = new Intl.NumberFormat(locale, { style: 'unit', unit: 'meter', maximumFractionDigits: 0 });

/**
 * A person's day in a chat: the way on the map, a slider through its time, and what happened as a list.
 * @param {Page} page
 * @param {string} chat
 * @param {string} user
 * @param {import('../page/scope.js').Scope} scope of the view
 * @returns {import('../page/panel.js').View}
 */
export function historyView(page, chat, user, scope) {
  const { scene } = page;
  const top = heading('', { back: () => page.router.go('chats', chat) });
  const summary = element('p', { class: 'hint presence', role: 'status' });
  const date = element('strong', { class: 'day-date' });
  const slider = daySlider((time) => showAt(time));
  const list = element('ol', { class: 'day-pieces' });
  const part = element('div', { class: 'day-part', hidden: true });
  const player = replay(slider, () => span());
  fill(part, element('div', { class: 'day-player' }, player.button, slider.root), list, legend());
  let later = 0;
  let load = 0;
  let deviation = 0;
  /** @type {Position[]} */
  let positions = [];
  const span = () => ({ from: positions[0]?.time ?? 0, to: positions[positions.length - 1]?.time ?? 0 });
  const person = () => {
    const known = page.chats.chat(chat);
    return known && personIn(known, user);
  };

  /** @type {Piece[]} */
  let pieces = [];
  const names = new PlaceNames(() => named());
  const drawPieces = () => keyed(list, pieces, ({ from }) => String(from), (piece) => pieceRow(piece, names, () => slider.set(piece.from)));

  /** The day on the map at a time; made anew when the day, its person or the name of a place has changed. */
  let drawn = dayAnnotations({ person: undefined, color: '', positions, pieces, nameOf: () => '' });
  let shownAt = 0;
  const redraw = () => {
    drawn = dayAnnotations({ person: person(), color: colorIn(page.chats.chat(chat), user), positions, pieces, nameOf: (piece) => stopName(piece, names) ?? '' });
  };
  const named = () => {
    drawPieces();
    redraw();
    showAt(shownAt);
  };
  const showAt = (/** @type {number} */ time) => {
    shownAt = time;
    page.scene.showDay(drawn(time));
  };
  /** Whether the way is on the map: the chat may come after the positions, and with it the person's name and color. */
  let isShown = false;
  const chatChanged = () => {
    setText(top.text, say('history.title', { name: person()?.name ?? '' }));
    if (isShown || !person() || positions.length < 2) return;
    isShown = true;
    redraw();
    showAt(positions[positions.length - 1].time);
    page.scene.fit();
  };
  const show = async () => {
    const mine = ++load;
    player.stop();
    isShown = false;
    positions = [];
    pieces = [];
    redraw();
    chatChanged();
    const day = dayOf(page.stream.now(), later);
    setText(date, DATE.format(day.from));
    next.disabled = later === 0;
    setText(summary, loadingText(page));
    part.hidden = true;
    try {
      const found = await dayTrack(chat, user, day);
      if (mine !== load) return;
      ({ positions, deviation } = found);
    } catch (error) {
      return page.toasts.fail(error);
    }
    pieces = piecesOf(positions);
    names.clear();
    part.hidden = positions.length < 2;
    setText(summary, part.hidden ? say('history.nothing') : summaryOf(pieces, deviation));
    if (part.hidden) return showAt(0);
    slider.show(positions, pieces);
    list.replaceChildren();
    drawPieces();
    chatChanged();
    return undefined;
  };
  const turn = (/** @type {number} */ days) => {
    later = Math.min(0, later + days);
    show();
  };
  const next = iconButton(say('history.next'), 'next', () => turn(1));
  const days = element('div', { class: 'day-choice' }, iconButton(say('history.previous'), 'back', () => turn(-1)), date, next);
  // What was selected is of now, and its callout would lie over the day.
  page.map.select(undefined);
  const root = element('div', { class: 'view' }, top.root, summary, days, element('div', { class: 'scroll' }, part));
  show();
  scope.add(() => {
    load += 1;
    player.stop();
    scene.showDay(undefined);
  });
  page.chats.observe(chatChanged, scope);
  return { root, sheet: 'half' };
}

/**
 * @param {Piece[]} pieces
 * @param {number} deviation the line's greatest, in meters; shown only if it is larger than the error of a phone's position
 */
function summaryOf(pieces, deviation) {
  const meters = pieces.reduce((sum, piece) => sum + piece.meters, 0);
  const stops = pieces.filter(({ kind }) => kind === 'staying').length;
  const exact = deviation <= TOLERANCE ? '' : say('history.within', { distance: METERS.format(Math.ceil(deviation)) });
  return [distanceText(meters), say('history.stops', { count: stops }), exact].filter(Boolean).join(' · ');
}

/** @param {number} meters */
function distanceText(meters) {
  return meters < 1_000 ? METERS.format(Math.round(meters / 10) * 10) : KILOMETERS.format(meters / 1_000);
}

/** @param {number} milliseconds */
function durationText(milliseconds) {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 60) return say('history.minutes', { minutes });
  return say('history.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

/**
 * @param {Pick<Piece, 'from' | 'positions'>} stop
 * @param {PlaceNames} names
 * @returns {string | undefined} `undefined` while it isn't known, or if it has none
 */
function stopName({ from, positions: [position] }, names) {
  const name = names.nameOf(String(from), position);
  return name && placeNameText(name);
}

/**
 * @param {Piece} piece
 * @param {PlaceNames} names
 * @param {() => void} onclick
 */
function pieceRow({ kind, from, to, positions, meters }, names, onclick) {
  const duration = durationText(to - from);
  const what = element('strong', {}, kind === 'moving' ? say('history.moved') : kind === 'silent' ? say('history.silent') : '');
  const update = () => {
    if (kind !== 'staying') return;
    setText(what, stopName({ from, positions }, names) ?? placeText(positions[0]));
  };
  update();
  const more = kind === 'moving' ? say('history.movedHow', { distance: distanceText(meters), duration })
    : kind === 'staying' ? say('history.stayed', { duration }) : duration;
  const row = element('button', { type: 'button', class: `row day-piece ${kind}`, onclick },
    element('time', { dateTime: new Date(from).toISOString() }, clockText(from)),
    element('span', { class: 'row-text' }, what, element('span', { class: 'hint' }, more)));
  return Object.assign(element('li', {}, row), { update });
}

function legend() {
  const part = (/** @type {string} */ kind, /** @type {string} */ text) =>
    element('span', {}, element('span', { class: `day-sample ${kind}`, 'aria-hidden': 'true' }), text);
  return element('p', { class: 'hint day-legend' }, part('moving', say('history.legendMoving')),
    part('staying', say('history.legendStaying')), part('silent', say('history.legendSilent')));
}

/**
 * A button that moves the slider through the day.
 * @param {ReturnType<typeof daySlider>} slider
 * @param {() => { from: number, to: number }} span
 */
export function replay(slider, span) {
  let frame = 0;
  const made = button('', () => (frame ? stop() : start()), { class: 'primary day-play' });
  const draw = () => {
    fill(made, icon(frame ? 'pause' : 'play'));
    made.setAttribute('aria-label', say(frame ? 'history.pause' : 'history.play'));
  };
  const stop = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    draw();
  };
  const start = () => {
    const { from, to } = span();
    const begin = performance.now();
    const step = () => {
      const share = Math.min(1, (performance.now() - begin) / REPLAY);
      slider.set(from + share * (to - from));
      if (share >= 1) return stop();
      frame = requestAnimationFrame(step);
      return undefined;
    };
    frame = requestAnimationFrame(step);
    draw();
  };
  draw();
  return { button: made, stop };
}
