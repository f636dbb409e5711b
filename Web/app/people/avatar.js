// @ts-check
import { element } from '../page/dom.js';
import { inkOn } from './color.js';
import { initials } from './initials.js';
import { isOwn } from './photos.js';

/**
 * A person's picture, or their initials in their color where there is none, or it lies on another server.
 * @param {{ name: string, avatar?: string, color: string, letters?: string, online?: boolean, small?: boolean }} person
 */
export function avatar({ name, avatar: source, color, letters, online, small = false }) {
  const root = element('span', { class: small ? 'avatar small' : 'avatar', 'aria-hidden': 'true' });
  root.style.setProperty('--color', color);
  root.style.setProperty('--ink', inkOn(color));
  root.append(letters || initials(name));
  if (source && isOwn(source)) root.append(picture(source));
  if (online !== undefined) root.append(element('span', { class: online ? 'dot online' : 'dot' }));
  return root;
}

/** @param {string} source */
function picture(source) {
  const image = element('img', { src: source, alt: '', loading: 'lazy' });
  image.addEventListener('error', () => image.remove());
  return image;
}
