// @ts-check
import { emptyState } from '../page/controls.js';
import { element } from '../page/dom.js';
import { forgetEverything } from '../shell/shell.js';
import { say, sayPage } from '../words/words.js';
import { depart, leaving } from './departure.js';

/** The first and the longest pause between two tries to tell the server of a sign-out, in milliseconds. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/**
 * Where a sign-out waits for a connection the page shows nobody signed in, and asks the server for nothing else before that one knows
 * of it.
 * @returns {Promise<boolean>} whether one waited: the server knows of it now, and nothing of the person's is left
 */
export async function departed() {
  if (leaving() === undefined) return false;
  sayPage(document);
  const panel = /** @type {HTMLElement} */ (document.getElementById('view'));
  panel.append(element('div', { class: 'view', role: 'status' }, emptyState('leave', say('settings.signedOut'), say('settings.signedOutHint'))));
  // Another tab may have written something since.
  await forgetEverything({ keepsProgram: true });
  for (let pause = FIRST_PAUSE; !(await isOver()); pause = Math.min(2 * pause, LONGEST_PAUSE)) await connectedOrAfter(pause);
  return true;
}

/** @returns {Promise<boolean>} whether the server knows of the sign-out */
function isOver() {
  return depart(forgetEverything).then(() => true, () => false);
}

/**
 * @param {number} pause in milliseconds
 * @returns {Promise<void>}
 */
function connectedOrAfter(pause) {
  return new Promise((resolve) => {
    const end = () => {
      removeEventListener('online', end);
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, pause);
    addEventListener('online', end);
  });
}
