// @ts-check
import { say } from '../words/words.js';

/**
 * What stands where something is still to come: that it is on its way, or that there is no connection to bring it.
 * @param {Pick<import('./page.js').Page, 'stream'>} page
 */
export function loadingText({ stream }) {
  return say(stream.state === 'waiting' ? 'page.notConnected' : 'page.loading');
}
