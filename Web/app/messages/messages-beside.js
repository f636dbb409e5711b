// @ts-check
import { iconButton } from '../page/controls.js';
import { element, fill } from '../page/dom.js';
import { say } from '../words/words.js';
import { browserShelf } from '../storage/shelf.js';

/** Where it is kept that the reader hid them. */
const KEPT = 'yonder.messagesHidden';
const isWide = matchMedia('(min-width: 1200px)');

/**
 * On a wide screen a chat's messages stand beside the map, unless the reader hid them; else they are a part of its panel.
 * @param {import('../page/page.js').Page} page
 * @param {{ root: HTMLElement, shown: () => void }} messages
 * @param {(isBeside: boolean) => void} onchange
 * @param {import('../page/scope.js').Scope} scope of the chat
 */
export function messagesBeside(page, messages, onchange, scope) {
  const aside = /** @type {HTMLElement} */ (document.getElementById('aside'));
  const home = messages.root.parentElement;
  const next = messages.root.nextSibling;
  const showBeside = iconButton(say('messages.beside'), 'beside', () => keep(false));
  showBeside.classList.add('show-beside');
  messages.root.prepend(showBeside);
  const top = element('header', { class: 'view-header' }, element('h2', {}, say('messages.title')), iconButton(say('messages.hide'), 'next', () => keep(true)));
  const keep = (/** @type {boolean} */ isHidden) => {
    if (isHidden) browserShelf.put(KEPT, 'yes');
    else browserShelf.remove(KEPT);
    place();
  };
  const place = () => {
    const isBeside = isWide.matches && browserShelf.get(KEPT) !== 'yes';
    showBeside.hidden = isBeside || !isWide.matches;
    aside.hidden = !isBeside;
    if (isBeside) {
      fill(aside, top, messages.root);
      messages.root.hidden = false;
    } else {
      home?.insertBefore(messages.root, next);
      fill(aside);
    }
    onchange(isBeside);
    page.panel.pad();
    // Moved in the document, it has lost where it stood.
    if (!messages.root.hidden) messages.shown();
  };
  scope.listen(isWide, 'change', place);
  place();
  scope.add(() => {
    aside.hidden = true;
    fill(aside);
    page.panel.pad();
  });
}
