// @ts-check
import { iconButton } from '../page/controls.js';

/**
 * Zoom, and everybody at once.
 * @param {import('../page/page.js').Page} page
 */
export function mapButtons(page) {
  if (page.map.isText) return [];
  return [
    iconButton('Show everybody', 'fit', () => {
      page.map.follow(undefined);
      page.scene.fit();
    }),
    iconButton('Zoom in', 'add', () => page.map.zoom(1)),
    iconButton('Zoom out', 'minus', () => page.map.zoom(-1)),
  ];
}
