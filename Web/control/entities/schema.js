// @ts-check

/** @typedef {import('../control.d.ts').Draft} Draft */
/** @typedef {import('../control.d.ts').DraftField} DraftField */
/** @typedef {import('../control.d.ts').Entity} Entity */
/** @typedef {import('../control.d.ts').Field} Field */

/** @type {{ value: import('../control.d.ts').FieldType, label: string }[]} */
export const TYPES = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'date', label: 'Date' },
  { value: 'boolean', label: 'Yes or no' },
  { value: 'json', label: 'JSON' },
  { value: 'reference', label: 'Reference' },
  { value: 'location', label: 'Location' },
];

export const READERS = [
  { value: 'anyone', label: 'Anyone, without an account' },
  { value: 'members', label: 'Members: every account' },
  { value: 'owners', label: 'Owners alone' },
];

export const FIELD_LIMIT = 64;

const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const NAME_RULE = 'A letter, then letters, digits, _ and -, at most 64.';
const RESERVED = ['id', 'created', 'updated'];

/**
 * What an editor begins with: an entity as it is, or an empty one.
 * @param {Entity} [entity]
 * @returns {Draft}
 */
export function draftOf(entity) {
  const fields = entity?.fields ?? [];
  return {
    name: entity?.name ?? '',
    readers: entity?.readers ?? 'members',
    fields: fields.map((field, index) => ({
      key: String(index), name: field.name, type: field.type, required: field.required ?? false, entity: field.entity ?? '',
      before: field,
    })),
  };
}

/**
 * With one more field at the end.
 * @param {Draft} draft
 * @returns {Draft}
 */
export function withField(draft) {
  const key = String(1 + Math.max(-1, ...draft.fields.map(({ key: other }) => Number(other))));
  return { ...draft, fields: [...draft.fields, { key, name: '', type: 'text', required: false, entity: '' }] };
}

/**
 * @param {Draft} draft
 * @param {string} key
 * @returns {Draft}
 */
export function withoutField(draft, key) {
  return { ...draft, fields: draft.fields.filter((field) => field.key !== key) };
}

/**
 * With a field some places further down, or up if negative; at either end it stays.
 * @param {Draft} draft
 * @param {string} key
 * @param {number} places
 * @returns {Draft}
 */
export function withFieldMoved(draft, key, places) {
  const from = draft.fields.findIndex((field) => field.key === key);
  const to = Math.max(0, Math.min(draft.fields.length - 1, from + places));
  if (from < 0 || from === to) return draft;
  const fields = [...draft.fields];
  fields.splice(to, 0, ...fields.splice(from, 1));
  return { ...draft, fields };
}

/**
 * @param {Draft} draft
 * @param {string} key
 * @param {Partial<DraftField>} changes
 * @returns {Draft}
 */
export function withFieldChanged(draft, key, changes) {
  return { ...draft, fields: draft.fields.map((field) => (field.key === key ? { ...field, ...changes } : field)) };
}

/**
 * What is sent.
 * @param {Draft} draft
 */
export function definitionOf({ name, readers, fields }) {
  return { name, readers, fields: fields.map(fieldOf) };
}

/**
 * @param {DraftField} field
 * @returns {Field}
 */
function fieldOf({ name, type, required, entity }) {
  return { name, type, ...(required ? { required } : {}), ...(type === 'reference' ? { entity } : {}) };
}

/**
 * What of a field can't change while the entity has objects: the server refuses it.
 * @param {DraftField} field
 * @param {boolean} hasObjects
 * @returns {{ name: boolean, type: boolean, required: boolean, removal: boolean }}
 */
export function locksOf({ before }, hasObjects) {
  const isKept = hasObjects && before !== undefined;
  return { name: isKept, type: isKept, removal: isKept, required: hasObjects && before?.required !== true };
}

/**
 * What is wrong with a draft, before a server is asked.
 * @param {Draft} draft
 * @param {string[]} [taken] names of other entities
 * @returns {{ name?: string, fields: Map<string, string>, whole?: string }} by key of the field
 */
export function problemsOf(draft, taken = []) {
  /** @type {Map<string, string>} */
  const fields = new Map();
  draft.fields.forEach((field, index) => {
    const problem = problemOf(field, draft.fields.slice(0, index));
    if (problem) fields.set(field.key, problem);
  });
  const name = taken.includes(draft.name) ? `There is an entity ${draft.name} already.` : nameProblem(draft.name);
  const whole = draft.fields.length > FIELD_LIMIT ? `An entity has at most ${FIELD_LIMIT} fields.` : undefined;
  return { name, fields, whole };
}

/**
 * @param {DraftField} field
 * @param {DraftField[]} earlier
 */
function problemOf({ name, type, entity }, earlier) {
  if (RESERVED.includes(name)) return `Every object has ${name}; call the field otherwise.`;
  if (earlier.some((other) => other.name === name && name !== '')) return `There is a field ${name} above.`;
  if (type === 'location' && earlier.some((other) => other.type === 'location')) return 'An entity has at most one location.';
  if (type === 'reference' && !entity) return 'Say which entity it refers to.';
  return nameProblem(name);
}

/** @param {string} name */
function nameProblem(name) {
  if (name === '') return 'A name is needed.';
  return NAME.test(name) ? undefined : NAME_RULE;
}

/**
 * Whether two drafts come to the same definition.
 * @param {Draft} a
 * @param {Draft} b
 */
export function isSameDraft(a, b) {
  return JSON.stringify(definitionOf(a)) === JSON.stringify(definitionOf(b));
}

/**
 * The field that a refusal of the server speaks of, or `undefined`: then it is about the whole.
 * @param {Draft} draft
 * @param {{ code: string, message: string }} refusal
 * @returns {DraftField | undefined}
 */
export function fieldRefused({ fields }, { code, message }) {
  if (code === 'unknownReference') return fields.find(({ type, entity }) => type === 'reference' && hasWord(message, entity));
  if (message.includes('one location')) return fields.findLast(({ type }) => type === 'location');
  const begun = fields.find(({ name }) => beginsWith(message, name));
  return begun ?? fields.find(({ name }) => RESERVED.includes(name) && hasWord(message, name));
}

/**
 * Whether a message begins with a name, as the server's do where they are about one field.
 * @param {string} message
 * @param {string} name
 */
export function beginsWith(message, name) {
  return name !== '' && message.startsWith(name) && /^[ :,.]/.test(message.slice(name.length));
}

/**
 * @param {string} message
 * @param {string} word
 */
function hasWord(message, word) {
  return word !== '' && message.split(/[^A-Za-z0-9_-]+/).includes(word);
}
