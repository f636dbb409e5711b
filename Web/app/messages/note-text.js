// @ts-check
/** @typedef {import('../wire.d.ts').Message} Message */

/**
 * @typedef {object} Naming
 * @property {string | undefined} own the reader's id
 * @property {(user: string) => string} nameOf
 * @property {(time: number) => string} timeOf an end, as a time of day or with its date
 */

/** The tags that have a line of their own in a chat besides what people write. */
export const NOTE_TAGS = ['Join', 'Leave', 'Subject', 'Share', 'Remove', 'Owner'];

/**
 * What a message of the server's own tags says in a chat; `undefined` for one that has no line there, as a `Recall` has none.
 * @param {Message} message
 * @param {Naming} naming
 * @returns {string | undefined}
 */
export function noteText(message, naming) {
  switch (message.tag) {
    case 'Join': return joined(message, naming);
    case 'Leave': return naming.own === message.sender ? 'You left' : `${naming.nameOf(message.sender)} left`;
    case 'Subject': return renamed(message, naming);
    case 'Share': return shared(message, naming);
    case 'Remove': return `${subjectOf(message, naming)} removed ${objectOf(message.data?.user, naming)}`;
    case 'Owner': return owned(message.data?.user, naming);
    default: return undefined;
  }
}

/**
 * @param {Message} message
 * @param {Naming} naming
 */
function joined(message, naming) {
  const users = /** @type {string[]} */ (message.data?.users ?? [message.sender]);
  const names = new Intl.ListFormat('en').format(users.map((user) => (user === naming.own ? 'You' : naming.nameOf(user))));
  return `${names} joined`;
}

/**
 * @param {Message} message
 * @param {Naming} naming
 */
function renamed(message, naming) {
  const who = subjectOf(message, naming);
  return message.content ? `${who} named the chat “${message.content}”` : `${who} took the chat’s name away`;
}

/**
 * @param {Message} message
 * @param {Naming} naming
 */
function shared({ sender, data }, { own, nameOf, timeOf }) {
  const isOwn = sender === own;
  const who = isOwn ? 'You' : nameOf(sender);
  const end = typeof data?.until === 'number' ? `until ${timeOf(data.until)}` : 'until stopped';
  switch (data?.state) {
    case 'started': return `${who} ${isOwn ? 'share' : 'shares'} ${end}`;
    case 'changed': return `${who} now ${isOwn ? 'share' : 'shares'} ${end}`;
    case 'stopped': return `${who} stopped sharing`;
    case 'expired': return data.arrived ? `${who} arrived` : `${isOwn ? 'Your' : `${who}’s`} sharing ended`;
    default: return undefined;
  }
}

/**
 * @param {string | undefined} user
 * @param {Naming} naming
 */
function owned(user, naming) {
  if (user === undefined) return undefined;
  return user === naming.own ? 'You are the owner now' : `${naming.nameOf(user)} is the owner now`;
}

/**
 * @param {Message} message
 * @param {Naming} naming
 */
function subjectOf({ sender }, { own, nameOf }) {
  return sender === own ? 'You' : nameOf(sender);
}

/**
 * @param {string | undefined} user
 * @param {Naming} naming
 */
function objectOf(user, { own, nameOf }) {
  if (user === undefined) return 'somebody';
  return user === own ? 'you' : nameOf(user);
}
