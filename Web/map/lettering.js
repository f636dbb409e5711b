// @ts-check

/** The page's own fonts, for labels over the map. */
export const LABEL_FONT = ['DejaVu Sans', 'Noto Sans', 'Arial', 'sans-serif'];
const BOLD = ['DejaVu Sans Bold', 'Noto Sans Bold', 'DejaVu Sans', 'Arial', 'sans-serif'];

/**
 * Which words labels use, and which fonts. MapLibre draws letters itself from the fonts of the page, so nothing is fetched.
 */
export class Lettering {
  regular = LABEL_FONT;
  bold = BOLD;

  /** @param {string} language the reader's, as in `navigator.language` */
  constructor(language) {
    const primary = language.split('-')[0] || 'en';
    this.text = ['coalesce', ['get', `name:${primary}`], ['get', `name_${primary}`], ['get', 'name:latin'], ['get', 'name'], ''];
  }
}
