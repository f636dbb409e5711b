// @ts-check
import { say } from '../words/words.js';

/** @typedef {'peek' | 'half' | 'full'} Height */
/** @typedef {import('../map/map.js').Covered} Covered */
/** @typedef {import('../map/map.js').Padding} Padding */

/** @type {Height[]} */
const HEIGHTS = ['peek', 'half', 'full'];
const LABELS = { peek: say('page.enlargePanel'), half: say('page.enlargePanel'), full: say('page.shrinkPanel') };

/** The map fits people into so many pixels at least, though a higher sheet lies over some of them. */
const FITTED_INTO = 270;

/** The panel as a sheet on a phone: it stands low, half or high, by its handle. On a wide screen it just stands. */
export class Sheet {
  #panel;
  #handle;
  #setPadding;
  #isWide = matchMedia('(min-width: 760px)');

  /**
   * @param {HTMLElement} panel
   * @param {(padding: Padding, covered: Covered) => void} setPadding
   */
  constructor(panel, setPadding) {
    this.#panel = panel;
    this.#handle = /** @type {HTMLButtonElement} */ (panel.querySelector('#handle'));
    this.#setPadding = setPadding;
    this.#handle.addEventListener('click', ({ detail }) => this.#clicked(detail));
    this.#handle.addEventListener('pointerdown', (event) => this.#drag(event));
    addEventListener('resize', () => this.pad());
    this.#isWide.addEventListener('change', () => this.pad());
  }

  /** @param {Height} height */
  stand(height) {
    this.#panel.dataset.sheet = height;
    this.#handle.setAttribute('aria-expanded', String(height !== 'peek'));
    const label = this.#handle.querySelector('span');
    if (label) label.textContent = LABELS[height];
    this.pad();
  }

  /** From full to half, so that the map is seen. */
  lower() {
    if (this.#height === 'full') this.stand('half');
  }

  /** @returns {Height} */
  get #height() {
    return /** @type {Height} */ (this.#panel.dataset.sheet);
  }

  #isDragged = false;

  /** @param {number} clicks 0 from the keyboard */
  #clicked(clicks) {
    if (clicks > 0 && this.#isDragged) return;
    this.stand(this.#height === 'peek' ? 'half' : this.#height === 'half' ? 'full' : 'peek');
  }

  /** @param {PointerEvent} down */
  #drag(down) {
    this.#isDragged = false;
    const before = this.#panel.getBoundingClientRect().height;
    this.#handle.setPointerCapture(down.pointerId);
    const move = (/** @type {PointerEvent} */ { clientY }) => {
      if (Math.abs(clientY - down.clientY) > 6) this.#isDragged = true;
      if (this.#isDragged) this.#panel.style.setProperty('--dragged', `${before + down.clientY - clientY}px`);
    };
    const up = () => {
      this.#handle.removeEventListener('pointermove', move);
      if (this.#isDragged) this.#settle(this.#panel.getBoundingClientRect().height / innerHeight);
      this.#panel.style.removeProperty('--dragged');
    };
    this.#handle.addEventListener('pointermove', move);
    this.#handle.addEventListener('pointerup', up, { once: true });
    this.#handle.addEventListener('pointercancel', up, { once: true });
  }

  /** @param {number} share of the screen */
  #settle(share) {
    this.stand(HEIGHTS[share < 0.32 ? 0 : share < 0.7 ? 1 : 2]);
  }

  /** The map's middle is the middle of what the panel leaves free. */
  pad() {
    if (!this.#isWide.matches) {
      // As the style has it; under a full sheet the map stays as it was under half.
      const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
      const half = Math.min(innerHeight * 0.93, Math.max(innerHeight * 0.55, 22 * rem));
      const wanted = this.#height === 'peek' ? 10.625 * rem : half;
      const bottom = Math.round(Math.min(wanted, innerHeight - FITTED_INTO));
      return this.#setPadding({ top: 70, right: 64, bottom, left: 24 }, { left: 0, right: 0, bottom });
    }
    const { left, right } = this.#panel.getBoundingClientRect();
    const isMirrored = document.dir === 'rtl';
    const panel = isMirrored ? innerWidth - left : right;
    const beside = document.getElementById('aside')?.offsetWidth ?? 0;
    const aside = beside > 0 ? beside + 16 : 0;
    const covered = { left: isMirrored ? aside : panel, right: isMirrored ? panel : aside, bottom: 0 };
    return this.#setPadding({ top: 60, right: covered.right + 60, bottom: 40, left: covered.left + 24 }, covered);
  }
}
