// @ts-check
import { button } from '../../app/page/controls.js';
import { element, fill, setText } from '../../app/page/dom.js';
import { icon } from '../../app/page/icons.js';
import { counted } from '../objects/cells.js';
import { exportAddress } from '../objects/objects.js';
import { Asking } from '../panel/asking.js';
import { entityTabs, viewHead, wayTo } from '../panel/headings.js';
import { labelled, notice, select } from '../panel/inputs.js';
import { FILE_LIMIT, PREVIEW_BYTES, formatOf, mappingProblem, summaryOf, withTarget } from './mapping.js';
import { MappingTable, errorTable, previewTable } from './tables.js';
import { upload } from './upload.js';

/** @typedef {import('../control.d.ts').Entity} Entity */
/** @typedef {import('../control.d.ts').ImportReport} ImportReport */

/** How long somebody may be on the way to another choice. */
const CHOOSING = 250;

/**
 * Brings objects in from a file, and gives them out as one.
 * @param {import('../panel/control-panel.js').ControlPanel} panel
 * @param {Entity} entity
 * @returns {import('../control.d.ts').View}
 */
export function importView(panel, entity) {
  return new ImportView(panel, entity).view();
}

class ImportView {
  #panel;
  #entity;
  #asking = new Asking();
  /** @type {File | undefined} */
  #file;
  /** @type {import('./mapping.js').Format} */
  #format = 'csv';
  /** Where columns go, if somebody said so. @type {Map<string, string>} */
  #mapping = new Map();
  /** @type {AbortController | undefined} */
  #running;

  #notice = notice();
  #mappingTable;
  /** As the server saw them last. @type {import('../control.d.ts').Column[]} */
  #columns = [];
  #summary = element('p', { role: 'status' });
  #rows = element('div', { class: 'stack' });
  #mapped = element('div', { class: 'stack' });
  #import = button('Import', () => this.#start(), { class: 'primary', icon: 'share' });
  #preview = element('div', { class: 'stack', hidden: true });
  #result = element('div', { class: 'stack', hidden: true });
  #count = element('p', { class: 'hint' });
  #picked;
  #kind;

