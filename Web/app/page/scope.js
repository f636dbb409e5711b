// @ts-check

/**
 * What ends together: observers, listeners, timers. A view has one, and so has a person's session. Whatever begins in a scope is over at
 * the scope's end at the latest, and nothing begins in one that is over.
 */
export class Scope {
  /** Whether it has ended. */
  isOver = false;

  /** @type {Set<() => void>} */
  #ends = new Set();

  /**
   * @param {() => void} end called once: at the scope's end, or before by what is returned
   * @returns {() => void}
   */
  add(end) {
    const once = () => { if (this.#ends.delete(once)) end(); };
    this.#ends.add(once);
    if (this.isOver) once();
    return once;
  }

  /**
   * @param {EventTarget} target
   * @param {string} type
   * @param {(event: any) => void} listener
   */
  listen(target, type, listener) {
    if (this.isOver) return;
    target.addEventListener(type, listener);
    this.add(() => target.removeEventListener(type, listener));
  }

  /**
   * @param {number} milliseconds
   * @param {() => void} action
   */
  every(milliseconds, action) {
    if (this.isOver) return;
    const timer = setInterval(action, milliseconds);
    this.add(() => clearInterval(timer));
  }

  /**
   * @param {number} milliseconds
   * @param {() => void} action
   */
  after(milliseconds, action) {
    if (this.isOver) return;
    const end = this.add(() => clearTimeout(timer));
    const timer = setTimeout(() => {
      end();
      action();
    }, milliseconds);
  }

  /**
   * What the tabs of this browser tell each other.
   * @param {string} name
   * @param {(data: any) => void} heard
   * @returns {((data: object) => void) | undefined} tells the other tabs; `undefined` where the browser has no such thing
   */
  channel(name, heard) {
    if (this.isOver || !('BroadcastChannel' in globalThis)) return undefined;
    const channel = new BroadcastChannel(name);
    let isOpen = true;
    channel.onmessage = ({ data }) => heard(data);
    this.add(() => {
      isOpen = false;
      channel.close();
    });
    // What ends with the scope may still tell so.
    return (data) => { if (isOpen) channel.postMessage(data); };
  }

  /** A scope that ends with this one, or before. */
  inner() {
    const inner = new Scope();
    const forget = this.add(() => inner.end());
    inner.add(forget);
    return inner;
  }

  /** Ends everything, the newest first. */
  end() {
    this.isOver = true;
    for (const end of [...this.#ends].reverse()) end();
  }
}

/** Of what lasts as long as the page is open, whoever is signed in. */
export const pageScope = new Scope();
