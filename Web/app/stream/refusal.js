// @ts-check

/**
 * The codes with which the server refuses what a person sent for a reason that stays. A newer server's codes aren't among them: they are
 * taken for a fault that passes, as is whatever a proxy answers. The worker has the same list, and all clients have one table of cases.
 */
export const FINAL_REFUSALS = new Set([
  'closedChat', 'invalidField', 'invalidFrame', 'invalidJSON', 'keyReused', 'messageTooLarge', 'missingField', 'notAllowed', 'notParticipant',
  'notShared', 'reservedTag', 'shareEnded', 'tooLarge', 'tooMany', 'unknownChat', 'unknownField', 'unknownMessage', 'unknownUser',
]);

/**
 * Whether a message or a *Stop* that was refused is over; else it is sent again.
 * @param {{ code?: string, retryAfter?: number }} refusal
 */
export function isFinal({ code, retryAfter }) {
  return retryAfter === undefined && code !== undefined && FINAL_REFUSALS.has(code);
}
