// @ts-check
import { say } from '../words/words.js';
import { element } from './dom.js';
import { icon } from './icons.js';

let lastID = 0;

/** A fresh id, for labels. */
export function freshID() {
  return `c${++lastID}`;
}

/**
 * @param {string} label
 * @param {() => unknown} onclick
 * @param {{ icon?: string, class?: string }} [options]
 */
export function button(label, onclick, options = {}) {
  return element('button', { type: 'button', class: options.class ?? '', onclick },
    options.icon ? icon(options.icon) : undefined, element('span', {}, label));
}

/**
 * A button of an icon alone; the label is for readers and as a tip.
 * @param {string} label
 * @param {string} iconName
 * @param {() => unknown} onclick
 */
export function iconButton(label, iconName, onclick) {
  return element('button', { type: 'button', class: 'plain', 'aria-label': label, title: label, onclick }, icon(iconName));
}

/**
 * A link of an icon alone; the label is for readers and as a tip.
 * @param {string} label
 * @param {string} iconName
 * @param {string} href
 */
export function iconLink(label, iconName, href) {
  return element('a', { class: 'button plain', href, 'aria-label': label, title: label }, icon(iconName));
}

/**
 * A switch with its words beside it, and a line below that says what it does now.
 * @param {string} label
 * @param {(isOn: boolean) => void} onchange
 */
export function toggle(label, onchange) {
  const id = freshID();
  const input = element('input', {
    type: 'checkbox', role: 'switch', id, 'aria-describedby': `${id}d`, onchange: () => onchange(input.checked),
  });
  const state = element('span', { class: 'hint', id: `${id}d` });
  const root = element('div', { class: 'toggle' }, element('label', { for: id }, label), input, state);
  return { root, input, state };
}

/**
 * A labelled text field.
 * @param {string} label
 * @param {Record<string, any>} properties
 */
export function field(label, properties = {}) {
  const id = freshID();
  const input = element('input', { id, type: 'text', ...properties });
  return { root: element('div', { class: 'field' }, element('label', { for: id }, label), input), input };
}

/**
 * One of a few, all visible.
 * @param {string} label
 * @param {{ value: string, label: string }[]} choices
 * @param {string} chosen
 * @param {(value: string) => void} onchange
 */
export function segments(label, choices, chosen, onchange) {
  const name = freshID();
  const inputs = choices.map(({ value, label: text }) => element('label', {},
    element('input', { type: 'radio', name, value, checked: value === chosen, onchange: () => onchange(value) }),
    element('span', {}, text)));
  return element('fieldset', { class: 'segments' }, element('legend', { class: 'hidden' }, label), inputs);
}

/**
 * Where nothing is yet: what it is for, and what to do next.
 * @param {string} iconName
 * @param {string} title
 * @param {string} text
 * @param {...HTMLElement} actions
 */
export function emptyState(iconName, title, text, ...actions) {
  return element('div', { class: 'empty' }, element('div', { class: 'empty-picture' }, icon(iconName)),
    element('h2', {}, title), element('p', {}, text), actions.length > 0 && element('div', { class: 'actions' }, actions));
}

/**
 * A view's top: where back goes, its title, and what can be done.
 * @param {string} title
 * @param {{ back?: () => void, actions?: HTMLElement[] }} [options]
 */
export function heading(title, { back, actions = [] } = {}) {
  const text = element('h1', { tabIndex: -1, dir: 'auto' }, title);
  const root = element('header', { class: 'view-header' },
    back ? iconButton(say('page.back'), 'back', back) : undefined, text, element('div', { class: 'actions' }, actions));
  return { root, text };
}

/**
 * Asks before something that can't be undone.
 * @param {string} question
 * @param {string} explanation
 * @param {string} action
 * @returns {Promise<boolean>}
 */
export async function confirmed(question, explanation, action) {
  return await chosen(question, explanation, { yes: action }) === 'yes';
}

/**
 * Asks the reader to confirm an action that can't be undone, and offers a button for each way to do it.
 * @template {string} Way
 * @param {string} question
 * @param {string} explanation
 * @param {Record<Way, string>} ways the label of each way's button
 * @param {HTMLElement} [option] a control that goes with the question
 * @returns {Promise<Way | undefined>} nothing if it was canceled
 */
export function chosen(question, explanation, ways, option) {
  return new Promise((resolve) => {
    const id = freshID();
    const dialog = element('dialog', { 'aria-labelledby': id },
      element('h2', { id }, question), element('p', {}, explanation), option,
      element('form', { method: 'dialog', class: 'actions' },
        element('button', { value: '', class: 'quiet' }, say('page.cancel')),
        Object.keys(ways).map((way) => element('button', { value: way, class: 'danger' }, ways[/** @type {Way} */ (way)]))));
    dialog.addEventListener('close', () => {
      resolve(/** @type {Way | ''} */ (dialog.returnValue) || undefined);
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Runs what a form or button asks for, with its button off meanwhile.
 * @param {HTMLElement | null} control
 * @param {() => Promise<void>} action
 */
export async function whileBusy(control, action) {
  control?.toggleAttribute('disabled', true);
  control?.setAttribute('aria-busy', 'true');
  try {
    await action();
  } finally {
    control?.toggleAttribute('disabled', false);
    control?.removeAttribute('aria-busy');
  }
}
