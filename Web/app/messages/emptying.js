// @ts-check

/** @typedef {import('../wire.d.ts').Message} Message */

/**
 * The people some of whose positions the server has hidden, as a message says: their expiring share ended, or they left the chat. A position
 * needn't name its share, so only the server knows which ones.
 * @param {Message} message
 * @returns {string[]}
 */
export function peopleEmptiedBy({ tag, sender, data }) {
  if (tag === 'Leave') return [sender];
  if (tag === 'Remove') return [data?.user];
  const isEnd = tag === 'Share' && data?.keep === 'expiring' && (data.state === 'stopped' || data.state === 'expired');
  return isEnd ? [sender] : [];
}
