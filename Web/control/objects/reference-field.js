// @ts-check
import { element, setText } from '../../app/page/dom.js';
import { Combobox } from '../panel/combobox.js';
import { labelled } from '../panel/inputs.js';
import { nameField, objectName } from './cells.js';
import { listObjects, readObject } from './objects.js';
import { readValue } from './values.js';

/** @typedef {import('../control.d.ts').Entity} Entity */
/** @typedef {import('../control.d.ts').Field} Field */
/** @typedef {import('../control.d.ts').StoredObject} StoredObject */

const SUGGESTIONS = 8;

/**
 * A reference: the name of an object is searched for, or its id written.
 * @param {import('../panel/control-panel.js').ControlPanel} panel
 * @param {Field} field
 * @param {string | undefined} value the id of an object
 * @returns {import('../control.d.ts').FieldControl}
 */
export function referenceField(panel, field, value) {
  const target = panel.entities.named(field.entity ?? '');
  const before = value ?? '';
  /** What is chosen: the input shows its name. */
  let chosen = { id: before, text: before };
  const input = element('input', { type: 'text', value: before, spellcheck: false });
  const { root, refuse, hint } = labelled(field.name, input, { isRequired: field.required, class: 'reference', hint: hintFor(field, target) });
  const show = (/** @type {{ id: string, text: string }} */ choice) => {
    chosen = choice;
    input.value = choice.text;
    if (hint) setText(hint, choice.id && choice.text !== choice.id ? `Id ${choice.id}` : hintFor(field, target));
  };
  const combobox = new Combobox(input, {
    label: `Objects of ${field.entity}`,
    find: (text, signal) => found(target, text, signal),
    show: (object) => ({ text: objectName(target?.fields ?? [], object), detail: `Id ${object.id}` }),
    choose: (object) => {
      show({ id: object.id, text: objectName(target?.fields ?? [], object) });
      refuse();
    },
  });
  root.insertBefore(combobox.root, root.children[1]);
  if (value) panel.labels.of(target, value).then((text) => { if (chosen.id === value) show({ id: value, text }); });
  const id = () => (input.value === chosen.text ? chosen.id : input.value.trim());
  return {
    root, refuse, read: () => readValue(field, id()), isChanged: () => id() !== before, focus: () => input.focus(), close: () => combobox.close(),
  };
}

/**
 * @param {Field} field
 * @param {Entity | undefined} target
 */
function hintFor(field, target) {
  const name = target && nameField(target.fields);
  return name ? `An object of ${field.entity}: write some of its ${name.name}, or its id.` : `An object of ${field.entity}: write its id.`;
}

/**
 * @param {Entity | undefined} target
 * @param {string} text
 * @param {AbortSignal} signal
 * @returns {Promise<StoredObject[]>}
 */
async function found(target, text, signal) {
  if (!target) return [];
  const name = nameField(target.fields);
  const named = name ? (await listObjects(target.name, { where: [`${name.name}~${text}`], limit: SUGGESTIONS }, signal)).objects : [];
  if (named.length > 0 || !/^\d{1,19}$/.test(text)) return named;
  return readObject(target.name, text).then(({ object }) => [object], () => []);
}
