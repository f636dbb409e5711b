// @ts-check

/** Which of several questions the server has answered at all, and which on the present connection. */
export class Answers {
  #never;
  #missing;

  /** @param {string[]} questions */
  constructor(questions) {
    this.#never = new Set(questions);
    this.#missing = new Set(questions);
  }

  /** @param {string} question whose whole answer has come, or that is refused for good */
  answered(question) {
    this.#never.delete(question);
    this.#missing.delete(question);
  }

  /** @param {string} question to which nothing comes for now */
  lost(question) {
    this.#missing.add(question);
  }

  /** Whether each was answered once. */
  get areKnown() {
    return this.#never.size === 0;
  }

  /** Whether each was answered on the present connection. */
  get areCurrent() {
    return this.#missing.size === 0;
  }
}
