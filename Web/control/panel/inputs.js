// @ts-check
import { freshID } from '../../app/page/controls.js';
import { element, setText } from '../../app/page/dom.js';

/**
 * A labelled control with a hint below it and room for what is wrong with it.
 * @template {HTMLElement} Input
 * @param {string} label
 * @param {Input} input
 * @param {{ hint?: string, isRequired?: boolean, isLabelHidden?: boolean, class?: string }} [options]
 */
export function labelled(label, input, { hint, isRequired = false, isLabelHidden = false, class: name = '' } = {}) {
  input.id ||= freshID();
  const problem = element('p', { class: 'problem', id: freshID(), hidden: true });
  const text = hint === undefined ? undefined : element('p', { class: 'hint', id: freshID() }, hint);
  input.setAttribute('aria-describedby', [problem.id, text?.id].filter(Boolean).join(' '));
  if (isRequired) input.setAttribute('aria-required', 'true');
  const root = element('div', { class: `field ${name}`.trim() },
    element('label', { for: input.id, class: isLabelHidden ? 'hidden' : undefined }, label, isRequired && requiredMark()),
    input, problem, text);
  /** Says what is wrong, or with nothing that all is well. @param {string} [words] */
  const refuse = (words) => {
    problem.hidden = !words;
    setText(problem, words ?? '');
    if (words) input.setAttribute('aria-invalid', 'true');
    else input.removeAttribute('aria-invalid');
  };
  return { root, input, hint: text, refuse };
}

/** A star for the eye, as the legend of a form says; readers are told by the control itself. */
export function requiredMark() {
  return element('span', { class: 'required', 'aria-hidden': 'true' }, ' *');
}

/**
 * One of a few.
 * @param {{ value: string, label: string }[]} choices
 * @param {string} chosen
 * @param {(value: string) => void} onchange
 */
export function select(choices, chosen, onchange) {
  const input = element('select', { onchange: () => onchange(input.value) },
    choices.map(({ value, label }) => element('option', { value, selected: value === chosen }, label)));
  return input;
}

/**
 * A form's message about itself as a whole; hidden while there is none.
 */
export function notice() {
  const text = element('p');
  const actions = element('div', { class: 'actions wrap' });
  const root = element('div', { class: 'notice', role: 'alert', hidden: true }, text, actions);
  /**
   * @param {string} [words]
   * @param {...HTMLElement} buttons
   */
  const say = (words, ...buttons) => {
    root.hidden = !words;
    setText(text, words ?? '');
    actions.replaceChildren(...buttons);
    actions.hidden = buttons.length === 0;
  };
  return { root, say };
}
