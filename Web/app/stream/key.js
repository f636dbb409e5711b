// @ts-check

/** A fresh key for something sent. Works without https too, where `randomUUID` is missing. */
export function freshKey() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