  /**
   * @param {import('../panel/control-panel.js').ControlPanel} panel
   * @param {Entity} entity
   */
  constructor(panel, entity) {
    this.#panel = panel;
    this.#entity = entity;
    this.#mappingTable = new MappingTable(entity.fields, (column, target) => this.#map(column, target));
    fill(this.#preview, this.#mapped, element('h3', {}, 'Preview'), this.#summary, this.#rows, element('div', { class: 'footer actions' }, this.#import));
    fill(this.#mapped, element('h3', {}, 'Where the columns go'), this.#mappingTable.root);
    this.#picked = labelled('File', element('input', {
      type: 'file', accept: '.csv,.tsv,.txt,.geojson,.geojsonl,.json,.ndjson,text/csv,application/geo+json', onchange: () => this.#chose(),
    }), { hint: 'CSV with a line of titles, in UTF-8, or GeoJSON; at most 256 MiB.' });
    this.#kind = labelled('Kind of file', select([{ value: 'csv', label: 'CSV' }, { value: 'geojson', label: 'GeoJSON' }], 'csv', (value) => {
      this.#format = /** @type {import('./mapping.js').Format} */ (value);
      this.#lookAnew();
    }));
  }

  view() {
    const { name } = this.#entity;
    this.#showCount(this.#entity.count);
    const inPart = element('section', { class: 'card stack', 'aria-labelledby': 'import-title' }, element('h2', { id: 'import-title' }, 'Import'),
      element('p', { class: 'hint' }, 'Each row makes an object, or changes the one whose id it has. You see first what would become of it.'),
      element('div', { class: 'file-line' }, this.#picked.root, this.#kind.root), this.#notice.root, this.#preview, this.#result);
    const links = /** @type {const} */ (['csv', 'geojson']).map((format) => element('a', { class: 'button', href: exportAddress(name, format), download: '' },
      icon('export'), element('span', {}, format === 'csv' ? 'Export as CSV' : 'Export as GeoJSON')));
    const outPart = element('section', { class: 'card stack', 'aria-labelledby': 'export-title' }, element('h2', { id: 'export-title' }, 'Export'),
      this.#count,
      element('div', { class: 'actions wrap' }, links));
    const root = element('div', { class: 'page wide' }, viewHead(`${name}: import and export`, { way: wayTo(name) }), entityTabs(name, 'import'), inPart, outPart);
    return {
      title: `${name}: import and export`, root, isChanged: () => this.#running !== undefined,
      close: () => {
        this.#asking.cancel();
        this.#running?.abort();
      },
    };
  }

  #chose() {
    this.#file = this.#picked.input.files?.[0];
    this.#picked.refuse();
    if (!this.#file) return this.#clear();
    this.#format = formatOf(this.#file.name) ?? this.#format;
    this.#kind.input.value = this.#format;
    if (this.#file.size > FILE_LIMIT) {
      this.#clear();
      this.#picked.refuse('At most 256 MiB.');
      return;
    }
    if (this.#file.size === 0) {
      this.#clear();
      this.#picked.refuse('This file is empty.');
      this.#file = undefined;
      return;
    }
    this.#lookAnew();
  }

  #lookAnew() {
    this.#mapping = new Map();
    this.#clear();
    if (this.#file) this.#look();
  }

  #clear() {
    this.#notice.say();
    for (const part of [this.#preview, this.#result]) part.hidden = true;
  }

  /** Asks what would become of the file's beginning. @param {number} [wait] */
  async #look(wait = 0) {
    const file = this.#file;
    if (!file) return;
    this.#notice.say();
    this.#result.hidden = true;
    this.#panel.announce('Reading the file’s beginning…');
    const isPartial = file.size > PREVIEW_BYTES;
    const beginning = file.slice(0, PREVIEW_BYTES);
    try {
      const report = await this.#asking.ask((signal) => upload(this.#entity.name, beginning, { format: this.#format, mapping: this.#mapping, preview: { isPartial }, signal }), wait);
      if (report) this.#showPreview(report, isPartial);
    } catch (error) {
      // What was said about the columns may be what is wrong: then it has to be there to be changed.
      if (this.#mapping.size === 0) this.#clear();
      this.#notice.say(/** @type {Error} */ (error).message);
    }
  }

  /**
   * @param {ImportReport} report
   * @param {boolean} isPartial
   */
  #showPreview(report, isPartial) {
    this.#columns = report.columns;
    this.#mappingTable.show(report.columns);
    const checked = isPartial ? `Of the first ${counted(report.rows, 'row', 'rows')}:` : `Of ${counted(report.rows, 'row', 'rows')}:`;
    const summary = `${checked} ${summaryOf(report, counted).replaceAll(' made', ' would be made').replaceAll(' refused', ' would be refused')}`;
    setText(this.#summary, summary);
    fill(this.#rows, (report.objects?.length ?? 0) > 0 && previewTable(this.#entity, report.objects ?? []), errorPart(report));
    this.#mapped.hidden = report.columns.length === 0;
    // Of a long file the rest may do better than its beginning.
    this.#import.disabled = !isPartial && report.refused === report.rows;
    this.#preview.hidden = false;
  }

  /**
   * @param {string} column
   * @param {string} target
   */
  #map(column, target) {
    this.#mapping = withTarget(this.#columns, this.#mapping, column, target);
    this.#asking.cancel();
    const problem = mappingProblem(this.#mapping, this.#entity.fields);
    this.#notice.say(problem);
    if (!problem) this.#look(CHOOSING);
  }

  async #start() {
    const file = this.#file;
    if (!file) return;
    const problem = mappingProblem(this.#mapping, this.#entity.fields);
    if (problem) return this.#notice.say(problem);
    const running = new AbortController();
    this.#running = running;
    const shown = progressBar(() => running.abort());
    this.#clear();
    fill(this.#result, shown.root);
    this.#result.hidden = false;
    shown.focus();
    for (const { input } of [this.#picked, this.#kind]) input.disabled = true;
    try {
      this.#showResult(await upload(this.#entity.name, file, { format: this.#format, mapping: this.#mapping, signal: running.signal, progress: shown.set }));
    } catch (error) {
      this.#stopped(/** @type {Error} */ (error));
    }
    for (const { input } of [this.#picked, this.#kind]) input.disabled = false;
    this.#running = undefined;
    this.#countAgain();
  }

  /** How many objects there are now; no number while that isn't known. */
  async #countAgain() {
    this.#showCount(undefined);
    try {
      await this.#panel.entities.load();
      this.#showCount(this.#panel.entities.named(this.#entity.name)?.count);
    } catch {
      // The number stays away.
    }
  }

  /** @param {number | undefined} count */
  #showCount(count) {
    setText(this.#count, [count === undefined ? '' : `${counted(count, 'object', 'objects')}.`, 'What comes out can be brought in again, and loses nothing.'].filter(Boolean).join(' '));
  }

  /** @param {ImportReport} report */
  #showResult(report) {
    const title = element('h3', { tabIndex: -1 }, report.refused === 0 ? 'All of it is imported' : 'Imported, but for some rows');
    fill(this.#result, title, element('p', {}, summaryOf(report, counted)),
      report.renamed > 0 && element('p', { class: 'hint' }, `${counted(report.renamed, 'row', 'rows')} had the id of no object here: these got new ones.`),
      errorPart(report), element('div', { class: 'actions wrap' }, element('a', { class: 'button primary', href: `#/objects/${this.#entity.name}` }, 'See the objects')));
    this.#forgetFile();
    title.focus();
  }

  /** @param {Error} error */
  #stopped(error) {
    this.#result.hidden = true;
    const words = error.name === 'AbortError' ? 'Stopped. What the server had written by then is kept.' : error.message;
    this.#notice.say(words);
    this.#forgetFile();
    this.#picked.input.disabled = false;
    this.#picked.input.focus();
  }

  /** The same file twice would make the same objects twice. */
  #forgetFile() {
    this.#file = undefined;
    this.#picked.input.value = '';
    this.#mapping = new Map();
    this.#panel.tables.get(this.#entity.name)?.forgetPages();
  }
}

/** @param {ImportReport} report */
function errorPart({ errors, refused }) {
  if (errors.length === 0) return undefined;
  const rest = refused - errors.length;
  return element('div', { class: 'stack' }, element('h3', {}, 'Refused rows'), errorTable(errors),
    rest > 0 && element('p', { class: 'hint' }, `And ${counted(rest, 'row', 'rows')} more.`));
}

/** @param {() => void} stop */
function progressBar(stop) {
  const text = element('p', { role: 'status' }, 'Importing…');
  const bar = element('progress', { max: 100, value: 0, 'aria-label': 'Import' });
  const cancel = button('Stop', stop, { icon: 'close' });
  let told = 0;
  const set = (/** @type {number} */ share) => {
    const percent = Math.floor(100 * share);
    bar.value = percent;
    // Readers hear of every quarter.
    if (percent === 100) setText(text, 'All is sent. The server writes the last rows…');
    else if (percent >= told + 25) setText(text, `Importing… ${told = percent - (percent % 25)} %`);
  };
  return { root: element('div', { class: 'stack' }, text, element('div', { class: 'progress-line' }, bar, cancel)), set, focus: () => cancel.focus() };
}
