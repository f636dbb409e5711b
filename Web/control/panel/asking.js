// @ts-check

/** Asks one thing after another, of which only the newest counts: the one before is called off. */
export class Asking {
  /** @type {AbortController | undefined} */
  #controller;

  /**
   * Asks, after a while if somebody may still be typing.
   * @template Answer
   * @param {(signal: AbortSignal) => Promise<Answer>} ask
   * @param {number} [wait] milliseconds
   * @returns {Promise<Answer | undefined>} nothing if something else was asked meanwhile
   */
  async ask(ask, wait = 0) {
    this.cancel();
    const controller = new AbortController();
    this.#controller = controller;
    if (wait > 0) await pause(wait, controller.signal);
    if (controller.signal.aborted) return undefined;
    try {
      const answer = await ask(controller.signal);
      return controller.signal.aborted ? undefined : answer;
    } catch (error) {
      if (controller.signal.aborted) return undefined;
      throw error;
    }
  }

  /** Calls off what is asked. */
  cancel() {
    this.#controller?.abort();
  }
}

/**
 * @param {number} milliseconds
 * @param {AbortSignal} signal ends it early
 */
function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve(undefined);
    });
  });
}
