// @ts-check
import { button, iconButton } from '../../app/page/controls.js';
import { element, fill } from '../../app/page/dom.js';
import { labelled, select } from '../panel/inputs.js';
import { CONDITION_LIMIT, conditionFields, conditionText, operatorsOf, takesValue } from './conditions.js';
import { zoneToday } from './dates.js';

/** @typedef {import('../control.d.ts').Condition} Condition */
/** @typedef {import('../control.d.ts').Entity} Entity */
/** @typedef {import('../control.d.ts').Field} Field */

/** Which objects a table shows, said by conditions that all hold. */
export class ConditionEditor {
  root;

  #fields;
  #list = element('ul', { class: 'conditions', 'aria-label': 'Conditions' });
  #add = button('Add a condition', () => this.#added(), { icon: 'add', class: 'small' });
  #summary = element('summary', {}, 'Conditions');
  /** @type {{ read: () => Condition, field: () => Field, refuse: (problem?: string) => void, focus: () => void, root: HTMLElement }[]} */
  #rows = [];

  /**
   * @param {Entity} entity
   * @param {Condition[]} conditions
   * @param {(conditions: Condition[]) => void} apply
   */
  constructor(entity, conditions, apply) {
    this.#fields = conditionFields(entity);
    const submit = element('button', { class: 'primary small' }, 'Apply');
    const form = element('form', { class: 'stack', noValidate: true }, this.#list, element('div', { class: 'actions wrap' }, this.#add, submit));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (!this.#check()) return;
      const read = this.#rows.map((row) => row.read());
      this.#count(read.length);
      apply(read);
    });
    this.root = element('details', { class: 'conditions-part', open: conditions.length > 0 }, this.#summary, form);
    for (const condition of conditions) this.#row(condition);
    this.#count(conditions.length);
  }

  #added() {
    this.#row({ field: this.#fields[0].name, operator: operatorsOf(this.#fields[0].type)[0].value, value: '' });
    this.#rows[this.#rows.length - 1].root.querySelector('select')?.focus();
  }

  /** @param {Condition} condition */
  #row(condition) {
    const row = conditionRow(this.#fields, condition, () => {
      const index = this.#rows.indexOf(row);
      this.#rows.splice(index, 1);
      row.root.remove();
      this.#add.disabled = false;
      this.#add.focus();
    });
    this.#rows.push(row);
    this.#list.append(row.root);
    this.#add.disabled = this.#rows.length >= CONDITION_LIMIT - 1;
  }

  #check() {
    const wrong = this.#rows.filter((row) => {
      const { problem } = conditionText(row.field(), row.read());
      row.refuse(problem);
      return problem !== undefined;
    });
    wrong[0]?.focus();
    return wrong.length === 0;
  }

  /** @param {number} count that hold now */
  #count(count) {
    this.#summary.textContent = count === 0 ? 'Conditions' : `Conditions (${count})`;
  }
}

/**
 * @param {Field[]} fields
 * @param {Condition} condition
 * @param {() => void} remove
 */
function conditionRow(fields, condition, remove) {
  const state = { ...condition };
  const fieldOf = () => fields.find(({ name }) => name === state.field) ?? fields[0];
  const operators = element('div');
  const values = element('div', { class: 'condition-value' });
  /** @type {ReturnType<typeof valueInput> | undefined} */
  let value;
  const showValue = () => {
    value = takesValue(state.operator) ? valueInput(fieldOf(), state) : undefined;
    fill(values, value?.root);
  };
  const showOperators = () => {
    const choices = operatorsOf(fieldOf().type);
    if (!choices.some((choice) => choice.value === state.operator)) state.operator = choices[0].value;
    fill(operators, labelled('Operator', select(choices, state.operator, (operator) => {
      const had = takesValue(state.operator);
      state.operator = operator;
      if (takesValue(operator) !== had) showValue();
    }), { isLabelHidden: true }).root);
    showValue();
  };
  const field = labelled('Field', select(fields.map(({ name }) => ({ value: name, label: name })), state.field, (name) => {
    state.field = name;
    state.value = '';
    showOperators();
  }), { isLabelHidden: true });
  showOperators();
  const root = element('li', { class: 'condition' }, field.root, operators, values, iconButton('Remove the condition', 'close', remove));
  return {
    root, read: () => ({ ...state }), field: fieldOf,
    refuse: (/** @type {string | undefined} */ problem) => value?.refuse(problem), focus: () => value?.input.focus(),
  };
}

/**
 * @param {Field} field
 * @param {Condition} state
 */
function valueInput({ type }, state) {
  const change = (/** @type {string} */ value) => { state.value = value; };
  if (type === 'boolean') {
    state.value = state.value === 'false' ? 'false' : 'true';
    return labelled('Value', select([{ value: 'true', label: 'yes' }, { value: 'false', label: 'no' }], state.value, change), { isLabelHidden: true });
  }
  const input = element('input', {
    type: type === 'date' ? 'datetime-local' : 'text', value: state.value, autocomplete: 'off', oninput: () => change(input.value),
    ...(type === 'number' ? { inputMode: 'decimal' } : {}), ...(type === 'reference' ? { placeholder: 'Id' } : {}),
  });
  return labelled('Value', input, { isLabelHidden: true, hint: type === 'date' ? zoneToday() : undefined });
}
