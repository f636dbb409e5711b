// @ts-check
import { freshID } from '../../app/page/controls.js';
import { element, fill, setText } from '../../app/page/dom.js';
import { Asking } from './asking.js';

/** How long somebody has to stop typing before the server is asked. */
const WAIT = 220;

/**
 * @template Choice
 * @typedef {object} Choices
 * @property {string} label of the list, for readers
 * @property {(text: string, signal: AbortSignal) => Promise<Choice[]>} find
 * @property {(choice: Choice) => { text: string, detail?: string }} show
 * @property {(choice: Choice) => void} choose
 * @property {(choices: Choice[]) => string | undefined} [credit] whose data it is
 * @property {() => void} [enter] what Enter does while no choice is active
 * @property {number} [shortest] how many characters are worth a search; 1 if missing
 */

/**
 * Lets a text input suggest while somebody types: the combobox with a list of the ARIA practices. Down and Up go through
 * the list, Enter takes one, Escape closes it.
 * @template Choice
 */
export class Combobox {
  root = element('div', { class: 'combobox' });

  #input;
  #choices;
  #list = element('ul', { class: 'choices-list', role: 'listbox', id: freshID() });
  #credit = element('p', { class: 'hint credit' });
  #box = element('div', { class: 'popup', hidden: true });
  #status = element('span', { class: 'hidden', role: 'status' });
  #asking = new Asking();
  /** @type {Choice[]} */
  #found = [];
  #active = -1;

  /**
   * @param {HTMLInputElement} input
   * @param {Choices<Choice>} choices
   */
  constructor(input, choices) {
    this.#input = input;
    this.#choices = choices;
    this.#list.setAttribute('aria-label', choices.label);
    for (const [name, value] of [['role', 'combobox'], ['aria-autocomplete', 'list'], ['aria-expanded', 'false'], ['aria-controls', this.#list.id]]) {
      input.setAttribute(name, value);
    }
    input.autocomplete = 'off';
    this.#box.append(this.#list, this.#credit);
    this.root.append(input, this.#box, this.#status);
    input.addEventListener('input', () => this.#typed());
    input.addEventListener('keydown', (event) => this.#pressed(event));
    input.addEventListener('blur', () => this.close());
    // The focus stays in the input, so that typing goes on.
    this.#list.addEventListener('mousedown', (event) => event.preventDefault());
  }

  /** Closes the list, and asks no more. */
  close() {
    this.#asking.cancel();
    this.#show([]);
  }

  async #typed() {
    const text = this.#input.value.trim();
    if (text.length < (this.#choices.shortest ?? 1)) {
      this.close();
      setText(this.#status, '');
      return;
    }
    /** @type {Choice[] | undefined} */
    let found = [];
    try {
      found = await this.#asking.ask((signal) => this.#choices.find(text, signal), WAIT);
    } catch {
      // Suggestions are a help: without them one goes on typing.
    }
    if (!found || document.activeElement !== this.#input) return;
    this.#show(found);
    setText(this.#status, found.length === 0 ? 'No suggestions.' : found.length === 1 ? 'One suggestion.' : `${found.length} suggestions.`);
  }

  /** @param {Choice[]} found */
  #show(found) {
    this.#found = found;
    this.#active = -1;
    fill(this.#list, found.map((choice, index) => this.#option(choice, index)));
    setText(this.#credit, this.#choices.credit?.(found) ?? '');
    this.#credit.hidden = this.#credit.textContent === '';
    this.#box.hidden = found.length === 0;
    this.#input.setAttribute('aria-expanded', String(found.length > 0));
    this.#input.removeAttribute('aria-activedescendant');
  }

  /**
   * @param {Choice} choice
   * @param {number} index
   */
  #option(choice, index) {
    const { text, detail } = this.#choices.show(choice);
    return element('li', { role: 'option', id: `${this.#list.id}-${index}`, 'aria-selected': 'false', onclick: () => this.#take(index) },
      element('span', {}, text), detail ? element('span', { class: 'hint' }, detail) : undefined);
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.isComposing) return;
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (this.#found.length > 0) this.#activate(this.#active + (key === 'ArrowDown' ? 1 : -1));
      else this.#typed();
    } else if (key === 'Enter' && this.#active >= 0) {
      this.#take(this.#active);
    } else if (key === 'Enter' && this.#choices.enter) {
      this.close();
      this.#choices.enter();
    } else if (key === 'Escape' && this.#found.length > 0) {
      this.close();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} index beyond either end the other one follows */
  #activate(index) {
    this.#list.children[this.#active]?.setAttribute('aria-selected', 'false');
    this.#active = (index + this.#found.length) % this.#found.length;
    const option = this.#list.children[this.#active];
    option.setAttribute('aria-selected', 'true');
    option.scrollIntoView({ block: 'nearest' });
    this.#input.setAttribute('aria-activedescendant', option.id);
  }

  /** @param {number} index */
  #take(index) {
    const choice = this.#found[index];
    this.close();
    this.#choices.choose(choice);
  }
}
