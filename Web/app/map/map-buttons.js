// @ts-check
import { iconButton, whileBusy } from '../page/controls.js';
import { say } from '../words/words.js';

/**
 * One's own place, everybody at once, and zoom.
 * @param {import('../page/page.js').Page} page
 * @param {import('../page/scope.js').Scope} scope of the person
 */
export function mapButtons(page, scope) {
  if (page.map.isText) return [];
  const own = iconButton(say('map.own'), 'me', () => whileBusy(own, () => page.scene.showOwn()));
  const update = () => {
    own.hidden = !page.sharer.isPossible;
    own.setAttribute('aria-pressed', String(page.scene.followsOwn));
  };
  page.scene.observe(update, scope);
  update();
  return [
    own,
    iconButton(say('map.fit'), 'fit', () => {
      page.map.follow(undefined);
      page.scene.fit();
    }),
    iconButton(say('map.zoomIn'), 'add', () => page.map.zoom(1)),
    iconButton(say('map.zoomOut'), 'minus', () => page.map.zoom(-1)),
  ];
}
