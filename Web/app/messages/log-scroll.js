// @ts-check
import { AT_END, ReadingPlace } from './reading-place.js';

/**
 * Keeps what the reader looks at in sight: over new rows, rows that change height, a sheet that rises, a keyboard that opens.
 * @param {HTMLElement} log what scrolls
 * @param {HTMLElement} list in it
 * @param {{ isWhole: () => boolean, moved: () => void }} options `moved` is called whenever something else may be in sight
 * @param {import('../page/scope.js').Scope} scope
 */
export function logScroll(log, list, { isWhole, moved }, scope) {
  const place = new ReadingPlace();
  let isLaidOut = false;
  const fromEnd = () => log.scrollHeight - log.scrollTop - log.clientHeight;
  const news = () => /** @type {HTMLElement | null} */ (list.querySelector('.new-line'));
  const notice = () => {
    if (isLaidOut && log.clientHeight > 0) place.noticed(log.scrollTop, fromEnd());
  };
  const settle = () => {
    isLaidOut = log.clientHeight > 0;
    if (!isLaidOut) return;
    const line = news();
    const wanted = place.wanted({ isWhole: isWhole(), hasNews: line !== null });
    if (wanted === 'news' && line) log.scrollTop += middleOf(line) - middleOf(log);
    else if (wanted === 'end') log.scrollTop = log.scrollHeight;
    if (wanted) place.placed(log.scrollTop, fromEnd());
  };
  const resized = new ResizeObserver(() => {
    settle();
    moved();
  });
  resized.observe(log);
  resized.observe(list);
  scope.add(() => resized.disconnect());
  log.addEventListener('scroll', () => {
    notice();
    moved();
  }, { passive: true });
  let beforeClick = 0;
  list.addEventListener('click', () => { beforeClick = fromEnd(); }, { capture: true });
  list.addEventListener('click', () => place.unfolded(beforeClick, fromEnd()));
  return {
    isAtEnd: () => fromEnd() < AT_END,
    opened: () => {
      place.opened();
      settle();
      news()?.scrollIntoView({ block: 'nearest' });
    },
    toEnd: () => {
      place.toEnd();
      settle();
    },
    notice,
    /**
     * Draws, and brings back into sight what was.
     * @param {() => boolean} draw says whether older rows came above
     */
    around: (draw) => {
      notice();
      const before = log.scrollHeight - log.scrollTop;
      const isExtended = draw();
      if (isExtended) log.scrollTop = log.scrollHeight - before;
      if (isExtended) place.placed(log.scrollTop, fromEnd());
      settle();
    },
  };
}

/** @param {HTMLElement} element */
function middleOf(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return (top + bottom) / 2;
}
