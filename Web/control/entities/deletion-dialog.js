// @ts-check
import { freshID } from '../../app/page/controls.js';
import { element } from '../../app/page/dom.js';
import { counted } from '../objects/cells.js';
import { labelled } from '../panel/inputs.js';

/**
 * Asks before an entity goes with all its objects: who means it writes its name.
 * @param {{ name: string, count: number }} entity
 * @param {() => Promise<void>} remove
 */
export function deletionDialog({ name, count }, remove) {
  const id = freshID();
  const input = labelled(`Write “${name}” to confirm`, element('input', { type: 'text', autocomplete: 'off', spellcheck: false }));
  const action = element('button', { class: 'danger' }, 'Delete for good');
  const dialog = element('dialog', { 'aria-labelledby': id });
  const form = element('form', { novalidate: true }, element('h2', { id }, `Delete ${name}?`),
    element('p', {}, `The entity goes with its schema and all its objects: ${counted(count, 'object', 'objects')} when this page was opened. This can’t be undone.`),
    input.root, element('div', { class: 'actions' },
      element('button', { type: 'button', class: 'quiet', onclick: () => dialog.close() }, 'Cancel'), action));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (input.input.value.trim() !== name) {
      input.refuse('This is not its name.');
      input.input.focus();
      return;
    }
    action.disabled = true;
    try {
      await remove();
      dialog.close();
    } catch (error) {
      input.refuse(/** @type {Error} */ (error).message);
    }
    action.disabled = false;
  });
  dialog.append(form);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
