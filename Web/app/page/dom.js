// @ts-check

/** @typedef {Node | string | number | undefined | null | false} Child */

/**
 * An element with properties and children. `on…` are listeners, `class`, `aria-…`, `role` and `data-…` attributes,
 * anything else a property; a field knows its first `value` afterwards. Text goes in as text: nothing is ever parsed as HTML.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) set(made, name, value);
  made.append(...nodes(children));
  return made;
}

/**
 * @param {HTMLElement} target
 * @param {string} name
 * @param {any} value
 */
function set(target, name, value) {
  if (value === undefined || value === null) return;
  if (name.startsWith('on')) target.addEventListener(name.slice(2), value);
  else if (name === 'class' || name === 'role' || name === 'for' || name.includes('-')) target.setAttribute(name, String(value));
  else if (name === 'value' && 'defaultValue' in target) Object.assign(target, { defaultValue: value, value });
  else Object.assign(target, { [name]: value });
}

/**
 * @param {(Child | Child[])[]} children
 * @returns {(Node | string)[]}
 */
function nodes(children) {
  const flat = /** @type {Child[]} */ (children.flat());
  return flat.filter((child) => child !== undefined && child !== null && child !== false && child !== '')
    .map((child) => (typeof child === 'number' ? String(child) : /** @type {Node | string} */ (child)));
}

/**
 * Puts children in place of what is there.
 * @param {Element} parent
 * @param {...(Child | Child[])} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren(...nodes(children));
}

/**
 * Sets text only if it differs, so that live regions speak once and selections stay.
 * @param {Element} target
 * @param {string} text
 */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/**
 * Keeps a list's elements in step with its items: each item keeps its element, and with it focus and scrolling.
 * @template Item
 * @param {Element} list
 * @param {Iterable<Item>} items
 * @param {(item: Item) => string} keyOf
 * @param {(item: Item) => HTMLElement & { update?: (item: Item) => void }} make
 */
export function keyed(list, items, keyOf, make) {
  const before = new Map([...list.children].map((child) => [/** @type {HTMLElement} */ (child).dataset.key, child]));
  const wanted = [...items].map((item) => ({ item, key: keyOf(item) }));
  const keys = new Set(wanted.map(({ key }) => key));
  // First, or what stays would be moved over them and lose the focus.
  for (const [key, child] of before) if (key === undefined || !keys.has(key)) child.remove();
  let place = list.firstElementChild;
  for (const { item, key } of wanted) {
    const known = /** @type {any} */ (before.get(key));
    const child = known ?? make(item);
    child.dataset.key = key;
    if (known) child.update?.(item);
    if (child === place) place = place?.nextElementSibling ?? null;
    else list.insertBefore(child, place);
  }
}
