// @ts-check
import { imagePath, sendAvatar } from '../images/image-upload.js';
import { button, freshID, whileBusy } from '../page/controls.js';
import { element, fill } from '../page/dom.js';
import { avatar } from '../people/avatar.js';
import { colorOf } from '../people/color.js';
import { ownHue } from '../people/own-hue.js';
import { say } from '../words/words.js';

/**
 * One's picture, with a way to choose another one and to take it away.
 * @param {import('../page/page.js').Page} page
 */
export function pictureSection(page) {
  const id = freshID();
  const shown = element('span', { class: 'own-picture' });
  const input = element('input', { id, type: 'file', accept: 'image/*', class: 'hidden', onchange: () => chosen() });
  const choose = element('label', { for: id, class: 'button' }, say('settings.choosePicture'));
  const remove = button(say('settings.removePicture'), () => keep(null), { class: 'quiet' });
  let drawn = '';
  const show = () => {
    const user = page.account.user;
    if (!user) return;
    const wanted = JSON.stringify([user.name, user.avatar, ownHue(user, page.chats.all)]);
    if (wanted === drawn) return;
    drawn = wanted;
    fill(shown, avatar({ name: user.name, avatar: user.avatar ?? undefined, color: colorOf({ hue: ownHue(user, page.chats.all) }, user.id) }));
    remove.hidden = !user.avatar;
  };
  const chosen = () => {
    const [file] = input.files ?? [];
    input.value = '';
    if (file) change(async () => imagePath((await sendAvatar(file)).image));
  };
  /** @param {string | null} path */
  const keep = (path) => change(async () => path);
  /** @param {() => Promise<string | null>} picture */
  const change = async (picture) => {
    try {
      await whileBusy(remove, async () => page.account.change({ avatar: await picture() }));
      show();
    } catch (error) {
      page.toasts.fail(error);
    }
  };
  show();
  return { root: element('div', { class: 'picture-line' }, shown, input, choose, remove), show };
}
