// @ts-check

const SVG = 'http://www.w3.org/2000/svg';

/** Drawn in 24 × 24 with a line of 1.8. @type {Record<string, string>} */
const PATHS = {
  add: 'M12 5v14M5 12h14',
  ask: 'M4 5h16v11H10l-4 4v-4H4zM12 13.200v.01M10.300 8.600c.2-2.200 3.500-2 3.400 0c0 1.200-1.500 1.200-1.700 2.400',
  back: 'M15 5l-7 7 7 7',
  battery: 'M3 8h15v8H3zM21 11v2',
  bell: 'M6 17v-6a6 6 0 0 1 12 0v6l2 2H4zM10 21h4',
  beside: 'M3.500 5h17v14h-17zM14.500 5v14',
  block: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM5.700 5.700l12.600 12.600',
  camera: 'M4.500 8h3l1.500-2.500h6L16.500 8h3A1.500 1.500 0 0 1 21 9.500v8a1.500 1.500 0 0 1-1.500 1.500h-15A1.500 1.500 0 0 1 3 17.500v-8A1.500 1.500 0 0 1 4.500 8zM12 16.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7z',
  chats: 'M4 6.5A2.5 2.5 0 0 1 6.5 4h11A2.5 2.5 0 0 1 20 6.5v7a2.5 2.5 0 0 1-2.5 2.5H11l-4.5 4v-4A2.5 2.5 0 0 1 4 13.5z',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  clock: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18zM12 7v5l3.500 2',
  close: 'M6 6l12 12M18 6L6 18',
  contacts: 'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.4-3.6 3-5.5 6.5-5.500s6.1 1.9 6.5 5.500M16 4.900a3.5 3.5 0 0 1 0 6.300M18.5 15c1.8.800 2.8 2.6 3 5',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  directions: 'M12 3l7 17-7-4-7 4z',
  down: 'M12 5v14M6 13l6 6 6-6',
  edit: 'M5 19l1-4L16.5 4.500l3 3L9 18z',
  export: 'M12 15V3.500M8 11l4 4 4-4M5 12v8h14v-8',
  eye: 'M2 12c3-5 6.500-7 10-7s7 2 10 7c-3 5-6.500 7-10 7s-7-2-10-7zM12 9a3 3 0 1 0 0 6a3 3 0 0 0 0-6z',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  flag: 'M5 21V4h13l-3 4 3 4H5',
  follow: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM12 1v4M12 19v4M1 12h4M19 12h4',
  history: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.500 2',
  leave: 'M14 4h4.500A1.5 1.5 0 0 1 20 5.500v13a1.5 1.5 0 0 1-1.5 1.500H14M10 8l-4 4 4 4M6 12h9',
  lower: 'M6 9l6 6 6-6',
  me: 'M12 2v4M12 18v4M2 12h4M18 12h4M12 7a5 5 0 1 0 0 10a5 5 0 0 0 0-10z',
  minus: 'M5 12h14',
  more: 'M12 4.700a1 1 0 1 0 .01 0zM12 11a1 1 0 1 0 .01 0zM12 17.300a1 1 0 1 0 .01 0z',
  next: 'M9 5l7 7-7 7',
  pause: 'M9 5.500v13M15 5.500v13',
  play: 'M8 5l11 7-11 7z',
  pin: 'M12 21.500s-7-6.3-7-11.500a7 7 0 0 1 14 0c0 5.2-7 11.5-7 11.500zM12 12.500a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  place: 'M5 4h14a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1h-4l-3 4-3-4H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM12 7.500l1 2.100 2.300.300-1.700 1.600.4 2.300-2-1.100-2 1.100.4-2.300-1.700-1.600 2.300-.3z',
  recall: 'M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6v1',
  reply: 'M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6v1',
  remove: 'M5 7h14M10 7V4.500h4V7M7 7l1 13h8l1-13M10.500 11v5M13.500 11v5',
  search: 'M10.500 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.500 15.500L20 20',
  send: 'M4 12l16-8-6 16-3-6.500z',
  share: 'M12 15V3.500M8 7l4-4 4 4M5 12v8h14v-8',
  stop: 'M7 7h10v10H7z',
  table: 'M4 5h16v14H4zM4 10h16M4 14.500h16M10 10v9',
  up: 'M12 19V5M6 11l6-6 6 6',
  warn: 'M12 4l9 16H3zM12 10v4M12 17v.01',
  world: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c2.8 2.6 4 5.6 4 9s-1.2 6.4-4 9c-2.8-2.6-4-5.6-4-9s1.2-6.4 4-9z',
  you: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.500c.5-4 3.5-6 7.5-6s7 2 7.5 6',
};

/** The pictures that point along a line of text. */
const POINTING = ['back', 'beside', 'leave', 'next', 'recall', 'reply', 'send'];

/**
 * A picture that says nothing by itself: its button or line has the words.
 * @param {string} name
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', POINTING.includes(name) ? 'icon mirrored' : 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}

/** The mark: a path that leaves a pin behind and goes on. */
export function mark() {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 32 32');
  svg.setAttribute('class', 'mark');
  svg.setAttribute('aria-hidden', 'true');
  for (const [kind, value] of [['ground', 'M16 2a14 14 0 1 0 0 28 14 14 0 0 0 0-28z'], ['way', 'M8 23c4 0 5-3 5-6s2-5.5 5.5-5.5']]) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', value);
    path.setAttribute('class', kind);
    svg.append(path);
  }
  const dot = document.createElementNS(SVG, 'circle');
  for (const [name, value] of [['cx', '21.5'], ['cy', '11.5'], ['r', '3.5'], ['class', 'dot']]) dot.setAttribute(name, value);
  svg.append(dot);
  return svg;
}
