// @ts-check
import { freshID, iconButton } from '../../app/page/controls.js';
import { element } from '../../app/page/dom.js';
import { labelled, select } from '../panel/inputs.js';
import { TYPES, locksOf } from './schema.js';

/** @typedef {import('../control.d.ts').DraftField} DraftField */

/**
 * @typedef {object} FieldActions
 * @property {boolean} hasObjects
 * @property {() => string[]} targets what a reference may lead to
 * @property {(changes: Partial<DraftField>) => void} change
 * @property {(places: number) => void} move
 * @property {() => void} remove
 */

/**
 * @typedef {object} FieldEditing
 * @property {(index: number, count: number) => void} place where it stands among how many
 * @property {(problem?: string) => void} refuse
 * @property {() => void} focusName
 * @property {() => void} focusProblem
 * @property {(places: number) => void} focusMove
 */

/** @typedef {HTMLLIElement & FieldEditing} FieldEditor */

/**
 * One field of a schema: name, type, whether it is required, and its place.
 * @param {DraftField} field as it is at first; the element keeps itself from then on
 * @param {FieldActions} actions
 * @returns {FieldEditor}
 */
export function fieldEditor(field, actions) {
  const locks = locksOf(field, actions.hasObjects);
  const name = labelled('Field name', element('input', {
    type: 'text', value: field.name, readOnly: locks.name, autocomplete: 'off', autocapitalize: 'none', spellcheck: false,
    oninput: () => {
      actions.change({ name: name.input.value.trim() });
      name.refuse();
    },
  }));
  const target = targetSelect(field, actions);
  const type = labelled('Type', select(TYPES, field.type, (value) => {
    target.root.hidden = value !== 'reference';
    target.refuse();
    actions.change({ type: /** @type {DraftField['type']} */ (value) });
  }));
  for (const input of [type.input, target.input]) input.disabled = locks.type;
  const [up, down] = [iconButton('Move up', 'up', () => actions.move(-1)), iconButton('Move down', 'down', () => actions.move(1))];
  const remove = iconButton('Remove the field', 'remove', actions.remove);
  remove.disabled = locks.removal;
  const group = element('div', { class: 'field-editor', role: 'group' }, name.root, type.root, target.root,
    requiredBox(field, locks.required, actions), element('div', { class: 'field-buttons' }, up, down, remove));
  /** What is wrong: the name, but for a reference that leads nowhere. */
  const concerned = () => (target.root.hidden || name.input.value.trim() === '' || target.input.value ? name : target);
  /** @type {FieldEditing} */
  const editing = {
    place: (index, count) => {
      group.setAttribute('aria-label', `Field ${index + 1} of ${count}`);
      up.disabled = index === 0;
      down.disabled = index === count - 1;
    },
    refuse: (problem) => {
      concerned().refuse(problem);
      (concerned() === name ? target : name).refuse();
    },
    focusName: () => name.input.focus(),
    focusProblem: () => concerned().input.focus(),
    focusMove: (places) => {
      const [wanted, other] = places < 0 ? [up, down] : [down, up];
      (wanted.disabled ? other : wanted).focus();
    },
  };
  return Object.assign(element('li', {}, group), editing);
}

/**
 * @param {DraftField} field
 * @param {FieldActions} actions
 */
function targetSelect(field, actions) {
  const input = select([], field.entity, (entity) => actions.change({ entity }));
  const target = labelled('Refers to', input);
  target.root.hidden = field.type !== 'reference';
  // What may be referred to depends on what this entity is called, which may change meanwhile.
  const refill = (/** @type {string} */ chosen) => input.replaceChildren(...['', ...actions.targets()].map((name) => element('option', {
    value: name, selected: name === chosen,
  }, name || 'Choose…')));
  refill(field.entity);
  input.addEventListener('focus', () => refill(input.value));
  return target;
}

/**
 * @param {DraftField} field
 * @param {boolean} isLocked
 * @param {FieldActions} actions
 */
function requiredBox(field, isLocked, actions) {
  const id = freshID();
  const box = element('input', {
    type: 'checkbox', id, checked: field.required, disabled: isLocked, onchange: () => actions.change({ required: box.checked }),
  });
  return element('div', { class: 'check' }, box, element('label', { for: id }, 'Required'));
}
