// @ts-check
import { element, fill, setText } from '../../app/page/dom.js';
import { placeText } from '../../app/map/place-text.js';
import { creditOf } from './geocoding.js';

/** @typedef {import('../control.d.ts').Candidate} Candidate */

/** What a search for an address found: said, listed, and there to be chosen. */
export class CandidateList {
  root;

  #choose;
  #status = element('p', { class: 'search-status', role: 'status' });
  #list = element('ol', { class: 'candidates', 'aria-label': 'Places found', hidden: true });
  #credit = element('p', { class: 'hint credit', hidden: true });

  /** @param {(candidate: Candidate) => void} choose */
  constructor(choose) {
    this.#choose = choose;
    this.root = element('div', { class: 'found' }, this.#status, this.#list, this.#credit);
  }

  /** @param {string} words */
  say(words) {
    setText(this.#status, words);
  }

  /** @param {Candidate[]} candidates */
  show(candidates) {
    fill(this.#list, candidates.map((candidate) => element('li', {}, element('button', { type: 'button', onclick: () => this.#choose(candidate) },
      element('span', {}, candidate.label), element('span', { class: 'hint' }, `${candidate.kind} · ${placeText(candidate)}`)))));
    setText(this.#credit, creditOf(candidates));
    for (const part of [this.#list, this.#credit]) part.hidden = candidates.length === 0;
  }

  focus() {
    this.#list.querySelector('button')?.focus();
  }
}
