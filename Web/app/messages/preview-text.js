// @ts-check
import { say } from '../words/words.js';

/**
 * A written message in a line: its text, or what it is.
 * @param {{ tag: string, content: string, data?: any, recalled?: boolean }} message
 */
export function previewText({ tag, content, data, recalled }) {
  if (recalled) return say('messages.takenBack');
  if (content) return content.replace(/\s+/gu, ' ').slice(0, 200);
  switch (tag) {
    case 'Place': return data?.name ? String(data.name).slice(0, 200) : say('messages.place');
    case 'Photo': return say('messages.photo');
    default: return say('messages.expired');
  }
}

/**
 * The same with who wrote it, where that isn't plain.
 * @param {{ sender: string, tag: string, content: string, data?: any, recalled?: boolean }} message
 * @param {import('../wire.d.ts').Chat} chat
 * @param {string | undefined} own
 */
export function namedPreview(message, chat, own) {
  const text = previewText(message);
  if (message.sender === own) return say('messages.youWrote', { text });
  const name = chat.participants.find(({ user }) => user === message.sender)?.name;
  return chat.oneToOne || !name ? text : say('messages.wrote', { name: firstName(name), text });
}

/** @param {string} name */
function firstName(name) {
  return name.split(/\s+/u)[0] || name;
}
